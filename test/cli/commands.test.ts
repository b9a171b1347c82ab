import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaDocuments } from '@relavium/schemas/documents';
import { describe, expect, it } from 'vitest';
import { folderWith, relavium, repository } from './relavium.js';

const lines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('relavium init', () => {
  it('makes a project whose workflow runs and whose files are valid', async () => {
    const cwd = folderWith();
    const made = await relavium(['init', 'new'], { cwd });
    expect(made.code).toBe(0);
    expect(made.stderr).toBe('Next: cd new && relavium run hello\n');
    const project = join(cwd, 'new');
    expect((await relavium(['lint', '--strict'], { cwd: project })).stdout).toBe('no problems in 1 file\n');
    expect((await relavium(['run', '-q', 'hello'], { cwd: project })).stdout).toBe('Hello, world! This folder holds .vscode.\n');
    expect(JSON.parse(readFileSync(join(project, '.relavium/schemas/workflow.schema.json'), 'utf8')).title).toBe('Workflow file');
  });

  it('touches nothing that is there', async () => {
    const cwd = folderWith({ '.vscode/settings.json': '{}' });
    await relavium(['init'], { cwd });
    const workflow = join(cwd, '.relavium/workflows/hello.relavium.yaml');
    writeFileSync(workflow, 'mine');
    const again = await relavium(['init'], { cwd });
    expect(again).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(workflow, 'utf8')).toBe('mine');
    expect(readFileSync(join(cwd, '.vscode/settings.json'), 'utf8')).toBe('{}');
    expect((await relavium(['init', '.vscode/settings.json'], { cwd })).code).toBe(2);
  });
});

describe('relavium graph', () => {
  it('prints a Mermaid flowchart', async () => {
    const { code, stdout } = await relavium(['graph', 'workflows/docs-index.relavium.yaml']);
    expect(code).toBe(0);
    expect(stdout).toMatchSnapshot();
  });

  it('prints the plan as JSON, error edges and bodies of loops included', async () => {
    const { stdout } = await relavium(['graph', '--json', 'workflows/release-notes.relavium.yaml']);
    const graph = JSON.parse(stdout);
    expect(graph.edges).toContainEqual({ from: 'history', to: 'no-history', on: 'error' });
    expect(graph.nodes.find(({ id }: { id: string }) => id === 'packages').body.nodes).toHaveLength(2);
    expect(JSON.parse((await relavium(['graph', '--format', 'json', 'workflows/release-notes.relavium.yaml'])).stdout)).toEqual(graph);
  });

  it('refuses a file with errors', async () => {
    const { code, stderr } = await relavium(['graph', 'w.relavium.yaml'], { cwd: folderWith({ 'w.relavium.yaml': 'a: 1' }) });
    expect(code).toBe(2);
    expect(stderr).toContain('unknown_key');
  });
});

describe('relavium eval', () => {
  it('evaluates an expression against a scope that is JSON or a file', async () => {
    const cwd = folderWith({ 'scope.json': '{"n": 20}' });
    expect(await relavium(['eval', 'n + 1', '--scope', '{"n": 1}'], { cwd })).toMatchObject({ code: 0, stdout: '2\n', stderr: '' });
    expect(await relavium(['eval', '({a: [n]})', '--scope', 'scope.json', '--json'], { cwd })).toMatchObject({
      code: 0,
      stdout: '{"ok":true,"value":{"a":[20]}}\n',
    });
    expect((await relavium(['eval', 'undefined'], { cwd })).stdout).toBe('undefined\n');
  });

  it('renders a template', async () => {
    const { stdout } = await relavium(['eval', '--template', 'Hi {{ name | upper }}!', '--scope', '{"name": "Ada"}']);
    expect(stdout).toBe('Hi ADA!\n');
  });

  it('ends with 1 and points at the place when it cannot', async () => {
    const { code, stdout, stderr } = await relavium(['eval', 'a +']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('[expression_error, syntax]');
    expect(stderr).toContain('1 │ a +');
    expect((await relavium(['eval', 'a.b', '--scope', '{"a": null}'])).code).toBe(1);
    expect((await relavium(['eval', 'a', '--scope', '[]'])).code).toBe(2);
    expect((await relavium(['eval'])).code).toBe(2);
  });

  it('answers many requests in order', async () => {
    const stdin = [
      '{"expr": "x * 2", "scope": {"x": 4}}',
      '{"template": "{{ x }}", "scope": {"x": [1]}}',
      '{"expr": "x.y", "scope": {"x": null}}',
      '[]',
    ].join('\n');
    const { code, stdout } = await relavium(['eval', '--jsonl'], { stdin });
    expect(code).toBe(0);
    expect(lines(stdout)).toMatchObject([
      { ok: true, value: 8 },
      { ok: true, value: [1] },
      { ok: false, code: 'expression_error', reason: 'runtime' },
      { ok: false },
    ]);
  });
});

describe('relavium schema', () => {
  it.each(Object.keys(schemaDocuments))('prints the JSON Schema of %s files', async (kind) => {
    const { code, stdout } = await relavium(['schema', kind]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });
});

describe('relavium explain', () => {
  it('explains a code with a wrong and a right example', async () => {
    const { code, stdout } = await relavium(['explain', 'unknown_key']);
    expect(code).toBe(0);
    expect(stdout).toContain('Wrong:');
    expect(stdout).toContain('Right:');
  });

  it('explains every code that it lists', async () => {
    const { stdout } = await relavium(['explain', '--json']);
    expect(lines(stdout).length).toBeGreaterThan(40);
  });

  it('suggests the code that was meant', async () => {
    const { code, stderr } = await relavium(['explain', 'unknwon_key']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "unknown_key"?');
  });
});

describe('relavium tools', () => {
  it('lists the tools and says which of them this host cannot serve', async () => {
    const { code, stdout } = await relavium(['tools', 'list', '--json']);
    const tools = lines(stdout) as { readonly id: string; readonly available: boolean }[];
    expect(code).toBe(0);
    expect(tools).toHaveLength(13);
    expect(tools.filter(({ available }) => available).map(({ id }) => id)).toEqual([
      'read_file',
      'write_file',
      'list_directory',
      'run_command',
      'git_status',
      'git_commit',
      'invoke_agent',
    ]);
  });

  it('shows the arguments of a tool', async () => {
    const { code, stdout } = await relavium(['tools', 'show', 'run_command']);
    expect(code).toBe(0);
    expect(stdout).toContain('command string, required');
    expect((await relavium(['tools', 'show', 'run_comand'])).stderr).toContain('Did you mean "run_command"?');
  });

  it('answers whether a call would be allowed, and does nothing', async () => {
    const cwd = folderWith();
    const args = ['tools', 'check', 'run_command', '--args', '{"command": "touch", "args": ["made"]}'];
    const denied = await relavium(args, { cwd });
    expect(denied.code).toBe(1);
    expect(denied.stdout).toMatchSnapshot();
    expect(await relavium([...args, '--allow-command', 'touch made', '--json'], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"decision":"allow"'),
    });
    expect(existsSync(join(cwd, 'made'))).toBe(false);
    expect((await relavium(['tools', 'check', 'read_file', '--args', '{"path": "../x"}'], { cwd })).stdout).toContain('deny');
    expect((await relavium(['tools', 'check', 'read_file', '--args', 'nonsense'], { cwd })).code).toBe(2);
  });

  it('takes the policy of a workflow', async () => {
    const args = JSON.stringify({ command: 'node', args: ['--version'] });
    const { code } = await relavium([
      'tools',
      'check',
      'run_command',
      '--args',
      args,
      '--workflow',
      'workflows/toolchain-check.relavium.yaml',
    ]);
    expect(code).toBe(0);
  });

  it('answers many requests in order', async () => {
    const call = { tool: 'run_command', args: { command: 'ls', args: ['-l'] } };
    const stdin = [
      JSON.stringify({ ...call, allowedCommands: ['ls -l'] }),
      JSON.stringify(call),
      JSON.stringify({ tool: 'no_such' }),
      '1',
    ].join('\n');
    const { stdout } = await relavium(['tools', 'check', '--jsonl'], { stdin, cwd: folderWith() });
    expect(lines(stdout)).toMatchObject([
      { decision: 'allow' },
      { decision: 'deny', reason: 'command_not_allowed' },
      { decision: 'error', code: 'unknown_tool' },
      { code: 'invalid_request' },
    ]);
  });
});

describe('relavium mask', () => {
  it('masks standard input, a file, and requests', async () => {
    const text = 'password=hunter2-not-real and the rest\n';
    const cwd = folderWith({ 'log.txt': text });
    const fromInput = await relavium(['mask'], { stdin: text });
    expect(fromInput.code).toBe(0);
    expect(fromInput.stdout).not.toContain('hunter2');
    expect(fromInput.stdout).toContain('and the rest\n');
    expect((await relavium(['mask', 'log.txt'], { cwd })).stdout).toBe(fromInput.stdout);
    expect(lines((await relavium(['mask', '--jsonl'], { stdin: JSON.stringify({ text }) })).stdout)).toEqual([{ text: fromInput.stdout }]);
    expect((await relavium(['mask', 'missing.txt'], { cwd })).code).toBe(2);
  });
});

it('finds the built command', () => {
  expect(existsSync(join(repository, 'hosts/cli/dist/main.js'))).toBe(true);
});
