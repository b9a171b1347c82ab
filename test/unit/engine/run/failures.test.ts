import { describe, expect, it } from 'vitest';
import { fails, ok, runYaml, story } from './run-yaml.js';

const done = { exitCode: 0, stdout: '', stderr: '', durationMs: 0 };
const command = (id: string, more = ''): string =>
  `  - { id: ${id}, type: tool, tool: run_command, tool_config: { command: ${id} }${more} }`;
const allowed = (...ids: string[]): string => `tools: { allowedCommands: [${ids.join(', ')}] }`;

describe('an unhandled failure', () => {
  it('under fail_fast cancels what runs, skips the rest, and is the run error', async () => {
    const { status, error, statuses, tookMs } = await runYaml(
      `
${allowed('bad', 'long')}
nodes:
${command('bad')}
${command('long')}
  - { id: after, type: transform, needs: [long], transform: '1' }`,
      { tools: { bad: [fails(100)], long: [ok(done, 5_000)] } },
    );
    expect({ status, error: error?.path, tookMs }).toEqual({ status: 'failed', error: 'bad', tookMs: 100 });
    expect(statuses).toEqual({ bad: 'failed', long: 'cancelled', after: 'skipped' });
  });

  it('under continue lets independent branches end first', async () => {
    const { status, outputs, statuses } = await runYaml(
      `
on_failure: continue
${allowed('bad', 'long')}
nodes:
${command('bad')}
${command('long')}
  - { id: dead, type: transform, needs: [bad], transform: '1' }
  - { id: after, type: transform, needs: [long], transform: '2' }`,
      { tools: { bad: [fails()], long: [ok(done, 500)] } },
    );
    expect({ status, outputs }).toEqual({ status: 'failed', outputs: { after: 2 } });
    expect(statuses).toMatchObject({ dead: 'skipped', after: 'succeeded' });
  });

  it('lets handlers that were reached start and finish', async () => {
    const { status, statuses } = await runYaml(
      `
${allowed('work', 'tidy', 'report', 'other')}
nodes:
${command('work')}
${command('other')}
${command('tidy')}
${command('report', ', needs: [tidy]')}
edges: [{ from: work, to: tidy, on: always }]`,
      { tools: { work: [fails(100)], tidy: [ok(done, 300)], report: [ok(done, 300)], other: [ok(done, 900)] } },
    );
    expect(status).toBe('failed');
    expect(statuses).toEqual({ work: 'failed', other: 'cancelled', tidy: 'succeeded', report: 'succeeded' });
  });
});

describe('an error edge', () => {
  it('takes the codes and conditions that it names', async () => {
    const flow = (edge: string): string => `
${allowed('bad')}
nodes:
${command('bad')}
  - { id: rescue, type: transform, transform: 'run.errors["bad"].details.exitCode' }
edges: [{ from: bad, to: rescue, on: error, ${edge} }]`;
    const given = { tools: { bad: [ok({ ...done, exitCode: 7 })] } };
    expect((await runYaml(flow('codes: [tool_failed]'), given)).outputs).toEqual({ rescue: 7 });
    expect((await runYaml(flow('codes: [timeout]'), given)).status).toBe('failed');
    expect((await runYaml(flow("condition: 'error.details.exitCode === 7'"), given)).status).toBe('succeeded');
    expect((await runYaml(flow("condition: 'error.details.exitCode === 8'"), given)).status).toBe('failed');
  });

  it('whose condition cannot be evaluated fails the run with expression_error', async () => {
    const { status, error } = await runYaml(
      `
nodes:
  - { id: a, type: transform, transform: '"text"' }
  - { id: b, type: transform, transform: '1' }
edges: [{ from: a, to: b, condition: 'run.outputs["a"]' }]`,
    );
    expect({ status, code: error?.code, path: error?.path }).toEqual({ status: 'failed', code: 'expression_error', path: 'a' });
  });
});

describe('continue_on_error', () => {
  it('goes on with an undefined output and the error beside it', async () => {
    const { status, outputs } = await runYaml(
      `
${allowed('bad')}
nodes:
${command('bad', ', continue_on_error: true')}
  - { id: next, type: transform, needs: [bad], transform: '[run.outputs["bad"] === undefined, run.errors["bad"].code]' }`,
      { tools: { bad: [fails()] } },
    );
    expect({ status, outputs }).toEqual({ status: 'succeeded', outputs: { next: [true, 'tool_failed'] } });
  });
});

describe('a fail node', () => {
  it('fails with its own code and a message that was filled in', async () => {
    const { error } = await runYaml(`
inputs: [{ name: n, type: number, default: 3 }]
nodes:
  - { id: stop, type: fail, code: too_few, message: 'only {{inputs.n}} items' }`);
    expect(error).toMatchObject({ code: 'user.too_few', message: 'only 3 items', path: 'stop' });
  });
});

describe('retry', () => {
  it('gives up the slot while it backs off and counts its attempts', async () => {
    const { events, tookMs, calls } = await runYaml(
      `
${allowed('flaky', 'other')}
nodes:
${command('flaky', ', retry: { max: 3, backoff: exponential, backoff_ms: 1000 }')}
${command('other')}`,
      { tools: { flaky: [fails(), fails(), ok(done)], other: [ok(done, 10)] }, maxParallel: 1 },
    );
    expect(tookMs).toBe(3_000);
    expect(calls.get('flaky')).toBe(3);
    const order = story(events).filter((line) => /retrying|started other|succeeded/.test(line));
    expect(order).toEqual([
      'node:retrying flaky',
      'node:started other',
      'node:succeeded other',
      'node:retrying flaky',
      'node:succeeded flaky',
      'run:succeeded',
    ]);
  });

  it('repeats only the codes that it names', async () => {
    const flow = `
${allowed('bad')}
nodes:
${command('bad', ', retry: { max: 3, retry_on: [timeout] }')}`;
    const { calls } = await runYaml(flow, { tools: { bad: [fails()] } });
    expect(calls.get('bad')).toBe(1);
  });

  it('waits longer than a 32-bit timer can', async () => {
    const flow = `
nodes:
  - { id: nap, type: wait, duration_ms: 3000000000 }`;
    expect((await runYaml(flow)).tookMs).toBe(3_000_000_000);
  });
});

describe('a timeout', () => {
  it('of a node ends the attempt with code timeout and may be retried', async () => {
    const { status, tookMs } = await runYaml(
      `
${allowed('slow')}
nodes:
${command('slow', ', timeout_ms: 200, retry: { max: 2, backoff_ms: 100 }')}`,
      { tools: { slow: [ok(done, 5_000), ok(done, 50)] } },
    );
    expect({ status, tookMs }).toEqual({ status: 'succeeded', tookMs: 350 });
  });

  it('of the run counts active time, takes always edges and no error edges', async () => {
    const { status, error, statuses } = await runYaml(
      `
timeout_ms: 1000
${allowed('slow', 'tidy', 'rescue')}
nodes:
  - { id: nap, type: wait, duration_ms: 60000 }
${command('slow', ', needs: [nap]')}
${command('tidy')}
${command('rescue')}
edges: [{ from: slow, to: tidy, on: always }, { from: slow, to: rescue, on: error }]`,
      { tools: { slow: [ok(done, 5_000)], tidy: [ok(done, 10)], rescue: [ok(done, 10)] } },
    );
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'run_timeout' });
    expect(statuses).toMatchObject({ nap: 'succeeded', slow: 'cancelled', tidy: 'succeeded', rescue: 'skipped' });
  });

  it('of the run is its error, whatever failed before, where other branches go on after a failure', async () => {
    const late = (onFailure: string) =>
      runYaml(
        `
timeout_ms: 1000
on_failure: ${onFailure}
${allowed('slow', 'tidy')}
nodes:
  - { id: broken, type: fail, code: wanted, message: as asked }
${command('slow')}
${command('tidy')}
edges: [{ from: broken, to: tidy, on: always }]`,
        { tools: { slow: [ok(done, 5_000)], tidy: [ok(done, 5_000)] } },
      );
    expect((await late('continue')).error?.code).toBe('run_timeout');
    expect((await late('fail_fast')).error?.code).toBe('user.wanted');
  });
});

describe('a cancelled run', () => {
  const flow = `
cleanup_timeout_ms: 1000
${allowed('work', 'tidy', 'later')}
nodes:
${command('work')}
${command('tidy')}
${command('later', ', needs: [work]')}
edges: [{ from: work, to: tidy, on: always }]`;

  it('stops what runs, follows always edges and starts nothing else', async () => {
    const given = { tools: { work: [ok(done, 5_000)], tidy: [ok(done, 100)], later: [ok(done)] }, cancelAtMs: 50 };
    const { status, statuses, events } = await runYaml(flow, given);
    expect({ status, statuses }).toEqual({ status: 'cancelled', statuses: { work: 'cancelled', tidy: 'succeeded', later: 'skipped' } });
    expect(story(events).at(-1)).toBe('run:cancelled');
  });

  it('ends cleanup that takes too long', async () => {
    const given = { tools: { work: [ok(done, 5_000)], tidy: [ok(done, 60_000)], later: [ok(done)] }, cancelAtMs: 50 };
    const { status, statuses, tookMs } = await runYaml(flow, given);
    expect({ status, tidy: statuses.tidy, tookMs }).toEqual({ status: 'cancelled', tidy: 'cancelled', tookMs: 1_050 });
  });
});

describe('a lock', () => {
  it('is held by one node at a time, in the order in which they became ready', async () => {
    const { events, tookMs } = await runYaml(
      `
${allowed('a', 'b', 'c')}
nodes:
${command('b', ', lock: db')}
${command('a', ', lock: db')}
${command('c')}`,
      { tools: { a: [ok(done, 100)], b: [ok(done, 100)], c: [ok(done, 10)] } },
    );
    expect(tookMs).toBe(200);
    expect(story(events).filter((line) => line.startsWith('node:'))).toEqual([
      'node:started b',
      'node:started c',
      'node:succeeded c',
      'node:succeeded b',
      'node:started a',
      'node:succeeded a',
    ]);
  });
});
