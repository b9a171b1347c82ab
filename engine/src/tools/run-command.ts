import type { JsonObject } from '../json.js';
import type { CallContext } from '../ports/call-context.js';
import type { SecretSource } from '../ports/secrets.js';
import { lastLines } from '../registry/last-lines.js';
import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const runCommand: ToolDef = builtin('run_command', {
  description:
    'Runs one program that the workflow allows, without a shell: no pipes, no variables, no wildcards. ' +
    'args has at most 256 entries, each at most 16 KiB (16384 bytes) and all together at most 64 KiB (65536 bytes) of UTF-8. ' +
    'Of a long output the beginning and the end are kept, 1 MiB a stream unless the author says otherwise.',
  policy: 'process',
  effect: 'once',
  capability: 'process',
  bounds: [{ kind: 'list', argument: 'args', maxEntries: 256, maxEntryBytes: 16_384, maxTotalBytes: 65_536 }],
  target: ({ command, args }) => ({ kind: 'command', vector: [command, ...(args ?? [])] }),
  async call({ command, args, cwd, env, secret_env, stdin, max_output_bytes, timeout_ms }, programs, call) {
    const request = {
      command,
      args: args ?? [],
      env: { ...env, ...(await secretVariables(secret_env ?? {}, call)) },
      maxOutputBytes: max_output_bytes ?? 1024 * 1024,
      ...(cwd === undefined ? {} : { cwd }),
      ...(stdin === undefined ? {} : { stdin }),
      ...(timeout_ms === undefined ? {} : { timeoutMs: timeout_ms }),
    };
    return { ...(await programs.run(request, call)) };
  },
  failure(result, { command, ok_exit_codes }) {
    const exitCode = result.exitCode as number;
    if (exitCode === 0 || ok_exit_codes?.includes(exitCode) === true) return undefined;
    return {
      message: `${command} ended with exit code ${exitCode}`,
      details: { exitCode, ...tailOf(result, 'stdout'), ...tailOf(result, 'stderr') },
    };
  },
});

async function secretVariables(sources: Readonly<Record<string, SecretSource>>, call: CallContext): Promise<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const [name, source] of Object.entries(sources)) variables[name] = await call.readSecret!(source);
  return variables;
}

function tailOf(result: JsonObject, stream: 'stdout' | 'stderr'): JsonObject {
  const text = lastLines(result[stream] as string);
  return text === '' ? {} : { [`${stream}Tail`]: text };
}
