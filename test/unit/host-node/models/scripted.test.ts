import { describe, expect, it } from 'vitest';
import { ModelError, type ModelEvent, type ModelRequest } from '../../../../engine/src/index.js';
import { simulatedClock } from '../../../../engine/src/testing/index.js';
import { parseScript } from '../../../../hosts/node/src/models/parse-script.js';
import { openScript, type Script } from '../../../../hosts/node/src/models/scripted.js';

const request: ModelRequest = { system: '', messages: [{ role: 'user', text: 'Hello?' }], tools: [], settings: {} };
const sourceOf = (text: string) => ({ path: 'demo.yaml', text });
const open = (text: string, clock = simulatedClock()) => openScript(sourceOf(text), clock);

async function ask(script: Script, agent?: string): Promise<{ events: ModelEvent[]; error?: ModelError }> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of script.model(agent, 'demo').stream(request, new AbortController().signal)) events.push(event);
  } catch (error) {
    expect(error).toBeInstanceOf(ModelError);
    return { events, error: error as ModelError };
  }
  return { events };
}

describe('the scripted provider', () => {
  it('gives an agent the next of its turns at each request, whatever others ask meanwhile', async () => {
    const script = open('agents:\n  a: [{ text: one }, { text: two }]\n  "*": [{ text: star one }, { text: star two }]\n');
    const said = [];
    for (const agent of ['a', 'b', 'a', 'c', 'b']) {
      const { events } = await ask(script, agent);
      said.push(events[0]?.type === 'text' ? events[0].delta : undefined);
    }
    expect(said).toEqual(['one', 'star one', 'two', 'star one', 'star two']);
  });

  it('streams reasoning, then text, in pieces that are whole characters, then calls, then the end', async () => {
    const turn = {
      reasoning: 'hmm',
      text: 'a🍵bc',
      pieces: 3,
      tool_calls: [{ name: 'read_file', arguments: { path: 'a' } }, { name: 'git_status' }, { name: 'odd', arguments: '{"q' }],
      usage: { input: 5, cached_input: 4, output: 3, reasoning: 1 },
    };
    const { events } = await ask(open(JSON.stringify({ agents: { a: [turn] } })), 'a');
    expect(events).toEqual([
      { type: 'reasoning', delta: 'h' },
      { type: 'reasoning', delta: 'm' },
      { type: 'reasoning', delta: 'm' },
      { type: 'part', part: { kind: 'reasoning', text: 'hmm' } },
      { type: 'text', delta: 'a' },
      { type: 'text', delta: '🍵' },
      { type: 'text', delta: 'bc' },
      { type: 'part', part: { kind: 'text', text: 'a🍵bc' } },
      { type: 'part', part: { kind: 'tool_call', id: 'call_1_1', name: 'read_file', arguments: '{"path":"a"}' } },
      { type: 'part', part: { kind: 'tool_call', id: 'call_1_2', name: 'git_status', arguments: '' } },
      { type: 'part', part: { kind: 'tool_call', id: 'call_1_3', name: 'odd', arguments: '{"q' } },
      { type: 'finish', reason: 'tool_calls', usage: { input: 5, cachedInput: 4, output: 3, reasoning: 1 } },
    ]);
  });

  it('ends as the script says, by itself with stop', async () => {
    const script = open('agents: { a: [{ text: x, finish: length }, {}] }');
    expect((await ask(script, 'a')).events.at(-1)).toEqual({ type: 'finish', reason: 'length', usage: { input: 0, output: 0 } });
    expect((await ask(script, 'a')).events).toEqual([{ type: 'finish', reason: 'stop', usage: { input: 0, output: 0 } }]);
  });

  it('fails as the script says, in the middle of what it was saying, and goes on with the next turn', async () => {
    const script = open(
      'agents:\n  a:\n    - { text: Once, error: { code: provider_rate_limit, status: 429, retry_after_ms: 2000 } }\n    - { text: Again }\n',
    );
    const { events, error } = await ask(script, 'a');
    expect(events).toEqual([{ type: 'text', delta: 'Once' }]);
    expect(error).toMatchObject({ code: 'provider_rate_limit', status: 429, retryAfterMs: 2000 });
    expect((await ask(script, 'a')).events[0]).toEqual({ type: 'text', delta: 'Again' });
  });

  it('waits on the clock that it is given', async () => {
    const clock = simulatedClock(1000);
    const script = open('agents: { "*": [{ text: x, delay_ms: 60000 }] }', clock);
    const answer = ask(script, 'a');
    await new Promise(setImmediate);
    expect(clock.pending).toBe(1);
    clock.advance();
    expect(clock.now()).toBe(61_000);
    expect((await answer).events).toHaveLength(3);
  });

  it('stops waiting when it is cancelled, and takes its timer back', async () => {
    const clock = simulatedClock();
    const controller = new AbortController();
    const script = open('agents: { "*": [{ text: x, delay_ms: 60000 }, { text: y, pieces: 1 }] }', clock);
    const stream = script.model('a', 'demo').stream(request, controller.signal)[Symbol.asyncIterator]();
    const next = stream.next();
    await new Promise(setImmediate);
    controller.abort();
    await expect(next).rejects.toMatchObject({ code: 'cancelled' });
    expect(clock.pending).toBe(0);
  });

  it('says which agent is out of turns, and takes none for a request that was cancelled before', async () => {
    const script = open('agents: { a: [{ text: x }] }');
    const stream = script.model('a', 'demo').stream(request, AbortSignal.abort());
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'cancelled' });
    expect((await ask(script, 'a')).error).toBeUndefined();
    expect((await ask(script, 'a')).error?.message).toBe('demo.yaml has only one turn for "a", and request 2 needs another one');
    expect((await ask(script, 'b')).error?.message).toBe('demo.yaml has no turns for the agent "b" and none for *. It has: a');
    expect((await ask(script, 'constructor')).error?.code).toBe('provider_error');
  });

  it('finds mistakes in a script at their places', () => {
    const text = 'agents:\n  a:\n    - { txt: x }\n    - { pieces: none }\n    - { error: { code: odd } }\n';
    const { script, diagnostics } = parseScript(sourceOf(text));
    expect(script).toBeUndefined();
    expect(diagnostics.map(({ code, range }) => [code, text.slice(range.start, range.end)])).toEqual([
      ['unknown_key', 'txt'],
      ['wrong_type', 'none'],
      ['value_not_allowed', 'odd'],
    ]);
    expect(() => open(text)).toThrow(/demo\.yaml is no script: 3:9 .*; 4:17 .*; 5:24 /);
    expect(() => open('agents: [')).toThrow(ModelError);
    expect(() => open('')).toThrow(ModelError);
  });
});
