import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProject, type Project } from '../../../field/project.js';

let project: Project;
const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: project.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const commits = () => Number(git('rev-list', '--count', 'HEAD').trim());

beforeEach(() => {
  project = openProject({ 'a.txt': 'one\n' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Test Person');
  git('config', 'user.email', 'test@example.com');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  writeFileSync(join(project.folder, 'a.txt'), 'two\n');
});
afterEach(() => project.close());

const workflow = (gate: string, commit: string) => `schema_version: '1.0'
workflow:
  id: commit
  nodes:
    - { id: word, type: transform, transform: '"say two"' }
    - { id: ok, type: human_gate, gate_type: approval, approves: [commit], needs: [word], ${gate} }
    - { id: commit, type: tool, tool: git_commit, needs: [ok], tool_config: { pathspecs: [a.txt] }, ${commit} }
`;
const plain = workflow('message_template: "Commit?"', 'input_mapping: { message: \'run.outputs["word"]\' }');
const yes = { decision: 'approved', by: 'pat' } as const;

describe('git_commit behind a gate', () => {
  it('commits what a person saw and approved', async () => {
    const { status, events, outputs } = await project.run(plain, { decisions: { ok: yes } });
    expect(status).toBe('succeeded');
    const opened = events.find((event) => event.type === 'gate:opened');
    expect(opened).toMatchObject({ node: 'ok', tree: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(opened?.message).toMatch(/^Commit\?\n\nsay two\n\n.*-one\n\+two/s);
    const decided = events.find((event) => event.type === 'gate:decided');
    expect(decided).toMatchObject({ by: 'pat', tree: opened?.tree });
    expect(outputs).toMatchObject({ commit: { branch: 'main', filesChanged: 1, commit: git('rev-parse', 'HEAD').trim() } });
    expect(git('rev-parse', 'HEAD^{tree}').trim()).toBe(opened?.tree);
    expect(git('log', '-1', '--format=%B').trim()).toBe('say two');
  });

  it('commits nothing else: a change between approval and commit is refused', async () => {
    const changing = plain
      .replace('needs: [ok]', 'needs: [ok, change]')
      .replace(
        '    - { id: commit',
        '    - { id: change, type: tool, tool: write_file, needs: [ok], tool_config: { path: a.txt, content: three } }\n    - { id: commit',
      );
    const { status, error } = await project.run(changing, { decisions: { ok: yes } });
    expect({ status, code: error?.code, reason: error?.details.reason }).toEqual({
      status: 'failed',
      code: 'tool_denied',
      reason: 'gate_required',
    });
    expect(commits()).toBe(1);
  });

  it('commits nothing when nobody approved in time, when a person said no, or when the word comes with a tree of its own', async () => {
    const timed = workflow(
      'message_template: "Commit?", timeout_ms: 1, timeout_action: approve',
      'tool_config: { pathspecs: [a.txt], message: m }',
    ).replace('tool_config: { pathspecs: [a.txt] }, ', '');
    const late = await project.run(timed);
    expect({ status: late.status, reason: late.error?.details.reason }).toEqual({ status: 'failed', reason: 'gate_required' });
    expect((await project.run(plain, { decisions: { ok: { decision: 'rejected', by: 'pat' } } })).error?.code).toBe('gate_rejected');
    const forged = { ...yes, tree: git('rev-parse', 'HEAD^{tree}').trim() };
    await project.run(plain, { decisions: { ok: forged } });
    expect(git('show', 'HEAD:a.txt')).toBe('two\n');
  });

  it('asks about nothing that is not known yet when the gate opens', async () => {
    const early = plain
      .replace('run.outputs["word"]\'', 'run.outputs["after"] ?? 1\'')
      .replace('needs: [ok]', 'needs: [ok, after]')
      .replace('    - { id: commit', '    - { id: after, type: transform, transform: \'"another"\', needs: [ok] }\n    - { id: commit');
    const { status, error } = await project.run(early, { decisions: { ok: yes } });
    expect({ status, node: error?.node, code: error?.code }).toEqual({ status: 'failed', node: 'ok', code: 'expression_error' });
    expect(commits()).toBe(1);
  });
});
