import { DEFAULT_MAX_BACKOFF_MS } from '../plan/ceilings.js';
import type { ModelPlan } from '../plan/plan.js';
import type { CancelSignal } from '../ports/cancel.js';
import type { Clock } from '../ports/clock.js';
import {
  type AssistantPart,
  type FinishReason,
  type LanguageModel,
  ModelError,
  type ModelReference,
  type ModelRequest,
  type ModelUsage,
} from '../ports/language-model.js';
import type { Failure } from '../run/outcome.js';
import { utf8Length } from '../text/utf8-length.js';
import type { Ledger } from './ledger.js';
import { pause } from './pause.js';

/** One whole answer of a model. */
export interface ModelAnswer {
  readonly provider: string;
  readonly model: string;
  readonly parts: readonly AssistantPart[];
  readonly finish: FinishReason;
  readonly usage: Required<Pick<ModelUsage, 'input' | 'output'>> & ModelUsage;
}

export interface AskParts {
  /** Path of the node. */
  readonly node: string;
  /** Id of the agent. */
  readonly agent: string;
  readonly models: readonly ModelPlan[];
  readonly open: (reference: ModelReference) => Promise<LanguageModel>;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly signal: CancelSignal;
  /** What the model says while it says it. */
  readonly said: Said;
  /** Another model of the chain is going to be asked. */
  readonly onFailover: (from: string, to: string, failure: Failure) => void;
}

export interface Said {
  push(kind: 'text' | 'reasoning', delta: string): void;
  /** The answer is over, well or not. */
  end(): void;
}

export type Asked =
  | { readonly kind: 'answer'; readonly answer: ModelAnswer }
  | { readonly kind: 'cancelled' }
  | ({ readonly kind: 'failed' } & Failure);

/**
 * Asks the models of a chain in turn until one answers. Another one is tried where the last could not serve anybody (limits, faults of
 * the server or of the way to it), and only while nothing of its answer has been shown; what is wrong with the request itself would be
 * wrong everywhere.
 */
export async function askModel(request: ModelRequest, parts: AskParts): Promise<Asked> {
  let retryAfterMs: number | undefined;
  for (const [position, plan] of parts.models.entries()) {
    for (let attempt = 1; ; attempt++) {
      const tried = await tryModel(plan, request, parts);
      if (tried.kind !== 'failed' || !tried.mayMoveOn) return tried;
      // Nobody is asked again sooner than it wants to be.
      if (tried.retryAfterMs !== undefined) retryAfterMs = Math.max(retryAfterMs ?? 0, tried.retryAfterMs);
      const { mayMoveOn: _, ...failure } = tried;
      const delayMs = tried.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
      // Whoever wants to be left alone for longer is left to the next model, or to the node's own retry.
      if (attempt < plan.maxAttempts && delayMs <= DEFAULT_MAX_BACKOFF_MS) {
        await pause(delayMs, parts.clock, parts.signal);
        continue;
      }
      const next = parts.models[position + 1];
      if (next === undefined) return { ...failure, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
      parts.onFailover(nameOf(plan), nameOf(next), failure);
      break;
    }
  }
  throw new Error('an agent has no model');
}

const FIRST_PAUSE_MS = 1_000;

function nameOf({ provider, model }: Pick<ModelPlan, 'provider' | 'model'>): string {
  return `${provider}:${model}`;
}

type Tried = Exclude<Asked, { kind: 'failed' }> | ({ readonly kind: 'failed'; readonly mayMoveOn: boolean } & Failure);

async function tryModel(plan: ModelPlan, request: ModelRequest, parts: AskParts): Promise<Tried> {
  let model: LanguageModel;
  try {
    model = await parts.open({ ...plan, agent: parts.agent });
  } catch (error) {
    return failureOf(error, false);
  }
  const { node, ledger, signal } = parts;
  const reserved = await ledger.reserve({ node, model, signal, worstCase: () => model.worstCase(request) });
  if (signal.aborted) {
    if ('settle' in reserved) reserved.settle();
    return { kind: 'cancelled' };
  }
  if (!('settle' in reserved)) return { kind: 'failed', mayMoveOn: false, ...reserved };
  const collected: AssistantPart[] = [];
  let received = 0;
  try {
    for await (const event of model.stream(request, signal)) {
      switch (event.type) {
        case 'text':
        case 'reasoning':
          received += utf8Length(event.delta);
          parts.said.push(event.type, event.delta);
          break;
        case 'call_piece':
          received += event.bytes;
          break;
        case 'part':
          collected.push(event.part);
          break;
        case 'finish': {
          const usage = counted(event.usage, request, collected);
          reserved.settle(usage);
          return {
            kind: 'answer',
            answer: { provider: model.provider, model: model.model, parts: collected, finish: event.reason, usage },
          };
        }
        default:
          event satisfies never;
      }
    }
    throw new ModelError('provider_unavailable', `${nameOf(model)} ended its answer without saying so`);
  } catch (error) {
    // What was said before it broke off is paid for, and so is a question that was taken back; how much that is nobody has told.
    const hasBegun = received > 0 || collected.length > 0;
    const failure = failureOf(error, !hasBegun);
    reserved.settle(hasBegun || failure.kind === 'cancelled' ? counted({}, request, collected, received) : undefined);
    return failure;
  } finally {
    parts.said.end();
  }
}

/** A token is a byte at least, so what is not told, or is no number of tokens, is counted by bytes: too much rather than too little. */
function counted(told: ModelUsage, request: ModelRequest, parts: readonly AssistantPart[], received = 0): ModelAnswer['usage'] {
  const usage = Object.fromEntries(Object.entries(told).filter(([, tokens]) => Number.isSafeInteger(tokens) && tokens >= 0)) as ModelUsage;
  return {
    ...usage,
    input: usage.input ?? utf8Length(JSON.stringify([request.system, request.messages, request.tools])),
    output: usage.output ?? Math.max(received, parts.length === 0 ? 0 : utf8Length(JSON.stringify(parts))),
  };
}

function failureOf(error: unknown, isUntouched: boolean): Tried {
  if (!(error instanceof ModelError)) throw error;
  const { code, message, status, retryAfterMs } = error;
  if (code === 'cancelled') return { kind: 'cancelled' };
  const mayMoveOn = isUntouched && (code === 'provider_rate_limit' || code === 'provider_unavailable');
  const details = { ...(status === undefined ? {} : { status }), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  return { kind: 'failed', mayMoveOn, code, message, details, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}
