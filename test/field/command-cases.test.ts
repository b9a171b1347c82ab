import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { caseFiles } from './case-files.js';
import { openProject } from './project.js';

const workflow = (nodes: string) => `schema_version: '1.0'
workflow:
  id: commands
  tools: { allowedCommandGlobs: ['sh *'] }
  nodes:
${nodes}`;

describe('F10: a line of a secret that has several', () => {
  it('is nowhere to be found, and the braces of another command stay what they are', async () => {
    const project = openProject(caseFiles());
    process.env.RELAVIUM_SECRET_SVC_KEY = project.file('files/F10_secret.json')!;
    const { events, nodes, outputs, streamed } = await project.run(
      workflow(`    - id: leak
      type: tool
      tool: run_command
      continue_on_error: true
      tool_config: { command: sh, args: [files/F10_leak.sh], secret_env: { SVC_KEY: SVC_KEY } }
    - { id: plain, type: tool, tool: run_command, needs: [leak], tool_config: { command: sh, args: [-c, 'echo {}'] }, output_mapping: { braces: result.stdout } }
`).replace("['sh *']", "['sh *'], allowedCommands: [[sh, -c, 'echo {}']]"),
    );
    delete process.env.RELAVIUM_SECRET_SVC_KEY;
    expect(nodes).toEqual({ leak: 'failed', plain: 'succeeded' });
    expect(outputs).toMatchObject({ plain: { braces: '{}\n' } });
    const told = JSON.stringify([events, streamed]);
    expect(told).not.toContain('PRIVATE');
    expect(events.find((event) => event.type === 'node:failed')).toMatchObject({ error: { details: { stderrTail: '[masked]' } } });
    expect(streamed.map(({ text }) => text)).toEqual(['[masked]\n', '{}\n']);
    project.close();
  });
});

describe('F11: a retry and an output that speaks of an error', () => {
  it('has nothing to repeat when the command succeeded', async () => {
    const project = openProject(caseFiles());
    const { status, events, outputs } = await project.run(
      workflow(`    - id: send
      type: tool
      tool: run_command
      retry: { max: 3, backoff_ms: 10 }
      tool_config: { command: sh, args: [files/F11_once.sh] }
      output_mapping: { answer: 'JSON.parse(result.stdout)' }
`),
    );
    expect(status).toBe('succeeded');
    expect(outputs).toEqual({ send: { answer: { error: null, ok: true } } });
    expect(project.file('count.txt')).toBe('x');
    expect(events.filter(({ type }) => type === 'node:started')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'node:retrying')).toHaveLength(0);
    project.close();
  });
});

describe('F16: a time limit and the children of a command', () => {
  it('ends them all, and the workflow goes on', async () => {
    const project = openProject(caseFiles());
    const { status, events, nodes, tookMs } = await project.run(
      workflow(`    - id: slow
      type: tool
      tool: run_command
      timeout_ms: 1000
      continue_on_error: true
      tool_config: { command: sh, args: [files/F16_tree.sh] }
    - { id: next, type: tool, tool: write_file, needs: [slow], tool_config: { path: next.txt, content: ok } }
`),
    );
    expect(tookMs).toBeLessThan(5_000);
    expect({ status, nodes }).toEqual({ status: 'succeeded', nodes: { slow: 'failed', next: 'succeeded' } });
    const failure = events.find((event) => event.type === 'node:failed');
    expect(failure).toMatchObject({ node: 'slow', handled: true, error: { code: 'timeout' } });
    expect(project.file('next.txt')).toBe('ok');
    expect(isRunning(Number(project.file('child.pid')))).toBe(false);
    project.close();
  });
});

describe('F17: a child in the background that holds the output open', () => {
  it('does not keep the node waiting', async () => {
    const project = openProject(caseFiles());
    const { status, outputs, tookMs } = await project.run(
      workflow(`    - id: launch
      type: tool
      tool: run_command
      tool_config: { command: sh, args: [files/F17_background.sh] }
      output_mapping: { text: result.stdout, exitCode: result.exitCode }
`),
    );
    expect(tookMs).toBeLessThan(3_000);
    expect({ status, outputs }).toEqual({ status: 'succeeded', outputs: { launch: { text: 'started\n', exitCode: 0 } } });
    project.close();
  });

  it('is ended when its command ends, each time', async () => {
    const project = openProject({ 'leave.sh': 'sleep 30 &\necho $! > left.pid\n' });
    for (let round = 0; round < 2; round++) {
      await project.run(workflow('    - { id: leave, type: tool, tool: run_command, tool_config: { command: sh, args: [leave.sh] } }\n'));
      await pause(50);
      expect(isRunning(Number(project.file('left.pid')))).toBe(false);
    }
    project.close();
  });
});

describe('F18: output that is no UTF-8', () => {
  it('keeps what is text and shows the rest by a replacement sign', async () => {
    const project = openProject(caseFiles());
    const { status, events } = await project.run(
      workflow(`    - id: show
      type: tool
      tool: run_command
      tool_config: { command: sh, args: [files/F18_latin1.sh] }
      output_mapping: { text: result.stdout, invalidUtf8: result.invalidUtf8 }
    - { id: keep, type: tool, tool: write_file, needs: [show], tool_config: { path: out.txt }, input_mapping: { content: 'run.outputs["show"].text' } }
`),
    );
    expect(status).toBe('succeeded');
    const shown = events.find((event) => event.type === 'node:succeeded' && event.node === 'show');
    expect(shown).toMatchObject({ output: { text: 'caf\uFFFD ok\n', invalidUtf8: true } });
    const bytes = readFileSync(join(project.folder, 'out.txt'));
    expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toBe('caf\uFFFD ok\n');
    const history = JSON.stringify(events);
    expect(Buffer.from(history, 'utf8').toString('utf8')).toBe(history);
    expect(JSON.parse(history)).toEqual(events);
    project.close();
  });
});

/** An entry of a process that has ended and that nobody has asked about yet does not count. */
function isRunning(pid: number): boolean {
  expect(pid).toBeGreaterThan(1);
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || !/^\d+ \(.*\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}
