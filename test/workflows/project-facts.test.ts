import { describe, expect, it } from 'vitest';
import { folderFor, git, runWorkflow } from './run-workflow.js';

const files = { 'package.json': '{ "name": "sample", "scripts": { "build": "x", "test": "y" } }', 'src/a.js': '', 'docs/b.md': '' };

describe('workflows/project-facts', () => {
  it('asks three things at once and merges the answers', async () => {
    const folder = folderFor('project-facts', files);
    git(folder, 'init', '-q');
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'first');
    const { code, events, outputs } = await runWorkflow('project-facts', folder);
    expect(code).toBe(0);
    expect(outputs).toEqual({
      answer: {
        name: 'sample',
        scripts: ['build', 'test'],
        folders: ['docs', 'src'],
        revision: git(folder, 'rev-parse', '--short', 'HEAD').trim(),
      },
    });
    // Which of the three ends first is not decided; that all of them start before any ends, and the merge last, is.
    const starts = ['manifest', 'top-level', 'revision'].map((node) => events.indexOf(`node:started ${node} attempt=1`));
    const ends = ['manifest', 'top-level', 'revision'].map((node) => events.indexOf(`node:succeeded ${node}`));
    expect(Math.max(...starts)).toBeLessThan(Math.min(...ends));
    expect(events.indexOf('node:started facts attempt=1')).toBeGreaterThan(Math.max(...ends));
    expect([...events].sort()).toEqual(
      [
        'run:started',
        ...['ask', 'manifest', 'top-level', 'revision', 'facts', 'answer'].flatMap((node) => [
          `node:started ${node} attempt=1`,
          `node:succeeded ${node}`,
        ]),
        ...['manifest tool=read_file', 'top-level tool=list_directory', 'revision tool=run_command'].map((call) => `tool:call ${call}`),
        ...['manifest', 'top-level', 'revision'].map((node) => `tool:result ${node} ok=true`),
        'tool:output revision',
        'run:succeeded',
      ].sort(),
    );
  });

  it('leaves the revision out where there is no repository', async () => {
    const { code, events, outputs } = await runWorkflow('project-facts', folderFor('project-facts', files));
    expect(code).toBe(0);
    expect(events).toContain('node:failed revision handled=true tool_failed');
    expect(outputs).toEqual({ answer: { name: 'sample', scripts: ['build', 'test'], folders: ['docs', 'src'] } });
  });
});
