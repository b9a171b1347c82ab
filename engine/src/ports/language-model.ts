import type { Json } from '../json.js';
import type { CancelSignal } from './cancel.js';

/** A model that answers with a stream. One object serves many requests at once and keeps nothing between them. */
export interface LanguageModel {
  readonly provider: string;
  readonly model: string;
  /**
   * Ends with exactly one `finish`, or throws `ModelError`. A tool call is given once nothing more can come of it; one that is not whole is
   * marked. When the signal aborts, the stream ends soon with `ModelError` `cancelled`.
   */
  stream(request: ModelRequest, signal: CancelSignal): AsyncIterable<ModelEvent>;
  /** Tokens that the request can use at most, as far as that is known before it is made: what a budget sets aside for it. */
  worstCase(request: ModelRequest): TokenCount;
}

export interface TokenCount {
  readonly input: number;
  readonly output: number;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly settings: ModelSettings;
  /** JSON Schema that the answer is to meet, where the provider can be asked for it. It is validated by us in every case. */
  readonly outputSchema?: Json;
}

export interface ModelSettings {
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly reasoningEffort?: 'off' | 'low' | 'medium' | 'high' | 'max';
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResultPart[] };

/** What a provider wants to be given back with a part, opaque to us. */
export type ProviderMetadata = { readonly [provider: string]: Json };

export type AssistantPart =
  | { readonly kind: 'text'; readonly text: string; readonly metadata?: ProviderMetadata }
  | { readonly kind: 'reasoning'; readonly text: string; readonly metadata?: ProviderMetadata }
  | ToolCallPart;

export interface ToolCallPart {
  readonly kind: 'tool_call';
  /** Unique in its response: a provider's repeated or missing ids are made so by the adapter. */
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it; empty text means no arguments. Not validated. */
  readonly arguments: string;
  /** The answer ended in the middle of it: it is never made. */
  readonly isCutOff?: boolean;
  /** The provider ran it itself: refused by the registry. */
  readonly providerExecuted?: boolean;
  readonly metadata?: ProviderMetadata;
}

export interface ToolResultPart {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of what a model may supply. */
  readonly parameters: Json;
}

export type ModelEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** So much of the arguments of a call has come; the whole call comes as a part. */
  | { readonly type: 'call_piece'; readonly bytes: number }
  | { readonly type: 'part'; readonly part: AssistantPart }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly usage: ModelUsage };

/** `part` repeats the whole text or reasoning that came as deltas, with its metadata, once it is complete. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'other';

/** Tokens; absent where the provider does not say. `input` includes `cachedInput`, `output` includes `reasoning`. */
export interface ModelUsage {
  readonly input?: number;
  readonly cachedInput?: number;
  readonly output?: number;
  readonly reasoning?: number;
}

export type ModelErrorCode =
  | 'provider_error'
  | 'provider_auth'
  | 'provider_rate_limit'
  | 'provider_unavailable'
  | 'content_filter'
  | 'context_overflow'
  | 'tool_denied'
  | 'cancelled';

/** Why a model did not answer. The message is safe to show: no key, no native error text. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  /** HTTP status, where there was one. */
  readonly status: number | undefined;
  /** What the server asked to be given before the next try, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ModelErrorCode,
    message: string,
    more: { readonly status?: number; readonly retryAfterMs?: number; readonly cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'ModelError';
    this.code = code;
    this.status = more.status;
    this.retryAfterMs = more.retryAfterMs;
  }
}

/** Which model an agent names. */
export interface ModelReference {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl?: string;
  /** Id of the agent that asks: a provider that answers from a script has an answer for each. */
  readonly agent?: string;
}

/** Makes models. A key that is missing is `ModelError` `provider_auth` and says where it was looked for. */
export interface Models {
  open(reference: ModelReference): Promise<LanguageModel>;
}
