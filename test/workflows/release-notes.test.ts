import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderFor, git, runWorkflow } from './run-workflow.js';

const files = {
  'package.json': '{ "name": "sample", "workspaces": ["core", "missing", "apps/*"] }',
  'core/package.json': '{ "name": "@sample/core", "version": "2.0.0" }',
};

function repositoryWith(subjects: readonly string[], tagAfter?: number): string {
  const folder = folderFor('release-notes', files);
  git(folder, 'init', '-q');
  subjects.forEach((subject, index) => {
    git(folder, 'commit', '-q', '--allow-empty', '-m', subject);
    if (index === tagAfter) git(folder, 'tag', 'v1.0.0');
  });
  return folder;
}

describe('workflows/release-notes', () => {
  it('writes what changed since the last tag, grouped, with the packages, and prints a summary', async () => {
    const folder = repositoryWith(
      ['feat: old', 'chore: release', 'fix(core): a | b', 'feat!: new\tthing', 'constructor: odd', 'plain words'],
      1,
    );
    const { code, events, outputs } = await runWorkflow('release-notes', folder);
    expect(code).toBe(0);
    expect(outputs).toEqual({
      summary: ['dist/release-notes.md: 4 changes since v1.0.0, 2 packages', '  New: 1', '  Mended: 1', '  Other changes: 2'].join('\n'),
    });
    const notes = readFileSync(join(folder, 'dist/release-notes.md'), 'utf8')
      .replaceAll(/\d{4}-\d\d-\d\d/g, '<date>')
      .replaceAll(/\([0-9a-f]{7,}\)/g, '(<id>)');
    expect(notes).toBe(
      [
        '# Release notes',
        '',
        '4 changes, <date> to <date>, since v1.0.0.',
        ...['', '## New', '', '- feat!: new thing (<id>)'],
        ...['', '## Mended', '', '- fix(core): a | b (<id>)'],
        ...['', '## Other changes', '', '- plain words (<id>)', '- constructor: odd (<id>)'],
        ...['', '## Packages', '', '| package | version |', '|---|---|', '| @sample/core | 2.0.0 |', ''],
      ].join('\n'),
    );
    expect([...events].sort()).toEqual(
      [
        'run:started',
        ...[
          'sources',
          'history',
          'commits',
          'changes',
          'manifest',
          'packages',
          'packages[0].file',
          'packages[0].facts',
          'notes',
          'write',
          'summary',
        ].flatMap((node) => [`node:started ${node} attempt=1`, `node:succeeded ${node}`]),
        'node:skipped no-history reason=upstream_dead',
        'node:started packages[1].file attempt=1',
        'node:failed packages[1].file handled=false tool_failed',
        'node:skipped packages[1].facts reason=run_failed',
        'loop:item_started packages index=0',
        'loop:item_started packages index=1',
        'loop:item_completed packages index=0 ok=true',
        'loop:item_completed packages index=1 ok=false tool_failed',
        ...[
          'history tool=run_command',
          'manifest tool=read_file',
          'packages[0].file tool=read_file',
          'packages[1].file tool=read_file',
          'write tool=write_file',
        ].map((call) => `tool:call ${call}`),
        ...['history ok=true', 'manifest ok=true', 'packages[0].file ok=true', 'packages[1].file ok=false', 'write ok=true'].map(
          (result) => `tool:result ${result}`,
        ),
        'tool:output history',
        'run:succeeded',
      ].sort(),
    );
  });

  it('takes the whole history where there is no tag', async () => {
    const { outputs } = await runWorkflow('release-notes', repositoryWith(['docs: only one']));
    expect(outputs).toEqual({ summary: 'dist/release-notes.md: 1 change, 2 packages\n  Documentation: 1' });
  });

  it.each([
    ['a repository without a commit', () => repositoryWith([])],
    ['a folder that is no repository', () => folderFor('release-notes', files)],
  ])('takes the error edge in %s and writes notes all the same', async (_, make) => {
    const { code, events, outputs, folder } = await runWorkflow('release-notes', make());
    expect(code).toBe(0);
    expect(events).toContain('node:failed history handled=true tool_failed');
    expect(events).toContain('node:succeeded no-history');
    expect(outputs).toEqual({ summary: 'dist/release-notes.md: 0 changes, 2 packages' });
    expect(readFileSync(join(folder, 'dist/release-notes.md'), 'utf8')).toContain('No changes are recorded.');
  });
});
