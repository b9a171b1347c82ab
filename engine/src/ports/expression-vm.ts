/**
 * The virtual machine that evaluates what is more than a plain path. Synchronous: `evaluate` returns when the answer is there.
 * Everything crosses as text, and no evaluation may leave anything behind that a later one could see.
 */
export interface ExpressionVm {
  evaluate(request: ExpressionVmRequest): ExpressionVmReply;
}

export interface ExpressionVmRequest {
  /** Source of a strict function expression whose body returns the value of the expression. */
  readonly source: string;
  /** JSON text: the arguments of that function, and where values that are fetched on demand belong in them. */
  readonly data: string;
  /** Answers a read that the function makes while it runs. JSON text in, JSON text out; called synchronously, must not throw. */
  readonly ask: (question: string) => string;
}

export type ExpressionVmReply =
  /**
   * `text` is JSON: the value, and where in it values belong that were to be fetched on demand and came back untouched, so that they
   * never crossed. Without it the value is `undefined`.
   */
  { readonly ok: true; readonly text?: string } | { readonly ok: false; readonly reason: ExpressionVmFailure; readonly message: string };

export type ExpressionVmFailure = 'syntax' | 'runtime' | 'result_type' | 'memory' | 'stack' | 'budget' | 'timeout';
