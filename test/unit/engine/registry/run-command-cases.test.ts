import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../../../engine/src/registry/create-registry.js';
import { memoryProcess } from '../../../../engine/src/testing/memory-process.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';
import { callOf } from './call-of.js';

interface Case {
  readonly id: string;
  readonly input: { readonly command: string; readonly args: readonly string[] };
  readonly expect: 'allow' | 'deny' | { readonly stdout: string };
  readonly why: string;
  readonly context: { readonly allowedCommands?: readonly string[]; readonly allowedCommandGlobs?: readonly string[] };
}

const cases = readFileSync(new URL('../../../cases/security/run_command.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

describe('every run_command case', () => {
  it.each(cases.map((one) => [one.id, one.why, one] as const))('%s: %s', async (_id, _why, { input, context, expect: wanted }) => {
    const registry = createRegistry({
      tools: builtinTools,
      host: { process: memoryProcess({ echo: ({ args }) => ({ stdout: `${args.join(' ')}\n` }) }) },
      policy: {
        allowedCommands: (context.allowedCommands ?? []).map((line) => line.split(' ')),
        allowedCommandGlobs: context.allowedCommandGlobs ?? [],
        allowedDomains: [],
        fsScope: 'sandboxed',
      },
    });
    const call = callOf('run_command', { config: { command: input.command, args: input.args } });
    if (typeof wanted === 'string') {
      expect((await registry.check(call)).decision).toBe(wanted);
      if (wanted === 'deny')
        expect(await registry.dispatch(call)).toMatchObject({
          ok: false,
          error: { code: 'tool_denied', details: { reason: 'command_not_allowed' } },
        });
    } else {
      expect(await registry.dispatch(call)).toMatchObject({ ok: true, output: wanted });
    }
  });
});
