import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AssistantPart,
  type LanguageModel,
  ModelError,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
  type SourceReader,
} from '../../../../engine/src/index.js';
import { nodeClock } from '../../../../hosts/node/src/clock/node-clock.js';
import { createEgress, type NodeEgress } from '../../../../hosts/node/src/egress/create-egress.js';
import { createModels } from '../../../../hosts/node/src/models/models.js';
import { environmentSecrets } from '../../../../hosts/node/src/secrets/environment-secrets.js';
import { type FakeProvider, fakeProvider, type Reply, type Step, type Wire } from './fake-provider.js';

const KEY = 'not-a-real-key-banana';
const reader: SourceReader = {
  relative: () => ({ ok: false, problem: 'missing', message: 'there are no files here' }),
  byId: () => ({ ok: false, problem: 'missing', message: 'there are no files here' }),
  ids: () => [],
};

const readFile = {
  name: 'read_file',
  description: 'Reads a file',
  parameters: { type: 'object', properties: { path: { type: 'string', pattern: '^[a-z.]+$' } }, required: ['path'] },
} as const;

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Hello?' }],
  tools: [readFile],
  settings: {},
  ...more,
});

let provider: FakeProvider;
let egress: NodeEgress;

/** The model of a wire format, made as in a run; the vendor's own address leads to the fake one. */
async function openModel(wire: Wire): Promise<LanguageModel> {
  egress = createEgress({ allowLocal: [provider.origin] });
  const fetch: typeof globalThis.fetch = (input, init) =>
    egress.fetch(String(input).replace('https://api.anthropic.com', provider.origin), init);
  const secrets = environmentSecrets({ ANTHROPIC_API_KEY: KEY, RELAVIUM_SECRET_OPENAI_COMPATIBLE: KEY });
  const models = createModels({ secrets, egress: { fetch }, clock: nodeClock(), reader, workspace: '/' });
  return wire === 'chat'
    ? models.open({ provider: 'openai-compatible', model: 'fake-model', baseUrl: `${provider.origin}/v1` })
    : models.open({ provider: 'anthropic', model: 'claude-sonnet-4-5' });
}

async function eventsOf(model: LanguageModel, asked = request(), signal = new AbortController().signal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(asked, signal)) events.push(event);
  return events;
}

async function failureOf(model: LanguageModel): Promise<{ error: ModelError; events: ModelEvent[] }> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of model.stream(request(), new AbortController().signal)) events.push(event);
  } catch (error) {
    expect(error).toBeInstanceOf(ModelError);
    return { error: error as ModelError, events };
  }
  throw new Error('the stream did not fail');
}

const partsOf = (events: readonly ModelEvent[]) => events.flatMap((event) => (event.type === 'part' ? [event.part] : []));
const callsOf = (events: readonly ModelEvent[]) =>
  partsOf(events).flatMap((part) => (part.kind === 'tool_call' ? [{ id: part.id, name: part.name, arguments: part.arguments }] : []));
const finishOf = (events: readonly ModelEvent[]) => events.filter((event) => event.type === 'finish').map(({ reason }) => reason);

describe.each<{ wire: Wire }>([{ wire: 'chat' }, { wire: 'messages' }])('a model behind the $wire format', ({ wire }) => {
  beforeEach(async () => {
    provider = await fakeProvider(wire);
  });
  afterEach(async () => {
    await provider.close();
    await egress?.close();
  });

  const given = async (...replies: Reply[]) => {
    provider.answer(...replies);
    return openModel(wire);
  };

  it.each([1, 3, 7, 64])('gives text piece by piece, whole characters only, when it comes %i bytes at a time', async (bytes) => {
    const words = ['Grüße ', 'aus ', '東京 ', '🍵', '!'];
    const model = await given({ steps: words.map((text) => ({ text })), finish: 'stop', bytes });
    const events = await eventsOf(model);
    expect(events.filter((event) => event.type === 'text').map(({ delta }) => delta)).toEqual(words);
    expect(partsOf(events)).toMatchObject([{ kind: 'text', text: 'Grüße aus 東京 🍵!' }]);
    expect(finishOf(events)).toEqual(['stop']);
  });

  it('asks for a stream with the key, the instructions, the tools and a limit on the answer, and for nothing else', async () => {
    const model = await given({ steps: [{ text: 'Hi' }], finish: 'stop' });
    await eventsOf(model, request({ settings: { temperature: 0.2, maxOutputTokens: 77 } }));
    const [{ path, headers, body }] = provider.requests as [(typeof provider.requests)[0]];
    expect(path).toBe(wire === 'chat' ? '/v1/chat/completions' : '/v1/messages');
    expect(wire === 'chat' ? headers.authorization : headers['x-api-key']).toBe(wire === 'chat' ? `Bearer ${KEY}` : KEY);
    expect(body).toMatchObject({ stream: true, max_tokens: 77, temperature: 0.2 });
    expect(JSON.stringify(body)).not.toContain('image');
    const [tool] = body.tools;
    expect(wire === 'chat' ? tool.function.name : tool.name).toBe('read_file');
    if (wire === 'chat') expect(body.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
    else expect(body.system).toMatchObject([{ text: 'Be brief.' }]);
  });

  it('limits the answer where the agent does not', async () => {
    const model = await given({ steps: [{ text: 'Hi' }], finish: 'stop' });
    await eventsOf(model);
    expect(provider.requests[0]?.body.max_tokens).toBe(8192);
  });

  it('keeps the pieces of parallel calls apart and gives each call whole', async () => {
    const steps: Step[] = [
      { text: 'Reading.' },
      { call: { index: 0, id: 'a', name: 'read_file' } },
      { call: { index: 1, id: 'b', name: 'read_file' } },
      { call: { index: 0, json: '{"path":"a' } },
      { call: { index: 1, json: '{"path":"b' } },
      { call: { index: 0, json: '.txt"}' } },
      { call: { index: 1, json: '.txt"}' } },
    ];
    const events = await eventsOf(await given({ steps, finish: 'tool_calls', bytes: 11 }));
    expect(callsOf(events)).toEqual([
      { id: 'a', name: 'read_file', arguments: '{"path":"a.txt"}' },
      { id: 'b', name: 'read_file', arguments: '{"path":"b.txt"}' },
    ]);
    expect(finishOf(events)).toEqual(['tool_calls']);
  });

  it('makes repeated ids unique', async () => {
    const steps: Step[] = [0, 1, 2].map((index) => ({ call: { index, id: 'same', name: 'read_file', json: `{"path":"${index}"}` } }));
    const calls = callsOf(await eventsOf(await given({ steps, finish: 'tool_calls' })));
    expect(calls.map((call) => call.arguments)).toEqual(['{"path":"0"}', '{"path":"1"}', '{"path":"2"}']);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
    expect(calls[0]?.id).toBe('same');
  });

  it.each(['', undefined])('gives a call whose arguments are the text %j', async (json) => {
    const call = { index: 0, id: 'a', name: 'git_status', ...(json === undefined ? {} : { json }) };
    const [made] = callsOf(await eventsOf(await given({ steps: [{ call }], finish: 'tool_calls' })));
    expect(made).toMatchObject({ id: 'a', name: 'git_status' });
    expect(['', '{}']).toContain(made?.arguments);
  });

  const half: Step = { call: { index: 1, id: 'b', name: 'read_file', json: '{"path":"b' } };
  const whole: Step = { call: { index: 0, id: 'a', name: 'read_file', json: '{"path":"a"}' } };

  it('marks a call that the limit on the answer cut off, and not the whole one before it', async () => {
    const events = await eventsOf(await given({ steps: [whole, half], finish: 'length' }));
    const made = partsOf(events).filter((part) => part.kind === 'tool_call' && part.isCutOff !== true);
    expect(made).toMatchObject([{ id: 'a' }]);
    expect(finishOf(events)).toEqual(['length']);
  });

  it('gives a call that is no JSON as it stands when the model meant to end there', async () => {
    const events = await eventsOf(await given({ steps: [half], finish: 'tool_calls' }));
    expect(callsOf(events)).toEqual([{ id: 'b', name: 'read_file', arguments: '{"path":"b' }]);
  });

  it('marks all calls when the stream ends without an end', async () => {
    const events = await eventsOf(await given({ steps: [{ text: 'Reading.' }, whole, half] }));
    const made = partsOf(events).flatMap((part) => (part.kind === 'tool_call' ? [[part.id, part.isCutOff]] : []));
    expect(made).toEqual([
      ['a', true],
      ['b', true],
    ]);
    expect(events).toContainEqual({ type: 'text', delta: 'Reading.' });
    expect(finishOf(events)).toEqual(['other']);
  });

  it('is unavailable when its words end without an end', async () => {
    const { error } = await failureOf(await given({ steps: [{ text: 'Once upon' }] }));
    expect(error.code).toBe('provider_unavailable');
  });

  it('is unavailable when the connection breaks half-way', async () => {
    const { error, events } = await failureOf(await given({ steps: [{ text: 'Once upon' }, half], bytes: 40, after: 'break' }));
    expect(error).toMatchObject({ code: 'provider_unavailable', status: undefined });
    expect(callsOf(events)).toEqual([]);
  });

  it('says that content was filtered when the model refuses', async () => {
    const events = await eventsOf(await given({ steps: [{ text: 'I will not.' }], finish: 'refusal' }));
    expect(finishOf(events)).toEqual(['content_filter']);
    expect(partsOf(events)).toMatchObject([{ kind: 'text', text: 'I will not.' }]);
  });

  it('counts tokens, those that were cached among the input', async () => {
    const events = await eventsOf(await given({ steps: [{ text: 'Hi' }], finish: 'stop', usage: { input: 120, cached: 100, output: 9 } }));
    expect(events.at(-1)).toMatchObject({ type: 'finish', usage: { input: 120, cachedInput: 100, output: 9 } });
  });

  it('streams reasoning, and gives it back with what the provider wants to see again', async () => {
    const thoughts: Step[] = [{ thought: 'Tea ' }, { thought: 'is best.', signature: 'opaque-signature' }];
    const model = await given(
      { steps: [...thoughts, { text: 'Reading.' }, whole], finish: 'tool_calls' },
      { steps: [{ text: 'Tea.' }], finish: 'stop' },
    );
    const events = await eventsOf(model);
    expect(events.slice(0, 3)).toMatchObject([
      { type: 'reasoning', delta: 'Tea ' },
      { type: 'reasoning', delta: 'is best.' },
      { type: 'part', part: { kind: 'reasoning', text: 'Tea is best.' } },
    ]);

    const messages: ModelMessage[] = [
      { role: 'user', text: 'Hello?' },
      { role: 'assistant', parts: JSON.parse(JSON.stringify(partsOf(events))) as AssistantPart[] },
      { role: 'tool', results: [{ id: 'a', name: 'read_file', text: 'no such file', isError: true }] },
    ];
    await eventsOf(model, request({ messages }));
    const sent = provider.requests[1]?.body.messages;
    if (wire === 'chat') {
      expect(sent.slice(1)).toMatchObject([
        { role: 'user', content: 'Hello?' },
        { role: 'assistant', content: 'Reading.', reasoning_content: 'Tea is best.', tool_calls: [{ id: 'a' }] },
        { role: 'tool', tool_call_id: 'a', content: 'no such file' },
      ]);
      expect(JSON.parse(sent[2].tool_calls[0].function.arguments)).toEqual({ path: 'a' });
    } else {
      expect(sent).toMatchObject([
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Tea is best.', signature: 'opaque-signature' },
            { type: 'text', text: 'Reading.' },
            { type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'a' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'no such file', is_error: true }] },
      ]);
    }
  });

  it.each<[number, string, string, string]>([
    [400, 'invalid_request_error', 'temperature must be at most 1', 'provider_error'],
    [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum', 'context_overflow'],
    [400, 'context_length_exceeded', 'too much', 'context_overflow'],
    [401, 'authentication_error', `incorrect key ${KEY}`, 'provider_auth'],
    [403, 'permission_error', 'not yours', 'provider_auth'],
    [404, 'not_found_error', `no model for ${KEY}`, 'provider_error'],
    [408, 'timeout', 'slow', 'provider_unavailable'],
    [409, 'conflict', 'again', 'provider_unavailable'],
    [413, 'request_too_large', 'large', 'context_overflow'],
    [422, 'unprocessable', 'what?', 'provider_error'],
    [429, 'rate_limit_error', 'slow down', 'provider_rate_limit'],
    [500, 'invalid_request_error', 'oops', 'provider_unavailable'],
    [503, 'api_error', 'oops', 'provider_unavailable'],
    [529, 'overloaded_error', 'busy', 'provider_unavailable'],
  ])('maps HTTP %i %s (%s) to %s, after one request, and never shows the key', async (status, type, message, code) => {
    const model = await given({ status, body: { type: 'error', error: { type, code: type, message } } });
    const { error } = await failureOf(model);
    expect(error).toMatchObject({ code, status });
    expect(error.message).not.toContain(KEY);
    expect(provider.requests).toHaveLength(1);
  });

  it('tells what the provider does not accept', async () => {
    const body = { type: 'error', error: { type: 'invalid_request_error', message: 'temperature must be\nat most 1' } };
    const { error } = await failureOf(await given({ status: 400, body }));
    expect(error.message).toContain('temperature must be\\nat most 1');
  });

  it('is unavailable when an error is no JSON', async () => {
    const { error } = await failureOf(await given({ status: 502, body: '<html>bad gateway</html>' }));
    expect(error).toMatchObject({ code: 'provider_unavailable', status: 502 });
  });

  it.each<[string, Record<string, string>, number | undefined]>([
    ['seconds', { 'retry-after': '2' }, 2000],
    ['a day', { 'retry-after': '86400' }, 86_400_000],
    ['parts of a second', { 'retry-after': '1.5' }, 1500],
    ['milliseconds', { 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    ['a word', { 'retry-after': 'soon' }, undefined],
    ['a past date', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
    ['less than nothing', { 'retry-after': '-5' }, undefined],
    ['nothing', {}, undefined],
  ])('passes on a pause that is given as %s', async (_, headers, expected) => {
    const { error } = await failureOf(await given({ status: 429, headers, body: { error: { message: 'slow down' } } }));
    expect(error.retryAfterMs).toBe(expected);
  });

  it('passes on a pause that is given as a date', async () => {
    const headers = { 'retry-after': new Date(Date.now() + 5000).toUTCString() };
    const { error } = await failureOf(await given({ status: 503, headers, body: {} }));
    expect(error.retryAfterMs).toBeGreaterThan(3000);
    expect(error.retryAfterMs).toBeLessThanOrEqual(5000);
  });

  it.each([
    ['overloaded_error', 'provider_unavailable'],
    ['rate_limit_error', 'provider_rate_limit'],
    ['invalid_request_error', 'provider_error'],
    ['authentication_error', 'provider_auth'],
  ])('maps an error %s inside a stream to %s, before and after the first words', async (type, code) => {
    const fails: Step = { fails: { type, message: 'sorry' } };
    const model = await given({ steps: [fails] }, { steps: [{ text: 'Once upon' }, fails] });
    expect((await failureOf(model)).error.code).toBe(code);
    expect((await failureOf(model)).error.code).toBe(code);
  });

  it.each(['<html>hello</html>', 'data: {"a":\n\n', 'data: 7\n\n', ''])('is unavailable when the stream is %j', async (raw) => {
    const { error, events } = await failureOf(await given({ steps: [], raw }));
    expect(error.code).toBe('provider_unavailable');
    expect(events).toEqual([]);
  });

  it('is unavailable when nobody listens', async () => {
    const model = await given();
    await provider.close();
    const { error } = await failureOf(model);
    expect(error).toMatchObject({ code: 'provider_unavailable', status: undefined });
    expect(error.message).toContain('ECONNREFUSED');
    provider = await fakeProvider(wire);
  });

  it('lets go of the connection as soon as the call is cancelled', async () => {
    const model = await given({ steps: [{ text: 'Once upon' }], after: 'hold' });
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    const running = (async () => {
      for await (const event of model.stream(request(), controller.signal)) {
        events.push(event);
        controller.abort();
      }
    })();
    await expect(running).rejects.toMatchObject({ name: 'ModelError', code: 'cancelled' });
    await provider.left;
    expect(events).toEqual([{ type: 'text', delta: 'Once upon' }]);
  });

  it('lets go of the connection when nobody reads on', async () => {
    const model = await given({ steps: [{ text: 'Once upon' }], after: 'hold' });
    for await (const _ of model.stream(request(), new AbortController().signal)) break;
    await provider.left;
  });

  it('asks nothing of the provider when the call was cancelled before', async () => {
    const model = await given();
    const signal = AbortSignal.abort();
    await expect(eventsOf(model, request(), signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(provider.requests).toEqual([]);
  });

  it('answers many requests at once without mixing them up', async () => {
    const model = await given(
      ...Array.from({ length: 10 }, (): Reply => ({ steps: [{ text: 'a' }, { text: 'b' }, whole], finish: 'tool_calls', bytes: 9 })),
    );
    const all = await Promise.all(Array.from({ length: 10 }, () => eventsOf(model)));
    for (const events of all) expect(events).toEqual(all[0]);
  });

  it('asks for the shape of the answer where it is an object', async () => {
    const model = await given({ steps: [{ text: '{"a":1}' }], finish: 'stop' }, { steps: [{ text: '1' }], finish: 'stop' });
    const closed = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: false };
    await eventsOf(model, request({ tools: [], outputSchema: closed }));
    await eventsOf(model, request({ tools: [], outputSchema: { type: 'number' } }));
    const [first, second] = provider.requests.map(({ body }) => body);
    if (wire === 'chat') {
      expect(first.response_format).toMatchObject({ type: 'json_schema', json_schema: { schema: closed, strict: true } });
      expect(second.response_format).toBeUndefined();
    } else {
      expect(first.output_config.format).toMatchObject({ type: 'json_schema', schema: closed });
      expect(second.output_config).toBeUndefined();
    }
  });
});

describe('what only the chat format can get wrong', () => {
  beforeEach(async () => {
    provider = await fakeProvider('chat');
  });
  afterEach(async () => {
    await provider.close();
    await egress.close();
  });

  it('keeps calls apart that all have the number 0', async () => {
    const steps: Step[] = ['a', 'b', 'c'].flatMap((id): Step[] => [
      { call: { index: 0, id, name: 'read_file', json: '' } },
      { call: { index: 0, json: `{"path":"${id}` } },
      { call: { index: 0, json: '.txt"}' } },
    ]);
    provider.answer({ steps, finish: 'tool_calls', bytes: 13 });
    expect(callsOf(await eventsOf(await openModel('chat')))).toEqual([
      { id: 'a', name: 'read_file', arguments: '{"path":"a.txt"}' },
      { id: 'b', name: 'read_file', arguments: '{"path":"b.txt"}' },
      { id: 'c', name: 'read_file', arguments: '{"path":"c.txt"}' },
    ]);
  });

  it('makes up ids where there are none', async () => {
    const steps: Step[] = [0, 1].map((index) => ({ call: { index, name: 'read_file', json: `{"path":"${index}"}` } }));
    provider.answer({ steps, finish: 'tool_calls' });
    const calls = callsOf(await eventsOf(await openModel('chat')));
    expect(calls.map((call) => call.arguments)).toEqual(['{"path":"0"}', '{"path":"1"}']);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it('takes a call with a new id in every piece for one call', async () => {
    const steps: Step[] = [
      { call: { index: 0, id: 'x1', name: 'read_file', json: '' } },
      { call: { index: 0, id: 'x2', json: '{"path":' } },
      { call: { index: 0, id: 'x3', json: '"a"}' } },
    ];
    provider.answer({ steps, finish: 'tool_calls' });
    expect(callsOf(await eventsOf(await openModel('chat')))).toMatchObject([{ arguments: '{"path":"a"}' }]);
  });

  const chunk = (delta: object, more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;
  const ending = (usage?: object): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...(usage === undefined ? {} : { usage }) })}\n\n`;

  it('ends with the last word of the server, whether it hangs up or goes on', async () => {
    for (const after of ['hold', undefined] as const) {
      provider.answer({
        steps: [],
        raw: `${chunk({ content: 'whole' })}${ending()}data: [DONE]\n\n${after === 'hold' ? '' : chunk({ content: ' and more' })}`,
        ...(after === undefined ? {} : { after }),
      });
      const events = await eventsOf(await openModel('chat'));
      expect(partsOf(events)).toMatchObject([{ text: 'whole' }]);
      expect(finishOf(events)).toEqual(['stop']);
    }
  });

  it('takes a last event that has no blank line behind it', async () => {
    provider.answer({ steps: [], raw: `${chunk({ content: 'whole' })}${ending().trimEnd()}` });
    const events = await eventsOf(await openModel('chat'));
    expect([partsOf(events), finishOf(events)]).toMatchObject([[{ text: 'whole' }], ['stop']]);
  });

  it.each([{ prompt_tokens: '12', completion_tokens: '3' }, { prompt_tokens: null, completion_tokens: 3 }, {}])(
    'takes counts of tokens that are no numbers for none: %j',
    async (usage) => {
      provider.answer({ steps: [], raw: `${chunk({ content: 'whole' })}${ending(usage)}data: [DONE]\n\n` });
      const events = await eventsOf(await openModel('chat'));
      const finish = events.find((event) => event.type === 'finish');
      expect([partsOf(events), finish?.type === 'finish' && finish.usage]).toMatchObject([[{ text: 'whole' }], {}]);
      expect(finish?.type === 'finish' && finish.usage.input).toBeUndefined();
    },
  );

  it('counts pieces of a call while they come, so that nobody else is asked after one', async () => {
    provider.answer({ steps: [{ call: { index: 0, id: 'x', name: 'read_file', json: '{"path":"abc' } }], after: 'break' });
    const events: ModelEvent[] = [];
    try {
      for await (const event of (await openModel('chat')).stream(request(), new AbortController().signal)) events.push(event);
    } catch {}
    expect(events.find((event) => event.type === 'call_piece')).toEqual({ type: 'call_piece', bytes: 12 });
  });

  it('is ended where a server never stops', { timeout: 30_000 }, async () => {
    provider.answer({ steps: [], raw: chunk({ content: 'x'.repeat(1 << 20) }).repeat(80) });
    expect((await failureOf(await openModel('chat'))).error).toMatchObject({
      code: 'provider_error',
      message: expect.stringContaining('larger than 67108864 bytes'),
    });
    provider.answer({ status: 400, body: 'y'.repeat(1 << 20) });
    expect((await failureOf(await openModel('chat'))).error).toMatchObject({ status: 400 });
  });

  it('sends no key where there is none', async () => {
    provider.answer({ steps: [{ text: 'Hi' }], finish: 'stop' });
    egress = createEgress({ allowLocal: [provider.origin] });
    const models = createModels({ secrets: environmentSecrets({}), egress, clock: nodeClock(), reader, workspace: '/' });
    await eventsOf(await models.open({ provider: 'local', model: 'tiny', baseUrl: `${provider.origin}/v1` }));
    expect(provider.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('is denied a server that nobody allowed', async () => {
    egress = createEgress({ allowLocal: [] });
    const models = createModels({ secrets: environmentSecrets({}), egress, clock: nodeClock(), reader, workspace: '/' });
    const model = await models.open({ provider: 'local', model: 'tiny', baseUrl: `${provider.origin}/v1` });
    const { error } = await failureOf(model);
    expect(error.code).toBe('tool_denied');
    expect(error.message).toContain(`--allow-local ${provider.origin}`);
    expect(provider.requests).toEqual([]);
  });
});
