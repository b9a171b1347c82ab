/** Of a model, in microcents for a million tokens (1 microcent = 1e-8 USD). */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Absent: cached input costs what other input costs. */
  readonly cachedInput?: number;
}

/** Microcents in a dollar. */
const DOLLAR = 1e8;

const row = (name: string, input: number, output: number, cachedInput: number): readonly [string, Price] => [
  name,
  { input: Math.round(input * DOLLAR), output: Math.round(output * DOLLAR), cachedInput: Math.round(cachedInput * DOLLAR) },
];

/**
 * Dollars for a million tokens of input, output and cached input, from the price lists that the providers publish (Anthropic, OpenAI,
 * Google, DeepSeek; standard service, shortest context tier), as they stood in March 2026. `[prices]` in the configuration goes before it.
 */
export const PRICES: ReadonlyMap<string, Price> = new Map([
  row('anthropic:claude-opus-4-6', 5, 25, 0.5),
  row('anthropic:claude-opus-4-5', 5, 25, 0.5),
  row('anthropic:claude-opus-4-1', 15, 75, 1.5),
  row('anthropic:claude-opus-4-0', 15, 75, 1.5),
  row('anthropic:claude-opus-4', 15, 75, 1.5),
  row('anthropic:claude-sonnet-4-6', 3, 15, 0.3),
  row('anthropic:claude-sonnet-4-5', 3, 15, 0.3),
  row('anthropic:claude-sonnet-4-0', 3, 15, 0.3),
  row('anthropic:claude-sonnet-4', 3, 15, 0.3),
  row('anthropic:claude-haiku-4-5', 1, 5, 0.1),
  row('anthropic:claude-3-5-haiku', 0.8, 4, 0.08),
  row('anthropic:claude-3-haiku', 0.25, 1.25, 0.03),
  row('openai:gpt-5.1', 1.25, 10, 0.125),
  row('openai:gpt-5', 1.25, 10, 0.125),
  row('openai:gpt-5-mini', 0.25, 2, 0.025),
  row('openai:gpt-5-nano', 0.05, 0.4, 0.005),
  row('openai:gpt-4.1', 2, 8, 0.5),
  row('openai:gpt-4.1-mini', 0.4, 1.6, 0.1),
  row('openai:gpt-4.1-nano', 0.1, 0.4, 0.025),
  row('openai:gpt-4o', 2.5, 10, 1.25),
  row('openai:gpt-4o-mini', 0.15, 0.6, 0.075),
  row('google:gemini-2.5-pro', 1.25, 10, 0.125),
  row('google:gemini-2.5-flash', 0.3, 2.5, 0.03),
  row('google:gemini-2.5-flash-lite', 0.1, 0.4, 0.01),
  row('deepseek:deepseek-chat', 0.28, 0.42, 0.028),
  row('deepseek:deepseek-reasoner', 0.28, 0.42, 0.028),
]);
