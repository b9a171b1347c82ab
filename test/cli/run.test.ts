import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended, folderWith, relavium, stable, start } from './relavium.js';

const workflow = (body: string): string => `schema_version: '1.0'\nworkflow:\n  id: w\n${body.replaceAll(/^/gm, '  ')}\n`;

const greeting = workflow(`inputs:
  - { name: who, type: string, required: true, description: Who is greeted. }
context:
  - { key: text, value: 'Hello, {{ inputs.who }}' }
nodes:
  - { id: out, type: output, value: ctx.text }`);

const slow = workflow(`tools: { allowedCommands: ['sleep 30'] }
nodes:
  - { id: nap, type: tool, tool: run_command, tool_config: { command: sleep, args: ['30'] } }`);

const failing = workflow(`tools: { allowedCommands: ['node -e console.error("first");process.exit(3)'] }
nodes:
  - id: build
    type: tool
    tool: run_command
    tool_config: { command: node, args: ['-e', 'console.error("first");process.exit(3)'] }`);

describe('relavium run', () => {
  it('prints a single text output as it is and nothing else on standard output', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': greeting });
    const { code, stdout, stderr } = await relavium(['run', 'w.relavium.yaml', '-i', 'who=Ada'], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello, Ada\n' });
    expect(stable(stderr)).toBe('done      out  <time>\nsucceeded in <time>\n');
  });

  it('prints several outputs as one JSON object', async () => {
    const cwd = folderWith({
      'w.relavium.yaml': workflow("nodes:\n  - { id: a, type: output, value: '1' }\n  - { id: b, type: output, value: '\"x\"' }"),
    });
    const { code, stdout } = await relavium(['run', 'w.relavium.yaml', '-q'], { cwd });
    expect({ code, outputs: JSON.parse(stdout) }).toEqual({ code: 0, outputs: { a: 1, b: 'x' } });
  });

  it('prints nothing but events with --json, the last of them the terminal one', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': greeting });
    const { code, stdout, stderr } = await relavium(['run', '--json', 'w.relavium.yaml', '-i', 'who=Ada'], { cwd });
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(events.map(({ type }) => type)).toEqual(['run:started', 'node:started', 'node:succeeded', 'run:succeeded']);
    expect(events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
    expect(events.at(-1).outputs).toEqual({ out: 'Hello, Ada' });
  });

  it('writes no outputs over the workflow or the inputs', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': greeting, 'in.json': '{"who": "Ada"}' });
    for (const target of ['w.relavium.yaml', './in.json']) {
      const { code, stderr } = await relavium(['run', 'w.relavium.yaml', '--inputs', 'in.json', '-o', target], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining('which is read here')]);
    }
    expect(readFileSync(join(cwd, 'w.relavium.yaml'), 'utf8')).toBe(greeting);
  });

  it('writes outputs to the file that --output names', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': greeting });
    const { code, stdout } = await relavium(['run', 'w.relavium.yaml', '-i', 'who=Ada', '-o', 'out.json'], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8'))).toEqual({ out: 'Hello, Ada' });
    const refused = await relavium(['run', 'w.relavium.yaml', '-i', 'who=Ada', '-o', 'no/such/file'], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('there is no directory');
  });

  it('takes inputs from a file, from standard input and from secrets in the environment', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': greeting, 'in.json': '{"who": "file"}' });
    expect((await relavium(['run', '-q', 'w.relavium.yaml', '--inputs', 'in.json'], { cwd })).stdout).toBe('Hello, file\n');
    expect((await relavium(['run', '-q', 'w.relavium.yaml', '--inputs', '-'], { cwd, stdin: '{"who": "stdin"}' })).stdout).toBe(
      'Hello, stdin\n',
    );
  });

  it('refuses inputs before anything runs, all problems at once, each at its declaration', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': greeting });
    const { code, stdout, stderr } = await relavium(['run', 'w.relavium.yaml', '-i', 'whom=x'], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatchSnapshot();
    const json = await relavium(['run', '--json', 'w.relavium.yaml', '-i', 'whom=x'], { cwd });
    const records = json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(json.code).toBe(2);
    expect(records.map(({ code: finding, severity }) => `${severity} ${finding}`)).toEqual(['error validation', 'error validation']);
  });

  it('refuses a file with errors before anything runs', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': workflow('nodes:\n  - { id: a, type: transfrom, transform: "1" }') });
    const { code, stdout, stderr } = await relavium(['run', 'w.relavium.yaml'], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatchSnapshot();
    const json = await relavium(['run', '--json', 'w.relavium.yaml'], { cwd });
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ file: 'w.relavium.yaml', severity: 'error', range: { start: { line: 5 } } });
  });

  it('shows where a failing command stands and what it last said', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': failing });
    const { code, stdout, stderr } = await relavium(['run', 'w.relavium.yaml'], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stable(stderr)).toMatchSnapshot();
  });

  it('teaches with a denial: the rule, the value, the lines that would allow it', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': failing.replace(/tools: .*\n/, 'tools: { allowedCommands: [ls] }\n') });
    const { code, stderr } = await relavium(['run', 'w.relavium.yaml', '-q'], { cwd });
    expect(code).toBe(1);
    expect(stable(stderr)).toMatchSnapshot();
  });

  it('streams the output of commands under the name of their node with -v', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': failing });
    const { stderr } = await relavium(['run', '-v', 'w.relavium.yaml'], { cwd });
    expect(stderr).toContain('build │ first\n');
  });

  it('does not let text from outside reach the terminal as commands', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': failing.replaceAll('first', '\\u001b[2Jgone') });
    const { stderr } = await relavium(['run', '-v', 'w.relavium.yaml'], { cwd });
    expect(stderr).not.toContain('\u001b');
    expect(stderr).toContain('\\x1b[2Jgone');
  });

  it('holds an output to its JSON Schema', async () => {
    const flow = workflow(
      "nodes:\n  - { id: n, type: transform, transform: '{ count: 1 }', output_schema: { type: object, required: [total] } }",
    );
    const { code, stderr } = await relavium(['run', 'w.relavium.yaml'], { cwd: folderWith({ 'w.relavium.yaml': flow }) });
    expect(code).toBe(1);
    expect(stderr).toContain(
      "failed: n [output_invalid] the output does not meet output_schema: the value must have required property 'total'",
    );
  });

  it('lets templates read files of the project, by the rules of the tool', async () => {
    const text = workflow(`inputs: [{ name: path, type: file_path, default: note.txt }]
context:
  - { key: note, value: 'Note: {{ inputs.path | read_file | trim }}' }
nodes:
  - { id: out, type: output, value: ctx.note }`);
    const cwd = folderWith({ 'w.relavium.yaml': text, 'note.txt': 'text\n' });
    expect((await relavium(['run', '-q', 'w.relavium.yaml'], { cwd })).stdout).toBe('Note: text\n');
    const outside = await relavium(['run', '-q', 'w.relavium.yaml', '-i', 'path=../x'], { cwd });
    expect(outside.code).toBe(2);
    expect(outside.stderr).toContain('w.relavium.yaml:6:14 error [validation]');
    expect(outside.stderr).toContain('context "note" read_file');
  });

  it('lists the workflows of the project without a file, and finds them by id', async () => {
    const cwd = folderWith({
      '.relavium/workflows/w.relavium.yaml': greeting.replace('id: w', 'id: greet\n  description: Says hello.'),
      'sub/.keep': '',
    });
    const listed = await relavium(['run'], { cwd: join(cwd, 'sub') });
    expect(listed.code).toBe(0);
    expect(listed.stdout).toBe('greet  ../.relavium/workflows/w.relavium.yaml  Says hello.\n');
    expect((await relavium(['run', '-q', 'greet', '-i', 'who=id'], { cwd })).stdout).toBe('Hello, id\n');
    const near = await relavium(['run', 'gret'], { cwd });
    expect(near.code).toBe(2);
    expect(near.stderr).toContain('Did you mean "greet"?');
  });

  it('says what to do in a project without workflows', async () => {
    const { code, stderr } = await relavium(['run'], { cwd: folderWith() });
    expect(code).toBe(2);
    expect(stderr).toContain('relavium init');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends in good order on %s with exit code %d', async (signal, expected) => {
    const child = start(['run', '--json', 'w.relavium.yaml'], { cwd: folderWith({ 'w.relavium.yaml': slow }) });
    const result = ended(child);
    await new Promise<void>((resolve) => child.stdout?.on('data', (text: string) => text.includes('tool:call') && resolve()));
    child.kill(signal);
    const { code, stdout } = await result;
    expect(code).toBe(expected);
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '').type).toBe('run:cancelled');
  });

  it('ends a run after --timeout, which is a failure', async () => {
    const { code, stderr } = await relavium(['run', '-q', '--timeout', '0.3', 'w.relavium.yaml'], {
      cwd: folderWith({ 'w.relavium.yaml': slow }),
    });
    expect(code).toBe(1);
    expect(stderr).toContain('[run_timeout]');
  });

  it('keeps file tools inside the project, whatever the workflow asks for', async () => {
    const outside = folderWith({ 'secret.txt': 'x' });
    const text = workflow(
      `tools: { fs_scope: full }\nnodes:\n  - { id: read, type: tool, tool: read_file, tool_config: { path: ${JSON.stringify(join(outside, 'secret.txt'))} } }`,
    );
    const cwd = folderWith({ 'w.relavium.yaml': text });
    const denied = await relavium(['run', '-q', 'w.relavium.yaml'], { cwd });
    expect(denied.code).toBe(1);
    expect(denied.stderr).toContain('[tool_denied]');
    expect((await relavium(['run', '-q', '--tier', 'full', 'w.relavium.yaml'], { cwd })).code).toBe(0);
  });

  it.each([
    ['a directory', 'folder', 'is a directory'],
    ['a missing file', 'missing.relavium.yaml', 'there is no file'],
    ['a file that may not be read', 'locked.relavium.yaml', 'may not be read'],
  ])('refuses %s with exit code 2 and one clear sentence', async (_, path, words) => {
    const cwd = folderWith({ 'locked.relavium.yaml': greeting });
    mkdirSync(join(cwd, 'folder'));
    chmodSync(join(cwd, 'locked.relavium.yaml'), 0);
    if (path.startsWith('locked') && process.getuid?.() === 0) return;
    const { code, stdout, stderr } = await relavium(['run', path], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('    at ');
    expect(existsSync(join(cwd, '.relavium'))).toBe(false);
  });
});
