import { describe, expect, it } from 'vitest';
import { fails, ok, runYaml, story } from './run-yaml.js';

const done = { exitCode: 0, stdout: '', stderr: '', durationMs: 0 };
const head = `tools: { allowedCommandGlobs: ['*'] }\n`;
const command = (id: string, more = ''): string => `{ id: ${id}, type: tool, tool: run_command, tool_config: { command: ${id} }${more} }`;

describe('a loop that is out of its own time', () => {
  const loop = (more: string): string => `${head}
nodes:
  - { id: each, type: loop, for_each: '[1]', timeout_ms: 100${more}, body: { nodes: [${command('s')}] } }
  - { id: rescue, type: transform, transform: '1' }`;
  const slow = { tools: { 'each[0].s': [ok(done, 900)] } };

  it('takes error edges by their conditions', async () => {
    const { outputs } = await runYaml(
      `${loop('')}\nedges: [{ from: each, to: rescue, on: error, condition: 'error.code === "timeout"' }]`,
      slow,
    );
    expect(outputs).toEqual({ rescue: 1 });
  });

  it('is tried again', async () => {
    const { events, tookMs } = await runYaml(`${loop(', retry: { max: 2, backoff_ms: 1 }')}\nedges: []`, slow);
    expect(story(events).filter((line) => /node:(retrying|resumed|failed)|run:failed/.test(line))).toEqual([
      'node:retrying each',
      'node:resumed each',
      'node:failed each',
      'run:failed',
    ]);
    expect(tookMs).toBe(201);
  });
});

describe('an always edge', () => {
  it('asks its condition after a cancel, too', async () => {
    const flow = (condition: string): string => `${head}
nodes:
  - ${command('w')}
  - ${command('tidy')}
edges: [{ from: w, to: tidy, on: always, condition: '${condition}' }]`;
    const given = { tools: { w: [ok(done, 900)], tidy: [ok(done)] }, cancelAtMs: 50 };
    expect((await runYaml(flow('false'), given)).statuses).toEqual({ w: 'cancelled', tidy: 'skipped' });
    expect((await runYaml(flow('true'), given)).statuses).toEqual({ w: 'cancelled', tidy: 'succeeded' });
  });
});

describe('a handler in a container', () => {
  it('finishes although a failure beside the container ends the run', async () => {
    const { statuses } = await runYaml(
      `${head}
nodes:
  - ${command('bad')}
  - id: each
    type: loop
    for_each: '[1]'
    body: { nodes: [${command('work')}, ${command('tidy')}], edges: [{ from: work, to: tidy, on: always }] }`,
      { tools: { bad: [fails(100)], 'each[0].work': [fails(10)], 'each[0].tidy': [ok(done, 500)] } },
    );
    expect(statuses).toMatchObject({ bad: 'failed', 'each[0].tidy': 'succeeded', each: 'cancelled' });
  });
});

describe('waiting', () => {
  it('is not said of a run in which a node stands in line for a slot', async () => {
    const { events } = await runYaml(
      `${head}\nmax_parallel: 1\nnodes:\n  - ${command('flaky', ', retry: { max: 2, backoff_ms: 10 }')}\n  - ${command('long')}`,
      {
        tools: { flaky: [fails(), ok(done)], long: [ok(done, 900)] },
      },
    );
    expect(story(events).filter((line) => line.startsWith('run:'))).toEqual(['run:started', 'run:succeeded']);
  });

  it('is said of a child, and of the run, when nothing but a gate is left in it', async () => {
    const child = `
schema_version: '1.0'
workflow:
  id: child
  nodes: [{ id: g, type: human_gate, gate_type: approval, message_template: 'Go?' }]`.trim();
    const { status, events } = await runYaml(`nodes: [{ id: call, type: subworkflow, workflow: ./c.relavium.yaml }]`, {
      workflows: { 'c.relavium.yaml': child },
    });
    expect(status).toBe('waiting');
    expect(story(events).slice(-3)).toEqual(['node:waiting call/g', 'node:waiting call', 'run:waiting']);
  });

  it('is said of a run whose other nodes want a lock that the waiting one holds', async () => {
    const { status } = await runYaml(`${head}
nodes:
  - { id: a, type: loop, for_each: '[1]', lock: x, body: { nodes: [{ id: g, type: human_gate, gate_type: approval, message_template: 'Go?' }] } }
  - ${command('b', ', lock: x')}`);
    expect(status).toBe('waiting');
  });

  it('until an instant needs one with a zone', async () => {
    const flow = (until: string): string => `nodes: [{ id: w, type: wait, until: '${until}' }]`;
    for (const text of ['5', '2030-01-31T08:00:00', '2030-02-30T08:00:00Z'])
      expect((await runYaml(flow(`{{ "${text}" | trim }}`))).error).toMatchObject({ code: 'validation', path: 'w' });
    expect((await runYaml(flow('1970-01-01T00:00:09+00:00'))).tookMs).toBe(9_000);
  });
});

describe('a wait', () => {
  it('that is longer than its timeout_ms fails then', async () => {
    const { error, tookMs } = await runYaml('nodes: [{ id: w, type: wait, duration_ms: 5000, timeout_ms: 100 }]');
    expect({ code: error?.code, tookMs }).toEqual({ code: 'timeout', tookMs: 100 });
    expect((await runYaml('nodes: [{ id: w, type: wait, duration_ms: 50, timeout_ms: 100 }]')).status).toBe('succeeded');
  });
});

describe('an execution that does not obey', () => {
  it('its time limit is given up after ten seconds and has failed with timeout', async () => {
    const { status, error, tookMs } = await runYaml(
      `${head}\nnodes:\n  - ${command('deaf', ', timeout_ms: 100')}\n  - ${command('next', ', needs: [deaf]')}`,
      {
        tools: { deaf: [{ ...ok(done, 60_000), isDeaf: true }], next: [ok(done)] },
      },
    );
    expect({ status, code: error?.code, tookMs }).toEqual({ status: 'failed', code: 'timeout', tookMs: 10_100 });
  });

  it('that calls itself cancelled has failed', async () => {
    const { status, error } = await runYaml(`${head}\nnodes:\n  - ${command('odd')}`, {
      tools: { odd: [{ error: { code: 'cancelled', message: 'no' } }] },
    });
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'cancelled' });
  });
});
