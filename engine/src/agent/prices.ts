import type { ModelUsage } from '../ports/language-model.js';
import { PRICES, type Price } from './price-table.js';

/** `provider:model` → price. */
export type Prices = ReadonlyMap<string, Price>;

const FREE: Price = { input: 0, output: 0 };
/** What runs on the author's own machine is not paid for by the token. */
const OWN_MACHINE: ReadonlySet<string> = new Set(['local', 'scripted']);
/** Names of one model that differ in the day of their release: `-20250929`, `-2025-04-14`, `-latest`. */
const RELEASE = /-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/** What the person's own table says, else the built-in one; undefined: nobody knows. */
export function priceOf(provider: string, model: string, own: Prices): Price | undefined {
  const name = `${provider}:${model}`;
  const found = own.get(name) ?? PRICES.get(name) ?? PRICES.get(name.replace(RELEASE, ''));
  return found ?? (OWN_MACHINE.has(provider) ? FREE : undefined);
}

/** In whole microcents, rounded up. */
export function costOf({ input = 0, cachedInput = 0, output = 0 }: ModelUsage, price: Price): number {
  const cached = Math.min(cachedInput, input);
  const total = (input - cached) * price.input + cached * (price.cachedInput ?? price.input) + output * price.output;
  return Math.ceil(total / 1_000_000);
}
