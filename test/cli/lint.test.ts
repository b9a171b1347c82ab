import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, relavium, repository } from './relavium.js';

const good = "schema_version: '1.0'\nworkflow:\n  id: good\n  nodes:\n    - { id: out, type: output, value: '1' }\n";
const broken = good.replace('id: good', 'id: broken').replace('value:', 'valu:');
const loud =
  "schema_version: '1.0'\nworkflow:\n  id: loud\n  nodes:\n    - { id: a, type: output, value: '1' }\n    - { id: b, type: output, value: '2' }\n";

describe('relavium lint', () => {
  it('shows each finding with its line and a caret, and counts them at the end', async () => {
    const cwd = folderWith({ 'a.relavium.yaml': good, 'b.relavium.yaml': broken, '.relavium/project.toml': '[lint]\nlevel = 1\n' });
    const { code, stdout, stderr } = await relavium(['lint'], { cwd });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatchSnapshot();
  });

  it('is silent about its work and ends with 0 when nothing is wrong', async () => {
    const cwd = folderWith({ 'a.relavium.yaml': good });
    expect(await relavium(['lint'], { cwd })).toMatchObject({ code: 0, stdout: 'no problems in 1 file\n', stderr: '' });
    expect(await relavium(['lint', '--json'], { cwd })).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('gives a record a finding with --json and --format json', async () => {
    const cwd = folderWith({ 'b.relavium.yaml': broken });
    const { code, stdout } = await relavium(['lint', '--json', 'b.relavium.yaml'], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      file: 'b.relavium.yaml',
      code: 'unknown_key',
      severity: 'error',
      message: expect.any(String),
      range: { start: { line: 5, column: 32 }, end: { line: 5, column: 36 } },
      suggestion: expect.stringContaining('value'),
      fix: { range: { start: { line: 5, column: 32 }, end: { line: 5, column: 36 } }, text: 'value' },
    });
    expect((await relavium(['lint', '--format', 'json', 'b.relavium.yaml'], { cwd })).stdout).toBe(stdout);
  });

  it('gives annotations that GitHub shows beside the line', async () => {
    const cwd = folderWith({ 'b.relavium.yaml': broken });
    const { stdout } = await relavium(['lint', '--format', 'github'], { cwd });
    expect(stdout).toMatch(/^::error file=b\.relavium\.yaml,line=5,col=32,endLine=5,endColumn=36,title=unknown_key::[^\n]+\n$/);
  });

  it('counts warnings as errors with --strict, and as the configuration says', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': loud });
    expect((await relavium(['lint'], { cwd })).code).toBe(0);
    expect((await relavium(['lint', '--strict'], { cwd })).code).toBe(1);
    const raised = folderWith({ 'w.relavium.yaml': loud, '.relavium/project.toml': '[lint.levels]\nno_edges = "error"\n' });
    expect((await relavium(['lint'], { cwd: raised })).code).toBe(1);
    const off = folderWith({ 'w.relavium.yaml': loud, 'other.toml': '[lint.levels]\nno_edges = "off"\n' });
    expect((await relavium(['lint', '--strict', '--config', 'other.toml'], { cwd: off })).code).toBe(0);
  });

  it('checks standard input under the name that it is given', async () => {
    const { code, stdout } = await relavium(['lint', '--stdin', 'editor.relavium.yaml', '--json'], { cwd: folderWith(), stdin: broken });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).file).toBe('editor.relavium.yaml');
  });

  it('answers many texts in order with --jsonl', async () => {
    const stdin = [JSON.stringify({ file: 'x.relavium.yaml', text: broken }), 'nonsense', JSON.stringify({ text: good })].join('\n');
    const { code, stdout } = await relavium(['lint', '--jsonl'], { cwd: folderWith(), stdin });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(answers.map((answer) => answer.code ?? answer.diagnostics.length)).toEqual([1, 'invalid_request', 0]);
  });

  it('takes directories and globs, and refuses what is not there with exit code 2', async () => {
    const cwd = folderWith({
      'flows/a.relavium.yaml': good,
      'flows/deep/b.relavium.yaml': broken,
      'node_modules/p/c.relavium.yaml': broken,
    });
    expect((await relavium(['lint', 'flows'], { cwd })).stdout).toContain('1 error in 2 files');
    expect((await relavium(['lint', 'flows/*.relavium.yaml'], { cwd })).stdout).toBe('no problems in 1 file\n');
    expect((await relavium(['lint', '**/b.relavium.yaml'], { cwd })).code).toBe(1);
    expect((await relavium(['lint'], { cwd })).stdout).toContain('in 2 files');
    expect((await relavium(['lint', 'nowhere/*.relavium.yaml'], { cwd })).code).toBe(2);
    const missing = await relavium(['lint', 'missing.relavium.yaml', 'flows/a.relavium.yaml'], { cwd });
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('there is no file missing.relavium.yaml');
    expect((await relavium(['lint'], { cwd: folderWith() })).code).toBe(2);
  });

  it('finds nothing wrong with the workflows that come with this repository', async () => {
    const { code, stdout } = await relavium(['lint', '--strict', join(repository, 'workflows')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^no problems in \d+ files\n$/);
  });

  it('tells of an agent file that no workflow uses, when it sees the whole project', async () => {
    const agent = "schema_version: '1.0'\nid: lonely\nprovider: scripted\nmodel: m\nsystem_prompt: Hello\n";
    const flow = "schema_version: '1.0'\nworkflow:\n  id: a\n  nodes: [{ id: x, type: transform, transform: '1' }]\n";
    const cwd = folderWith({ '.relavium/agents/lonely.agent.yaml': agent, '.relavium/workflows/a.relavium.yaml': flow });
    const whole = await relavium(['lint'], { cwd });
    expect(whole.stdout).toContain('.relavium/agents/lonely.agent.yaml:2:5 warning [unused_agent]');
    expect((await relavium(['lint', '.relavium/agents'], { cwd })).stdout).toBe('no problems in 1 file\n');
  });
});
