import { mask } from '../masking/mask.js';
import { maskJson } from '../masking/mask-json.js';
import type { Failure } from './outcome.js';

/** What servers and programs say when they fail may repeat what they were given. */
export function withoutCredentials<T extends Pick<Failure, 'message' | 'details'>>(failure: T): T {
  return { ...failure, message: mask(failure.message), details: maskJson(failure.details) };
}
