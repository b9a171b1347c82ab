import { describe, expect, it } from 'vitest';
import { type CancelSignal, HostError, ModelError, type ModelEvent, type ModelRequest } from '../../../../engine/src/index.js';
import { adaptModel } from '../../../../hosts/node/src/models/adapter.js';
import { providerProfiles } from '../../../../hosts/node/src/models/provider-profile.js';

type LanguageModelV3 = Parameters<typeof adaptModel>[0];
type LanguageModelV3CallOptions = Parameters<LanguageModelV3['doStream']>[0];
type LanguageModelV3StreamPart =
  Awaited<ReturnType<LanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
};
const finish = (unified: 'stop' | 'tool-calls' | 'length' | 'other' | 'error' | 'content-filter', raw: string | undefined = unified) =>
  ({ type: 'finish', finishReason: { unified, raw }, usage }) as LanguageModelV3StreamPart;
const call = (toolCallId: string, input: string, more = {}): LanguageModelV3StreamPart => ({
  type: 'tool-call',
  toolCallId,
  toolName: 't',
  input,
  ...more,
});
const request: ModelRequest = { system: '', messages: [{ role: 'user', text: 'Hello?' }], tools: [], settings: {} };

/** A model of the kind that any package may bring. */
function model(doStream: LanguageModelV3['doStream']) {
  const native = { specificationVersion: 'v3', provider: 'any', modelId: 'any', supportedUrls: {}, doStream } as unknown as LanguageModelV3;
  return adaptModel(native, { profile: providerProfiles.anthropic, model: 'any', now: () => 0, secrets: () => ['banana-split'] });
}

const saying = (...parts: LanguageModelV3StreamPart[]) =>
  model(async () => ({
    stream: new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    }),
  }));

async function eventsOf(adapted: ReturnType<typeof model>, signal: CancelSignal = new AbortController().signal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of adapted.stream(request, signal)) events.push(event);
  return events;
}

const partsOf = (events: readonly ModelEvent[]) => events.flatMap((event) => (event.type === 'part' ? [event.part] : []));

describe('any model of the provider packages', () => {
  it('has parts in the order in which they began, with all that its provider said about them', async () => {
    const events = await eventsOf(
      saying(
        { type: 'stream-start', warnings: [{ type: 'other', message: 'nobody sees this' }] },
        { type: 'reasoning-start', id: '1', providerMetadata: { p: { id: 'r' } } },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'Hi' },
        { type: 'text-end', id: '1' },
        { type: 'reasoning-delta', id: '1', delta: '', providerMetadata: { p: { signature: 's' } } },
        { type: 'reasoning-end', id: '1', providerMetadata: { q: { x: 1 } } },
        call('a', '{}', { providerMetadata: { p: { sign: 'c' } } }),
        { type: 'text-delta', id: '2', delta: 'without beginning or end' },
        finish('stop'),
      ),
    );
    expect(events).toEqual([
      { type: 'text', delta: 'Hi' },
      { type: 'part', part: { kind: 'reasoning', text: '', metadata: { p: { id: 'r', signature: 's' }, q: { x: 1 } } } },
      { type: 'part', part: { kind: 'text', text: 'Hi' } },
      { type: 'text', delta: 'without beginning or end' },
      { type: 'part', part: { kind: 'tool_call', id: 'a', name: 't', arguments: '{}', metadata: { p: { sign: 'c' } } } },
      { type: 'part', part: { kind: 'text', text: 'without beginning or end' } },
      { type: 'finish', reason: 'tool_calls', usage: { input: 1, output: 2 } },
    ]);
  });

  it('is told the conversation with what providers said about its parts, calls that are no objects as empty ones', async () => {
    let seen: LanguageModelV3CallOptions | undefined;
    const listening = model(async (options) => {
      seen = options;
      return { stream: new ReadableStream({ start: (controller) => controller.enqueue(finish('stop')) }) };
    });
    const metadata = { p: { id: 'x' } };
    const broken = ['', '  ', '{"q', '[1]', '"x"', 'null'].map(
      (text, at) => ({ kind: 'tool_call', id: `${at}`, name: 't', arguments: text }) as const,
    );
    const messages: ModelRequest['messages'] = [
      {
        role: 'assistant',
        parts: [
          { kind: 'reasoning', text: 'hm', metadata },
          { kind: 'text', text: 'hi', metadata },
          { kind: 'tool_call', id: 'a', name: 't', arguments: '{"x":1}', metadata },
          { kind: 'tool_call', id: 'b', name: 't', arguments: '{}', metadata, providerExecuted: true },
          ...broken,
        ],
      },
      {
        role: 'tool',
        results: [
          { id: 'a', name: 't', text: 'no', isError: true },
          { id: 'b', name: 't', text: 'yes', isError: false },
        ],
      },
    ];
    for await (const _ of listening.stream({ ...request, messages }, new AbortController().signal));
    expect(seen?.prompt).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', providerOptions: metadata },
          { type: 'text', text: 'hi', providerOptions: metadata },
          { type: 'tool-call', toolCallId: 'a', toolName: 't', input: { x: 1 }, providerOptions: metadata },
          { type: 'tool-call', toolCallId: 'b', toolName: 't', input: {} },
          ...broken.map(({ id }) => ({ type: 'tool-call', toolCallId: id, toolName: 't', input: {} })),
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 't', output: { type: 'error-text', value: 'no' } },
          { type: 'tool-result', toolCallId: 'b', toolName: 't', output: { type: 'text', value: 'yes' } },
        ],
      },
    ]);
  });

  it('has calls with an id each, and those that the provider ran marked', async () => {
    const parts = partsOf(
      await eventsOf(
        saying(
          call('', ''),
          call('a', ''),
          call('a', ''),
          call(' ', ''),
          call('a_2', '', { providerExecuted: true }),
          finish('tool-calls'),
        ),
      ),
    );
    expect(parts.map((part) => part.kind === 'tool_call' && part.id)).toEqual(['call_1', 'a', 'a_2', 'call_2', 'a_2_2']);
    expect(parts.map((part) => part.kind === 'tool_call' && part.providerExecuted)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      true,
    ]);
  });

  it.each(['length', 'content-filter', 'other'] as const)(
    'marks of the calls before the end %s those that are not whole',
    async (reason) => {
      const events = await eventsOf(saying(call('a', '{"x":1}'), call('b', '{"x":'), call('c', ''), finish(reason)));
      const marks = partsOf(events).map((part) => part.kind === 'tool_call' && [part.id, part.isCutOff]);
      expect(marks).toEqual([
        ['a', undefined],
        ['b', true],
        ['c', true],
      ]);
    },
  );

  it.each([
    [[]],
    [[finish('error')]],
    [[{ ...finish('other'), finishReason: { unified: 'other', raw: undefined } } as LanguageModelV3StreamPart]],
  ])('is unavailable when its stream ends with %j', async (parts) => {
    await expect(eventsOf(saying(...parts))).rejects.toMatchObject({ name: 'ModelError', code: 'provider_unavailable' });
  });

  it('fails with what its package throws, as a ModelError that shows none of it', async () => {
    const thrown = model(() => Promise.reject(new Error('native text with banana-split')));
    const error: unknown = await eventsOf(thrown).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: 'provider_error', cause: { message: 'native text with banana-split' } });
    expect((error as Error).message).not.toContain('native');

    const denied = new TypeError('fetch failed', { cause: new HostError('tool_denied', 'address_blocked', 'that is no public address') });
    await expect(eventsOf(model(() => Promise.reject(denied)))).rejects.toMatchObject({ code: 'tool_denied' });
    const words = { type: 'error', error: { message: 'bad value banana-split', code: 400 } } as const;
    await expect(eventsOf(saying(words))).rejects.toMatchObject({
      code: 'provider_error',
      message: expect.stringContaining('bad value ***'),
    });
  });

  it('is cancelled at once though its stream does not notice', async () => {
    const listeners = new Set<() => void>();
    const signal = {
      aborted: false,
      addEventListener: (_: 'abort', act: () => void) => void listeners.add(act),
      removeEventListener: (_: 'abort', act: () => void) => void listeners.delete(act),
    };
    let seen: LanguageModelV3CallOptions | undefined;
    const deaf = model(async (options) => {
      seen = options;
      return { stream: new ReadableStream() };
    });
    const running = eventsOf(deaf, signal);
    await new Promise(setImmediate);
    signal.aborted = true;
    for (const act of listeners) act();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    expect(seen?.abortSignal?.aborted).toBe(true);
    expect(listeners.size).toBe(0);
  });

  it('leaves no listener behind', async () => {
    const controller = new AbortController();
    let listeners = 0;
    const signal: CancelSignal = {
      get aborted() {
        return controller.signal.aborted;
      },
      addEventListener: () => void listeners++,
      removeEventListener: () => void listeners--,
    };
    await eventsOf(saying(finish('stop')), signal);
    await eventsOf(saying(), signal).catch(() => undefined);
    expect(listeners).toBe(0);
  });
});
