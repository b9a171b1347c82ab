import { describe, expect, it } from 'vitest';
import { nodeIds } from '../../../../hosts/node/src/ids/node-ids.js';

describe('run ids', () => {
  it('are UUIDs of version 7 that hold their time', () => {
    const id = nodeIds(() => 1_700_000_000_000).runId();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(1_700_000_000_000);
  });

  it('ascend and differ, within a millisecond and while the clock goes back', () => {
    let now = 1_700_000_000_000;
    const ids = nodeIds(() => now);
    const made = Array.from({ length: 10_000 }, (_, index) => {
      if (index === 5_000) now -= 1_000;
      return ids.runId();
    });
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });
});
