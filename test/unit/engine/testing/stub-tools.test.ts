import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../../../engine/src/ports/call-context.js';
import type { ToolDef } from '../../../../engine/src/registry/tool-def.js';
import { simulatedClock } from '../../../../engine/src/testing/simulated-clock.js';
import { stubTools } from '../../../../engine/src/testing/stub-tools.js';

const tool: ToolDef = {
  id: 'greet',
  source: 'builtin',
  description: 'Greets',
  parameters: {},
  configOnly: [],
  policy: 'engine',
  effect: 'none',
  policyTarget: () => ({ kind: 'none' }),
  dispatch: async () => 'real',
};

const call = (node: string, attempt = 1, signal: CallContext['signal'] = new AbortController().signal): CallContext => ({
  node,
  attempt,
  signal,
});

describe('stubTools', () => {
  it('plays one entry an attempt, the last one for all that follow', async () => {
    const stubbed = stubTools(
      [tool],
      new Map([['a', [{ error: { code: 'tool_failed', message: 'no' } }, { result: 'yes' }]]]),
      simulatedClock(),
    );
    const dispatch = stubbed.tools[0]!.dispatch;
    await expect(dispatch({}, {}, call('a', 1))).rejects.toMatchObject({ code: 'tool_failed', message: 'no' });
    expect(await dispatch({}, {}, call('a', 2))).toBe('yes');
    expect(await dispatch({}, {}, call('a', 7))).toBe('yes');
  });

  it('leaves the real work to nodes without a script, and counts every call', async () => {
    const stubbed = stubTools([tool], new Map([['a', [{ result: 'stub' }]]]), simulatedClock());
    const dispatch = stubbed.tools[0]!.dispatch;
    expect([await dispatch({}, {}, call('b')), await dispatch({}, {}, call('a')), await dispatch({}, {}, call('b'))]).toEqual([
      'real',
      'stub',
      'real',
    ]);
    expect([...stubbed.calls]).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
  });

  it('takes its time on the clock that it was given', async () => {
    const clock = simulatedClock();
    const stubbed = stubTools([tool], new Map([['a', [{ delayMs: 250, result: 'late' }]]]), clock);
    const result = stubbed.tools[0]!.dispatch({}, {}, call('a'));
    clock.advance();
    expect([await result, clock.now()]).toEqual(['late', 250]);
  });

  it('gives up at once when the call is cancelled, and leaves no timer', async () => {
    const clock = simulatedClock();
    const abort = new AbortController();
    const stubbed = stubTools([tool], new Map([['a', [{ delayMs: 250, result: 'late' }]]]), clock);
    const result = stubbed.tools[0]!.dispatch({}, {}, call('a', 1, abort.signal));
    abort.abort();
    await expect(result).rejects.toMatchObject({ code: 'cancelled' });
    expect(clock.pending).toBe(0);
  });
});
