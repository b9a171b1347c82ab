import { describe, expect, it } from 'vitest';
import { schemaDocuments } from '../../../schemas/src/documents.js';
import { validateEvent } from '../../../schemas/src/event.js';

const envelope = { seq: 0, ts: '2030-01-01T00:00:00.000Z', runId: 'r' };

describe('an event', () => {
  it('is of one of these types', () => {
    const { properties } = schemaDocuments.event as { readonly properties: { readonly type: { readonly enum: readonly string[] } } };
    expect(properties.type.enum).toEqual([
      'run:started',
      'run:waiting',
      'run:resumed',
      'run:stopping',
      'run:succeeded',
      'run:failed',
      'run:cancelled',
      'node:started',
      'node:succeeded',
      'node:failed',
      'node:retrying',
      'node:waiting',
      'node:resumed',
      'node:stopping',
      'node:skipped',
      'node:cancelled',
      'loop:item_started',
      'loop:item_completed',
      'loop:exhausted',
      'agent:text',
      'agent:reasoning',
      'tool:output',
      'agent:turn_completed',
      'agent:tool_call',
      'agent:tool_result',
      'agent:failover',
      'tool:call',
      'tool:result',
      'effect:prepared',
      'effect:settled',
      'effect:needs_attention',
      'effect:resolved',
      'gate:opened',
      'gate:decided',
      'budget:warning',
      'budget:waiting',
      'cost:updated',
      'log',
    ]);
  });

  it('that is stored has a sequence number, one that is only streamed has none', () => {
    const text = { ts: envelope.ts, runId: 'r', type: 'agent:text', node: 'a', text: 'x' };
    expect(validateEvent(text).ok).toBe(true);
    expect(validateEvent({ ...text, seq: 1 }).ok).toBe(false);
    expect(validateEvent({ ...envelope, type: 'log', level: 'info', message: 'm' }).ok).toBe(true);
    expect(validateEvent({ ts: envelope.ts, runId: 'r', type: 'log', level: 'info', message: 'm' }).ok).toBe(false);
  });

  it('of a node that succeeded has its value or says where a large one is kept', () => {
    const event = { ...envelope, type: 'node:succeeded', node: 'a', durationMs: 0 };
    const large = { ref: 'sha256-1', sizeBytes: 300_000, preview: '[' };
    expect(validateEvent({ ...event, output: null, edges: { conditions: { 0: true } } }).ok).toBe(true);
    expect(validateEvent({ ...event, large }).ok).toBe(true);
    expect(validateEvent(event).ok).toBe(false);
    expect(validateEvent({ ...event, output: null, large }).ok).toBe(false);
  });

  it('of a node that failed says whether that is dealt with', () => {
    const event = {
      ...envelope,
      type: 'node:failed',
      node: 'a',
      durationMs: 1,
      error: { code: 'timeout', message: 'not done in time', node: 'a', path: 'a', details: {}, attempt: 1 },
    };
    expect(validateEvent({ ...event, handled: true }).ok).toBe(true);
    const result = validateEvent(event);
    expect(result.ok ? [] : result.issues.map((issue) => issue.params)).toEqual([{ missingProperty: 'handled' }]);
  });

  it('has an instant in UTC', () => {
    const event = { type: 'log', seq: 0, runId: 'r', level: 'info', message: 'm' };
    expect(['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.123Z'].filter((ts) => !validateEvent({ ...event, ts }).ok)).toEqual([]);
    expect(['2030-01-01T00:00:00+01:00', '2030-01-01', 'now', ''].filter((ts) => validateEvent({ ...event, ts }).ok)).toEqual([]);
  });
});
