import { describe, expect, it } from 'vitest';
import { costOf, priceOf } from '../../../../engine/src/agent/prices.js';
import { runYaml } from '../run/run-yaml.js';

const agent = (budget: string, nodes: string) => `
${budget}
agents:
  - { id: helper, provider: anthropic, model: claude-sonnet-4-5, system_prompt: Help., tools: [write_file], max_tokens: 100 }
${nodes}`;
const ask = (id = 'ask', more = '') => `  - { id: ${id}, type: agent, agent_ref: helper, prompt_template: Go${more} }\n`;
const turns = (count: number, usage: string) =>
  `agents:\n  helper:\n${Array.from({ length: count }, (_, at) => `    - { text: 't${at}', usage: ${usage}, delay_ms: 10 }\n`).join('')}`;

describe('a budget', () => {
  const three = `nodes:\n${ask('a')}${ask('b')}${ask('c')}`;

  it('is never overshot by branches that run together: each waits for what the others have set aside', async () => {
    const tokens = await runYaml(agent('budget: { max_tokens: 350 }', three), { script: turns(3, '{ input: 50, output: 50 }') });
    expect(tokens.status).toBe('succeeded');
    expect(tokens.state.spent?.usage).toEqual({ inputTokens: 150, outputTokens: 150 });
    const tight = await runYaml(agent('budget: { max_tokens: 250 }', three), { script: turns(3, '{ input: 50, output: 50 }') });
    expect(tight.error).toMatchObject({ code: 'budget_exceeded', message: expect.stringContaining('200 tokens are used') });
    expect(tight.state.spent?.usage).toEqual({ inputTokens: 100, outputTokens: 100 });
  });

  it('counts money by the table of prices, the own one first', async () => {
    const budget = 'budget: { max_cost_microcents: 200000 }';
    const script = turns(2, '{ input: 100, output: 10 }');
    // 100 tokens at 3 dollars and 10 at 15 dollars a million.
    const ran = await runYaml(agent(budget, `nodes:\n${ask('a')}${ask('b', ', needs: [a]')}`), { script });
    expect(ran.state.spent?.cost).toEqual({ microcents: 45_000 + 45_000 });
    const prices = new Map([['anthropic:claude-sonnet-4-5', { input: 1e9, output: 1e9 }]]);
    const dear = await runYaml(agent(budget, `nodes:\n${ask('a')}${ask('b', ', needs: [a]')}`), { script, prices });
    expect(dear.error).toMatchObject({ code: 'budget_exceeded', path: 'b' });
  });

  it('that warns goes on, and says so once', async () => {
    const ran = await runYaml(agent('budget: { max_tokens: 10, on_exceed: warn }', three), {
      script: turns(3, '{ input: 50, output: 50 }'),
    });
    expect(ran.status).toBe('succeeded');
    expect(ran.events.filter(({ type }) => type === 'budget:warning')).toHaveLength(1);
  });

  it('that asks a person goes on with a yes, which grants it once more, and ends with a no', async () => {
    const budget = 'budget: { max_tokens: 50, on_exceed: pause_for_approval }';
    const script = turns(1, '{ input: 50, output: 50 }');
    const nodes = `nodes:\n${ask()}`;
    const decided = async (decision: 'approved' | 'rejected') =>
      runYaml(agent(budget, nodes), { script, gates: { 'ask/budget': { decision, by: 'ada', afterMs: 5 } } });
    const granted = await decided('approved');
    expect(granted.status).toBe('succeeded');
    expect(granted.events.map(({ type }) => type)).toEqual(expect.arrayContaining(['budget:waiting', 'gate:opened', 'gate:decided']));
    expect((await decided('rejected')).error).toMatchObject({ code: 'budget_exceeded', details: { reason: 'rejected' } });
  });

  it('with a strict cap refuses a model without a price, and without one says that it is not counted', async () => {
    const unpriced = (strict: string) =>
      runYaml(agent(`budget: { max_cost_microcents: 1000${strict} }`, `nodes:\n${ask()}`).replace('claude-sonnet-4-5', 'unheard-of'), {
        script: turns(1, '{ input: 1, output: 1 }'),
      });
    expect((await unpriced(', strict_cost_cap: true')).error).toMatchObject({ code: 'budget_exceeded', details: { reason: 'unpriced' } });
    const counted = await unpriced('');
    expect(counted.state.spent?.cost.unpriced).toEqual(['anthropic:unheard-of']);
    expect(counted.events.filter(({ type }) => type === 'log')).toHaveLength(1);
  });
});

describe('a price', () => {
  it('is found for a model whatever its day of release, and is nothing on the own machine', () => {
    expect(priceOf('anthropic', 'claude-sonnet-4-5-20250929', new Map())).toEqual({ input: 3e8, output: 15e8, cachedInput: 3e7 });
    expect(priceOf('scripted', 'x.yaml', new Map())).toEqual({ input: 0, output: 0 });
    expect(priceOf('openai-compatible', 'x', new Map())).toBeUndefined();
  });

  it('counts cached input by its own price, and whole microcents upwards', () => {
    expect(costOf({ input: 1_000_000, cachedInput: 400_000, output: 1 }, { input: 10, output: 1, cachedInput: 5 })).toBe(9);
  });
});

describe('approval of calls', () => {
  const write =
    'agents:\n  helper:\n    - tool_calls: [{ name: write_file, arguments: { path: a, content: "token: abcdefgh12345678" } }]\n    - text: done';
  const approving = agent('', `nodes:\n${ask('ask', ', approve: [write_file]')}`);
  const decided = (decision: 'approved' | 'rejected') => ({ 'ask/call[1]': { decision, by: 'ada', afterMs: 5 } });

  it('opens a gate that shows what would be touched and nothing of the content', async () => {
    const ran = await runYaml(approving, { script: write, gates: decided('approved') });
    expect(ran.outputs).toEqual({ ask: 'done' });
    expect(ran.calls.get('ask')).toBe(1);
    const opened = ran.events.find(({ type }) => type === 'gate:opened');
    expect(opened).toMatchObject({ node: 'ask/call[1]', gateType: 'approval', message: '"ask" wants to use write_file: "a"' });
  });

  it('that is refused does nothing, and the model is told', async () => {
    const ran = await runYaml(approving, { script: write, gates: decided('rejected') });
    expect(ran.outputs).toEqual({ ask: 'done' });
    expect(ran.calls.get('ask')).toBeUndefined();
    expect(ran.requests[1]?.messages.at(-1)).toMatchObject({
      results: [{ isError: true, text: expect.stringContaining('the call was not approved') }],
    });
  });

  it('of every governed call is asked for where the run says so, also of tool nodes', async () => {
    const workflow = `nodes:\n  - { id: w, type: tool, tool: write_file, tool_config: { path: a, content: b } }\n  - { id: r, type: tool, tool: read_file, tool_config: { path: a }, needs: [w] }`;
    const ran = await runYaml(workflow, { asks: true, gates: { 'w/call[1]': { decision: 'approved', by: 'ada' } } });
    expect(ran.status).toBe('succeeded');
    expect(ran.events.filter(({ type }) => type === 'gate:opened')).toHaveLength(1);
    const refused = await runYaml(workflow, { asks: true, gates: { 'w/call[1]': { decision: 'rejected', by: 'ada' } } });
    expect(refused.error).toMatchObject({ code: 'tool_denied', details: { reason: 'rejected_by_user' } });
  });

  it('gives up the slot while it waits, takes one again, and leaves none taken', async () => {
    const nodes = ['one', 'two', 'three'].map(
      (id) => `  - { id: ${id}, type: tool, tool: read_file, tool_config: { path: a }, needs: [first] }`,
    );
    const workflow = `max_parallel: 1\nagents:\n  - { id: helper, provider: anthropic, model: m, system_prompt: Help., tools: [write_file] }\nnodes:
${ask('ask', ', approve: [write_file]')}  - { id: first, type: tool, tool: read_file, tool_config: { path: a } }\n${nodes.join('\n')}\n`;
    const ran = await runYaml(workflow, {
      script: write,
      gates: { 'ask/call[1]': { decision: 'approved', by: 'ada', afterMs: 100 } },
      files: { a: 'A' },
    });
    expect(ran.outputs).toMatchObject({ ask: 'done' });
    const ended = ran.events.flatMap((event) => (event.type === 'node:succeeded' ? [event.node] : []));
    expect(ended).toEqual(['first', 'one', 'two', 'three', 'ask']);
  });

  it('is over when the run is cancelled', async () => {
    const ran = await runYaml(approving, { script: write, cancelAtMs: 50 });
    expect(ran.status).toBe('cancelled');
    expect(ran.calls.get('ask')).toBeUndefined();
  });
});
