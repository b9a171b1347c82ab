import type { Clock, ProcessHost, ProcessRequest, ProcessResult } from '@relavium/engine';
import { HostError } from '@relavium/engine';
import { pause } from '@relavium/engine/testing';

/** The few commands that scenarios use, played without a process, on whatever clock is handed in. */
export function scriptedProcess(clock: Clock): ProcessHost {
  return {
    async run(request, call) {
      const start = clock.now();
      const play = commands[request.command];
      if (play === undefined) throw new HostError('tool_failed', 'not_found', `${request.command}: no such command`);
      const delayMs = request.command === 'sleep' ? Number(request.args[0]) * 1000 : 0;
      const isLate = request.timeoutMs !== undefined && delayMs > request.timeoutMs;
      await pause(isLate ? request.timeoutMs! : delayMs, clock, call.signal);
      if (isLate) throw new HostError('timeout', 'timeout', `${request.command} took longer than ${request.timeoutMs} ms`);
      return { exitCode: 0, stdout: '', stderr: '', ...play(request.args), durationMs: clock.now() - start };
    },
  };
}

type Play = (args: ProcessRequest['args']) => Partial<ProcessResult>;

const commands: Readonly<Record<string, Play>> = {
  true: () => ({}),
  false: () => ({ exitCode: 1 }),
  sleep: () => ({}),
  echo: (args) => ({ stdout: `${args.join(' ')}\n` }),
  printf: ([format = '', ...values]) => ({ stdout: formatted(format, values) }),
};

/** `%s`, `%d`, `%%` and the usual escapes; the format is used again while values are left, as POSIX has it. */
function formatted(format: string, values: readonly string[]): string {
  const left = [...values];
  const once = (): string =>
    format.replace(/%([sd%])|\\([nt\\])/g, (_, conversion: string | undefined, escaped: string) => {
      if (conversion === '%') return '%';
      if (conversion !== undefined) return left.shift() ?? (conversion === 'd' ? '0' : '');
      return escaped === 'n' ? '\n' : escaped === 't' ? '\t' : '\\';
    });
  let text = once();
  while (left.length > 0) {
    const before = left.length;
    text += once();
    if (left.length === before) break;
  }
  return text;
}
