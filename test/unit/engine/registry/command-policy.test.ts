import { describe, expect, it } from 'vitest';
import { judgeCommand } from '../../../../engine/src/registry/command-policy.js';
import { type EffectivePolicy, intersectPolicies } from '../../../../engine/src/registry/effective-policy.js';
import { requirement } from '../../requirement.js';

const policy = (parts: Partial<EffectivePolicy>): EffectivePolicy => ({
  allowedCommands: [],
  allowedCommandGlobs: [],
  allowedDomains: [],
  fsScope: 'sandboxed',
  ...parts,
});
const isAllowed = (vector: readonly string[], parts: Partial<EffectivePolicy>) => judgeCommand(vector, policy(parts)) === undefined;

describe('what a workflow may run', () => {
  it(requirement('RC-04', 'compares argument by argument, so one argument with a space is not two arguments'), () => {
    expect(isAllowed(['npm', 'run', 'a b'], { allowedCommands: [['npm', 'run', 'a', 'b']] })).toBe(false);
    expect(isAllowed(['npm', 'run', 'a b'], { allowedCommands: [['npm', 'run', 'a b']] })).toBe(true);
    expect(isAllowed(['npm', 'run', 'a', 'b'], { allowedCommands: [['npm', 'run', 'a b']] })).toBe(false);
  });

  it('lets an argument with white space through by a list entry only, never by a glob', () => {
    for (const argument of ['a b', 'a\tb', 'a\u00a0b', 'a\nb', ' ']) {
      expect(isAllowed(['echo', argument], { allowedCommandGlobs: ['echo *'] })).toBe(false);
    }
    expect(isAllowed(['echo', 'a'], { allowedCommandGlobs: ['echo *'] })).toBe(true);
    expect(isAllowed(['echo', ''], { allowedCommandGlobs: ['echo *'] })).toBe(true);
  });

  it('does not let a wildcard stand for a control character', () => {
    for (const argument of ['a\u0007', '\u001b[2J', '\u0085', '\u007f']) {
      expect(isAllowed(['echo', argument], { allowedCommandGlobs: ['echo *', 'echo ?', '*'] })).toBe(false);
    }
  });

  it('refuses an empty command and a NUL even where everything is allowed', () => {
    const everything = { allowedCommands: [[''], ['a\0b']], allowedCommandGlobs: ['*'] };
    expect(isAllowed([], everything)).toBe(false);
    expect(isAllowed([''], everything)).toBe(false);
    expect(isAllowed(['a\0b'], everything)).toBe(false);
    expect(isAllowed(['a', '\0'], everything)).toBe(false);
  });

  it('teaches with the lines that would allow the command', () => {
    expect(judgeCommand(['npm', 'test'], policy({}))).toEqual({
      reason: 'command_not_allowed',
      message: 'the workflow lists no command in tools.allowedCommands',
      rule: 'tools.allowedCommands',
      source: 'workflow',
      value: 'npm test',
      remedy: "tools:\n  allowedCommands:\n    - 'npm test'",
    });
    expect(judgeCommand(['git', 'commit', '-m', "it's done"], policy({}))?.remedy).toBe(
      "tools:\n  allowedCommands:\n    - ['git', 'commit', '-m', 'it''s done']",
    );
    expect(judgeCommand(['printf', 'a\nb'], policy({}))?.remedy).toContain('"a\\nb"');
  });

  it('allows inside a subworkflow only what its caller allows as well', () => {
    const parent = policy({ allowedCommandGlobs: ['npm *'], fsScope: 'project' });
    const child = policy({ allowedCommandGlobs: ['* test'], allowedCommands: [['make']], fsScope: 'full' });
    const both = intersectPolicies(parent, child);
    expect(judgeCommand(['npm', 'test'], both)).toBeUndefined();
    expect(judgeCommand(['npm', 'start'], both)?.message).toContain('in the workflow');
    expect(judgeCommand(['make'], both)?.message).toContain('in the calling workflow');
    expect(both.fsScope).toBe('project');
    const grandchild = intersectPolicies(both, policy({ allowedCommandGlobs: ['*'] }));
    expect(judgeCommand(['npm', 'test'], grandchild)).toBeUndefined();
    expect(judgeCommand(['make'], grandchild)).toBeDefined();
    expect(grandchild.fsScope).toBe('sandboxed');
  });
});
