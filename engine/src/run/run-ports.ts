import type { Prices } from '../agent/prices.js';
import type { RunEvent, StreamedEvent } from '../events/run-event.js';
import type { KnownSecrets } from '../masking/known-secrets.js';
import type { Policy } from '../plan/plan.js';
import type { Cancel } from '../ports/cancel.js';
import type { Clock } from '../ports/clock.js';
import type { EventStore } from '../ports/event-store.js';
import type { ExpressionVm } from '../ports/expression-vm.js';
import type { Models } from '../ports/language-model.js';
import type { Registry } from '../registry/registry.js';
import type { ReadFile } from '../template/render.js';
import type { Answerer } from './questions.js';

/** What a run asks of its host. */
export interface RunPorts extends Answerer {
  readonly clock: Clock;
  readonly store: EventStore;
  readonly vm: ExpressionVm;
  /** The one door to tools, for a policy: the workflow's, or a child's inside its caller's. */
  readonly registry: (policy: Policy) => Registry;
  readonly newCancel: () => Cancel;
  readonly readFile?: ReadFile;
  /** The values of secrets that this run reads, the same object as its registries have: replaced in all that the run keeps and shows. */
  readonly secrets?: KnownSecrets;
  /** Values of the secret inputs of the workflow, by name. */
  readonly secretInputs?: ReadonlyMap<string, string>;
  /** For agents; absent: agent nodes fail. */
  readonly models?: Models;
  /** What models cost, before the built-in table. */
  readonly prices?: Prices;
}

export interface RunOptions {
  /** Nodes in flight; absent: what the workflow says. */
  readonly maxParallel?: number;
  /** Each event once it is durable, in order. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Output of tools while it comes. */
  readonly onStream?: (event: StreamedEvent) => void;
  /** What models say while they say it. */
  readonly onText?: (event: StreamedEvent) => void;
  /** Every governed tool call waits for a person, not only those that an agent node names in `approve`. */
  readonly asks?: boolean;
  /** Asked when nothing but gates is left: true ends this driver with the run `waiting`. */
  readonly parks?: (gates: readonly string[]) => boolean;
}
