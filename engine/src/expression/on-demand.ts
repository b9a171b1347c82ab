import type { Json } from '../json.js';
import { isRunMap, notUpstream, type RunMap, type RunScope, secretRead } from './scope.js';
import { isSecretMarker } from './secret-marker.js';

/** A value that stays on this side while an expression runs, and is read from there key by key. */
export interface Container {
  /** Set for a list. */
  readonly length?: number;
  /** In the order in which the value lists them. */
  keys(): readonly string[];
  get(key: string): Found;
  /** The whole value. */
  value(): Json;
}

export type Found =
  | { readonly kind: 'none' }
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'container'; readonly container: Container }
  /** A read that must not be answered, with the message for the author. */
  | { readonly kind: 'refused'; readonly message: string };

export interface Answers {
  /** Gives the container a number by which questions can name it. */
  readonly register: (container: Container) => number;
  readonly ask: (question: string) => string;
  readonly refusal: () => string | undefined;
  /** Reads `[value, places]`: puts the containers that came back as they were into their places, `[path, id]`. */
  readonly value: (reply: string) => Json;
}

/**
 * Answers what the proxies in the VM ask (`quickjs-boot.ts`), in JSON text: `["g", id, key]` one value, `["r", id, from, count]` the
 * values of a run of keys, `["k", id]` all keys, `["h", id, key]` whether there is such a key. A value is `[0]` none, `[1, json]`,
 * `[2, id]` a container, `[3, id, length]` a list, `[4]` refused; `[5]`, in a run only: ask for it alone.
 */
export function answerQuestions(): Answers {
  const containers: Container[] = [];
  let refusal: string | undefined;
  const register = (container: Container): number => containers.push(container) - 1;
  const refuse = (message: string): string => {
    refusal ??= message;
    return REFUSED;
  };

  const ask = (question: string): string => {
    const [kind, id, key, count] = JSON.parse(question) as [string, number, string | number, number];
    const container = containers[id] as Container;
    switch (kind) {
      case 'k':
        return JSON.stringify(container.keys());
      case 'h': {
        const found = container.get(String(key));
        if (found.kind === 'refused') refuse(found.message);
        return JSON.stringify(found.kind === 'value' || found.kind === 'container');
      }
      case 'r':
        return answerRun(container, Number(key), count, (found) => answerText(found, register, () => ASK_ALONE));
      default:
        return answerText(container.get(String(key)), register, refuse);
    }
  };
  const value = (reply: string): Json => {
    const [root, places] = JSON.parse(reply) as [Json, [(string | number)[], number][]];
    const holder = { root };
    for (const [path, id] of places) putAt(holder, ['root', ...path], (containers[id] as Container).value());
    return holder.root;
  };
  return { register, ask, refusal: () => refusal, value };
}

function putAt(holder: object, path: readonly (string | number)[], value: Json): void {
  let at = holder as Record<string | number, object>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, object>;
  // Not by assignment: `__proto__` is a key like any other here.
  Object.defineProperty(at, path.at(-1) as string | number, { value, writable: true, enumerable: true, configurable: true });
}

const REFUSED = '[4]';
const ASK_ALONE = '[5]';

function answerText(found: Found, register: Answers['register'], refuse: (message: string) => string): string {
  switch (found.kind) {
    case 'none':
      return '[0]';
    case 'refused':
      return refuse(found.message);
    case 'container': {
      const { length } = found.container;
      return length === undefined ? `[2,${register(found.container)}]` : `[3,${register(found.container)},${length}]`;
    }
    case 'value': {
      const { value } = found;
      if (isSecretMarker(value)) return refuse(secretRead(value.$secret));
      if (typeof value !== 'object' || value === null || isSmall(value)) return `[1,${JSON.stringify(value)}]`;
      return answerText({ kind: 'container', container: containerOf(value) }, register, refuse);
    }
  }
}

/** A run of values ends early when its text grows beyond this, in characters. */
const MAX_RUN_TEXT = 65_536;

function answerRun(container: Container, from: number, count: number, answer: (found: Found) => string): string {
  const { length } = container;
  const end = Math.min(from + count, length ?? container.keys().length);
  let text = '[';
  for (let i = from; i < end && text.length < MAX_RUN_TEXT; i++) {
    const key = length === undefined ? (container.keys()[i] as string) : String(i);
    text += `${i > from ? ',' : ''}${answer(container.get(key))}`;
  }
  return `${text}]`;
}

export function containerOf(value: Extract<Json, object>): Container {
  let keys: readonly string[] | undefined;
  return {
    ...(Array.isArray(value) ? { length: value.length } : {}),
    keys: () => {
      keys ??= Object.keys(value);
      return keys;
    },
    get: (key) =>
      Object.hasOwn(value, key) ? { kind: 'value', value: (value as { readonly [key: string]: Json })[key] as Json } : { kind: 'none' },
    value: () => value,
  };
}

export function runContainer(run: RunScope): Container {
  return {
    keys: () => ['id', 'started_at', 'outputs', 'errors', 'captured'],
    get: (key) => {
      if (key === 'id') return { kind: 'value', value: run.id };
      if (key === 'started_at') return { kind: 'value', value: run.startedAt };
      return isRunMap(key) ? { kind: 'container', container: mapContainer(run, key) } : { kind: 'none' };
    },
    value: () => ({
      id: run.id,
      started_at: run.startedAt,
      outputs: mapContainer(run, 'outputs').value(),
      errors: mapContainer(run, 'errors').value(),
      captured: mapContainer(run, 'captured').value(),
    }),
  };
}

export function mapContainer(run: RunScope, map: RunMap): Container {
  let keys: readonly string[] | undefined;
  const list = (): readonly string[] => {
    keys ??= run.visible().filter((id) => run[map](id).kind === 'value');
    return keys;
  };
  return {
    keys: list,
    get: (id) => {
      const found = run[map](id);
      return found.kind === 'forbidden' ? { kind: 'refused', message: notUpstream(map, id) } : found;
    },
    value: () => {
      const entries: [string, Json][] = [];
      for (const id of list()) {
        const found = run[map](id);
        if (found.kind === 'value') entries.push([id, found.value]);
      }
      return Object.fromEntries(entries);
    },
  };
}

/** A value of this weight is cheaper to send than to ask for: a JSON character each, and something for every part. */
const SMALL_WEIGHT = 1024;
const PART_WEIGHT = 8;
const SMALL_DEPTH = 50;

/** Whether a value is sent whole. One that holds a secret marker never is: only reading the marker itself is an error. */
export function isSmall(value: Extract<Json, object>): boolean {
  return weigh(value, SMALL_WEIGHT, SMALL_DEPTH) >= 0;
}

/** What is left of the allowance; negative when it was used up or the value may not be sent whole. Ends early. */
function weigh(value: Json, allowance: number, depth: number): number {
  if (typeof value === 'string') return allowance - PART_WEIGHT - value.length;
  if (typeof value !== 'object' || value === null) return allowance - PART_WEIGHT;
  if (depth === 0 || isSecretMarker(value)) return -1;
  let left = allowance - PART_WEIGHT;
  if (Array.isArray(value)) {
    if (value.length * PART_WEIGHT > left) return -1;
    for (let i = 0; i < value.length && left >= 0; i++) left = weigh(value[i] as Json, left, depth - 1);
    return left;
  }
  for (const key in value) {
    left = weigh((value as { readonly [key: string]: Json })[key] as Json, left - key.length, depth - 1);
    if (left < 0) return left;
  }
  return left;
}
