import type { Json, JsonObject } from '@relavium/engine';
import type { ItemText } from '@relavium/host-node';
import type { InputProblem } from '../inputs/gather-inputs.js';
import { parseJson } from '../inputs/parse-json.js';
import { textToValue } from '../inputs/text-to-value.js';
import type { ChosenColumns } from './choose-columns.js';

/** An item that was read, as its id is made from it and as its run is given it. */
export interface ItemValues {
  /** The item itself: what its id is made from. */
  readonly item: Json;
  readonly given: JsonObject;
  readonly problems: readonly InputProblem[];
}

/** Cells are text and are turned into the declared types; JSON is taken as it is. `header` is that of a CSV file. */
export function itemValues(
  text: Exclude<ItemText, { kind: 'broken' }>,
  columns: ChosenColumns,
  header: readonly string[] | undefined,
): ItemValues {
  return text.kind === 'cells' ? fromCells(text, columns, header ?? []) : fromJson(text, columns);
}

function fromCells({ cells, line }: Extract<ItemText, { kind: 'cells' }>, { taken }: ChosenColumns, header: readonly string[]): ItemValues {
  if (cells.length !== header.length) {
    const message = `line ${line} has ${count(cells.length, 'cell')}, and the header has ${count(header.length, 'column')}`;
    return { item: cells, given: {}, problems: [{ message }] };
  }
  const given: [string, Json][] = [];
  const problems: InputProblem[] = [];
  for (const { input, column } of taken) {
    const cell = cells[header.indexOf(column)]!;
    // An empty cell is an empty text. Where that is no value of the type, nothing was given.
    if (cell === '' && (input.type === 'number' || input.type === 'boolean' || input.type === 'json')) continue;
    const converted = textToValue(cell, input.type);
    if (converted.ok) given.push([input.name, converted.value]);
    else problems.push({ input: input.name, message: `input "${input.name}" ${converted.message}` });
  }
  return {
    item: Object.fromEntries(header.map((column, at) => [column, cells[at]!])),
    given: Object.fromEntries(given),
    problems,
  };
}

function fromJson({ text, line }: Extract<ItemText, { kind: 'json' }>, { taken, leavesOut }: ChosenColumns): ItemValues {
  const parsed = parseJson(text, `the item in line ${line}`);
  if (!parsed.ok) return { item: text, given: {}, problems: [{ message: parsed.problem.message }] };
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { item: value, given: {}, problems: [{ message: `the item in line ${line} is no object: input name → value` }] };
  }
  const item = value as JsonObject;
  const named = taken.filter(({ column }) => Object.hasOwn(item, column));
  const given = leavesOut ? Object.fromEntries(named.map(({ input, column }) => [input.name, item[column]!])) : item;
  return { item, given, problems: [] };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
