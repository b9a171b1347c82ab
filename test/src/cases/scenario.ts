/** One line of `conformance/scenarios.jsonl`; its README says what each key means. */
export interface Scenario {
  readonly id: string;
  readonly workflow: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly stubbed?: Stubbed;
  readonly expect: Expected;
}

export interface Stubbed {
  readonly files?: Readonly<Record<string, string>>;
  readonly tools?: Readonly<Record<string, readonly StubbedEntry[]>>;
  readonly gates?: Readonly<Record<string, StubbedGate>>;
  readonly workflows?: Readonly<Record<string, string>>;
  readonly processes?: unknown;
  readonly kill?: unknown;
  readonly cancel?: { readonly at_ms: number };
}

export interface StubbedEntry {
  readonly delay_ms?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message?: string };
}

export interface StubbedGate {
  readonly after_ms?: number;
  readonly decision: 'approved' | 'rejected' | 'input_provided';
  readonly by?: string;
  readonly payload?: unknown;
  readonly comment?: string;
}

export interface Expected {
  readonly status?: string;
  readonly status_history?: readonly string[];
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code?: string; readonly path?: string; readonly mentions?: readonly string[] };
  readonly node_states?: Readonly<Record<string, string>>;
  readonly order_constraints?: readonly (readonly [string, '<' | '||', string])[];
  readonly attempts?: Readonly<Record<string, number>>;
  readonly calls?: Readonly<Record<string, number>>;
  readonly files?: Readonly<Record<string, string | null>>;
  readonly gates?: Readonly<Record<string, { readonly message?: string }>>;
  readonly max_running?: number;
}
