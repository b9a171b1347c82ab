import type { Variables } from '../process/base-environment.js';
import type { SecretStore } from './secret-store.js';

/** Secrets out of environment variables: our own name for one first, then the name that its vendor's tools use. */
export function environmentSecrets(environment: Variables): SecretStore {
  const known = new Set<string>();
  return {
    async read(id) {
      const value = variablesOf(id)
        .map((name) => environment[name])
        .find((text) => text !== undefined && text !== '');
      if (value !== undefined) known.add(value);
      return value;
    },
    places: (id) => variablesOf(id).map((name) => `the environment variable ${name}`),
    known: () => [...known],
  };
}

function variablesOf(id: string): readonly string[] {
  const own = `RELAVIUM_SECRET_${id.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
  return [own, ...(VENDORS.get(id) ?? [])];
}

const VENDORS: ReadonlyMap<string, readonly string[]> = new Map([
  ['anthropic', ['ANTHROPIC_API_KEY']],
  ['openai', ['OPENAI_API_KEY']],
  ['google', ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY']],
  ['deepseek', ['DEEPSEEK_API_KEY']],
]);
