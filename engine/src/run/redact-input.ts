import type { Json, JsonObject } from '../json.js';
import type { KnownSecrets } from '../masking/known-secrets.js';

import type { Input } from './messages.js';

/**
 * What a run is told, with the values of secrets that it has read replaced, before anything is decided on it: state, events and errors
 * hold the same, and a run that goes on from its events is the run that was. Names that the run steers by stay.
 */
export function redactInput(input: Input, secrets: KnownSecrets): Input {
  switch (input.type) {
    case 'completed':
      return { ...input, outcome: withData(input.outcome, secrets) };
    case 'verdicts':
      return {
        ...input,
        outcome: withData(input.outcome, secrets),
        edges: input.edges.error === undefined ? input.edges : { ...input.edges, error: withData(input.edges.error, secrets) },
      };
    case 'answered':
      return { ...input, answer: withData(input.answer, secrets) };
    case 'decided':
      return { ...input, decision: withData(input.decision, secrets) };
    case 'noted':
      return { ...input, note: withData(input.note, secrets) };
    default:
      return input;
  }
}

/** Fields whose texts are the run's own words. */
const OWN: ReadonlySet<string> = new Set(['type', 'kind', 'node', 'path', 'code', 'selected', 'decision', 'tree', 'callId', 'tool', 'ok']);

function withData<T extends object>(value: T, secrets: KnownSecrets): T {
  // A model may ask for a tool by any name at all.
  const isOwn = (key: string): boolean => OWN.has(key) && !(key === 'tool' && (value as JsonObject).type === 'agent:tool_call');
  const entries = Object.entries(value as JsonObject).map(([key, item]): [string, Json] => [
    key,
    isOwn(key) || item === undefined ? item : secrets.redactJson(item),
  ]);
  return Object.fromEntries(entries) as T;
}
