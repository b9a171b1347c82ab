import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requirement, requirements } from '../unit/requirement.js';
import { openProject, projectAt } from './project.js';

describe('F20: a link that leads out of the workspace', () => {
  it(requirements(['FA-04', 'FA-06'], 'is followed by no file tool, and nothing from outside is seen or made'), async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'relavium-outside-')));
    const folder = join(outside, 'workspace');
    mkdirSync(folder);
    writeFileSync(join(outside, 'outside.txt'), 'not for you');
    symlinkSync('../outside.txt', join(folder, 'link.txt'));
    symlinkSync('..', join(folder, 'sub'));
    const { status, events, nodes } = await projectAt(folder).run(`schema_version: '1.0'
workflow:
  id: out
  nodes:
    - { id: r, type: tool, tool: read_file, continue_on_error: true, tool_config: { path: link.txt } }
    - { id: w, type: tool, tool: write_file, needs: [r], continue_on_error: true, tool_config: { path: sub/new.txt, content: x } }
    - { id: l, type: tool, tool: list_directory, needs: [w], continue_on_error: true, tool_config: { path: sub } }
`);
    expect({ status, nodes }).toEqual({ status: 'succeeded', nodes: { r: 'failed', w: 'failed', l: 'failed' } });
    const failures = events.filter((event) => event.type === 'node:failed');
    for (const { error } of failures) {
      expect(error).toMatchObject({ code: 'tool_denied', details: { reason: 'path_denied' } });
      expect(error.message).toMatch(/workspace|allowed/);
    }
    expect(JSON.stringify(events)).not.toMatch(/not for you|outside\.txt/);
    expect(existsSync(join(outside, 'new.txt'))).toBe(false);
    rmSync(outside, { recursive: true });
  });

  it('does not matter when it is the way to the workspace itself', async () => {
    const real = openProject({ 'a.txt': 'hello' });
    const link = `${real.folder}-link`;
    symlinkSync(real.folder, link);
    const { status, outputs } = await projectAt(link).run(`schema_version: '1.0'
workflow:
  id: in
  nodes:
    - { id: r, type: tool, tool: read_file, tool_config: { path: a.txt }, output_mapping: { text: result.content } }
    - { id: w, type: tool, tool: write_file, needs: [r], tool_config: { path: b.txt }, input_mapping: { content: 'run.outputs["r"].text + "!"' } }
    - { id: l, type: tool, tool: list_directory, needs: [w], tool_config: { path: . }, output_mapping: { names: 'result.entries.map(e => e.name)' } }
`);
    expect({ status, outputs }).toEqual({ status: 'succeeded', outputs: { l: { names: ['a.txt', 'b.txt'] } } });
    expect(real.file('b.txt')).toBe('hello!');
    rmSync(link);
    real.close();
  });
});

describe('F21: a link that leads back up, in a recursive listing', () => {
  const workflow = (filter: string) => `schema_version: '1.0'
workflow:
  id: ls
  nodes:
    - id: ls
      type: tool
      tool: list_directory
      tool_config: { path: box, recursive: true${filter} }
      output_mapping: { found: 'result.entries.map(e => [e.name, e.type])' }
`;

  it('is listed as a link and not entered', async () => {
    const project = openProject({ 'box/a.txt': 'a', 'box/deep/b.txt': 'b' });
    symlinkSync('..', join(project.folder, 'box/deep/up'));
    const all = await project.run(workflow(''));
    expect(all.tookMs).toBeLessThan(1_000);
    expect(all.outputs).toEqual({
      ls: {
        found: [
          ['a.txt', 'file'],
          ['deep', 'directory'],
          ['deep/b.txt', 'file'],
          ['deep/up', 'symlink'],
        ],
      },
    });
    const some = await project.run(workflow(", glob: '**/*.txt'"));
    expect(some.outputs).toEqual({
      ls: {
        found: [
          ['a.txt', 'file'],
          ['deep/b.txt', 'file'],
        ],
      },
    });
    project.close();
  });
});

describe('F22: brackets in the name of a file', () => {
  const name = 'report [v1] (final).txt';
  const files = { [name]: 'right', 'report v.txt': 'wrong' };

  it('are part of the name where a path is meant', async () => {
    const project = openProject(files);
    const { status } = await project.run(`schema_version: '1.0'
workflow:
  id: brackets
  nodes:
    - { id: r, type: tool, tool: read_file, tool_config: { path: '${name}' }, output_mapping: { text: result.content } }
    - { id: w, type: tool, tool: write_file, needs: [r], tool_config: { path: out.txt }, input_mapping: { content: 'run.outputs["r"].text' } }
`);
    expect(status).toBe('succeeded');
    expect(project.file('out.txt')).toBe('right');
    project.close();
  });

  it(requirement('RF-07', 'are part of the name in a pattern, too: a pattern is asked for by glob'), async () => {
    const project = openProject(files);
    const read = (glob: string) => `schema_version: '1.0'
workflow:
  id: brackets
  nodes:
    - { id: r, type: tool, tool: read_file, tool_config: { glob: '${glob}' }, output_mapping: { paths: 'result.files.map(f => f.path)' } }
`;
    expect((await project.run(read(name))).outputs).toEqual({ r: { paths: [name] } });
    expect((await project.run(read('report*.txt'))).outputs).toEqual({ r: { paths: [name, 'report v.txt'] } });
    project.close();
  });
});
