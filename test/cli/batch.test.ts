import { copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { pseudoTerminal } from './pseudo-terminal.js';
import { ended, folderWith, relavium, repository, stable, start } from './relavium.js';

const workflow = (body: string): string => `schema_version: '1.0'\nworkflow:\n  id: w\n${body.replaceAll(/^/gm, '  ')}\n`;

const typed = workflow(`inputs:
  - { name: id, type: number, required: true }
  - { name: topic, type: string, default: tea }
  - { name: hot, type: boolean }
  - { name: more, type: json }
nodes:
  - { id: out, type: output, value: '[inputs.id, inputs.topic, inputs.hot ?? null, inputs.more ?? null]' }
  - { id: bad, type: fail, code: unlucky, message: 'not {{ inputs.id }}', if: 'inputs.id === 13', needs: [out] }`);

const slow = workflow(`tools: { allowedCommandGlobs: ['sleep *'] }
inputs: [{ name: n, type: number, required: true }, { name: nap, type: string, default: '30' }]
nodes:
  - { id: nap, type: tool, tool: run_command, tool_config: { command: sleep }, input_mapping: { args: '[inputs.nap]' } }
  - { id: out, type: output, value: inputs.n, needs: [nap] }`);

interface Row {
  readonly index: number;
  readonly id: string;
  readonly runId: string | null;
  readonly status: string;
  readonly outputs?: Record<string, unknown>;
  readonly error?: { code: string; message: string; details: unknown };
}

const rowsOf = (text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const folder = (files: Readonly<Record<string, string>>): string => folderWith({ 'w.relavium.yaml': typed, ...files });
const batch = (cwd: string, ...args: string[]): ReturnType<typeof relavium> => relavium(['batch', 'w.relavium.yaml', ...args], { cwd });

describe('relavium batch', () => {
  it('turns the cells of a CSV file into the declared types; an empty one is an empty text, or nothing', async () => {
    const cwd = folder({ 'items.csv': 'id,topic,hot,more\n1,"a ""b"",\nc",true,"{""x"": [1]}"\n2,,,\n' });
    const { code, stdout, stderr } = await batch(cwd, '--items', 'items.csv');
    expect(code, stderr).toBe(0);
    expect(rowsOf(stdout).map(({ outputs }) => outputs?.out)).toEqual([
      [1, 'a "b",\nc', true, { x: [1] }],
      [2, '', null, null],
    ]);
    expect(stable(stderr)).toBe('2 items: 2 succeeded in <time>\n');
  });

  it('takes two items from a file with a byte order mark, Windows line ends and an empty end', async () => {
    const cwd = folder({
      'w.relavium.yaml': workflow(`inputs: [{ name: id, type: string }, { name: topic, type: string }]
nodes:
  - { id: w, type: tool, tool: write_file, input_mapping: { path: '\`out-\${inputs.id}.txt\`', content: inputs.topic } }`),
    });
    copyFileSync(join(repository, 'test/cli/batch-bom.csv'), join(cwd, 'items.csv'));
    const { code, stdout } = await batch(cwd, '--items', 'items.csv');
    expect({ code, rows: rowsOf(stdout).length }).toEqual({ code: 0, rows: 2 });
    expect(readFileSync(join(cwd, 'out-1.txt'), 'utf8')).toBe('tea');
    expect(readFileSync(join(cwd, 'out-2.txt'), 'utf8')).toBe('coffee');
  });

  it('reads the same items from JSON Lines, from a JSON array and from standard input, strictly typed', async () => {
    const lines = '{"id": 1}\n{"id": "2"}\n\nnonsense\n{"id": 9007199254740993}\n[3]\n{"id": 4, "tpoic": "x"}\n{"id": 5}';
    const array = `[${lines
      .split('\n')
      .filter((line) => line !== '')
      .join(', ')}]`;
    const cwd = folder({ 'items.jsonl': lines, 'items.json': array });
    const shape = (text: string): unknown => rowsOf(text).map(({ index, id, status, error }) => ({ index, id, status, code: error?.code }));
    const first = await batch(cwd, '--items', 'items.jsonl');
    expect(first.code).toBe(1);
    expect(rowsOf(first.stdout).map(({ status, error }) => error?.message ?? status)).toEqual([
      'succeeded',
      expect.stringContaining('"2"'),
      expect.stringContaining('line 4 is not valid JSON'),
      expect.stringContaining('9007199254740993'),
      expect.stringContaining('line 6 is no object'),
      expect.stringContaining('did you mean "topic"?'),
      'succeeded',
    ]);
    expect(rowsOf(first.stdout).every(({ status, runId }) => (status === 'succeeded') === (typeof runId === 'string'))).toBe(true);
    expect(shape((await batch(cwd, '--items', 'items.json')).stdout)).toEqual(shape(first.stdout));
    for (const stdin of [lines, array]) {
      const piped = await relavium(['batch', 'w.relavium.yaml', '--items', '-'], { cwd, stdin });
      expect(shape(piped.stdout)).toEqual(shape(first.stdout));
    }
  });

  it('refuses before anything runs what would be wrong for every item, and says what to do', async () => {
    const cwd = folder({
      'unknown.csv': 'id,tpoic\n1,x\n',
      'twice.csv': 'id,id\n1,2\n',
      'lacks.csv': 'topic\nx\n',
      'empty.csv': '',
      'latin.csv': 'id\n1\n',
      'unknown.jsonl': '{"id": 1, "tpoic": "x"}\n',
      'object.json': '{"id": 1}',
      'items.txt': 'id\n1\n',
      'ok.csv': 'id\n1\n',
      'gate.relavium.yaml': workflow('nodes: [{ id: ask, type: human_gate, gate_type: approval }]'),
    });
    writeFileSync(join(cwd, 'latin.csv'), Buffer.from([0x69, 0x64, 0x0a, 0xe9, 0x0a]));
    const refusals: [string[], string][] = [
      [['--items', 'unknown.csv'], 'Did you mean "topic"?'],
      [['--items', 'unknown.jsonl'], 'Did you mean "topic"?'],
      [['--items', 'twice.csv'], 'two columns "id"'],
      [['--items', 'lacks.csv'], 'no column for "id"'],
      [['--items', 'empty.csv'], 'is empty'],
      [['--items', 'latin.csv'], 'not UTF-8'],
      [['--items', 'object.json'], 'begins with ['],
      [['--items', 'items.txt'], 'tells no format'],
      [['--items', 'none.csv'], 'there is no file none.csv'],
      [['--items', '.'], 'tells no format'],
      [['--items', 'ok.csv', '--map', 'ix=id'], 'no input "ix"'],
      [['--items', 'ok.csv', '--map', 'topic=Id'], 'Did you mean "id"?'],
      [['--items', 'ok.csv', '--map', 'topic'], 'is no pair'],
      [['--items', 'ok.csv', '--map', 'id=id', '--map', 'id=topic'], 'twice'],
      [['--items', 'ok.csv', '--out', 'no/rows.jsonl'], 'there is no directory no'],
      [['--items', 'ok.csv', '--out', '.'], 'is a directory'],
      [['--items', 'ok.csv', '--concurrency', '0'], 'from 1 to 256'],
      [['--items', 'ok.csv', '--root', 'x'], '--root has no effect'],
      [[], "required option '--items <file>'"],
    ];
    await Promise.all(
      refusals.map(async ([args, message]) => {
        const { code, stdout, stderr } = await batch(cwd, ...args);
        expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
        expect(stderr, args.join(' ')).toContain(message);
      }),
    );
    const gate = await relavium(['batch', 'gate.relavium.yaml', '--items', 'ok.csv'], { cwd });
    expect(gate).toMatchObject({ code: 2, stdout: '' });
    expect(gate.stderr).toContain('"ask" asks a person');
  });

  it('never empties a file that it reads, by whatever name', async () => {
    const cwd = folder({ 'items.jsonl': '{"id": 1}\n' });
    symlinkSync(join(cwd, 'items.jsonl'), join(cwd, 'link.jsonl'));
    for (const out of ['items.jsonl', './items.jsonl', 'link.jsonl', 'w.relavium.yaml']) {
      const { code, stderr } = await batch(cwd, '--items', 'items.jsonl', '--out', out);
      expect([code, stderr]).toEqual([2, expect.stringContaining('which is read here')]);
    }
    expect(readFileSync(join(cwd, 'items.jsonl'), 'utf8')).toBe('{"id": 1}\n');
    expect(readFileSync(join(cwd, 'w.relavium.yaml'), 'utf8')).toContain('nodes:');
  });

  it('lets --map name columns, and leaves out what nothing takes then', async () => {
    const cwd = folder({
      'items.csv': 'Number,topic,note\n1,x,y\n',
      'items.jsonl': '{"Number": 1, "topic": "x", "note": "y"}\n{"id": 2}\n',
    });
    const table = await batch(cwd, '--items', 'items.csv', '--map', 'id=Number');
    expect(rowsOf(table.stdout)[0]?.outputs?.out).toEqual([1, 'x', null, null]);
    const lines = rowsOf((await batch(cwd, '--items', 'items.jsonl', '--map', 'id=Number')).stdout);
    expect(lines[0]?.outputs?.out).toEqual([1, 'x', null, null]);
    expect(lines[1]?.error?.message).toContain('"id" is required');
  });

  it('fails the item, not the batch, where a row has the wrong width or a cell the wrong type, each with its reason', async () => {
    const cwd = folder({ 'items.csv': 'id,hot\nx,yes\n1\n2,true\n' });
    const { code, stdout, stderr } = await batch(cwd, '--items', 'items.csv');
    expect(code).toBe(1);
    expect(rowsOf(stdout).map(({ error }) => error?.message)).toEqual([
      'input "id" must be a number, not "x"; input "hot" must be true or false, not "yes"',
      'line 3 has 1 cell, and the header has 2 columns',
      undefined,
    ]);
    expect(rowsOf(stdout)[0]?.error).toMatchObject({ code: 'validation', details: { inputs: ['id', 'hot'] } });
    expect(stable(stderr)).toBe(
      '3 items: 1 succeeded, 2 failed in <time>\n  2 × validation  first item 0: input "id" must be a number, not "x"; input "hot" must be true or false, not "yes"\n',
    );
  });

  it('runs what stands before a place that cannot be read, says so and fails', async () => {
    const cwd = folder({ 'items.csv': 'id\n1\n2\n"3\n' });
    const { code, stdout, stderr } = await batch(cwd, '--items', 'items.csv', '--out', 'rows.jsonl');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(rowsOf(readFileSync(join(cwd, 'rows.jsonl'), 'utf8')).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect(stderr).toContain('items.csv cannot be read to its end: line 4: a quote is opened and never closed');
  });

  it('writes rows in input order, or with --unordered as items end', async () => {
    const items = '{"n": 0, "nap": "0.6"}\n{"n": 1, "nap": "0"}\n{"n": 2, "nap": "0.2"}\n';
    const cwd = folder({ 'w.relavium.yaml': slow, 'items.jsonl': items });
    const [ordered, unordered] = await Promise.all([
      batch(cwd, '--items', 'items.jsonl', '--out', 'rows.jsonl'),
      batch(cwd, '--items', 'items.jsonl', '--unordered'),
    ]);
    expect(ordered.stdout).toBe('');
    expect(rowsOf(readFileSync(join(cwd, 'rows.jsonl'), 'utf8')).map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(rowsOf(unordered.stdout).map(({ index }) => index)).toEqual([1, 2, 0]);
  });

  it('stops at --max-failures, and groups failures by their code', async () => {
    const items = [1, 13, 2, 13, 13, 3].map((id) => `{"id": ${id}}\n`).join('');
    const cwd = folder({ 'items.jsonl': items });
    const { code, stdout, stderr } = await batch(cwd, '--items', 'items.jsonl', '--max-failures', '2', '--concurrency', '1');
    expect({ code, rows: rowsOf(stdout).length }).toEqual({ code: 1, rows: 4 });
    expect(stable(stderr)).toBe(
      '4 items: 2 succeeded, 2 failed in <time>\n  2 × user.unlucky  first item 1: not 13\nstopped at 2 failed (--max-failures 2): no further item was begun\n',
    );
    const all = await batch(cwd, '--items', 'items.jsonl', '--max-failures', '4', '-q');
    expect(rowsOf(all.stdout)).toHaveLength(6);
    expect(all.stderr).toContain('3 × user.unlucky');
  });

  it('says nothing with -q where nothing failed, and nothing but JSON with --json', async () => {
    const cwd = folder({ 'items.jsonl': '{"id": 1}\n{"id": 13}\n{"id": "x"}\n', 'good.jsonl': '{"id": 1}\n' });
    expect((await batch(cwd, '--items', 'good.jsonl', '-q')).stderr).toBe('');
    const { code, stdout, stderr } = await batch(cwd, '--items', 'items.jsonl', '--json');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const rows = records.filter((record) => !('type' in record));
    expect(rows.map(({ index, status }) => [index, status])).toEqual([
      [0, 'succeeded'],
      [1, 'failed'],
      [2, 'failed'],
    ]);
    for (const { runId } of rows.slice(0, 2)) {
      const events = records.filter((record) => 'type' in record && record.runId === runId);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at));
      expect(events[0]).toMatchObject({ type: 'run:started', trigger: { type: 'batch' } });
      expect(events.at(-1).type).toMatch(/^run:(succeeded|failed)$/);
    }
    const toFile = await batch(cwd, '--items', 'items.jsonl', '--json', '--out', 'rows.jsonl');
    expect(toFile.stdout).not.toContain('"index":2');
    expect(rowsOf(readFileSync(join(cwd, 'rows.jsonl'), 'utf8'))).toHaveLength(3);
  });

  it('gives an item the same id each time, by its values and its position', async () => {
    const cwd = folder({ 'a.jsonl': '{"id": 1, "topic": "x"}\n{"id": 1, "topic": "x"}\n', 'b.jsonl': '{"topic":"x","id":1}\n' });
    const [a, b] = await Promise.all([batch(cwd, '--items', 'a.jsonl'), batch(cwd, '--items', 'b.jsonl')]);
    const ids = rowsOf(a.stdout).map(({ id }) => id);
    expect(rowsOf(b.stdout)[0]?.id).toBe(ids[0]);
    expect(ids[1]).not.toBe(ids[0]);
  });

  it('keeps a secret from the environment out of rows and events', async () => {
    const secret = 'correct-horse-battery';
    const cwd = folder({
      'w.relavium.yaml': workflow(`tools: { allowedCommands: ['printenv TOKEN'] }
inputs: [{ name: token, type: secret, required: true }, { name: n, type: number }]
nodes:
  - { id: say, type: tool, tool: run_command, tool_config: { command: printenv, args: [TOKEN], secret_env: { TOKEN: { input: token } } } }
  - { id: out, type: output, value: 'run.outputs["say"].stdout', needs: [say] }`),
      'items.csv': 'n\n1\n',
    });
    const { code, stdout, stderr } = await relavium(['batch', 'w.relavium.yaml', '--items', 'items.csv', '--json'], {
      cwd,
      env: { RELAVIUM_INPUT_TOKEN: secret },
    });
    expect(code, stderr + stdout).toBe(0);
    expect(stdout).not.toContain(secret);
    expect(stdout).toContain('"status":"succeeded"');
  });

  it('stops in good order at the first signal: what runs is cancelled, rows are whole, nothing further begins', async () => {
    const items = Array.from({ length: 40 }, (_, n) => `{"n": ${n}, "nap": "${n < 5 ? 0 : 30}"}\n`).join('');
    const cwd = folder({ 'w.relavium.yaml': slow, 'items.jsonl': items });
    const child = start(['batch', 'w.relavium.yaml', '--items', 'items.jsonl', '--out', 'rows.jsonl', '--concurrency', '4'], { cwd });
    const done = ended(child);
    const rows = (): Row[] => (existsSync(join(cwd, 'rows.jsonl')) ? rowsOf(readFileSync(join(cwd, 'rows.jsonl'), 'utf8')) : []);
    while (rows().length < 5) await sleep(20);
    await sleep(200);
    child.kill('SIGINT');
    const { code, stderr } = await done;
    expect(code).toBe(130);
    expect(rows().map(({ status }) => status)).toEqual([...Array(5).fill('succeeded'), ...Array(4).fill('cancelled')]);
    expect(stderr).toContain('9 items: 5 succeeded, 4 cancelled');
  });

  it('stops while standard input is silent', async () => {
    const cwd = folder({});
    const child = start(['batch', 'w.relavium.yaml', '--items', '-'], { cwd });
    const done = ended(child);
    child.stdin?.write('{"id": 1}\n');
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    child.kill('SIGTERM');
    const { code, stdout } = await done;
    expect({ code, rows: rowsOf(stdout).length }).toEqual({ code: 143, rows: 1 });
  });

  it('leaves nothing but whole rows behind when it is killed', async () => {
    const items = Array.from({ length: 100_000 }, (_, n) => `{"id": ${n + 100}}\n`).join('');
    const cwd = folder({ 'items.jsonl': items });
    const child = start(['batch', 'w.relavium.yaml', '--items', 'items.jsonl', '--out', 'rows.jsonl'], { cwd });
    const done = ended(child);
    const text = (): string => (existsSync(join(cwd, 'rows.jsonl')) ? readFileSync(join(cwd, 'rows.jsonl'), 'utf8') : '');
    while (text().length < 50_000) await sleep(20);
    child.kill('SIGKILL');
    await done;
    expect(text().endsWith('\n')).toBe(true);
    expect(rowsOf(text()).map(({ index }) => index)).toEqual(rowsOf(text()).map((_, at) => at));
  });

  it('keeps one line up to date in a terminal, with how much is left', async () => {
    const items = Array.from({ length: 10 }, (_, n) => `{"n": ${n}, "nap": "0.3"}\n`).join('');
    const cwd = folder({ 'w.relavium.yaml': slow, 'items.jsonl': items });
    const terminal = pseudoTerminal(
      ['batch', 'w.relavium.yaml', '--items', 'items.jsonl', '--out', 'rows.jsonl', '--concurrency', '2'],
      cwd,
    );
    try {
      await terminal.shows('of about 10 done');
      await terminal.shows(' left');
      await terminal.shows('10 items: 10 succeeded');
    } finally {
      terminal.close();
    }
  });
});
