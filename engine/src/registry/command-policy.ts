import { clip } from '../masking/clip.js';
import { mask } from '../masking/mask.js';
import type { Policy } from '../plan/plan.js';
import type { EffectivePolicy } from './effective-policy.js';
import { matchesGlob } from './glob.js';
import { remedyFor } from './remedy.js';
import type { Denial } from './tool-error.js';

/** Judges a whole argument vector. `undefined`: allowed. */
export function judgeCommand(vector: readonly string[], policy: EffectivePolicy): Denial | undefined {
  if (vector[0] === undefined || vector[0] === '') return denial(vector, 'the command is empty', 'a command has a name');
  if (vector.some((word) => word.includes('\0'))) return denial(vector, 'the command holds a NUL character', 'no NUL in commands');
  for (let layer: EffectivePolicy | undefined = policy; layer !== undefined; layer = layer.within) {
    if (!allows(vector, layer)) return notAllowed(vector, layer, layer !== policy);
  }
  return undefined;
}

function allows(vector: readonly string[], policy: Policy): boolean {
  return policy.allowedCommands.some((entry) => isSameVector(entry, vector)) || (isOneLine(vector) && matchesSomeGlob(vector, policy));
}

function isSameVector(entry: readonly string[], vector: readonly string[]): boolean {
  return entry.length === vector.length && entry.every((word, index) => word === vector[index]);
}

/** Joined by spaces, the vector can be told apart into its words again. */
function isOneLine(vector: readonly string[]): boolean {
  return vector.every((word) => !/\s/u.test(word));
}

function matchesSomeGlob(vector: readonly string[], policy: Policy): boolean {
  if (policy.allowedCommandGlobs.length === 0) return false;
  const line = [...vector.join(' ')];
  return policy.allowedCommandGlobs.some((glob) => matchesGlob([...glob], line, isNoControl));
}

function isNoControl(character: string): boolean {
  return !/[\u0000-\u001f\u007f-\u009f]/u.test(character);
}

function notAllowed(vector: readonly string[], policy: Policy, isOuter: boolean): Denial {
  const isOff = policy.allowedCommands.length === 0 && policy.allowedCommandGlobs.length === 0;
  const owner = isOuter ? 'the calling workflow' : 'the workflow';
  const why = isOff
    ? `${owner} lists no command in tools.allowedCommands`
    : `no entry of tools.allowedCommands in ${owner} is this command`;
  const source = isOuter ? 'calling_workflow' : 'workflow';
  return { ...denial(vector, why, 'tools.allowedCommands'), source, remedy: remedyFor({ kind: 'command', vector }) };
}

function denial(vector: readonly string[], message: string, rule: string): Denial {
  return { reason: 'command_not_allowed', message, rule, source: 'built_in', value: clip(mask(vector.join(' ')), 500) };
}
