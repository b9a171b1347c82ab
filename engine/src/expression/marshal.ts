import type { Json } from '../json.js';
import type { Expression, Projection } from './expression.js';
import { CONSTANT_GLOBALS } from './globals.js';
import { answerQuestions, type Container, containerOf, isSmall, mapContainer, runContainer } from './on-demand.js';
import { isIndexBelow } from './plain-path.js';
import { isRunMap, notUpstream, type RunScope, type Scope, secretRead } from './scope.js';
import { isSecretMarker } from './secret-marker.js';

export type Marshalled =
  | {
      readonly ok: true;
      /** Names of the function's parameters: those free names that the scope knows. */
      readonly parameters: readonly string[];
      /** `[arguments, places]`: where in the arguments which container stands that is read on demand. */
      readonly data: string;
      readonly ask: (question: string) => string;
      /** The message of the first read that had to be refused while the expression ran. */
      readonly refusal: () => string | undefined;
      /** The value of a reply of the VM. */
      readonly value: (reply: string) => Json;
    }
  | { readonly ok: false; readonly message: string };

/**
 * Picks from the scope what the expression can read, as JSON text: what its static paths reach, and in place of large or open-ended
 * values a container that answers reads one by one. So the cost follows what is read and not what is there.
 */
export function marshal(expression: Expression, scope: Scope): Marshalled {
  const answers = answerQuestions();
  const sending: Sending = { places: [], register: answers.register, refusal: undefined };
  const parameters: string[] = [];
  const unset: string[] = [];
  let values = '';
  for (const { name, projection } of expression.roots) {
    if (CONSTANT_GLOBALS.has(name) || name === 'eval') continue;
    const isRun = name === 'run' && scope.run !== undefined;
    const value = isRun ? undefined : scope.names.get(name);
    if (isRun || value !== undefined) {
      const place = `${parameters.length}`;
      const text = isRun ? sendRun(scope.run, projection, place, sending) : send(value as Json, projection, place, sending);
      values += parameters.length === 0 ? text : `,${text}`;
      parameters.push(name);
    } else if (scope.names.has(name)) {
      unset.push(name);
    }
  }
  if (sending.refusal !== undefined) return { ok: false, message: sending.refusal };
  parameters.push(...unset);
  const { ask, refusal, value } = answers;
  return { ok: true, parameters, data: `[[${values}],[${sending.places.join(',')}]]`, ask, refusal, value };
}

interface Sending {
  /** JSON texts `[[argument, key, …], container id, length]`. */
  readonly places: string[];
  readonly register: (container: Container) => number;
  refusal: string | undefined;
}

/** JSON text for the part of a value that can be read. `place` is the path of the value in the arguments, as JSON without brackets. */
function send(value: Json, projection: Projection, place: string, sending: Sending): string {
  if (typeof value !== 'object' && typeof value !== 'string') return JSON.stringify(value);
  if (value === null) return 'null';
  if (isSecretMarker(value)) {
    sending.refusal ??= secretRead(value.$secret);
    return 'null';
  }
  if (!canProject(value, projection)) {
    if (typeof value === 'string') return JSON.stringify(value);
    // Weighing an object costs as much as it has keys, which is too much when one of them is going to be read.
    if ((!projection.keyed || Array.isArray(value)) && isSmall(value)) return JSON.stringify(value);
    return sendContainer(containerOf(value), place, sending);
  }
  let text = '{';
  for (const { key, projection: below } of projection.keys) {
    if (!Object.hasOwn(value as object, key)) continue;
    const child = (value as { readonly [key: string]: Json })[key] as Json;
    text += memberText(text, key, send(child, below, `${place},${JSON.stringify(key)}`, sending));
  }
  return `${text}}`;
}

/**
 * An object stands for itself with fewer keys. A list or a text can be stood for by an object that has its length and the elements
 * that are read, as long as nothing else is read from it, such as the methods it inherits.
 */
function canProject(value: Exclude<Json, null | number | boolean>, projection: Projection): boolean {
  if (projection.whole || projection.keyed) return false;
  if (typeof value === 'object' && !Array.isArray(value)) return true;
  return projection.keys.every(({ key }) => key === 'length' || isIndexBelow(key, MAX_INDEX));
}

const MAX_INDEX = 2 ** 32 - 1;

function sendRun(run: RunScope | undefined, projection: Projection, place: string, sending: Sending): string {
  if (run === undefined || projection.whole || projection.keyed)
    return run === undefined ? 'null' : sendContainer(runContainer(run), place, sending);
  let text = '{';
  for (const { key, projection: below } of projection.keys) {
    if (key === 'id') text += memberText(text, key, JSON.stringify(run.id));
    else if (key === 'started_at') text += memberText(text, key, JSON.stringify(run.startedAt));
    else if (isRunMap(key)) text += memberText(text, key, sendRunMap(run, key, below, `${place},"${key}"`, sending));
  }
  return `${text}}`;
}

function sendRunMap(
  run: RunScope,
  map: 'outputs' | 'errors' | 'captured',
  projection: Projection,
  place: string,
  sending: Sending,
): string {
  if (projection.whole || projection.keyed) return sendContainer(mapContainer(run, map), place, sending);
  let text = '{';
  for (const { key, projection: below } of projection.keys) {
    const found = run[map](key);
    if (found.kind === 'forbidden') sending.refusal ??= notUpstream(map, key);
    if (found.kind !== 'value') continue;
    text += memberText(text, key, send(found.value, below, `${place},${JSON.stringify(key)}`, sending));
  }
  return `${text}}`;
}

function memberText(before: string, key: string, value: string): string {
  return `${before.length > 1 ? ',' : ''}${JSON.stringify(key)}:${value}`;
}

function sendContainer(container: Container, place: string, sending: Sending): string {
  sending.places.push(`[[${place}],${sending.register(container)},${container.length ?? -1}]`);
  return 'null';
}
