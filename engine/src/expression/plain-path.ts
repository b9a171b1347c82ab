import type { Json } from '../json.js';
import { type Evaluated, type EvaluationFailure, failed } from './evaluated.js';
import type { PlainPath, PlainStep } from './expression.js';
import { isInherited } from './inherited-names.js';
import { isRunMap, notUpstream, type RunScope, type Scope, secretRead } from './scope.js';
import { isSecretMarker } from './secret-marker.js';

/**
 * Follows a plain path through the scope, without a virtual machine. `needs_vm` where a name is met that the value inherits.
 */
export function evaluatePlainPath(plain: PlainPath, scope: Scope): Evaluated | 'needs_vm' {
  if (plain.kind === 'literal') return { ok: true, value: plain.value };
  if (plain.root === 'run' && scope.run !== undefined) return followRun(scope.run, plain.steps);
  const value = scope.names.get(plain.root);
  if (value === undefined && !scope.names.has(plain.root))
    return isShownWhole(plain.root) ? failed('runtime', `${plain.root} is not defined`) : 'needs_vm';
  return follow(value, plain.steps, 0);
}

function followRun(run: RunScope, steps: readonly PlainStep[]): Evaluated | 'needs_vm' {
  const key = steps[0]?.key;
  if (key === 'id') return follow(run.id, steps, 1);
  if (key === 'started_at') return follow(run.startedAt, steps, 1);
  if (!isRunMap(key) || steps[1] === undefined) return key === undefined || isInherited({}, key) ? 'needs_vm' : follow(undefined, steps, 1);
  const id = steps[1].key;
  const found = run[key](id);
  if (found.kind === 'forbidden') return failed('scope', notUpstream(key, id));
  if (found.kind === 'none' && isInherited({}, id)) return 'needs_vm';
  return follow(found.kind === 'value' ? found.value : undefined, steps, 2);
}

function follow(start: Json | undefined, steps: readonly PlainStep[], from: number): Evaluated | 'needs_vm' {
  let value = start;
  for (let i = from; i < steps.length; i++) {
    const { key, optional } = steps[i] as PlainStep;
    if (value === undefined || value === null) {
      if (optional) return { ok: true, value: undefined };
      return isShownWhole(key) ? readOfNothing(value, key) : 'needs_vm';
    }
    if (isSecretMarker(value)) return secret(value);
    if (typeof value === 'object' && Object.hasOwn(value, key)) {
      value = (value as { readonly [key: string]: Json })[key];
    } else if (typeof value === 'string' && (key === 'length' || isIndexBelow(key, value.length))) {
      value = key === 'length' ? value.length : value[Number(key)];
    } else if (isInherited(value, key)) {
      return 'needs_vm';
    } else {
      value = undefined;
    }
  }
  return isSecretMarker(value) ? secret(value) : { ok: true, value };
}

/** Worded as the VM words it: an author sees one message for one mistake, wherever it is noticed. */
function readOfNothing(value: null | undefined, key: string): EvaluationFailure {
  return failed('runtime', `cannot read property '${key}' of ${value}`);
}

/** Whether the VM has room for the whole name in a message; where it cuts one is a matter of its own. */
export function isShownWhole(name: string): boolean {
  return /^[\x20-\x7e]{0,60}$/.test(name);
}

function secret(marker: { readonly $secret: string }): EvaluationFailure {
  return failed('scope', secretRead(marker.$secret));
}

/** Whether the key is the canonical text of an index below `length`. */
export function isIndexBelow(key: string, length: number): boolean {
  const index = Number(key);
  return Number.isInteger(index) && index >= 0 && index < length && String(index) === key;
}
