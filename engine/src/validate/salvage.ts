import type { Json } from '../json.js';
import type { Path, YamlDocument } from '../parse/yaml-document.js';
import type { LocatedIssue, SchemaIssue } from './schema-diagnostics.js';

/** What is left of a workflow file whose shape is broken in places, in a shape that can be linked. */
export interface Salvaged {
  /** Without the broken parts; positions still lead into the file. */
  readonly document: YamlDocument;
  /** Codes whose findings could be mere consequences of what is missing now. */
  readonly doubtful: ReadonlySet<string>;
  /** Whether warnings could be. */
  readonly warningsDoubtful: boolean;
}

/** Findings about ways through the graph: a broken node or edge may have held the way. */
const WAYS: readonly string[] = [
  'unordered_reference',
  'wait_n_unsatisfiable',
  'gate_required',
  'unknown_handle',
  'missing_handle',
  'unreachable_node',
  'no_edges',
  'lock_without_effect',
  'invoke_cycle',
];

/** Lists whose broken entries say nothing about what the workflow allows: warnings about other nodes stand. */
const PLACES: readonly string[] = ['nodes', 'edges'];

/**
 * Takes broken parts out so that the rest can still be looked at: a surplus key goes, a broken node becomes an empty one of the same id,
 * a broken entry of a list goes. `undefined` where no list of nodes is left.
 */
export function salvage(document: YamlDocument, issues: readonly LocatedIssue[]): Salvaged | undefined {
  const root = document.value;
  if (!Array.isArray(child(child(root, 'workflow'), 'nodes'))) return undefined;
  const repairs = issues.map(({ issue, path }) => repairFor(root, issue, path));
  const kept = new Map<string, readonly number[]>();
  const value = repaired(root, repairs, kept);
  if (!Array.isArray(child(child(value, 'workflow'), 'nodes'))) return undefined;
  return {
    document: seenThrough(document, value, kept),
    doubtful: new Set(repairs.flatMap((repair) => repair.doubtful)),
    warningsDoubtful: repairs.some(({ isPlace, doubtful }) => !isPlace && doubtful.length > 0),
  };
}

interface Repair {
  readonly path: Path;
  /** `undefined`: the entry goes. */
  readonly replacement: Json | undefined;
  readonly doubtful: readonly string[];
  /** A node or an edge. */
  readonly isPlace: boolean;
}

function repairFor(root: Json, issue: SchemaIssue, path: Path): Repair {
  if (issue.keyword === 'additionalProperties') {
    return { path: [...path, String(issue.params.additionalProperty)], replacement: undefined, doubtful: [], isPlace: false };
  }
  const owner = innermost(path);
  const gone = (replacement: Json | undefined, ...doubtful: readonly string[]): Repair => ({
    path: owner.path,
    replacement,
    doubtful,
    isPlace: PLACES.includes(owner.kind),
  });
  const value = owner.path.reduce<Json | undefined>(child, root);
  switch (owner.kind) {
    case 'nodes':
      return gone(emptyNode(value), 'scope_violation', 'missing_argument', ...WAYS);
    case 'edges':
      return gone(undefined, ...WAYS);
    case 'inputs':
      return named(gone, value, 'name', { type: 'json' });
    case 'context':
      return named(gone, value, 'key', { value: null });
    case 'agents':
      return gone(undefined, 'unknown_agent');
    case 'tools':
      return gone(undefined, 'unknown_tool', 'unknown_server');
    default:
      return gone(undefined, 'missing_argument');
  }
}

/** Keeps the name, so that nobody who reads it is told that it does not exist. */
function named(
  gone: (value: Json | undefined, ...doubtful: readonly string[]) => Repair,
  value: Json | undefined,
  key: string,
  rest: object,
): Repair {
  const name = child(value, key);
  return typeof name === 'string' ? gone({ [key]: name, ...rest }, 'missing_argument') : gone(undefined, 'unresolved_reference');
}

/** The smallest part around the issue that can be taken out as a whole. */
function innermost(path: Path): { readonly kind: string; readonly path: Path } {
  for (let end = path.length; end > 2; end -= 1) {
    const kind = path[end - 2];
    const inBody = path[end - 3] === 'body' || end === 3;
    if (typeof path[end - 1] === 'number' && inBody && typeof kind === 'string' && LISTS.includes(kind))
      return { kind, path: path.slice(0, end) };
  }
  return { kind: String(path[1]), path: path.slice(0, 2) };
}

const LISTS: readonly string[] = ['nodes', 'edges', 'inputs', 'context', 'agents'];

/** Keeps the id, so that nobody who names the node is told that it does not exist. */
function emptyNode(value: Json | undefined): Json | undefined {
  const id = child(value, 'id');
  if (typeof id !== 'string') return undefined;
  const needs = child(value, 'needs');
  const usable = Array.isArray(needs) && needs.every((need) => typeof need === 'string');
  return { id, type: 'input', ...(usable ? { needs } : {}) };
}

/** A copy with all repairs, made in one walk. Where entries of a list go, `kept` says at which index each that stays was before. */
function repaired(value: Json, repairs: readonly Repair[], kept: Map<string, readonly number[]>, path: Path = [], depth = 0): Json {
  if (repairs.length === 0 || typeof value !== 'object' || value === null) return value;
  const byStep = grouped(repairs, depth);
  const replaced = (item: Json, step: string | number, newStep: string | number): { value: Json } | undefined => {
    const mine = byStep.get(step);
    if (mine === undefined) return { value: item };
    const here = mine.find((repair) => repair.path.length === depth + 1);
    if (here === undefined) return { value: repaired(item, mine, kept, [...path, newStep], depth + 1) };
    return here.replacement === undefined ? undefined : { value: here.replacement };
  };
  if (Array.isArray(value)) {
    const stays: number[] = [];
    const items: Json[] = [];
    value.forEach((item: Json, index) => {
      const result = replaced(item, index, items.length);
      if (result === undefined) return;
      items.push(result.value);
      stays.push(index);
    });
    if (items.length < value.length) kept.set(JSON.stringify(path), stays);
    return items;
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const result = replaced(item, key, key);
      return result === undefined ? [] : [[key, result.value] as const];
    }),
  );
}

function grouped(repairs: readonly Repair[], depth: number): ReadonlyMap<string | number, Repair[]> {
  const byStep = new Map<string | number, Repair[]>();
  for (const repair of repairs) {
    const step = repair.path[depth];
    if (step === undefined) continue;
    const list = byStep.get(step);
    if (list === undefined) byStep.set(step, [repair]);
    else list.push(repair);
  }
  return byStep;
}

/** The document seen through the repairs: paths of what was kept lead to where it is written. */
function seenThrough(document: YamlDocument, value: Json, kept: ReadonlyMap<string, readonly number[]>): YamlDocument {
  const old = (path: Path): Path =>
    path.map((step, index) => (typeof step === 'number' ? (kept.get(JSON.stringify(path.slice(0, index)))?.[step] ?? step) : step));
  if (kept.size === 0) return { ...document, value };
  return {
    ...document,
    value,
    rangeOf: (path, what) => document.rangeOf(old(path), what),
    offsetIn: (path, offset) => document.offsetIn(old(path), offset),
    extentOf: (path) => document.extentOf(old(path)),
  };
}

function child(value: Json | undefined, step: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<string | number, Json>)[step];
}
