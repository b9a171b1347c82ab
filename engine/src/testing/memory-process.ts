import { HostError } from '../ports/host-error.js';
import type { ProcessHost, ProcessRequest, ProcessResult } from '../ports/process-host.js';

/** Programs by name: what each would print and how it would end. */
export type MemoryPrograms = Readonly<Record<string, (request: ProcessRequest) => Partial<ProcessResult>>>;

/** Runs functions in place of programs; a command that none stands for cannot be found. */
export function memoryProcess(programs: MemoryPrograms): ProcessHost {
  return {
    async run(request, { onOutput }) {
      const program = Object.hasOwn(programs, request.command) ? programs[request.command] : undefined;
      if (program === undefined) throw new HostError('tool_failed', 'not_found', `there is no program ${request.command}`);
      const result: ProcessResult = { exitCode: 0, stdout: '', stderr: '', durationMs: 0, ...program(request) };
      if (result.stdout !== '') onOutput?.('stdout', result.stdout);
      if (result.stderr !== '') onOutput?.('stderr', result.stderr);
      return result;
    },
  };
}
