import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { JsonObject, ModelSettings } from '@relavium/engine';
import { type SchemaDialect, schemaDialects } from './schema-dialect.js';

/** Who serves models through a package of the AI SDK. */
export type ProviderName = 'anthropic' | 'openai' | 'google' | 'deepseek' | 'openai-compatible' | 'local';

/** In what one provider differs from the others. */
export interface ProviderProfile {
  readonly provider: ProviderName;
  readonly dialect: SchemaDialect;
  /** Key of this provider's options and metadata in its package. */
  readonly optionsKey: string;
  /** Options that go with every call. */
  readonly always: JsonObject;
  /** OpenAI takes a tool that does not say so for a strict one, and then asks the model for arguments that are optional. */
  readonly marksStrictTools: boolean;
  /** Whether a shape of the answer can be asked for; it is validated in any case. */
  canAskFor(model: string, hasTools: boolean): boolean;
  /** Tokens to allow for an answer where the agent does not say; reasoning counts as answer with most providers. */
  defaultMaxOutputTokens(model: string): number;
  /** What stands for an effort with this model; empty where it has no such setting. */
  reasoning(model: string, effort: Effort): JsonObject;
  /** How strictness of the answer's shape is said; absent where it is not. */
  readonly strictKey?: string;
}

type Effort = NonNullable<ModelSettings['reasoningEffort']>;

export function providerOptions(
  { optionsKey, always, reasoning, strictKey }: ProviderProfile,
  model: string,
  effort: Effort | undefined,
  isStrict: boolean | undefined,
): SharedV3ProviderOptions {
  const options = {
    ...always,
    ...(effort === undefined ? {} : reasoning(model, effort)),
    ...(isStrict === undefined || strictKey === undefined ? {} : { [strictKey]: isStrict }),
  };
  return Object.keys(options).length === 0 ? {} : ({ [optionsKey]: options } as SharedV3ProviderOptions);
}

const PLAIN_TOKENS = 8192;
const REASONING_TOKENS = 32_000;

const anthropic: ProviderProfile = {
  provider: 'anthropic',
  dialect: schemaDialects.anthropic,
  optionsKey: 'anthropic',
  always: {},
  marksStrictTools: false,
  canAskFor: () => true,
  // Budgets for thinking come on top; models that decide by themselves how long to think take it from here.
  defaultMaxOutputTokens: (model) => (anthropicThinking(model) === 'adaptive' ? REASONING_TOKENS : PLAIN_TOKENS),
  reasoning(model, effort) {
    const thinking = anthropicThinking(model);
    if (thinking === 'none') return {};
    if (effort === 'off') return { thinking: { type: 'disabled' } };
    if (thinking === 'budget') return { thinking: { type: 'enabled', budgetTokens: THINKING_BUDGET[effort] } };
    return { thinking: { type: 'adaptive', display: 'summarized' }, effort };
  },
};

/** Claude 3.7 to 4.5 think within a budget, earlier ones not at all, later ones as long as their effort says. */
function anthropicThinking(model: string): 'none' | 'budget' | 'adaptive' {
  if (/claude-(instant|v?2|3-(5|haiku|opus|sonnet))/.test(model)) return 'none';
  if (/claude-3-7|claude-(opus|sonnet|haiku)-4(-[015](?!\d)|-\d{8}|$)/.test(model)) return 'budget';
  return model.includes('claude-') ? 'adaptive' : 'none';
}

const THINKING_BUDGET = { low: 2048, medium: 8192, high: 16_384, max: 31_999 } as const;

const openai: ProviderProfile = {
  provider: 'openai',
  dialect: schemaDialects.openai,
  optionsKey: 'openai',
  // The conversation is ours and goes along whole; nothing of it needs to stay with the provider.
  always: { store: false },
  marksStrictTools: true,
  canAskFor: () => true,
  strictKey: 'strictJsonSchema',
  defaultMaxOutputTokens: (model) => (openaiGeneration(model) === undefined ? PLAIN_TOKENS : REASONING_TOKENS),
  reasoning(model, effort) {
    const generation = openaiGeneration(model);
    if (generation === undefined) return {};
    const reasoningEffort =
      effort === 'off'
        ? generation >= 5.1
          ? 'none'
          : generation >= 5
            ? 'minimal'
            : 'low'
        : effort === 'max'
          ? generation >= 6
            ? 'max'
            : generation >= 5.2
              ? 'xhigh'
              : 'high'
          : effort;
    return { reasoningEffort };
  },
};

/** Version of a model that reasons, counted in GPT's numbers; the o series comes before 5. */
function openaiGeneration(model: string): number | undefined {
  if (/^o\d/.test(model)) return 4;
  const version = /^gpt-(\d+(?:\.\d+)?)(?!\d|-chat)/.exec(model)?.[1];
  return version !== undefined && Number(version) >= 5 ? Number(version) : undefined;
}

const google: ProviderProfile = {
  provider: 'google',
  dialect: schemaDialects.google,
  optionsKey: 'google',
  always: {},
  marksStrictTools: false,
  // Before Gemini 3 an answer has either tools or a shape.
  canAskFor: (model, hasTools) => !hasTools || geminiThinking(model) === 'level',
  defaultMaxOutputTokens: (model) => (geminiThinking(model) === 'none' ? PLAIN_TOKENS : REASONING_TOKENS),
  reasoning(model, effort) {
    switch (geminiThinking(model)) {
      case 'none':
        return {};
      case 'level':
        return {
          thinkingConfig: {
            thinkingLevel: effort === 'off' ? 'low' : effort === 'max' ? 'high' : effort,
            includeThoughts: effort !== 'off',
          },
        };
      case 'budget': {
        // The pro model cannot be told not to think.
        const least = model.includes('pro') ? 128 : 0;
        return { thinkingConfig: { thinkingBudget: effort === 'off' ? least : GEMINI_BUDGET[effort], includeThoughts: effort !== 'off' } };
      }
    }
  },
};

function geminiThinking(model: string): 'none' | 'budget' | 'level' {
  if (/gemini-(1|2\.0)|gemini-pro$/.test(model) || !model.includes('gemini')) return 'none';
  return model.includes('gemini-2.5') ? 'budget' : 'level';
}

const GEMINI_BUDGET = { low: 2048, medium: 8192, high: 16_384, max: 24_576 } as const;

const deepseek: ProviderProfile = {
  provider: 'deepseek',
  dialect: schemaDialects.deepseek,
  optionsKey: 'deepseek',
  always: {},
  marksStrictTools: false,
  canAskFor: () => true,
  defaultMaxOutputTokens: (model) => (model === 'deepseek-chat' ? PLAIN_TOKENS : REASONING_TOKENS),
  reasoning(model, effort) {
    if (model === 'deepseek-chat' || model === 'deepseek-reasoner') return {};
    if (effort === 'off') return { thinking: { type: 'disabled' } };
    return { thinking: { type: 'enabled' }, reasoningEffort: effort === 'medium' ? 'high' : effort };
  },
};

/** The name under which the package is asked for its models; its options and metadata are kept under it. */
export const COMPATIBLE = 'openaiCompatible';

const compatible: Omit<ProviderProfile, 'provider'> = {
  dialect: schemaDialects['openai-compatible'],
  optionsKey: COMPATIBLE,
  always: {},
  marksStrictTools: false,
  canAskFor: () => true,
  strictKey: 'strictJsonSchema',
  defaultMaxOutputTokens: () => PLAIN_TOKENS,
  // Which models such a server has is not known, so what the author asks for is sent.
  reasoning: (_, effort) => ({ reasoningEffort: effort === 'off' ? 'none' : effort === 'max' ? 'high' : effort }),
};

export const providerProfiles: Readonly<Record<ProviderName, ProviderProfile>> = {
  anthropic,
  openai,
  google,
  deepseek,
  'openai-compatible': { ...compatible, provider: 'openai-compatible' },
  local: { ...compatible, provider: 'local' },
};
