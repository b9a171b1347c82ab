import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { relavium } from '../cli/relavium.js';
import { folderFor, runWorkflow } from './run-workflow.js';

describe('workflows/toolchain-check', () => {
  it('takes the branch for a version that is new enough', async () => {
    const { code, events, outputs } = await runWorkflow('toolchain-check', folderFor('toolchain-check'), ['least=18']);
    expect(code).toBe(0);
    expect(events).toEqual([
      'run:started',
      'node:started ask attempt=1',
      'tool:call ask tool=run_command',
      'tool:output ask',
      'tool:result ask ok=true',
      'node:succeeded ask',
      'node:skipped missing reason=upstream_dead',
      'node:started major attempt=1',
      'node:succeeded major',
      'node:started new-enough attempt=1',
      'node:succeeded new-enough selected=true',
      'node:skipped too-old reason=branch_not_taken',
      'node:started good attempt=1',
      'node:succeeded good',
      'node:started answer attempt=1',
      'node:succeeded answer',
      'run:succeeded',
    ]);
    expect(outputs).toEqual({ answer: `Node ${process.version} is new enough.` });
  });

  it('fails with a code of its own for a version that is too old', async () => {
    const { code, events, error } = await runWorkflow('toolchain-check', folderFor('toolchain-check'), ['least=999']);
    expect(code).toBe(1);
    expect(error).toMatchObject({
      code: 'user.node_too_old',
      path: 'too-old',
      message: `Node ${process.version} is too old: version 999 or later is needed.`,
    });
    expect(events).toContain('node:skipped good reason=branch_not_taken');
  });

  it('takes the error edge where the command cannot be run', async () => {
    const folder = folderFor('toolchain-check');
    const { stdout } = await relavium(['run', '-q', 'toolchain-check.relavium.yaml'], { cwd: folder, env: { PATH: '' } });
    expect(stdout).toBe('Node could not be asked for its version: tool_failed.\n');
    writeFileSync(join(folder, 'node'), '');
  });
});
