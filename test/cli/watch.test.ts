import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { pseudoTerminal } from './pseudo-terminal.js';
import { ended, folderWith, relavium, start } from './relavium.js';

const workflow = (body: string): string => `schema_version: '1.0'\nworkflow:\n  id: w\n${body.replaceAll(/^/gm, '  ')}\n`;

/** Adds a line to `seen.txt` in each run: what `in.json` holds. */
const copying = workflow(`nodes:
  - { id: r, type: tool, tool: read_file, tool_config: { path: in.json } }
  - id: w
    type: tool
    tool: write_file
    tool_config: { path: out/seen.txt, append: true, create_parents: true }
    input_mapping: { content: 'run.outputs["r"].content.trim() + "\\n"' }
    needs: [r]`);

/** Adds a line to `log.txt` in each run: the trigger's paths. */
const logging = (more = '', config = ''): string =>
  workflow(`${more}
nodes:
  - id: w
    type: tool
    tool: write_file
    tool_config: { path: log.txt, append: true ${config} }
    input_mapping: { content: 'JSON.stringify(trigger.paths) + "\\n"' }`);

const PATIENCE_MS = 15_000;
const closers: (() => void)[] = [];

interface Watching {
  /** Waits until the text was printed that often. */
  shows(text: string, times?: number): Promise<void>;
  signal(name: NodeJS.Signals): void;
  readonly ended: ReturnType<typeof ended>;
  text(): string;
}

function watching(cwd: string, ...args: string[]): Watching {
  const child = start(['watch', 'w.relavium.yaml', ...args], { cwd });
  closers.push(() => child.kill('SIGKILL'));
  let printed = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  return {
    async shows(text, times = 1) {
      const end = Date.now() + PATIENCE_MS;
      while (printed.split(text).length - 1 < times) {
        if (Date.now() > end) throw new Error(`"${text}" was not shown ${times} times; what was:\n${printed}`);
        await sleep(10);
      }
    },
    signal: (name) => void child.kill(name),
    ended: ended(child),
    text: () => printed,
  };
}

const READY = 'waiting for changes';
const lines = (path: string): string[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

describe('relavium watch', () => {
  it('runs at once, then after each change of what the workflow reads, and says what changed', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': copying, 'in.json': 'one' });
    const watch = watching(cwd, '--debounce', '100');
    await watch.shows(READY);
    writeFileSync(join(cwd, 'in.json'), 'two');
    await watch.shows(READY, 2);
    writeFileSync(join(cwd, 'other.json'), 'nobody reads this');
    await sleep(400);
    watch.signal('SIGINT');
    expect((await watch.ended).code).toBe(130);
    expect(lines(join(cwd, 'out/seen.txt'))).toEqual(['one', 'two']);
    expect(watch.text()).toContain('changed   in.json\n');
    expect(watch.text().split('changed').length).toBe(2);
  });

  it('never reads a half-written file as the new one, at its start or later, with the documented half second', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': copying, 'in.json': '' });
    const write = async (value: number): Promise<void> => {
      writeFileSync(join(cwd, 'in.json'), '');
      appendFileSync(join(cwd, 'in.json'), '{"a":');
      await sleep(300);
      appendFileSync(join(cwd, 'in.json'), ` ${value}}`);
    };
    const first = write(1);
    const watch = watching(cwd);
    await first;
    await watch.shows(READY);
    await write(2);
    await watch.shows(READY, 2);
    await sleep(800);
    expect(lines(join(cwd, 'out/seen.txt'))).toEqual(['{"a": 1}', '{"a": 2}']);
  });

  it('counts a file that is put in place as a whole at once, however long the debounce time', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': copying, 'in.json': 'one' });
    utimesSync(join(cwd, 'in.json'), 1, 1);
    const watch = watching(cwd, '--debounce', '60000', '--no-initial');
    await watch.shows(READY);
    for (const [n, text] of ['two', 'three', 'four'].entries()) {
      writeFileSync(join(cwd, 'in.tmp'), text);
      await sleep(50);
      renameSync(join(cwd, 'in.tmp'), join(cwd, 'in.json'));
      await watch.shows(READY, n + 2);
    }
    expect(lines(join(cwd, 'out/seen.txt'))).toEqual(['two', 'three', 'four']);
  });

  it('waits with a file that is made under its name until it is complete', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': copying, 'in.json': 'one' });
    const watch = watching(cwd, '--debounce', '500', '--no-initial');
    await watch.shows(READY);
    unlinkSync(join(cwd, 'in.json'));
    for (const part of ['tw', 'o ', 'and more']) {
      appendFileSync(join(cwd, 'in.json'), part);
      await sleep(200);
    }
    await watch.shows(READY, 2);
    expect(lines(join(cwd, 'out/seen.txt'))).toEqual(['two and more']);
  });

  it('is not started by what the run itself writes', async () => {
    const cwd = folderWith({
      'w.relavium.yaml': workflow(`nodes:
  - id: w
    type: tool
    tool: write_file
    tool_config: { path: summary.md }
    input_mapping: { content: '"seen " + trigger.path' }
  - { id: o, type: output, needs: [w], value: trigger.path, save_to: saved.md }`),
      'note.md': 'a',
    });
    const watch = watching(cwd, '--glob', '*.md', '--no-initial', '--debounce', '100');
    await watch.shows(READY);
    writeFileSync(join(cwd, 'note.md'), 'b');
    await watch.shows(READY, 2);
    await sleep(1_500);
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toBe('seen note.md');
    expect(readFileSync(join(cwd, 'saved.md'), 'utf8')).toContain('note.md');
    expect(watch.text().split('succeeded').length - 1).toBe(1);
    writeFileSync(join(cwd, 'summary.md'), 'somebody else');
    await watch.shows('changed   summary.md');
    await watch.shows(READY, 3);
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toBe('seen summary.md');
  });

  it('stops starting itself when programs of the run change what is watched, and goes on with the next change', async () => {
    const cwd = folderWith({
      'w.relavium.yaml': workflow(`tools: { allowedCommandGlobs: ['sh *'] }
trigger: { type: file_change, file_change: { glob: '*.txt', debounce_ms: 50 } }
nodes:
  - { id: c, type: tool, tool: run_command, tool_config: { command: sh, args: [again.sh] } }`),
      'again.sh': 'date +%N >> own.txt; date +%N >> runs\n',
    });
    const watch = watching(cwd);
    await watch.shows('The workflow seems to start itself.');
    const runs = lines(join(cwd, 'runs')).length;
    expect(runs).toBe(6);
    await sleep(500);
    expect(lines(join(cwd, 'runs')).length).toBe(runs);
    writeFileSync(join(cwd, 'mine.txt'), 'x');
    await watch.shows('changed   mine.txt');
  });

  it('makes one run of a burst, with all paths', async () => {
    const cwd = folderWith({
      'w.relavium.yaml': logging('trigger: { type: file_change, file_change: { glob: "src/**/*.md", ignore: ["src/old"] } }'),
      'src/a.md': '',
    });
    const watch = watching(cwd, '--debounce', '300', '--no-initial');
    await watch.shows(READY);
    mkdirSync(join(cwd, 'src/deep/er'), { recursive: true });
    for (const folder of ['src/old', 'src/node_modules', 'src/.git']) mkdirSync(join(cwd, folder));
    for (const path of ['src/old/x.md', 'src/node_modules/x.md', 'src/.git/x.md', 'x.md', 'src/x.txt', 'src/b.md', 'src/deep/er/c.md']) {
      writeFileSync(join(cwd, path), 'x');
      await sleep(60);
    }
    rmSync(join(cwd, 'src/a.md'));
    await watch.shows(READY, 2);
    await sleep(600);
    expect(lines(join(cwd, 'log.txt'))).toEqual(['["src/a.md","src/b.md","src/deep/er/c.md"]']);
  });

  const slow = workflow(`tools: { allowedCommandGlobs: ['sh *'] }
nodes:
  - { id: r, type: tool, tool: read_file, tool_config: { path: in.json } }
  - { id: c, type: tool, tool: run_command, tool_config: { command: sh }, input_mapping: { args: '["slow.sh", run.outputs["r"].content]' }, needs: [r] }`);
  const slowly = (seconds: number): Record<string, string> => ({
    'w.relavium.yaml': slow,
    'in.json': 'one',
    'slow.sh': `echo "begin $1" >> log; sleep ${seconds}; echo "end $1" >> log\n`,
  });

  it('makes exactly one more run of all changes during a run', async () => {
    const cwd = folderWith(slowly(1));
    const watch = watching(cwd, '--debounce', '50');
    while (lines(join(cwd, 'log')).length < 1) await sleep(20);
    for (const text of ['two', 'three', 'four']) {
      writeFileSync(join(cwd, 'in.json'), text);
      await sleep(150);
    }
    await watch.shows(READY);
    await sleep(500);
    expect(lines(join(cwd, 'log'))).toEqual(['begin one', 'end one', 'begin four', 'end four']);
  });

  it('with --restart cancels the run and starts again', async () => {
    const cwd = folderWith(slowly(30));
    const watch = watching(cwd, '--debounce', '50', '--restart');
    while (lines(join(cwd, 'log')).length < 1) await sleep(20);
    writeFileSync(join(cwd, 'in.json'), 'two');
    await watch.shows('Restarting');
    while (lines(join(cwd, 'log')).length < 2) await sleep(20);
    expect(lines(join(cwd, 'log'))).toEqual(['begin one', 'begin two']);
    watch.signal('SIGTERM');
    expect((await watch.ended).code).toBe(143);
  });

  it('cancels the run at the first Ctrl-C, waits on, and quits at the next', async () => {
    const cwd = folderWith(slowly(30));
    const watch = watching(cwd, '--debounce', '50');
    while (lines(join(cwd, 'log')).length < 1) await sleep(20);
    watch.signal('SIGINT');
    await watch.shows('cancelled');
    await watch.shows(READY);
    writeFileSync(join(cwd, 'in.json'), 'two');
    while (lines(join(cwd, 'log')).length < 2) await sleep(20);
    watch.signal('SIGINT');
    await watch.shows('Ctrl-C again quits', 2);
    watch.signal('SIGINT');
    expect((await watch.ended).code).toBe(130);
  });

  it('prints what is wrong with a broken file and waits for it to be mended, a missing agent or child file included', async () => {
    const child = workflow("nodes: [{ id: c, type: output, value: '1' }]");
    const parent = workflow('nodes: [{ id: s, type: subworkflow, workflow: ./parts/child.relavium.yaml }]');
    const cwd = folderWith({ 'w.relavium.yaml': parent });
    const watch = watching(cwd, '--debounce', '50');
    await watch.shows('Nothing was run');
    mkdirSync(join(cwd, 'parts'));
    writeFileSync(join(cwd, 'parts/child.relavium.yaml'), child);
    await watch.shows('succeeded');
    writeFileSync(join(cwd, 'w.relavium.yaml'), 'workflow: [');
    await watch.shows('Nothing was run', 2);
    writeFileSync(join(cwd, 'parts/child.relavium.yaml'), `${child}# still watched\n`);
    await watch.shows('Nothing was run', 3);
    writeFileSync(join(cwd, 'w.relavium.yaml'), parent);
    await watch.shows('succeeded', 2);
    rmSync(join(cwd, 'w.relavium.yaml'));
    await watch.shows('there is no file w.relavium.yaml');
    await sleep(300);
    writeFileSync(join(cwd, 'w.relavium.yaml'), parent);
    await watch.shows('succeeded', 3);
  });

  it('gives each changed path to an input with {changed}, and tries the last ones again when the workflow changes', async () => {
    const each = workflow(`inputs: [{ name: file, type: file_path, required: true }]
nodes:
  - { id: r, type: tool, tool: read_file, input_mapping: { path: inputs.file } }
  - { id: w, type: tool, tool: write_file, tool_config: { path: log, append: true }, input_mapping: { content: '\`\${inputs.file}=\${run.outputs["r"].content} of \${trigger.paths.length}\\n\`' }, needs: [r] }`);
    const cwd = folderWith({ 'w.relavium.yaml': each, 'docs/a.md': 'a', 'docs/b c.md': 'b', 'docs/gone.md': '' });
    const watch = watching(cwd, '-i', 'file={changed}', '--glob', 'docs/*.md', '--debounce', '200');
    await watch.shows(READY);
    for (const name of ['a', 'b c']) writeFileSync(join(cwd, `docs/${name}.md`), name.toUpperCase());
    rmSync(join(cwd, 'docs/gone.md'));
    await watch.shows(READY, 2);
    expect(lines(join(cwd, 'log'))).toEqual(['docs/a.md=A of 1', 'docs/b c.md=B C of 1']);
    writeFileSync(join(cwd, 'w.relavium.yaml'), `${each}# changed\n`);
    await watch.shows(READY, 3);
    expect(lines(join(cwd, 'log'))).toHaveLength(4);
  });

  it('watches the value of a file_path input, patterns of read_file and files that templates read, through links too', async () => {
    const cwd = folderWith({
      'w.relavium.yaml': workflow(`inputs: [{ name: file, type: file_path, default: by-default.txt }]
context: [{ key: style, value: "{{ 'style.md' | read_file }}" }]
nodes:
  - { id: r, type: tool, tool: read_file, tool_config: { glob: 'parts/*.txt' } }
  - { id: w, type: tool, tool: write_file, tool_config: { path: log.txt, append: true }, input_mapping: { content: 'JSON.stringify(trigger.paths) + "\\n"' }, needs: [r] }`),
      'named.txt': '1',
      'by-default.txt': '1',
      'style.md': '1',
      'parts/a.txt': '1',
      'real/target.txt': '1',
    });
    symlinkSync('../real/target.txt', join(cwd, 'parts/link.txt'));
    const watch = watching(cwd, '-i', 'file=named.txt', '--debounce', '50');
    await watch.shows(READY);
    let seen = 1;
    for (const path of ['named.txt', 'style.md', 'parts/a.txt', 'parts/new.txt']) {
      writeFileSync(join(cwd, path), 'changed');
      await watch.shows(READY, ++seen);
    }
    writeFileSync(join(cwd, 'by-default.txt'), 'not what was given');
    await sleep(300);
    expect(lines(join(cwd, 'log.txt'))).toEqual(['[]', '["named.txt"]', '["style.md"]', '["parts/a.txt"]', '["parts/new.txt"]']);
  });

  it('refuses before it watches anything what cannot come right', async () => {
    const cwd = folderWith({
      'w.relavium.yaml': workflow(
        "inputs: [{ name: n, type: number }, { name: f, type: file_path }]\nnodes: [{ id: o, type: output, value: '1' }]",
      ),
      'gate.relavium.yaml': workflow('nodes: [{ id: ask, type: human_gate, gate_type: approval }]'),
      'docs/a.md': '',
    });
    const refusals: [string[], string][] = [
      [['w.relavium.yaml', '-i', 'n=x'], 'must be a number'],
      [['w.relavium.yaml', '-i', 'm=1'], 'is no input of this workflow'],
      [['w.relavium.yaml', '-i', 'n={changed}', '--glob', '*.md'], 'of type number'],
      [['w.relavium.yaml', '-i', 'x={changed}', '--glob', '*.md'], 'no input "x"'],
      [['w.relavium.yaml', '-i', 'f={changed}'], '--glob'],
      [['w.relavium.yaml', '--glob', 'docs'], "write --glob 'docs/**'"],
      [['none.relavium.yaml'], 'none.relavium.yaml'],
      [['gate.relavium.yaml'], '"ask" asks a person'],
      [['w.relavium.yaml', '--debounce', '-1'], 'whole number'],
      [['w.relavium.yaml', '--root', 'docs'], '--root has no effect'],
    ];
    await Promise.all(
      refusals.map(async ([args, message]) => {
        const { code, stdout, stderr } = await relavium(['watch', ...args], { cwd });
        expect({ code, stdout }, args.join(' ')).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(message);
      }),
    );
  });

  it('prints nothing but events with --json', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': copying, 'in.json': 'one' });
    const watch = watching(cwd, '--json', '--debounce', '50');
    while (lines(join(cwd, 'out/seen.txt')).length < 1) await sleep(20);
    await sleep(200);
    writeFileSync(join(cwd, 'in.json'), 'two');
    while (lines(join(cwd, 'out/seen.txt')).length < 2) await sleep(20);
    await sleep(200);
    watch.signal('SIGINT');
    const { stdout, stderr } = await watch.ended;
    expect(stderr).toBe('');
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.filter(({ type }) => type === 'run:started').map(({ trigger }) => trigger)).toEqual([
      { type: 'manual', path: null, paths: [] },
      { type: 'file_change', path: 'in.json', paths: ['in.json'] },
    ]);
  });

  it('takes keys in a terminal: r runs again, q quits', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': logging() });
    const terminal = pseudoTerminal(['watch', 'w.relavium.yaml'], cwd);
    try {
      await terminal.shows('r: run again, q: quit');
      terminal.type('r');
      await terminal.shows('waiting for changes');
      expect(lines(join(cwd, 'log.txt'))).toHaveLength(2);
      terminal.type('q');
    } finally {
      await sleep(300);
      terminal.close();
    }
  });
});
