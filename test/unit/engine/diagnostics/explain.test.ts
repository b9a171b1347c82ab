import { describe, expect, it } from 'vitest';
import { explain, explainableCodes } from '../../../../engine/src/diagnostics/explain.js';
import { runCodes } from '../../../../engine/src/diagnostics/run-codes.js';

describe('explain', () => {
  it('knows the closed set of codes of runs', () => {
    expect(runCodes.map((run) => run.code)).toEqual([
      'validation',
      'expression_error',
      'unresolved_reference',
      'tool_failed',
      'tool_denied',
      'tool_unavailable',
      'unknown_tool',
      'invalid_args',
      'timeout',
      'run_timeout',
      'output_invalid',
      'no_branch_matched',
      'join_unsatisfiable',
      'loop_limit',
      'recursion_limit',
      'turn_limit',
      'gate_rejected',
      'budget_exceeded',
      'provider_error',
      'provider_auth',
      'provider_rate_limit',
      'provider_unavailable',
      'content_filter',
      'context_overflow',
      'effect_needs_attention',
      'cancelled',
      'internal',
    ]);
    expect(runCodes.filter((run) => run.retried).map((run) => run.code)).toEqual([
      'tool_failed',
      'timeout',
      'provider_rate_limit',
      'provider_unavailable',
    ]);
  });

  it('explains both meanings of a code that lint and runs share', () => {
    const explained = explain('unresolved_reference');
    expect(explained.ok && explained.explanations.map((one) => one.kind)).toEqual(['diagnostic', 'run_error']);
  });

  it('suggests a near code, or nothing', () => {
    expect(explain('tool_faild')).toEqual({ ok: false, near: 'tool_failed' });
    expect(explain('qqqqqqqqqq')).toEqual({ ok: false });
  });

  it('explains every code that it lists', () => {
    for (const code of explainableCodes()) expect(explain(code).ok, code).toBe(true);
  });
});
