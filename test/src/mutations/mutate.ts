import { builtinTools, compile, type Diagnostic, lineIndex, positionAt } from '@relavium/engine';
import { memorySourceReader } from '@relavium/engine/testing';
import { Document } from 'yaml';
import { type Random, randomOf } from '../shared/random.js';
import type { Base } from './bases.js';
import { documentOf, type Lines, linesOf, textOf } from './document.js';
import { type Mutation, mutators } from './mutators.js';

export interface Tally {
  readonly mutants: number;
  readonly found: number;
  readonly onLine: number;
  /** Mutants that are good workflows by a rule of the harness. */
  readonly thrownAway: number;
  readonly misses: readonly string[];
}

/** Makes `count` broken workflows, and asks the product about each. */
export function mutate(all: readonly Base[], count: number, seed: number): Tally {
  const random = randomOf(seed);
  const usable = all.map(relaid).filter((base) => errorsOf(base, base.text).length === 0);
  if (usable.length === 0) throw new Error('no valid workflow to mutate');
  const misses: string[] = [];
  let [mutants, found, onLine, thrownAway] = [0, 0, 0, 0];
  while (mutants < count) {
    const base = random.pick(usable);
    const mutant = mutantOf(base, random);
    if (mutant === undefined) continue;
    if (mutant.mutation.isValid) {
      thrownAway++;
      continue;
    }
    mutants++;
    const errors = errorsOf(base, mutant.text);
    const right = mutant.mutation.places.flatMap((place) => linesOf(mutant.text, place));
    const isOnLine = errors.some((error) => right.some(([first, last]) => lineOf(error) >= first && lineOf(error) <= last));
    if (errors.length > 0) found++;
    if (isOnLine) onLine++;
    else misses.push(described(base, mutant, errors, right));
  }
  return { mutants, found, onLine, thrownAway, misses };
}

interface Mutant {
  readonly kind: string;
  readonly mutation: Mutation;
  readonly text: string;
}

function mutantOf(base: Base, random: Random): Mutant | undefined {
  const kind = random.pick(Object.keys(mutators));
  const document = documentOf(base.text);
  const mutation = mutators[kind]!(document, random);
  if (mutation === undefined) return undefined;
  const text = textOf(document);
  return text === base.text ? undefined : { kind, mutation, text };
}

/** The base as the harness writes it, so that lines of base and mutant can be compared. Aliases are written out: a mutation has one place. */
function relaid(base: Base): Base {
  return { ...base, text: textOf(new Document(documentOf(base.text).toJS(), { aliasDuplicateObjects: false })) };
}

function errorsOf(base: Base, text: string): readonly Diagnostic[] {
  const { diagnostics } = compile({ path: base.path, text }, { reader: memorySourceReader(base.files), tools: builtinTools });
  return diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
}

function lineOf(diagnostic: Diagnostic): number {
  return positionAt(lineIndex(diagnostic.source.text), diagnostic.range.start).line;
}

function described(base: Base, { kind, mutation }: Mutant, errors: readonly Diagnostic[], right: readonly Lines[]): string {
  const seen = errors.length === 0 ? 'nothing' : errors.map((error) => `line ${lineOf(error)} ${error.code}`).join(', ');
  return `${base.name}: ${kind} ${mutation.what}\n    right lines ${right.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(', ')}; found ${seen}`;
}
