import { describe, expect, it } from 'vitest';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../../../engine/src/index.js';
import { nodeClock } from '../../../../hosts/node/src/clock/node-clock.js';
import { createModels } from '../../../../hosts/node/src/models/models.js';
import { providerOptions, providerProfiles } from '../../../../hosts/node/src/models/provider-profile.js';
import { environmentSecrets } from '../../../../hosts/node/src/secrets/environment-secrets.js';

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  readonly body: any;
}

/** A model whose requests are kept, and answered with these events. */
async function answering(provider: string, model: string, events: readonly unknown[]): Promise<{ model: LanguageModel; sent: Sent[] }> {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push({ url: String(input), headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) });
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  };
  const models = createModels({
    secrets: environmentSecrets({ [`RELAVIUM_SECRET_${provider.toUpperCase()}`]: 'banana' }),
    egress: { fetch },
    clock: nodeClock(),
    reader: { relative: () => missing, byId: () => missing, ids: () => [] },
    workspace: '/',
  });
  return { model: await models.open({ provider, model }), sent };
}

const missing = { ok: false, problem: 'missing', message: 'there are no files here' } as const;

async function eventsOf(model: LanguageModel, more: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const request: ModelRequest = { system: 'Be brief.', messages: [{ role: 'user', text: 'Hello?' }], tools: [], settings: {}, ...more };
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, new AbortController().signal)) events.push(event);
  return events;
}

const tool = {
  name: 'read_file',
  description: 'Reads a file',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, tree: { $ref: '#/$defs/Tree' }, key: { enum: ['a', 1] }, any: true },
    required: ['path'],
    $defs: { Tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/Tree' } } } } },
  },
};

describe('OpenAI', () => {
  const response = { id: 'resp_1', created_at: 1, model: 'gpt-5-mini' };
  const events = [
    { type: 'response.created', response },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', encrypted_content: null, summary: [] } },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed', summary: [] },
    },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'read_file', arguments: '' },
    },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: '{"path":"a"}' },
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: { type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'read_file', arguments: '{"path":"a"}', status: 'completed' },
    },
    {
      type: 'response.completed',
      response: {
        ...response,
        usage: {
          input_tokens: 20,
          input_tokens_details: { cached_tokens: 16 },
          output_tokens: 7,
          output_tokens_details: { reasoning_tokens: 4 },
        },
      },
    },
  ];

  it('is asked to keep nothing, is told that tools are not strict, and is given its sealed reasoning back', async () => {
    const { model, sent } = await answering('openai', 'gpt-5-mini', events);
    const answer = await eventsOf(model, { tools: [tool], settings: { reasoningEffort: 'low' } });
    const parts = answer.flatMap((event) => (event.type === 'part' ? [event.part] : []));
    expect(parts).toMatchObject([
      { kind: 'reasoning', text: '' },
      { kind: 'tool_call', id: 'call_a', name: 'read_file', arguments: '{"path":"a"}' },
    ]);
    expect(answer.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls', usage: { input: 20, cachedInput: 16, output: 7, reasoning: 4 } });

    const results = [{ id: 'call_a', name: 'read_file', text: 'tea', isError: false }];
    await eventsOf(model, {
      tools: [tool],
      messages: [
        { role: 'user', text: 'Hello?' },
        { role: 'assistant', parts },
        { role: 'tool', results },
      ],
    });
    const [first, second] = sent;
    expect(first?.url).toBe('https://api.openai.com/v1/responses');
    expect(first?.body).toMatchObject({ store: false, stream: true, max_output_tokens: 32000, reasoning: { effort: 'low' } });
    expect(first?.body.tools[0]).toMatchObject({ type: 'function', name: 'read_file', strict: false, parameters: tool.parameters });
    expect(second?.body.input.slice(2)).toMatchObject([
      { type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed' },
      { type: 'function_call', call_id: 'call_a', arguments: '{"path":"a"}' },
      { type: 'function_call_output', call_id: 'call_a', output: 'tea' },
    ]);
  });
});

describe('Google', () => {
  const events = [
    {
      candidates: [
        {
          content: {
            parts: [
              { text: 'Hmm.', thought: true },
              { functionCall: { name: 'read_file', args: { path: 'a' } }, thoughtSignature: 'signed' },
              { functionCall: { name: 'read_file', args: {} } },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, thoughtsTokenCount: 2, cachedContentTokenCount: 4 },
    },
  ];

  it('is given schemas without recursion and mixed values, and its signatures back', async () => {
    const { model, sent } = await answering('google', 'gemini-2.5-flash', events);
    const answer = await eventsOf(model, { tools: [tool], settings: { reasoningEffort: 'high' }, outputSchema: { type: 'object' } });
    const parts = answer.flatMap((event) => (event.type === 'part' ? [event.part] : []));
    expect(parts).toMatchObject([
      { kind: 'reasoning', text: 'Hmm.' },
      { kind: 'tool_call', name: 'read_file', arguments: '{"path":"a"}', metadata: { google: { thoughtSignature: 'signed' } } },
      { kind: 'tool_call', name: 'read_file', arguments: '{}' },
    ]);
    expect(answer.at(-1)).toMatchObject({ reason: 'tool_calls', usage: { input: 9, cachedInput: 4, output: 5, reasoning: 2 } });

    await eventsOf(model, {
      tools: [tool],
      messages: [
        { role: 'user', text: 'Hello?' },
        { role: 'assistant', parts },
      ],
    });
    const [first, second] = sent;
    expect(first?.headers.get('x-goog-api-key')).toBe('banana');
    expect(first?.body.generationConfig).toMatchObject({ maxOutputTokens: 32000, thinkingConfig: { thinkingBudget: 16384 } });
    expect(first?.body.generationConfig.responseMimeType).toBeUndefined();
    const [{ parameters }] = first?.body.tools[0].functionDeclarations ?? [];
    expect(parameters.properties.path).toEqual({ type: 'string' });
    expect(parameters.properties.key.enum).toBeUndefined();
    expect(JSON.stringify(second?.body.contents)).toContain('"thoughtSignature":"signed"');
  });
});

describe('DeepSeek', () => {
  const chunk = (delta: unknown, finish_reason: string | null = null) => ({ id: 'x', choices: [{ index: 0, delta, finish_reason }] });
  const events = [
    chunk({ role: 'assistant', reasoning_content: 'Hmm.' }),
    chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'read_file', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":"a"}' } }] }),
    chunk({}, 'tool_calls'),
  ];

  it('is given its reasoning back beside its calls', async () => {
    const { model, sent } = await answering('deepseek', 'deepseek-v4-flash', events);
    const answer = await eventsOf(model, { tools: [tool], settings: { reasoningEffort: 'medium' } });
    const parts = answer.flatMap((event) => (event.type === 'part' ? [event.part] : []));
    expect(parts).toMatchObject([
      { kind: 'reasoning', text: 'Hmm.' },
      { kind: 'tool_call', id: 'a', arguments: '{"path":"a"}' },
    ]);
    const results = [{ id: 'a', name: 'read_file', text: 'tea', isError: false }];
    await eventsOf(model, {
      tools: [tool],
      messages: [
        { role: 'user', text: 'Hello?' },
        { role: 'assistant', parts },
        { role: 'tool', results },
      ],
    });
    expect(sent[0]?.body).toMatchObject({ thinking: { type: 'enabled' }, reasoning_effort: 'high', max_tokens: 32000 });
    expect(sent[1]?.body.messages[2]).toMatchObject({ role: 'assistant', reasoning_content: 'Hmm.', tool_calls: [{ id: 'a' }] });
  });
});

describe('the effort of reasoning', () => {
  it.each([
    ['anthropic', 'claude-3-5-haiku-latest', 'high', {}],
    ['anthropic', 'claude-3-7-sonnet-latest', 'low', { anthropic: { thinking: { type: 'enabled', budgetTokens: 2048 } } }],
    ['anthropic', 'claude-sonnet-4-20250514', 'off', { anthropic: { thinking: { type: 'disabled' } } }],
    ['anthropic', 'claude-haiku-4-5', 'max', { anthropic: { thinking: { type: 'enabled', budgetTokens: 31_999 } } }],
    ['anthropic', 'claude-opus-4-6', 'max', { anthropic: { thinking: { type: 'adaptive', display: 'summarized' }, effort: 'max' } }],
    ['openai', 'gpt-4.1', 'high', { openai: { store: false } }],
    ['openai', 'gpt-5-chat-latest', 'high', { openai: { store: false } }],
    ['openai', 'o3', 'off', { openai: { store: false, reasoningEffort: 'low' } }],
    ['openai', 'gpt-5-mini', 'off', { openai: { store: false, reasoningEffort: 'minimal' } }],
    ['openai', 'gpt-5.1', 'off', { openai: { store: false, reasoningEffort: 'none' } }],
    ['openai', 'gpt-5.2', 'max', { openai: { store: false, reasoningEffort: 'xhigh' } }],
    ['google', 'gemini-2.0-flash', 'high', {}],
    ['google', 'gemini-2.5-pro', 'off', { google: { thinkingConfig: { thinkingBudget: 128, includeThoughts: false } } }],
    ['google', 'gemini-3-pro-preview', 'max', { google: { thinkingConfig: { thinkingLevel: 'high', includeThoughts: true } } }],
    ['deepseek', 'deepseek-chat', 'high', {}],
    ['openai-compatible', 'qwen3', 'off', { openaiCompatible: { reasoningEffort: 'none' } }],
  ] as const)('is said to %s %s, asked for %s, as the model understands it', (provider, model, effort, expected) => {
    expect(providerOptions(providerProfiles[provider], model, effort, undefined)).toEqual(expected);
  });
});
