import { describe, expect, it } from 'vitest';
import { requirement, requirements } from '../../requirement.js';
import { runYaml, story } from '../run/run-yaml.js';

const agents = `
agents:
  - { id: lead, provider: scripted, model: s, system_prompt: Lead. }
  - id: aide
    provider: scripted
    model: s
    description: Looks things up
    system_prompt: Aid {{ input.who | default("nobody") }}.
    input_schema: { type: object, required: [task], properties: { task: { type: string } } }
`;
const nodes = (aide = '', lead = '') => `
nodes:
  - { id: lead, type: agent, agent_ref: lead, prompt_template: Go, invokes: [aide]${lead} }
  - { id: aide, type: agent, agent_ref: aide, invoke_only: true${aide} }`;
const invoke = (input: string, id = 'aide') => `tool_calls: [{ name: invoke_agent, arguments: { node_id: ${id}, input: ${input} } }]`;

describe('an agent that invokes another', () => {
  it(requirements(['IA-01', 'IA-03', 'IA-04'], 'sees whom it may invoke, and gets the answer as the result of its call'), async () => {
    const ran = await runYaml(agents + nodes(), {
      script: `agents: { lead: [{ ${invoke('{ task: find }')} }, { text: thanks }], aide: [{ text: found, usage: { input: 3, output: 4 } }] }`,
    });
    expect(ran.outputs).toEqual({ lead: 'thanks' });
    const [tool] = ran.requests[0]?.tools ?? [];
    expect(tool).toMatchObject({ name: 'invoke_agent', parameters: { properties: { node_id: { enum: ['aide'] } } } });
    expect(JSON.stringify(tool)).toContain('Looks things up');
    expect(ran.requests.map(({ agent }) => agent)).toEqual(['lead', 'aide', 'lead']);
    expect(ran.requests[1]).toMatchObject({ system: 'Aid nobody.', messages: [{ text: '{\n  "task": "find"\n}' }] });
    expect(story(ran.events).filter((line) => line.startsWith('node:'))).toEqual([
      'node:started lead',
      'node:started lead/call[1]/aide',
      'node:succeeded lead/call[1]/aide',
      'node:succeeded lead',
    ]);
    expect(ran.events.find((event) => 'parent' in event)).toMatchObject({ node: 'lead/call[1]/aide', parent: 'lead#1.1' });
    expect(ran.state.spent?.usage).toEqual({ inputTokens: 3, outputTokens: 4 });
  });

  it(requirement('IA-02', 'fills the prompt of the invoked node with its input'), async () => {
    const ran = await runYaml(agents + nodes(", prompt_template: 'Do {{ input.task }}'"), {
      script: `agents: { lead: [{ ${invoke('{ task: find, who: Ada }')} }, { text: thanks }], aide: [{ text: found }] }`,
    });
    expect(ran.requests[1]).toMatchObject({ system: 'Aid Ada.', messages: [{ role: 'user', text: 'Do find' }] });
  });

  it.each([
    ['with a wrong input', invoke('{ job: x }'), 'invalid_args'],
    ['that it may not invoke', invoke('{ task: x }', 'lead'), 'tool_denied'],
    ['that does not exist', invoke('{ task: x }', 'nobody'), 'tool_denied'],
  ])('is told of one %s', async (_, call, code) => {
    const ran = await runYaml(agents + nodes(), { script: `agents: { lead: [{ ${call} }, { text: sorry }], aide: [{ text: found }] }` });
    expect(ran.outputs).toEqual({ lead: 'sorry' });
    expect(ran.requests).toHaveLength(2);
    expect(ran.requests[1]?.messages.at(-1)).toMatchObject({ results: [{ isError: true, text: expect.stringContaining(`\n${code}: `) }] });
  });

  it('is told of its failure, after the attempts of the invoked node, and may go on', async () => {
    const ran = await runYaml(agents + nodes(', retry: { max: 2, backoff_ms: 50 }'), {
      script: `agents: { lead: [{ ${invoke('{ task: x }')} }, { text: alone then }], aide: [{ error: { code: provider_unavailable } }, { error: { code: provider_unavailable } }] }`,
    });
    expect([ran.outputs, ran.tookMs]).toEqual([{ lead: 'alone then' }, 50]);
    expect(ran.statuses['lead/call[1]/aide']).toBe('failed');
    expect(ran.requests.at(-1)?.messages.at(-1)).toMatchObject({ results: [{ text: expect.stringContaining('provider_unavailable') }] });
  });

  it('runs it under limits of its own and under those of the caller', async () => {
    const script = `agents: { lead: [{ ${invoke('{ task: x }')} }, { text: late }], aide: [{ text: slow, delay_ms: 1000 }] }`;
    const own = await runYaml(agents + nodes(', timeout_ms: 100'), { script });
    expect([own.outputs, own.tookMs]).toEqual([{ lead: 'late' }, 100]);
    const callers = await runYaml(agents + nodes('', ', timeout_ms: 200'), { script });
    expect([callers.error?.code, callers.tookMs]).toEqual(['timeout', 200]);
    const cancelled = await runYaml(agents + nodes(), { script, cancelAtMs: 300 });
    expect([cancelled.status, cancelled.tookMs, cancelled.statuses['lead/call[1]/aide']]).toEqual(['cancelled', 300, 'cancelled']);
  });

  it('shares its slot: one agent at a time, also where one answer invokes two', async () => {
    const two = `tool_calls: [{ name: invoke_agent, arguments: { node_id: aide, input: { task: a } } }, { name: invoke_agent, arguments: { node_id: aide, input: { task: b } } }]`;
    const ran = await runYaml(agents + nodes(), {
      maxParallel: 1,
      script: `agents: { lead: [{ ${two} }, { text: both }], aide: [{ text: one, delay_ms: 100 }, { text: two, delay_ms: 100 }] }`,
    });
    expect([ran.outputs, ran.tookMs]).toEqual([{ lead: 'both' }, 200]);
    expect(Object.keys(ran.statuses)).toEqual(['lead', 'lead/call[1]/aide', 'lead/call[2]/aide']);
  });

  it('is stopped eight deep', async () => {
    const deeper = Array.from({ length: 9 }, () => `{ ${invoke('{ task: x }', 'self')} }`);
    const ran = await runYaml(
      `agents: [{ id: self, provider: scripted, model: s, system_prompt: Me. }]
nodes:
  - { id: self, type: agent, agent_ref: self, prompt_template: Go, invokes: [self] }`,
      {
        script: `agents: { self: [${[...deeper.slice(0, 8), ...Array.from({ length: 8 }, (_, at) => `{ text: 'up ${at}' }`)].join(', ')}] }`,
      },
    );
    expect(ran.outputs).toEqual({ self: 'up 7' });
    expect(ran.events.filter((event) => event.type === 'node:started')).toHaveLength(8);
    expect(ran.requests[8]?.messages.at(-1)).toMatchObject({
      results: [{ isError: true, text: expect.stringContaining('\nrecursion_limit: ') }],
    });
  });

  it('may be a tool node, which names the agent as a literal', async () => {
    const ran = await runYaml(
      `${agents}
nodes:
  - { id: go, type: tool, tool: invoke_agent, tool_config: { node_id: aide }, input_mapping: { input: '({ task: "find" })' } }
  - { id: aide, type: agent, agent_ref: aide, invoke_only: true }`,
      { script: 'agents: { aide: [{ text: found }] }' },
    );
    expect(ran.outputs).toEqual({ go: 'found' });
    expect(ran.statuses).toEqual({ go: 'succeeded', 'go/call[1]/aide': 'succeeded' });
  });
});

describe('an agent that is invoke_only', () => {
  it('has no place in the schedule, in a loop neither', async () => {
    const ran = await runYaml(
      `${agents}
nodes:
  - id: each
    type: loop
    for_each: '[1, 2]'
    body:
      nodes:
        - { id: lead, type: agent, agent_ref: lead, prompt_template: 'Go {{ item }}', invokes: [aide] }
        - { id: aide, type: agent, agent_ref: aide, invoke_only: true }`,
      { script: `agents: { lead: [{ text: one }, { ${invoke('{ task: x }')} }, { text: two }], aide: [{ text: found }] }` },
    );
    expect(ran.outputs.each).toMatchObject({ results: ['one', 'two'], errors: [] });
    expect(Object.keys(ran.statuses)).toEqual(['each', 'each[0].lead', 'each[1].lead', 'each[1].lead/call[1]/aide']);
  });
});
