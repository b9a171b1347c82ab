import type { Json, JsonObject } from '@relavium/engine';
import type { Input } from '@relavium/schemas';
import { textToValue } from './text-to-value.js';

/** What is wrong with one input, or with the inputs as a whole. */
export interface InputProblem {
  readonly input?: string;
  readonly message: string;
}

export interface InputSources {
  /** `name=value` as given by `-i`. */
  readonly assignments: readonly string[];
  /** The value in the file that `--inputs` names. */
  readonly document: Json | undefined;
  readonly env: NodeJS.ProcessEnv;
}

export interface GatheredInputs {
  readonly given: JsonObject;
  readonly problems: readonly InputProblem[];
}

/**
 * Puts together what was given on this surface. An assignment wins over the document. Secrets come from the document or from the
 * environment and never from arguments, which other users of the machine can see.
 */
export function gatherInputs(declared: readonly Input[], { assignments, document, env }: InputSources): GatheredInputs {
  const problems: InputProblem[] = [];
  const given = new Map<string, Json>();
  const byName = new Map(declared.map((input) => [input.name, input]));

  for (const input of declared) {
    const variable = secretVariable(input.name);
    const value = env[variable];
    if (input.type === 'secret' && value !== undefined) given.set(input.name, value);
  }

  if (document !== undefined) {
    if (document === null || typeof document !== 'object' || Array.isArray(document)) {
      problems.push({ message: 'the inputs must be one object: input name → value' });
    } else for (const [name, value] of Object.entries(document)) given.set(name, value);
  }

  const assigned = new Set<string>();
  for (const assignment of assignments) {
    const cut = assignment.indexOf('=');
    const name = cut < 0 ? assignment : assignment.slice(0, cut);
    const input = byName.get(name);
    if (cut < 1) problems.push({ message: `"${assignment}" is no assignment: write -i name=value` });
    else if (assigned.has(name)) problems.push({ input: name, message: `input "${name}" is given twice` });
    else if (input?.type === 'secret') {
      problems.push({
        input: name,
        message: `input "${name}" is secret and not taken from arguments: set ${secretVariable(name)}, or use --inputs -`,
      });
    } else {
      const text = assignment.slice(cut + 1);
      const converted = textToValue(text, input?.type ?? 'string');
      if (converted.ok) given.set(name, converted.value);
      else problems.push({ input: name, message: `input "${name}" ${converted.message}` });
    }
    assigned.add(name);
  }
  return { given: Object.fromEntries(given), problems };
}

/** The environment variable that a secret input is read from. */
export function secretVariable(name: string): string {
  return `RELAVIUM_INPUT_${name.toUpperCase().replaceAll('-', '_')}`;
}
