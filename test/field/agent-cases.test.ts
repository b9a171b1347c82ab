import { createModels, createSourceReader, environmentSecrets, nodeClock } from '@relavium/host-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeProvider, fakeProvider, type Reply, type Step, type Wire } from '../unit/host-node/models/fake-provider.js';
import { git } from '../workflows/run-workflow.js';
import { openProject, type Project, type Ran } from './project.js';

let provider: FakeProvider;
let project: Project;

beforeEach(async () => {
  provider = await fakeProvider('chat');
  project = openProject({ 'a.txt': 'A', 'b.txt': 'B' });
});
afterEach(async () => {
  await provider.close();
  project.close();
});

const workflow = (node: string, agent = '') => `
schema_version: '1.0'
workflow:
  id: ask
  inputs: [{ name: plan, type: string, default: none }]
  agents:
    - id: helper
      provider: openai-compatible
      model: stub-small
      base_url: ${provider.origin}/v1
      system_prompt: Help.
      tools: [read_file, git_status]
${agent}
  nodes:
    - id: ask
      type: agent
      agent_ref: helper
${node.replace(/^/gm, '      ')}
`;

const run = (node: string, given: Parameters<Project['run']>[1] = {}): Promise<Ran> =>
  project.run(workflow(node), { models: [provider.origin], ...given });

const says = (text: string): Reply => ({ steps: [{ text }], finish: 'stop' });

/** The texts of the tool results that the last request holds, by the id of their call. */
function results(): Readonly<Record<string, string>> {
  const messages: readonly { readonly role: string; readonly tool_call_id: string; readonly content: string }[] =
    provider.requests.at(-1)?.body.messages;
  return Object.fromEntries(messages.filter(({ role }) => role === 'tool').map(({ tool_call_id: id, content }) => [id, content]));
}

describe('F04, F05: what reaches the model', () => {
  it('is the prompt with the value put in after the file was read, line for line', async () => {
    const plan = "goal: one\n  - two: 2\n# three\nmodel: other\n'";
    provider.answer(says('done'));
    const { outputs } = await run('prompt_template: |\n  Carry out this plan:\n  {{ inputs.plan }}\n  Then stop.', { inputs: { plan } });
    expect(outputs).toEqual({ ask: 'done' });
    expect(provider.requests[0]?.body).toMatchObject({
      model: 'stub-small',
      messages: [
        { role: 'system', content: 'Help.' },
        { role: 'user', content: `Carry out this plan:\n${plan}\nThen stop.\n` },
      ],
    });
  });

  it('has every brace that is no hole as it was written', async () => {
    const prompt = 'Reply like {"name": "x", "tags": ["a", "b"]}.\nShell text such as $' + '{HOME} and an empty { } stay as they are.\n';
    provider.answer(says('done'));
    await run(`prompt_template: |\n${prompt.replace(/^(?=.)/gm, '  ')}  Topic: {{ inputs.plan }}`, {
      inputs: { plan: '{{ inputs.plan }}' },
    });
    expect(provider.requests[0]?.body.messages[1].content.trimEnd()).toBe(`${prompt}Topic: {{ inputs.plan }}`);
  });
});

describe('F26: a provider that asks for patience', () => {
  const retry = 'retry: { max: 2, backoff_ms: 10 }\nprompt_template: hello';
  const refusal = (header: string): Reply => ({
    status: 429,
    headers: { 'retry-after': header },
    body: { error: { message: 'slow down' } },
  });

  it.each([
    ['seconds', () => '1', 950],
    ['a date', () => new Date(Date.now() + 2_000).toUTCString(), 900],
  ])('gets it, told in %s', async (_, header, leastMs) => {
    provider.answer(refusal(header()), says('hi'));
    const ran = await run(retry);
    expect(ran.outputs).toEqual({ ask: 'hi' });
    expect(ran.tookMs).toBeGreaterThan(leastMs);
  });

  it('is not waited for when it asks for more than the author allows, and the run says what it asked', async () => {
    provider.answer(refusal('86400'));
    const ran = await run(retry);
    expect(ran.error).toMatchObject({ code: 'provider_rate_limit', message: expect.stringContaining('86400000 ms') });
    expect(ran.tookMs).toBeLessThan(5_000);
  });

  it('is asked again after the usual pause when its words make no sense', async () => {
    provider.answer(refusal('soon'), says('hi'));
    const ran = await run(retry);
    expect(ran.outputs).toEqual({ ask: 'hi' });
    expect(ran.tookMs).toBeLessThan(900);
  });

  it('may be 5xx, too, with the header of milliseconds', async () => {
    provider.answer({ status: 503, headers: { 'retry-after-ms': '300' }, body: {} }, says('hi'));
    expect((await run(retry)).tookMs).toBeGreaterThan(280);
  });
});

describe('F27: a tool call without arguments', () => {
  it.each([
    ['the empty text', ''],
    ['spaces', '   '],
    ['nothing at all', undefined],
    ['an empty object', '{}'],
  ])('that are %s runs once, and its result goes back under its id', async (_, json) => {
    git(project.folder, 'init', '-q');
    const call: Step = { call: { index: 0, id: 'call-7', name: 'git_status', ...(json === undefined ? {} : { json }) } };
    provider.answer({ steps: [call], finish: 'tool_calls' }, says('done'));
    const ran = await run("agent_config: { git_status: { tool_config: { subcommand: status } } }\nprompt_template: 'What changed?'");
    expect(ran.outputs).toEqual({ ask: 'done' });
    expect(ran.events.filter(({ type }) => type === 'agent:tool_call')).toHaveLength(1);
    expect(Object.keys(results())).toEqual(['call-7']);
    expect(results()['call-7']).toContain('a.txt');
  });

  it.each([
    ['with an end', 'tool_calls'],
    ['at the limit of the answer', 'length'],
    ['without an end', undefined],
  ] as const)('that breaks off %s does nothing, and the model is told', async (_, finish) => {
    const steps: readonly Step[] = [{ call: { index: 0, id: 'half', name: 'read_file', json: '{"path' } }];
    provider.answer({ steps, ...(finish === undefined ? {} : { finish }) }, says('sorry'));
    const ran = await run('prompt_template: Read');
    expect(ran.outputs).toEqual({ ask: 'sorry' });
    expect(results().half).toContain('the arguments are not one complete JSON object; nothing was done');
  });
});

describe('F28: parallel calls whose pieces come mixed', () => {
  const piece = (index: number, json: string, id?: string): Step => ({
    call: { index, json, ...(id === undefined ? {} : { id, name: 'read_file' }) },
  });
  const streams: readonly (readonly [string, readonly Step[]])[] = [
    [
      'by number',
      [piece(0, '', 'a'), piece(1, '', 'b'), piece(0, '{"path":"a'), piece(1, '{"path":"b'), piece(0, '.txt"}'), piece(1, '.txt"}')],
    ],
    [
      'under one number with different ids',
      [piece(0, '{"path":"a', 'a'), piece(0, '.txt"}'), piece(0, '{"path":"b', 'b'), piece(0, '.txt"}')],
    ],
  ];

  it.each(streams)('are put together %s, and each result goes to its own call, in their order', async (_, steps) => {
    provider.answer({ steps, finish: 'tool_calls', bytes: 7 }, says('done'));
    const ran = await run('prompt_template: Read both.');
    expect(ran.outputs).toEqual({ ask: 'done' });
    expect(Object.entries(results()).map(([id, text]) => [id, /"content":"(.)"/.exec(text)?.[1]])).toEqual([
      ['a', 'A'],
      ['b', 'B'],
    ]);
  });
});

describe.each<Wire>(['chat', 'messages'])('a run whose model speaks the %s format', (wire) => {
  /** The vendor's own address stands for the server of the test. */
  const models = () =>
    createModels({
      secrets: environmentSecrets({ ANTHROPIC_API_KEY: 'banana' }),
      egress: { fetch: (url, init) => fetch(String(url).replace('https://api.anthropic.com', provider.origin), init) },
      clock: nodeClock(),
      reader: createSourceReader({ root: project.folder, cwd: project.folder }),
      workspace: project.folder,
    });

  it('reads, answers and counts', async () => {
    await provider.close();
    provider = await fakeProvider(wire);
    const call: Step = { call: { index: 1, id: 'x', name: 'read_file', json: '{"path":"a.txt"}' } };
    provider.answer(
      { steps: [{ text: 'Looking.' }, call], finish: 'tool_calls', usage: { input: 20, cached: 5, output: 3 } },
      { steps: [{ text: 'It says A.' }], finish: 'stop', usage: { input: 40, cached: 20, output: 4 } },
    );
    const named = wire === 'chat' ? '' : 'provider: anthropic\nmodel: claude-sonnet-4-5\n';
    const ran = await run(`${named}prompt_template: Read`, { models: models() });
    expect(ran.outputs).toEqual({ ask: 'It says A.' });
    expect(ran.events.at(-1)).toMatchObject({ usage: { inputTokens: 60, outputTokens: 7, cachedInputTokens: 25 } });
    expect(JSON.stringify(provider.requests[1]?.body.messages)).toContain('result 1 of read_file');
    if (wire === 'messages') expect(provider.requests[0]?.headers['x-api-key']).toBe('banana');
  });
});
