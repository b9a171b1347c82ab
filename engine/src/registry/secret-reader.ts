import type { KnownSecrets } from '../masking/known-secrets.js';
import type { CallContext } from '../ports/call-context.js';
import { HostError } from '../ports/host-error.js';
import type { SecretSource, Secrets } from '../ports/secrets.js';

/** Gives a call the secrets that its author names. What is read here is replaced in everything that the run shows or keeps. */
export function secretReader(
  { secretInput }: CallContext,
  store: Secrets | undefined,
  known: KnownSecrets,
): (source: SecretSource) => Promise<string> {
  return async (source) => {
    const value = typeof source === 'string' ? await read(source, store) : input(source.input, secretInput);
    known.add(value);
    return value;
  };
}

async function read(id: string, store: Secrets | undefined): Promise<string> {
  if (store === undefined) {
    throw new HostError('tool_unavailable', 'no_capability', `this host has no secret store, and ${id} is to come from it`, {
      capability: 'secrets',
    });
  }
  const value = await store.read(id);
  if (value !== undefined) return value;
  const places = store.places(id);
  throw new HostError('tool_unavailable', 'no_secret', `there is no secret ${id}; it is looked for in ${places.join(', ')}`, {
    id,
    places,
  });
}

function input(name: string, secretInput: CallContext['secretInput']): string {
  const value = secretInput?.(name);
  if (value !== undefined) return value;
  throw new HostError('tool_unavailable', 'no_secret', `the secret input ${name} was not given`, { input: name });
}
