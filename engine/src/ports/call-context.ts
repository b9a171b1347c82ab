import type { CancelSignal } from './cancel.js';
import type { SecretSource } from './secrets.js';

/** What a host is told about the call that it serves. */
export interface CallContext {
  /** Path of the node that calls, such as `build` or `each[2].read`. */
  readonly node: string;
  /** Attempt of that node, from 1. */
  readonly attempt: number;
  /** Of a model's call: its number in that attempt, from 1. A node that makes one call leaves it out. */
  readonly call?: number;
  /** Of a model's call: unique in the run. */
  readonly callId?: string;
  readonly signal: CancelSignal;
  /** Receives output of long calls while it comes, already decoded; never needed for the result. */
  readonly onOutput?: ((stream: 'stdout' | 'stderr', text: string) => void) | undefined;
  /** Value of a secret input of the run, for a caller whose workflow has such inputs. */
  readonly secretInput?: ((name: string) => string | undefined) | undefined;
  /** Set by the registry: the value of a secret, which from then on is replaced wherever it turns up. Throws `HostError`. */
  readonly readSecret?: (source: SecretSource) => Promise<string>;
  /** Of a commit that a person has approved: the tree that the person was shown. */
  readonly approvedTree?: string;
}
