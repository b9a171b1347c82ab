import {
  InvalidResponseDataError,
  type LanguageModelV3FinishReason,
  type LanguageModelV3StreamPart,
  type LanguageModelV3Usage,
} from '@ai-sdk/provider';
import type { FinishReason, ModelEvent, ModelUsage, ProviderMetadata, ToolCallPart } from '@relavium/engine';
import { uniqueIds } from './unique-ids.js';

/**
 * The events of one answer. Texts are given as they come, and again as a part once they are whole; parts keep the order in which they
 * began. From the first tool call on they wait for the end: only the reason for which the model stopped tells whether the last call is
 * whole. Throws what the provider's package reports as an error, and where the answer has no end and no call either.
 */
export async function* responseEvents(stream: AsyncIterable<LanguageModelV3StreamPart>): AsyncGenerator<ModelEvent> {
  const open = new Map<string, Text>();
  const pending: (Text | ToolCallPart)[] = [];
  /** Calls of which nothing but pieces has come. */
  const begun = new Map<string, { readonly name: string; text: string }>();
  const idOf = uniqueIds();

  const textOf = (part: TextPart): Text => {
    const key = keyOf(part);
    let text = open.get(key);
    if (text === undefined) {
      text = { kind: kindOf(part), pieces: [], metadata: undefined, isWhole: false };
      open.set(key, text);
      pending.push(text);
    }
    text.metadata = combined(text.metadata, metadataOf(part));
    return text;
  };

  /** A model that was making calls is told that they did not arrive; there is nothing to tell one that was only talking. */
  function* withoutEnd(): Generator<ModelEvent> {
    const rest = [...begun].map(([id, { name, text }]): ToolCallPart => ({ kind: 'tool_call', id: idOf(id), name, arguments: text }));
    const given = [...pending, ...rest];
    if (!given.some(isCall)) throw brokenOff();
    for (const one of given) yield* partOf(isCall(one) ? { ...one, isCutOff: true } : one);
    yield { type: 'finish', reason: 'other', usage: {} };
  }

  for await (const part of stream) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        textOf(part);
        break;
      case 'text-delta':
      case 'reasoning-delta': {
        const { kind, pieces } = textOf(part);
        if (part.delta === '') break;
        pieces.push(part.delta);
        yield { type: kind, delta: part.delta };
        break;
      }
      case 'text-end':
      case 'reasoning-end':
        textOf(part).isWhole = true;
        open.delete(keyOf(part));
        for (let [first] = pending; first !== undefined && first.kind !== 'tool_call' && first.isWhole; [first] = pending) {
          pending.shift();
          yield* partOf(first);
        }
        break;
      case 'tool-input-start':
        begun.set(part.id, { name: part.toolName, text: '' });
        break;
      case 'tool-input-delta': {
        const call = begun.get(part.id);
        if (call !== undefined) call.text += part.delta;
        yield { type: 'call_piece', bytes: Buffer.byteLength(part.delta) };
        break;
      }
      case 'tool-call':
        begun.delete(part.toolCallId);
        pending.push({
          kind: 'tool_call',
          id: idOf(part.toolCallId),
          name: part.toolName,
          arguments: part.input ?? '',
          ...(part.providerExecuted === true ? { providerExecuted: true } : {}),
          ...withMetadata(metadataOf(part)),
        });
        break;
      case 'error':
        if (!InvalidResponseDataError.isInstance(part.error) || (begun.size === 0 && !pending.some(isCall))) throw part.error;
        return yield* withoutEnd();
      case 'finish': {
        const { unified, raw } = part.finishReason;
        if (unified === 'error') throw brokenOff();
        if (unified === 'other' && raw === undefined) return yield* withoutEnd();
        const given = pending.map((one) => (isCall(one) && !isWhole(one, unified) ? { ...one, isCutOff: true } : one));
        for (const one of given) yield* partOf(one);
        const hasCalls = given.some(isCall);
        yield { type: 'finish', reason: reasonOf(unified, hasCalls), usage: usageOf(part.usage) };
        return;
      }
      default:
      // Warnings, files, sources, raw pieces, and results of calls that the provider ran itself.
    }
  }
  yield* withoutEnd();
}

interface Text {
  readonly kind: 'text' | 'reasoning';
  readonly pieces: string[];
  metadata: ProviderMetadata | undefined;
  isWhole: boolean;
}

/** A text of no characters counts only for what the provider wants to have back with it. */
function* partOf(one: Text | ToolCallPart): Generator<ModelEvent> {
  if (one.kind === 'tool_call') {
    yield { type: 'part', part: one };
    return;
  }
  const text = one.pieces.join('');
  if (text !== '' || one.metadata !== undefined) yield { type: 'part', part: { kind: one.kind, text, ...withMetadata(one.metadata) } };
}

type TextPart = Extract<LanguageModelV3StreamPart, { readonly type: `${'text' | 'reasoning'}-${string}` }>;

/** Text and reasoning may use the same ids. */
function keyOf(part: TextPart): string {
  return `${kindOf(part)} ${part.id}`;
}

function kindOf({ type }: TextPart): 'text' | 'reasoning' {
  return type.startsWith('text') ? 'text' : 'reasoning';
}

function metadataOf(part: { readonly providerMetadata?: unknown }): ProviderMetadata | undefined {
  return part.providerMetadata as ProviderMetadata | undefined;
}

/** Providers tell a part's data in several steps: an id at its start, a signature at its end. */
function combined(before: ProviderMetadata | undefined, more: ProviderMetadata | undefined): ProviderMetadata | undefined {
  if (before === undefined || more === undefined) return before ?? more;
  const providers = Object.entries(more).map(([provider, data]) => {
    const known = before[provider];
    const isBoth = typeof known === 'object' && known !== null && typeof data === 'object' && data !== null;
    return [provider, isBoth ? { ...known, ...data } : data];
  });
  return { ...before, ...Object.fromEntries(providers) };
}

function withMetadata(metadata: ProviderMetadata | undefined): { metadata?: ProviderMetadata } {
  return metadata === undefined ? {} : { metadata };
}

function isCall(one: Text | ToolCallPart): one is ToolCallPart {
  return one.kind === 'tool_call';
}

/** A model that stopped by itself means its call as it stands, even if it is no JSON; one that was stopped may have been in the middle. */
function isWhole({ arguments: text }: ToolCallPart, unified: LanguageModelV3FinishReason['unified']): boolean {
  if (unified === 'stop' || unified === 'tool-calls') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function reasonOf(unified: LanguageModelV3FinishReason['unified'], hasCalls: boolean): FinishReason {
  switch (unified) {
    case 'stop':
    case 'other':
    case 'tool-calls':
      // Some servers say `stop` beside calls, others `tool_calls` beside none.
      return hasCalls ? 'tool_calls' : unified === 'tool-calls' ? 'stop' : unified;
    case 'length':
      return 'length';
    case 'content-filter':
      return 'content_filter';
    case 'error':
      return 'other';
  }
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): ModelUsage {
  return {
    ...count('input', inputTokens.total),
    ...count('cachedInput', inputTokens.cacheRead),
    ...count('output', outputTokens.total),
    ...count('reasoning', outputTokens.reasoning),
  };
}

function count(name: keyof ModelUsage, tokens: number | undefined): ModelUsage {
  return Number.isFinite(tokens) ? { [name]: tokens } : {};
}

function brokenOff(): InvalidResponseDataError {
  return new InvalidResponseDataError({ data: undefined, message: 'the answer has no end' });
}
