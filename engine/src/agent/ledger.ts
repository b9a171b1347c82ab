import type { Note, Spent } from '../events/run-event.js';
import type { BudgetPlan } from '../plan/plan.js';
import type { CancelSignal } from '../ports/cancel.js';
import type { LanguageModel, ModelUsage, TokenCount } from '../ports/language-model.js';
import type { Failure } from '../run/outcome.js';
import { costOf, type Prices, priceOf } from './prices.js';

/** Keeps what a run spends on models, and lets no call begin that could take it over its budget. */
export interface Ledger {
  /**
   * Sets aside what a call can cost at most. Resolves to the reason why the call may not be made, or to what ends the reservation, which
   * must be called. Where other calls have set aside what this one needs it waits for them.
   */
  reserve(call: ReservedCall): Promise<Reservation | Failure>;
}

export interface ReservedCall {
  /** Path of the node that makes the call. */
  readonly node: string;
  readonly model: LanguageModel;
  /** Ends the wait. What is given then is nothing, and is to be given back all the same. */
  readonly signal: CancelSignal;
  /** Worked out only where there is a budget. */
  readonly worstCase: () => TokenCount;
}

export interface Reservation {
  /** `usage` absent: nothing was used. */
  settle(usage?: ModelUsage): void;
}

export interface LedgerParts {
  readonly budget: BudgetPlan | undefined;
  readonly prices: Prices;
  /** Of earlier processes of the run. */
  readonly spent: Spent | undefined;
  readonly note: (note: Note) => void;
  /** Asks a person whether the budget is granted once more. */
  readonly askPerson: (node: string, message: string, signal: CancelSignal) => Promise<boolean>;
}

export function createLedger(parts: LedgerParts): Ledger {
  return new RunLedger(parts);
}

interface Amount {
  readonly tokens: number;
  readonly microcents: number;
}

/** Invariant: `spent + setAside` is within the limits whenever a reservation is given, unless the budget only warns. */
class RunLedger implements Ledger {
  private readonly parts: LedgerParts;
  private readonly usage: { -readonly [Key in keyof ModelUsage]-?: number };
  private microcents: number;
  private readonly unpriced: Set<string>;
  private setAside: Amount = { tokens: 0, microcents: 0 };
  /** How often the budget has been granted. */
  private grants = 1;
  private hasWarned = false;
  /** One call is judged at a time, in the order in which they came. */
  private turn: Promise<unknown> = Promise.resolve();
  /** Told whenever a reservation ends. */
  private waiting: (() => void) | undefined;

  constructor(parts: LedgerParts) {
    this.parts = parts;
    const { usage, cost } = parts.spent ?? {};
    this.usage = {
      input: usage?.inputTokens ?? 0,
      output: usage?.outputTokens ?? 0,
      cachedInput: usage?.cachedInputTokens ?? 0,
      reasoning: usage?.reasoningTokens ?? 0,
    };
    this.microcents = cost?.microcents ?? 0;
    this.unpriced = new Set(cost?.unpriced);
  }

  reserve(call: ReservedCall): Promise<Reservation | Failure> {
    const { provider, model } = call.model;
    const price = priceOf(provider, model, this.parts.prices);
    if (price === undefined) {
      const refusal = this.takeUnpriced(call.node, `${provider}:${model}`);
      if (refusal !== undefined) return Promise.resolve(refusal);
    }
    const { budget } = this.parts;
    if (budget === undefined) return Promise.resolve(this.reservation(call, NOTHING));
    const judged = this.turn.then(() => {
      const worst = call.worstCase();
      const microcents = price === undefined ? 0 : costOf(worst, price);
      return this.admit(call, { tokens: worst.input + worst.output, microcents }, worst, budget);
    });
    this.turn = judged.catch(() => undefined);
    return untilAborted(judged, call.signal, () => {
      // It may still come to its turn, and then nobody is there to take what it is given.
      void judged.then((late) => 'settle' in late && late.settle());
      return this.reservation(call, NOTHING);
    });
  }

  private async admit(call: ReservedCall, most: Amount, worst: TokenCount, budget: BudgetPlan): Promise<Reservation | Failure> {
    for (;;) {
      if (call.signal.aborted) return this.reservation(call, NOTHING);
      if (this.fits(most, this.setAside, budget) || budget.onExceed === 'warn') {
        this.setAside = { tokens: this.setAside.tokens + most.tokens, microcents: this.setAside.microcents + most.microcents };
        return this.reservation(call, most);
      }
      if (!this.fits(most, NOTHING, budget)) {
        const message = this.excess(most, worst, budget);
        if (budget.onExceed === 'fail') return failure(message, { reason: 'limit' });
        this.parts.note({ type: 'budget:waiting', message, node: call.node, ...this.totals() });
        if (!(await this.parts.askPerson(call.node, message, call.signal)))
          return failure(`${message}; a person said no to more`, { reason: 'rejected' });
        this.grants++;
        continue;
      }
      // It would fit if what others have set aside is not used up: some of it mostly is not.
      await untilAborted(new Promise<void>((resolve) => (this.waiting = resolve)), call.signal, () => undefined);
    }
  }

  private fits(most: Amount, setAside: Amount, { maxTokens, maxMicrocents }: BudgetPlan): boolean {
    const tokens = this.usage.input + this.usage.output + setAside.tokens + most.tokens;
    const microcents = this.microcents + setAside.microcents + most.microcents;
    return tokens <= (maxTokens ?? Infinity) * this.grants && microcents <= (maxMicrocents ?? Infinity) * this.grants;
  }

  private reservation({ node, model }: ReservedCall, most: Amount): Reservation {
    return {
      settle: (usage) => {
        this.setAside = { tokens: this.setAside.tokens - most.tokens, microcents: this.setAside.microcents - most.microcents };
        if (usage !== undefined) this.spend(node, model, usage);
        this.waiting?.();
      },
    };
  }

  private spend(node: string, { provider, model }: LanguageModel, usage: ModelUsage): void {
    for (const key of ['input', 'output', 'cachedInput', 'reasoning'] as const) this.usage[key] += usage[key] ?? 0;
    const price = priceOf(provider, model, this.parts.prices);
    if (price !== undefined) this.microcents += costOf(usage, price);
    if ((usage.input ?? 0) + (usage.output ?? 0) > 0) this.parts.note({ type: 'cost:updated', ...this.totals() });
    const { budget } = this.parts;
    if (budget?.onExceed !== 'warn' || this.hasWarned || this.fits(NOTHING, NOTHING, budget)) return;
    this.hasWarned = true;
    const message = `the budget of ${limitWords(budget, this.grants)} is used up, by the last call of "${node}"; the run goes on`;
    this.parts.note({ type: 'budget:warning', message, ...this.totals() });
  }

  /** A model without a price cannot be held to a limit in money. */
  private takeUnpriced(node: string, name: string): Failure | undefined {
    const { budget } = this.parts;
    if (budget?.isStrict === true) {
      return failure(`there is no price for ${name}, so its cost cannot be limited; give one under [prices] in the configuration`, {
        reason: 'unpriced',
      });
    }
    if (this.unpriced.has(name)) return undefined;
    this.unpriced.add(name);
    if (budget?.maxMicrocents !== undefined)
      this.parts.note({ type: 'log', level: 'warning', node, message: `there is no price for ${name}: what it costs is not counted` });
    return undefined;
  }

  private excess(most: Amount, worst: TokenCount, budget: BudgetPlan): string {
    const { input, output } = this.usage;
    const used = [
      budget.maxTokens === undefined ? '' : `${input + output} tokens`,
      budget.maxMicrocents === undefined ? '' : dollars(this.microcents),
    ];
    const next = [
      budget.maxTokens === undefined ? '' : `${most.tokens} tokens (${worst.input} in, ${worst.output} out)`,
      budget.maxMicrocents === undefined ? '' : dollars(most.microcents),
    ];
    return `of the budget of ${limitWords(budget, this.grants)} ${joined(used)} are used, and the next call can use up to ${joined(next)}; a lower max_tokens makes that less`;
  }

  private totals(): Spent {
    const { input, output, cachedInput, reasoning } = this.usage;
    return {
      usage: {
        inputTokens: input,
        outputTokens: output,
        ...(cachedInput === 0 ? {} : { cachedInputTokens: cachedInput }),
        ...(reasoning === 0 ? {} : { reasoningTokens: reasoning }),
      },
      cost: { microcents: this.microcents, ...(this.unpriced.size === 0 ? {} : { unpriced: [...this.unpriced] }) },
    };
  }
}

const NOTHING: Amount = { tokens: 0, microcents: 0 };

/** The value, or what stands in for it as soon as the signal comes. */
function untilAborted<T>(value: Promise<T>, signal: CancelSignal, otherwise: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(otherwise());
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function failure(message: string, details: Failure['details']): Failure {
  return { code: 'budget_exceeded', message, details };
}

function limitWords({ maxTokens, maxMicrocents }: BudgetPlan, grants: number): string {
  return joined([
    maxTokens === undefined ? '' : `${maxTokens * grants} tokens`,
    maxMicrocents === undefined ? '' : dollars(maxMicrocents * grants),
  ]);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' and ');
}

function dollars(microcents: number): string {
  const value = microcents / 1e8;
  return `$${value >= 1 ? value.toFixed(2) : value.toFixed(8).replace(/\.?0+$/, '')}`;
}
