import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One thing that a model says, in no provider's words. */
export type Step =
  | { readonly text: string }
  | { readonly thought: string; readonly signature?: string }
  | { readonly call: { readonly index: number; readonly id?: string; readonly name?: string; readonly json?: string } }
  | { readonly fails: { readonly type: string; readonly message: string } };

/** What the provider does with one request. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of an answer that is no stream. */
  readonly body?: unknown;
  readonly steps?: readonly Step[];
  /** What is sent instead of the steps, as it stands. */
  readonly raw?: string;
  /** Left out: the stream has no end of its own. */
  readonly finish?: 'stop' | 'tool_calls' | 'length' | 'refusal';
  readonly usage?: { readonly input: number; readonly cached: number; readonly output: number };
  /** Bytes written at a time. */
  readonly bytes?: number;
  /** What happens to the connection once all is written. Default: it ends well. */
  readonly after?: 'break' | 'hold';
}

export interface SeenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  readonly body: any;
}

export interface FakeProvider {
  readonly origin: string;
  readonly requests: readonly SeenRequest[];
  /** Settles when the client has gone away from a held answer. */
  readonly left: Promise<void>;
  answer(...replies: readonly Reply[]): void;
  close(): Promise<void>;
}

export type Wire = 'chat' | 'messages';

/** A server on the loopback that speaks the documented wire format of OpenAI's chat completions or of Anthropic's messages. */
export async function fakeProvider(wire: Wire): Promise<FakeProvider> {
  const replies: Reply[] = [];
  const requests: SeenRequest[] = [];
  const left = deferred();

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    requests.push({ path: request.url ?? '', headers: request.headers, body: text === '' ? undefined : JSON.parse(text) });
    const reply = replies.shift() ?? { status: 500, body: { error: { message: 'the test has no reply left' } } };
    response.on('close', () => {
      if (!response.writableFinished) left.resolve();
    });
    if (reply.steps === undefined) {
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
    await writePieces(
      response,
      Buffer.from(reply.raw ?? (wire === 'chat' ? chatStream(reply) : messagesStream(reply))),
      reply.bytes ?? 1 << 20,
    );
    if (reply.after === 'break') response.socket?.destroy();
    else if (reply.after !== 'hold') response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    left: left.promise,
    answer: (...more) => void replies.push(...more),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

async function writePieces(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** https://platform.openai.com/docs/api-reference/chat-streaming */
function chatStream({ steps = [], finish, usage }: Reply): string {
  const events: unknown[] = [];
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    events.push({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'fake',
      choices: [{ index: 0, delta, finish_reason }],
    });
  chunk({ role: 'assistant', content: '' });
  for (const step of steps) {
    if ('text' in step) chunk(finish === 'refusal' ? { refusal: step.text } : { content: step.text });
    else if ('thought' in step) chunk({ reasoning_content: step.thought });
    else if ('fails' in step) events.push({ error: step.fails });
    else {
      const { index, id, name, json } = step.call;
      const called = { ...(name === undefined ? {} : { name }), ...(json === undefined ? {} : { arguments: json }) };
      chunk({ tool_calls: [{ index, ...(id === undefined ? {} : { id, type: 'function' }), function: called }] });
    }
  }
  if (finish !== undefined) {
    chunk({}, finish === 'refusal' ? 'stop' : finish);
    if (usage !== undefined) {
      const counted = { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output };
      events.push({ id: 'chatcmpl-1', choices: [], usage: { ...counted, prompt_tokens_details: { cached_tokens: usage.cached } } });
    }
  }
  const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  return finish === undefined ? lines : `${lines}data: [DONE]\n\n`;
}

/** https://docs.claude.com/en/docs/build-with-claude/streaming */
function messagesStream({ steps = [], finish, usage }: Reply): string {
  const events: { readonly type: string; readonly [key: string]: unknown }[] = [];
  const { input = 1, cached = 0, output = 1 } = usage ?? {};
  const counted = { input_tokens: input - cached, cache_read_input_tokens: cached, cache_creation_input_tokens: 0 };
  const begins = steps[0] === undefined || !('fails' in steps[0]);
  if (begins) {
    events.push({
      type: 'message_start',
      message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'fake', content: [], usage: { ...counted, output_tokens: 1 } },
    });
    events.push({ type: 'ping' });
  }
  let next = 0;
  let speaking: 'text' | 'thinking' | undefined;
  const calls = new Map<number, number>();
  const stopSpeaking = () => {
    if (speaking !== undefined) events.push({ type: 'content_block_stop', index: next++ });
    speaking = undefined;
  };
  const speak = (kind: 'text' | 'thinking', delta: unknown) => {
    if (speaking !== kind) {
      stopSpeaking();
      const block = kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' };
      events.push({ type: 'content_block_start', index: next, content_block: block });
      speaking = kind;
    }
    events.push({ type: 'content_block_delta', index: next, delta });
  };
  for (const step of steps) {
    if ('text' in step) speak('text', { type: 'text_delta', text: step.text });
    else if ('thought' in step) {
      speak('thinking', { type: 'thinking_delta', thinking: step.thought });
      if (step.signature !== undefined) speak('thinking', { type: 'signature_delta', signature: step.signature });
    } else if ('fails' in step) events.push({ type: 'error', error: step.fails });
    else {
      stopSpeaking();
      const { index, id = `toolu_${index}`, name, json } = step.call;
      if (!calls.has(index)) {
        calls.set(index, next);
        events.push({ type: 'content_block_start', index: next++, content_block: { type: 'tool_use', id, name, input: {} } });
      }
      if (json !== undefined)
        events.push({ type: 'content_block_delta', index: calls.get(index), delta: { type: 'input_json_delta', partial_json: json } });
    }
  }
  if (finish !== undefined) {
    stopSpeaking();
    for (const index of calls.values()) events.push({ type: 'content_block_stop', index });
    const stop_reason = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens', refusal: 'refusal' }[finish];
    events.push({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } });
    events.push({ type: 'message_stop' });
  }
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
