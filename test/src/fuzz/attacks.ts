import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainEnvironment } from '../shared/cli.js';
import type { Random } from '../shared/random.js';

/** Something that should not hurt: a file, a place or a terminal, and how the command may end. */
export interface Attack {
  readonly args: readonly string[];
  readonly codes: readonly number[];
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string;
  readonly closeStdout?: boolean;
  readonly terminal?: { readonly columns: number; readonly term: string };
  /** What standard output must hold, or must not. */
  readonly prints?: string;
  readonly neverPrints?: RegExp;
}

/** Sets the scene in an empty folder. `undefined`: this machine cannot show it. */
export type Scene = (folder: string, random: Random) => Attack | undefined;

const FILE = 'attack.relavium.yaml';
const hello =
  "schema_version: '1.0'\nworkflow:\n  id: hello\n  nodes:\n    - { id: say, type: transform, transform: '\"hello\"' }\n    - { id: out, type: output, needs: [say] }\n";

/** What is no valid workflow: refused by `lint` with a finding, and by `run` before anything runs. */
const refusedBy = { lint: [1], run: [2] } as const;
/** What cannot be read as text at all: whether that is a finding or wrong use is the command's to say. */
const unreadable = { lint: [1, 2], run: [2] } as const;
/** What may be a workflow or not: an answer is all that is asked for. */
const answeredBy = { lint: [0, 1], run: [0, 1, 2] } as const;
const acceptedBy = { lint: [0], run: [0] } as const;

export const scenes: Readonly<Record<string, Scene>> = {
  random_bytes: file((random) => random.bytes(1 << 20), unreadable),
  random_text: file((random) => Array.from({ length: 20_000 }, () => random.pick([...' :-[]{}#&*!|>\'"%@`\n\tabc01'])).join(''), refusedBy),
  mutated_workflow: file((random) => mutated(hello, random), answeredBy),
  alias_bomb: file(() => `a0: &a0 [x, x]\n${lines(40, (n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`)}`, refusedBy),
  self_reference: file(() => '&a\nworkflow: *a\n', refusedBy),
  deep_brackets: file(() => '['.repeat(10_000), refusedBy),
  deep_closed_brackets: file(() => '['.repeat(10_000) + ']'.repeat(10_000), refusedBy),
  deep_maps: file(() => lines(1400, (n) => `${' '.repeat(n)}a:`), refusedBy),
  deep_expression: file(() => workflow([transform('say', `${'('.repeat(10_000)}1${')'.repeat(10_000)}`)]), refusedBy),
  endless_expression: file(() => workflow([transform('say', '(() => { for (;;) {} })()')]), { lint: [0], run: [1] }),
  greedy_expression: file(() => workflow([transform('say', '"x".repeat(2 ** 28).split("")')]), { lint: [0], run: [1] }),
  prototype_keys: file(
    () => "__proto__: { polluted: true }\nschema_version: '1.0'\nworkflow: { constructor: 1, __proto__: 2 }\n",
    refusedBy,
  ),
  duplicate_keys: file(() => `${hello}workflow: {}\n`, refusedBy),
  many_keys: file(() => lines(50_000, (n) => `k${n}: ${n}`), refusedBy),
  empty: file(() => '', refusedBy),
  two_mebibytes: file(() => padded(hello, 2 * 1024 * 1024), acceptedBy),
  above_two_mebibytes: file(() => padded(hello, 2 * 1024 * 1024 + 1), unreadable),
  windows_lines: file(() => hello.replaceAll('\n', '\r\n'), acceptedBy, { prints: 'hello' }),
  byte_order_mark: file(() => `\ufeff${hello}`, acceptedBy, { prints: 'hello' }),
  chain_of_10_000: file(() => chain(10_000), acceptedBy),
  fan_of_10_000: file(() => fan(10_000), acceptedBy),
  too_many_nodes: file(() => chain(10_001), refusedBy),
  escapes_in_names: file(() => workflow([{ id: 'say\u001b[31m', type: 'transform', transform: '1' }]), refusedBy, {
    neverPrints: /\u001b\[31m/,
  }),
  escapes_in_values: file(() => workflow([transform('say', '"\\u001b]0;title\\u0007"')]), acceptedBy),

  directory: () => ({ args: ['run', '.'], codes: [2] }),
  missing_file: (_, random) => ({ args: [random.pick(['run', 'lint']), 'nowhere.relavium.yaml'], codes: [2] }),
  unreadable_file: (folder) => {
    if (process.getuid?.() === 0) return undefined;
    writeFileSync(join(folder, FILE), hello);
    chmodSync(join(folder, FILE), 0);
    return { args: ['run', FILE], codes: [2] };
  },
  file_as_directory: (folder) => {
    writeFileSync(join(folder, FILE), hello);
    return { args: ['run', `${FILE}/${FILE}`], codes: [2] };
  },
  named_pipe: (folder, random) => {
    if (process.platform === 'win32') return undefined;
    execFileSync('mkfifo', [join(folder, FILE)]);
    return { args: [random.pick(['run', 'lint']), FILE], codes: [2] };
  },
  folder_with_the_name_of_a_workflow: (folder) => {
    mkdirSync(join(folder, FILE));
    return { args: ['run', FILE], codes: [2] };
  },
  unknown_command: (_, random) => ({ args: [Buffer.from(random.bytes(8)).toString('hex')], codes: [2] }),
  unknown_flag: (folder) => {
    writeFileSync(join(folder, FILE), hello);
    return { args: ['run', FILE, '--no-such-flag'], codes: [2] };
  },
  unknown_input: (folder) => {
    writeFileSync(join(folder, FILE), hello);
    return { args: ['run', FILE, '-i', 'no=such'], codes: [2] };
  },
  closed_output: (folder, random) => {
    writeFileSync(join(folder, FILE), workflow([transform('say', '"x".repeat(1000000)')]));
    return {
      args: random.pick([['run', FILE], ['run', FILE, '--json'], ['lint', FILE], ['--help'], ['graph', FILE]]),
      codes: [0],
      closeStdout: true,
    };
  },
  hostile_pattern: (folder) => {
    const input = { name: 'word', type: 'string', required: true, validation: { pattern: '^(a+)+$' } };
    writeFileSync(join(folder, FILE), workflow([transform('say', 'inputs.word')], { inputs: [input] }));
    return { args: ['run', FILE, '-i', `word=${'a'.repeat(5000)}!`], codes: [2] };
  },
  no_terminal: (folder, random) => {
    writeFileSync(join(folder, FILE), hello);
    const env = plainEnvironment(
      random.pick<NodeJS.ProcessEnv>([{ TERM: 'dumb' }, { TERM: 'xterm-256color' }, { NO_COLOR: '1' }, { CI: '1' }, {}]),
    );
    return { args: ['run', FILE], codes: [0], env, prints: 'hello', neverPrints: /\u001b/ };
  },
  narrow_terminal: (folder, random) => {
    if (!hasScript()) return undefined;
    writeFileSync(join(folder, FILE), fan(random.pick([3, 60])));
    return { args: ['run', FILE], codes: [0], terminal: { columns: 40, term: 'xterm-256color' } };
  },
  dumb_terminal: (folder) => {
    if (!hasScript()) return undefined;
    writeFileSync(join(folder, FILE), hello);
    return { args: ['run', FILE], codes: [0], terminal: { columns: 80, term: 'dumb' }, neverPrints: /\u001b\[\d*[A-HJK]/ };
  },
};

type Codes = { readonly lint: readonly number[]; readonly run: readonly number[] };

function file(content: (random: Random) => string | Uint8Array, codes: Codes, more: Pick<Attack, 'prints' | 'neverPrints'> = {}): Scene {
  return (folder, random) => {
    writeFileSync(join(folder, FILE), content(random));
    const command = random.pick(['lint', 'run'] as const);
    const { prints, ...always } = more;
    return { args: [command, FILE], codes: codes[command], ...always, ...(command === 'run' && prints !== undefined ? { prints } : {}) };
  };
}

function workflow(nodes: readonly object[], more: object = {}): string {
  return JSON.stringify({ schema_version: '1.0', workflow: { id: 'attack', ...more, nodes } });
}

function transform(id: string, expression: string, needs: readonly string[] = []): object {
  return { id, type: 'transform', transform: expression, ...(needs.length > 0 ? { needs } : {}) };
}

function chain(length: number): string {
  return workflow(
    Array.from({ length }, (_, n) => transform(`n${n}`, n === 0 ? '1' : `run.outputs["n${n - 1}"]`, n === 0 ? [] : [`n${n - 1}`])),
  );
}

function fan(width: number): string {
  const leaves = Array.from({ length: width - 2 }, (_, n) => transform(`n${n}`, `${n}`, ['start']));
  return workflow([
    transform('start', '0'),
    ...leaves,
    { id: 'end', type: 'merge', merge_strategy: 'concat', needs: leaves.map((_, n) => `n${n}`) },
  ]);
}

function lines(count: number, line: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => `${line(n)}\n`).join('');
}

function padded(text: string, bytes: number): string {
  const comment = `# ${'x'.repeat(97)}\n`;
  const room = bytes - text.length;
  const whole = Math.floor(room / comment.length);
  return text + comment.repeat(whole) + '#'.repeat(room - whole * comment.length);
}

function mutated(text: string, random: Random): string {
  let changed = text;
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(changed.length);
    const piece = random.pick([
      '',
      ' ',
      '\n',
      '\t',
      ':',
      '- ',
      '"',
      "'",
      '{',
      ']',
      '#',
      '&a ',
      '*a',
      '!!str ',
      '\u0000',
      '\ufffe',
      changed.slice(at, at + random.below(40)),
    ]);
    changed = changed.slice(0, at) + piece + changed.slice(at + random.below(3));
  }
  return changed;
}

function hasScript(): boolean {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' });
    return process.platform === 'linux';
  } catch {
    return false;
  }
}
