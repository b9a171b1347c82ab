import type { LanguageModelV3Message, LanguageModelV3Prompt, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { AssistantPart, JsonObject, ModelMessage, ModelRequest, ProviderMetadata, ToolCallPart } from '@relavium/engine';

/** The conversation in the words of the provider packages. */
export function promptOf({ system, messages }: Pick<ModelRequest, 'system' | 'messages'>): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = messages.map(messageOf);
  return system === '' ? prompt : [{ role: 'system', content: system }, ...prompt];
}

function messageOf(message: ModelMessage): LanguageModelV3Message {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant':
      return { role: 'assistant', content: message.parts.map(partOf) };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ id, name, text, isError }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: { type: isError ? 'error-text' : 'text', value: text },
        })),
      };
  }
}

type AssistantContent = Extract<LanguageModelV3Message, { readonly role: 'assistant' }>['content'][number];

function partOf(part: AssistantPart): AssistantContent {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text, ...givenBack(part.metadata) };
    case 'reasoning':
      return { type: 'reasoning', text: part.text, ...givenBack(part.metadata) };
    case 'tool_call':
      return {
        type: 'tool-call',
        toolCallId: part.id,
        toolName: part.name,
        input: argumentsOf(part),
        // A call that the provider ran has a result of its own on the wire. What it was answered with here is a refusal by us, so it
        // goes back as a call like any other.
        ...(part.providerExecuted === true ? {} : givenBack(part.metadata)),
      };
  }
}

function givenBack(metadata: ProviderMetadata | undefined): { providerOptions?: SharedV3ProviderOptions } {
  return metadata === undefined ? {} : { providerOptions: metadata as SharedV3ProviderOptions };
}

/** Providers take objects only. A text that is none is told to the model by the result that follows it. */
function argumentsOf({ arguments: text }: ToolCallPart): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}
