import type { JSONSchema7, LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import { type CancelSignal, type Json, type LanguageModel, ModelError, type ModelRequest, type ModelTool } from '@relavium/engine';
import { promptOf } from './prompt.js';
import { type FailureContext, providerFailure } from './provider-failure.js';
import { type ProviderProfile, providerOptions } from './provider-profile.js';
import { responseEvents } from './response-events.js';
import { isStrict, lowerParameters, lowerSchema } from './schema-dialect.js';

/** What is known about a model besides the object that the provider's package made. */
export interface AdapterContext {
  readonly profile: ProviderProfile;
  /** Name of the model as the agent has it. */
  readonly model: string;
  readonly now: () => number;
  /** Values that no message may show. */
  readonly secrets: () => readonly string[];
}

/** A model of the provider packages as one of ours. */
export function adaptModel(native: LanguageModelV3, { profile, model, now, secrets }: AdapterContext): LanguageModel {
  const toolOf = toolConverter(profile);
  const failure = (error: unknown) => {
    const context: FailureContext = { provider: profile.provider, model, now: now(), secrets: secrets() };
    return providerFailure(error, context);
  };

  return {
    provider: profile.provider,
    model,
    // A token is a byte at least.
    worstCase: ({ system, messages, tools, outputSchema, settings }) => ({
      input: Buffer.byteLength(JSON.stringify([system, messages, tools, outputSchema])),
      output: settings.maxOutputTokens ?? profile.defaultMaxOutputTokens(model),
    }),
    async *stream(request, signal) {
      const call = new AbortController();
      const release = onAbort(signal, () => call.abort());
      try {
        const { stream } = await native.doStream(callOptions(request, { profile, model, toolOf, abortSignal: call.signal }));
        yield* responseEvents(cancellable(stream, call.signal));
      } catch (error) {
        throw signal.aborted ? new ModelError('cancelled', 'the call was cancelled', { cause: error }) : failure(error);
      } finally {
        release();
      }
    },
  };
}

/** Runs `act` when the signal aborts, at once if it has; returns the function that takes it back. */
function onAbort(signal: CancelSignal, act: () => void): () => void {
  if (signal.aborted) act();
  signal.addEventListener('abort', act, { once: true });
  return () => signal.removeEventListener('abort', act);
}

/**
 * The parts of a stream. An abort ends the wait for the next one, also where the stream itself would not notice it. Whoever stops reading
 * half-way lets go of the connection too.
 */
async function* cancellable<Part>(stream: ReadableStream<Part>, signal: AbortSignal): AsyncGenerator<Part> {
  const reader = stream.getReader();
  const stop = () => void reader.cancel(signal.reason).catch(() => undefined);
  const release = onAbort(signal, stop);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (signal.aborted) throw signal.reason;
      if (done) return;
      yield value;
    }
  } finally {
    release();
    stop();
  }
}

interface CallContext {
  readonly profile: ProviderProfile;
  readonly model: string;
  readonly toolOf: (tool: ModelTool) => LanguageModelV3FunctionTool;
  readonly abortSignal: AbortSignal;
}

function callOptions(request: ModelRequest, { profile, model, toolOf, abortSignal }: CallContext): LanguageModelV3CallOptions {
  const { settings, tools, outputSchema } = request;
  const asked = outputSchema !== undefined && profile.canAskFor(model, tools.length > 0) ? outputFormat(outputSchema, profile) : undefined;
  return {
    prompt: promptOf(request),
    // Without it some packages send the most that the model can do, and others nothing.
    maxOutputTokens: settings.maxOutputTokens ?? profile.defaultMaxOutputTokens(model),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf), toolChoice: { type: 'auto' } }),
    ...(asked === undefined ? {} : { responseFormat: { type: 'json', schema: asked.schema as JSONSchema7, name: 'output' } }),
    providerOptions: providerOptions(profile, model, settings.reasoningEffort, asked?.isStrict),
    abortSignal,
  };
}

/** Providers take an object at the top; an answer of another shape is only validated. */
function outputFormat(schema: Json, { dialect }: ProviderProfile): { readonly schema: Json; readonly isStrict: boolean } | undefined {
  const lowered = lowerSchema(schema, dialect);
  return lowered.type === 'object' ? { schema: lowered, isStrict: isStrict(lowered) } : undefined;
}

/** Tools are the same objects in each turn, so each schema is lowered once. */
function toolConverter(profile: ProviderProfile): CallContext['toolOf'] {
  const converted = new WeakMap<ModelTool, LanguageModelV3FunctionTool>();
  return (tool) => {
    const known = converted.get(tool);
    if (known !== undefined) return known;
    const schema = lowerParameters(tool.parameters, profile.dialect);
    const made: LanguageModelV3FunctionTool = {
      type: 'function',
      name: tool.name,
      description: tool.description,
      inputSchema: schema as JSONSchema7,
      ...(profile.marksStrictTools ? { strict: isStrict(schema) } : {}),
    };
    converted.set(tool, made);
    return made;
  };
}
