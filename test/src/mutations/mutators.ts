import { Script } from 'node:vm';
import { type Document, isMap, isScalar, type Pair } from 'yaml';
import type { Random } from '../shared/random.js';
import { entriesOf, type Located, type Path } from './document.js';
import { brokenReads, graphOf } from './graph.js';

/** What was done to a document, and where the right places for a complaint are. */
export interface Mutation {
  readonly what: string;
  /** Paths in the mutant; any line of any of them is right. */
  readonly places: readonly Path[];
  /** By a rule of the harness, not of the product: the mutant is a good workflow, or cannot be told from one. */
  readonly isValid: boolean;
}

/** Changes the document in place; `undefined` if it holds nothing of the kind. */
export type Mutator = (document: Document, random: Random) => Mutation | undefined;

export const mutators: Readonly<Record<string, Mutator>> = {
  drop_key: (document, random) => {
    const entry = pick(
      random,
      structural(document).filter(({ path }) => typeof path.at(-1) === 'string'),
    );
    if (entry === undefined) return undefined;
    const owner = entry.path.slice(0, -1);
    const isRequired = requiredKeys(document, owner).includes(String(entry.path.at(-1)));
    document.deleteIn(entry.path);
    return { what: `${show(entry.path)} dropped`, places: [owner], isValid: !isRequired };
  },

  misspell_key: (document, random) => {
    const entry = pick(
      random,
      structural(document).filter(({ path }) => typeof path.at(-1) === 'string'),
    );
    if (entry === undefined) return undefined;
    const key = String(entry.path.at(-1));
    const wrong = misspelt(key, random);
    const pair = pairAt(document, entry.path);
    if (pair === undefined || !isScalar(pair.key)) return undefined;
    pair.key.value = wrong;
    const owner = entry.path.slice(0, -1);
    return { what: `${show(entry.path)} misspelt ${wrong}`, places: [[...owner, wrong], owner], isValid: false };
  },

  misspell_reference: (document, random) => {
    const entry = pick(random, entriesOf(document).filter(isReference));
    if (entry === undefined) return undefined;
    const wrong = misspelt(String(entry.value), random);
    document.setIn(entry.path, wrong);
    return {
      what: `${show(entry.path)} refers to ${wrong}`,
      places: [entry.path],
      isValid: idsOf(document).includes(wrong.split(':')[0]!),
    };
  },

  misspell_read: (document, random) => {
    const read = /run\.outputs\[(["'])([\w-]+)\1\]/;
    const entry = pick(
      random,
      structural(document).filter(({ value }) => typeof value === 'string' && read.test(value)),
    );
    if (entry === undefined) return undefined;
    const wrong = misspelt(read.exec(String(entry.value))![2]!, random);
    document.setIn(
      entry.path,
      String(entry.value).replace(read, (_, quote: string) => `run.outputs[${quote}${wrong}${quote}]`),
    );
    return { what: `${show(entry.path)} reads ${wrong}`, places: [entry.path], isValid: idsOf(document).includes(wrong) };
  },

  misspell_id: (document, random) => {
    const entry = pick(
      random,
      structural(document).filter(({ path, value }) => isNodeKey(path, 'id') && typeof value === 'string'),
    );
    if (entry === undefined) return undefined;
    const others = entriesOf(document).filter((other) => refersTo(other, String(entry.value)));
    document.setIn(entry.path, misspelt(String(entry.value), random));
    return { what: `${show(entry.path)} renamed`, places: [entry.path, ...others.map(({ path }) => path)], isValid: others.length === 0 };
  },

  wrong_type: (document, random) => {
    const entry = pick(
      random,
      structural(document).filter(({ path }) => typeof path.at(-1) === 'string' && !takesAnything(path)),
    );
    if (entry === undefined) return undefined;
    const wrong =
      Array.isArray(entry.value) || (typeof entry.value === 'object' && entry.value !== null) ? 7 : random.pick([[[7]], [{ seven: 7 }]])[0];
    document.setIn(entry.path, document.createNode(wrong));
    return { what: `${show(entry.path)} is ${JSON.stringify(wrong)}`, places: [entry.path], isValid: false };
  },

  wrong_value: (document, random) => {
    const keys = [
      'type',
      'merge_strategy',
      'join_strategy',
      'on',
      'gate_type',
      'on_failure',
      'on_item_error',
      'losers',
      'backoff',
      'schema_version',
    ];
    const entry = pick(
      random,
      structural(document).filter(({ path, value }) => keys.includes(String(path.at(-1))) && typeof value === 'string'),
    );
    if (entry === undefined) return undefined;
    const wrong = misspelt(String(entry.value), random);
    document.setIn(entry.path, wrong);
    return { what: `${show(entry.path)} is ${wrong}`, places: [entry.path, entry.path.slice(0, -1)], isValid: false };
  },

  duplicate_id: (document, random) => {
    const entries = structural(document).filter(({ path, value }) => isNodeKey(path, 'id') && typeof value === 'string');
    const entry = pick(random, entries);
    if (entry === undefined) return undefined;
    const scope = entry.path.slice(0, -2).join();
    const other = pick(
      random,
      entries.filter(({ path, value }) => path.slice(0, -2).join() === scope && value !== entry.value),
    );
    if (other === undefined) return undefined;
    document.setIn(entry.path, other.value);
    return { what: `${show(entry.path)} is ${String(other.value)} like another`, places: [entry.path, other.path], isValid: false };
  },

  duplicate_key: (document, random) => {
    const entry = pick(
      random,
      structural(document).filter(({ path }) => typeof path.at(-1) === 'string'),
    );
    const owner = entry === undefined ? undefined : document.getIn(entry.path.slice(0, -1), true);
    if (entry === undefined || !isMap(owner)) return undefined;
    owner.items.push(document.createPair(String(entry.path.at(-1)), entry.value) as never);
    return { what: `${show(entry.path)} twice`, places: [entry.path, entry.path.slice(0, -1)], isValid: false };
  },

  break_expression: (document, random) => {
    const entry = pick(
      random,
      structural(document).filter(({ path, value }) => isExpression(path) && typeof value === 'string'),
    );
    if (entry === undefined) return undefined;
    const text = String(entry.value);
    const at = random.below(text.length + 1);
    const broken = random.pick([
      `${text} +`,
      `${text})`,
      `(${text}`,
      text.slice(0, at) + text.slice(at + 1),
      `${text.slice(0, at)}@${text.slice(at)}`,
      `${text}]`,
      `${text} = `,
    ]);
    document.setIn(entry.path, broken);
    return { what: `${show(entry.path)} is ${broken}`, places: [entry.path], isValid: parses(broken) };
  },

  cut_edge: (document, random) => {
    const entry = pick(
      random,
      entriesOf(document).filter(({ path }) => typeof path.at(-1) === 'number' && (path.at(-2) === 'edges' || path.at(-2) === 'needs')),
    );
    if (entry === undefined) return undefined;
    document.deleteIn(entry.path);
    const workflow = (document.toJSON() as { workflow?: unknown }).workflow;
    const graph = isOutermost(entry.path) ? graphOf(workflow) : undefined;
    const broken = graph === undefined ? [] : brokenReads(graph);
    const places = broken.map(({ node }) => nodePath(document, node)).filter((path) => path !== undefined);
    return { what: `${show(entry.path)} cut`, places: [...places, entry.path.slice(0, -1)], isValid: broken.length === 0 };
  },

  swap_handle: (document, random) => {
    const isHandle = ({ path, value }: Located): boolean =>
      typeof value === 'string' && (/^[\w-]+:[\w-]+$/.test(value) ? isReference({ path, value }) : path.at(-1) === 'target_node');
    const entry = pick(random, entriesOf(document).filter(isHandle));
    if (entry === undefined) return undefined;
    const [node, handle] = String(entry.value).split(':');
    const wrong = handle === undefined ? misspelt(node!, random) : `${node}:${random.pick([misspelt(handle, random), 'default'])}`;
    document.setIn(entry.path, wrong);
    const isLive = handle === undefined ? idsOf(document).includes(wrong) : handlesOf(document, node!).includes(wrong.split(':')[1]!);
    return { what: `${show(entry.path)} is ${wrong}`, places: [entry.path], isValid: isLive };
  },
};

/** Entries whose keys the format fixes: nothing below free maps and schemas of the author. */
function structural(document: Document): Located[] {
  const free = new Set([
    'metadata',
    'tool_config',
    'input_mapping',
    'output_mapping',
    'agent_config',
    'parameters',
    'output_schema',
    'input_schema',
    'schema',
    'default',
    'headers',
    'env',
    'enum',
  ]);
  return entriesOf(document).filter(({ path }) => {
    const inContext = path[1] === 'context' && path[3] === 'value' && path.length > 4;
    return !inContext && !path.slice(0, -1).some((key) => free.has(String(key)));
  });
}

const referenceKeys = new Set(['from', 'to', 'target_node']);
const referenceLists = new Set(['needs', 'parallel_of', 'invokes', 'approves']);

function isReference({ path, value }: Located): boolean {
  if (typeof value !== 'string') return false;
  if (path.includes('metadata') || path.includes('tool_config')) return false;
  const key = path.at(-1);
  return typeof key === 'number' ? referenceLists.has(String(path.at(-2))) : referenceKeys.has(String(key));
}

const expressionKeys = new Set([
  'transform',
  'expression',
  'condition',
  'if',
  'for_each',
  'while',
  'until',
  'initial',
  'collect',
  'merge_fn',
]);

function isExpression(path: Path): boolean {
  const key = String(path.at(-1));
  return expressionKeys.has(key) || (key === 'value' && isNodeKey(path, 'value'));
}

/** A key of an item of a list called `nodes`. */
function isNodeKey(path: Path, key: string): boolean {
  return path.at(-1) === key && typeof path.at(-2) === 'number' && path.at(-3) === 'nodes';
}

/** Keys whose value may be of any type. */
function takesAnything(path: Path): boolean {
  return [
    'metadata',
    'value',
    'default',
    'when',
    'tool_config',
    'cache',
    'schema',
    'output_schema',
    'input_schema',
    'glob',
    'allowedCommands',
  ].includes(String(path.at(-1)));
}

function requiredKeys(document: Document, owner: Path): readonly string[] {
  if (owner.length === 0) return ['schema_version', 'workflow'];
  if (owner.length === 1 && owner[0] === 'workflow') return ['id', 'nodes'];
  const list = owner.at(-2);
  if (typeof owner.at(-1) !== 'number') return owner.at(-1) === 'body' ? ['nodes'] : owner.at(-1) === 'retry' ? ['max'] : [];
  if (list === 'edges') return ['from', 'to'];
  if (list === 'inputs') return ['name', 'type'];
  if (list === 'context') return ['key', 'value'];
  if (list === 'branches') return ['when', 'target_node'];
  if (list !== 'nodes') return [];
  const type = String(document.getIn([...owner, 'type']));
  return ['id', 'type', ...(requiredByType[type] ?? [])];
}

const requiredByType: Readonly<Record<string, readonly string[]>> = {
  tool: ['tool'],
  agent: ['agent_ref'],
  condition: ['expression', 'branches'],
  transform: ['transform'],
  parallel: ['parallel_of'],
  merge: ['merge_strategy'],
  human_gate: ['gate_type'],
  loop: ['body'],
  subworkflow: ['workflow'],
  fail: ['code', 'message'],
};

function idsOf(document: Document): string[] {
  return entriesOf(document)
    .filter(({ path, value }) => isNodeKey(path, 'id') && typeof value === 'string')
    .map(({ value }) => String(value));
}

function handlesOf(document: Document, node: string): string[] {
  const nodes = (
    (document.toJSON() as { workflow?: { nodes?: { id?: unknown; branches?: { when?: unknown }[]; default?: unknown }[] } }).workflow
      ?.nodes ?? []
  ).filter(({ id }) => id === node);
  return nodes.flatMap(({ branches = [], default: other }) => [
    ...branches.map(({ when }) => String(when)),
    ...(other === undefined ? [] : ['default']),
  ]);
}

function nodePath(document: Document, id: string): Path | undefined {
  return entriesOf(document)
    .find(({ path, value }) => isNodeKey(path, 'id') && value === id)
    ?.path.slice(0, -1);
}

function isOutermost(path: Path): boolean {
  return path[0] === 'workflow' && !path.includes('body');
}

function refersTo(entry: Located, id: string): boolean {
  const text = String(entry.value);
  if (isReference(entry) || (entry.path.at(-1) === 'default' && isNodeKey(entry.path, 'default')))
    return text === id || text.startsWith(`${id}:`);
  return typeof entry.value === 'string' && new RegExp(`run\\.\\w+\\[["']${id}["']\\]`).test(text);
}

function pairAt(document: Document, path: Path): Pair | undefined {
  const owner = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  return isMap(owner) ? owner.items.find((item) => isScalar(item.key) && item.key.value === path.at(-1)) : undefined;
}

/** One slip of the fingers: a letter doubled, lost, swapped or wrong. */
function misspelt(word: string, random: Random): string {
  const at = random.below(word.length);
  const next = word[at + 1];
  const slips = [
    word.slice(0, at + 1) + word.slice(at),
    `${word.slice(0, at)}q${word.slice(at + 1)}`,
    ...(word.length > 2 ? [word.slice(0, at) + word.slice(at + 1)] : []),
    ...(next !== undefined && next !== word[at] ? [word.slice(0, at) + next + word[at] + word.slice(at + 2)] : []),
  ].filter((slip) => slip !== word);
  return random.pick(slips);
}

/** By another parser than the product's. */
function parses(expression: string): boolean {
  try {
    new Script(`'use strict';(${expression}\n)`);
    return true;
  } catch {
    return false;
  }
}

function pick<T>(random: Random, list: readonly T[]): T | undefined {
  return list.length === 0 ? undefined : random.pick(list);
}

function show(path: Path): string {
  return path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
}
