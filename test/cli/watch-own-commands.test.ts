import type { RunEvent } from '@relavium/engine';
import { describe, expect, it } from 'vitest';
import { ownCommands } from '../../hosts/cli/src/watch/own-commands.js';

type Call = Extract<RunEvent, { type: 'tool:call' }>;
type Result = Extract<RunEvent, { type: 'tool:result' }>;
const base = { seq: 0, ts: '', runId: 'r', node: 'n', callId: 'n#1' } as const;
const call = (tool: string): Call => ({ ...base, type: 'tool:call', tool, toolInput: '' });
const result: Result = { ...base, type: 'tool:result', ok: true, outputSummary: '', durationMs: 0 };

/** A run in which a tool runs from 1000 to 2000. */
function afterRun(tool: string): { allows(...at: number[]): boolean; again(): void } {
  let now = 0;
  const programs = ownCommands(() => now);
  const again = (): void => {
    programs.begin();
    now = 1_000;
    programs.event(call(tool));
    now = 2_000;
    programs.event(result);
  };
  again();
  return { allows: (...at) => programs.allows(at.map((each) => ({ at: each }))), again };
}

describe('changes while the programs of a run ran', () => {
  it('start five runs in a row and no sixth; then it begins anew', () => {
    const { allows, again } = afterRun('run_command');
    const answers = Array.from({ length: 7 }, () => {
      again();
      return allows(1_500);
    });
    expect(answers).toEqual([true, true, true, true, true, false, true]);
  });

  it('are no row once one change was made at another time', () => {
    const { allows, again } = afterRun('run_command');
    for (let round = 0; round < 20; round++) {
      again();
      expect(allows(1_500, ...(round % 5 === 4 ? [2_500] : []))).toBe(true);
    }
  });

  it('are a person’s where no program ran, only tools whose writes are known', () => {
    const { allows, again } = afterRun('write_file');
    for (let round = 0; round < 20; round++) {
      again();
      expect(allows(1_500)).toBe(true);
    }
  });
});
