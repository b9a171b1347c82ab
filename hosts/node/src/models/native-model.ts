import type { LanguageModelV3 } from '@ai-sdk/provider';
import { boundedAnswers } from './bounded-answer.js';
import { chatRepair } from './chat-stream-repair.js';
import { messagesRepair } from './messages-stream-repair.js';
import { COMPATIBLE, type ProviderName } from './provider-profile.js';

export interface NativeModelRequest {
  readonly provider: ProviderName;
  readonly model: string;
  /** Of servers that speak the OpenAI dialect. */
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
}

/**
 * The model object of a provider's package, which is loaded when the first agent needs it. A package that is given no key or no address
 * would look for them in the environment, so both are always given.
 */
export async function nativeModel({ provider, model, baseUrl, key, fetch }: NativeModelRequest): Promise<LanguageModelV3> {
  const apiKey = key ?? '';
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({
        apiKey,
        baseURL: 'https://api.anthropic.com/v1',
        fetch: boundedAnswers(fetch, messagesRepair),
      }).languageModel(model);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey, baseURL: 'https://api.openai.com/v1', fetch: boundedAnswers(fetch) }).responses(model);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      const baseURL = 'https://generativelanguage.googleapis.com/v1beta';
      return createGoogleGenerativeAI({ apiKey, baseURL, fetch: boundedAnswers(fetch) }).languageModel(model);
    }
    case 'deepseek': {
      const { createDeepSeek } = await import('@ai-sdk/deepseek');
      return createDeepSeek({ apiKey, baseURL: 'https://api.deepseek.com', fetch: boundedAnswers(fetch, chatRepair) }).languageModel(model);
    }
    case 'openai-compatible':
    case 'local': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: COMPATIBLE,
        baseURL: baseUrl ?? '',
        ...(key === undefined ? {} : { apiKey: key }),
        fetch: boundedAnswers(fetch, chatRepair),
        includeUsage: true,
        supportsStructuredOutputs: true,
      }).languageModel(model);
    }
  }
}
