import { nearName } from '@relavium/engine';
import type { Input } from '@relavium/schemas';
import { secretVariable } from '../inputs/gather-inputs.js';
import { done, type Outcome, problem } from '../problem.js';

/** Which input takes which column, or key, of an item. */
export interface ChosenColumns {
  readonly taken: readonly { readonly input: Input; readonly column: string }[];
  /** What no input takes is left out. Else it is there to be refused. */
  readonly leavesOut: boolean;
}

export interface ColumnSources {
  readonly declared: readonly Input[];
  /** `input=column`, as given by `--map`. */
  readonly maps: readonly string[];
  /** Of a CSV file its header, else the keys of the first item; absent where there is none to look at. */
  readonly columns?: readonly string[];
  /** Every item has all the columns and no others. */
  readonly isTable: boolean;
  readonly shown: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Judged once, before anything runs: a column that nobody takes is a mistake in its name more often than not. */
export function chooseColumns(sources: ColumnSources): Outcome<ChosenColumns> {
  const { declared, maps, columns, isTable, shown } = sources;
  const mapped = readMaps(declared, maps);
  if (!mapped.ok) return mapped;
  const repeated = isTable ? columns?.find((column, at) => columns.indexOf(column) !== at) : undefined;
  if (repeated !== undefined) return problem(`${shown} has two columns "${repeated}"`, 'Give each column a name of its own.');
  const taken = declared.map((input) => ({ input, column: mapped.value.get(input.name) ?? input.name }));
  const leavesOut = maps.length > 0;
  if (columns === undefined) return done({ taken, leavesOut });

  const unknown = leavesOut ? [] : columns.filter((column) => !taken.some((pair) => pair.column === column));
  if (unknown.length > 0) return unknownColumns(sources, unknown);
  if (!isTable) return done({ taken, leavesOut });
  for (const [input, column] of mapped.value) {
    if (!columns.includes(column)) return missingColumn(shown, columns, input, column);
  }
  const present = taken.filter(({ column }) => columns.includes(column));
  const missing = declared.filter((input) => isNeeded(input, sources.env) && !present.some((pair) => pair.input === input));
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `"${name}"`).join(', ');
    return problem(
      `${shown} has no column for ${names}, which every run needs`,
      'Add the column, or name another one with --map input=column.',
    );
  }
  return done({ taken: present, leavesOut });
}

function readMaps(declared: readonly Input[], maps: readonly string[]): Outcome<ReadonlyMap<string, string>> {
  const mapped = new Map<string, string>();
  for (const map of maps) {
    const cut = map.indexOf('=');
    const name = map.slice(0, cut);
    if (cut < 1 || cut === map.length - 1) return problem(`--map ${map} is no pair`, 'Write --map input=column.');
    if (mapped.has(name)) return problem(`--map gives input "${name}" twice`, 'One column is enough for one input.');
    if (!declared.some((input) => input.name === name)) {
      const near = nearName(
        name,
        declared.map((input) => input.name),
      );
      return problem(
        `--map ${map}: this workflow has no input "${name}"`,
        near === undefined ? inputsOf(declared) : `Did you mean "${near}"?`,
      );
    }
    mapped.set(name, map.slice(cut + 1));
  }
  return done(mapped);
}

function unknownColumns({ declared, isTable, shown }: ColumnSources, unknown: readonly string[]): Outcome<never> {
  const names = declared.map(({ name }) => name);
  const what = isTable ? (unknown.length === 1 ? 'a column' : 'columns') : unknown.length === 1 ? 'a key' : 'keys';
  const listed = unknown
    .slice(0, 10)
    .map((column) => `"${column}"`)
    .join(', ');
  const where = isTable ? shown : `the first item of ${shown}`;
  const near = unknown.length === 1 ? nearName(unknown[0]!, names) : undefined;
  return problem(
    `${where} has ${what} that this workflow has no input for: ${listed}${unknown.length > 10 ? ', …' : ''}`,
    `${near === undefined ? inputsOf(declared) : `Did you mean "${near}"?`}\nWith --map input=column an input takes a column of another name, and what no input takes is left out.`,
  );
}

function missingColumn(shown: string, columns: readonly string[], input: string, column: string): Outcome<never> {
  const near = nearName(column, columns);
  return problem(
    `--map ${input}=${column}: ${shown} has no column "${column}"`,
    near === undefined ? `It has ${columns.join(', ')}.` : `Did you mean "${near}"?`,
  );
}

function inputsOf(declared: readonly Input[]): string {
  return declared.length === 0 ? 'It takes no inputs.' : `It takes ${declared.map(({ name }) => name).join(', ')}.`;
}

function isNeeded(input: Input, env: NodeJS.ProcessEnv): boolean {
  return input.required === true && !('default' in input) && !(input.type === 'secret' && env[secretVariable(input.name)] !== undefined);
}
