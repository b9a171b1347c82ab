import {
  type AssistantPart,
  type CancelSignal,
  type Clock,
  type Diagnostic,
  type LanguageModel,
  lineIndex,
  ModelError,
  type ModelEvent,
  type ModelUsage,
  positionAt,
  type SourceText,
} from '@relavium/engine';
import type { ScriptedCall, ScriptedTurn, ScriptedUsage, ScriptFile } from '@relavium/schemas';
import { parseScript } from './parse-script.js';

/** A script and how far its agents have come in it. */
export interface Script {
  /** `name` is what the agent's file calls the model. Each request of an agent takes the next of its turns, whatever it says. */
  model(agent: string | undefined, name: string): LanguageModel;
}

/** Throws `ModelError` `provider_error`, with the positions of the mistakes, where the text is no script. */
export function parsedScript(source: SourceText): ScriptFile {
  const { script, diagnostics } = parseScript(source);
  if (script === undefined) throw new ModelError('provider_error', `${source.path} is no script: ${listed(source, diagnostics)}`);
  return script;
}

/** Throws as `parsedScript` does. */
export function openScript(source: SourceText, clock: Clock): Script {
  const script = parsedScript(source);
  const taken = new Map<string, number>();

  const turnsOf = (agent: string): readonly ScriptedTurn[] | undefined => {
    const key = Object.hasOwn(script.agents, agent) ? agent : '*';
    return Object.hasOwn(script.agents, key) ? script.agents[key] : undefined;
  };

  const nextTurn = (agent: string): { readonly turn: ScriptedTurn; readonly number: number } => {
    const turns = turnsOf(agent);
    if (turns === undefined) {
      const known = Object.keys(script.agents).join(', ');
      throw new ModelError('provider_error', `${source.path} has no turns for the agent "${agent}" and none for *. It has: ${known}`);
    }
    const number = (taken.get(agent) ?? 0) + 1;
    const turn = turns[number - 1];
    if (turn === undefined) {
      const asked = turns.length === 0 ? 'has no turns' : `has only ${turns.length === 1 ? 'one turn' : `${turns.length} turns`}`;
      throw new ModelError('provider_error', `${source.path} ${asked} for "${agent}", and request ${number} needs another one`);
    }
    taken.set(agent, number);
    return { turn, number };
  };

  return {
    model: (agent = '*', name) => ({
      provider: 'scripted',
      model: name,
      worstCase() {
        const { input = 0, output = 0 } = turnsOf(agent)?.[taken.get(agent) ?? 0]?.usage ?? {};
        return { input, output };
      },
      async *stream(_request, signal) {
        checkCancelled(signal);
        const { turn, number } = nextTurn(agent);
        if (turn.delay_ms !== undefined && turn.delay_ms > 0) await pause(turn.delay_ms, clock, signal);
        for (const event of eventsOf(turn, number, agent)) {
          checkCancelled(signal);
          yield event;
        }
      },
    }),
  };
}

function listed(source: SourceText, diagnostics: readonly Diagnostic[]): string {
  const index = lineIndex(source.text);
  const lines = diagnostics.slice(0, 5).map(({ message, range }) => {
    const { line, column } = positionAt(index, range.start);
    return `${line}:${column} ${message}`;
  });
  return diagnostics.length > 5 ? `${lines.join('; ')}; and ${diagnostics.length - 5} more` : lines.join('; ');
}

function checkCancelled(signal: CancelSignal): void {
  if (signal.aborted) throw new ModelError('cancelled', 'the call was cancelled');
}

function pause(milliseconds: number, clock: Clock, signal: CancelSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      takeBack();
      reject(new ModelError('cancelled', 'the call was cancelled'));
    };
    const takeBack = clock.at(clock.now() + milliseconds, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

function* eventsOf(turn: ScriptedTurn, number: number, agent: string): Generator<ModelEvent> {
  for (const kind of ['reasoning', 'text'] as const) {
    const text = turn[kind];
    if (text === undefined || text === '') continue;
    for (const delta of piecesOf(text, turn.pieces ?? 1)) yield { type: kind, delta };
    // An error ends the answer in the middle of what was being said.
    if (turn.error === undefined || kind === 'reasoning') yield { type: 'part', part: { kind, text } };
  }
  if (turn.error !== undefined) {
    const { code, status, retry_after_ms: retryAfterMs } = turn.error;
    throw new ModelError(code, `the script answers request ${number} of "${agent}" with the error ${code}`, {
      ...(status === undefined ? {} : { status }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
  const calls = (turn.tool_calls ?? []).map((call, index) => callOf(call, `call_${number}_${index + 1}`));
  for (const part of calls) yield { type: 'part', part };
  yield { type: 'finish', reason: turn.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'), usage: usageOf(turn.usage ?? NOTHING_USED) };
}

/** Cut between characters, into pieces of lengths that differ by one at most. */
function piecesOf(text: string, count: number): readonly string[] {
  const characters = [...text];
  const number = Math.min(count, characters.length);
  return Array.from({ length: number }, (_, at) =>
    characters.slice(Math.floor((at * characters.length) / number), Math.floor(((at + 1) * characters.length) / number)).join(''),
  );
}

function callOf({ name, arguments: given = '' }: ScriptedCall, id: string): AssistantPart {
  return { kind: 'tool_call', id, name, arguments: typeof given === 'string' ? given : JSON.stringify(given) };
}

/** What a script does not say is not counted by the length of its texts. */
const NOTHING_USED: ScriptedUsage = { input: 0, output: 0 };

function usageOf({ input, cached_input: cachedInput, output, reasoning }: ScriptedUsage): ModelUsage {
  return {
    ...(input === undefined ? {} : { input }),
    ...(cachedInput === undefined ? {} : { cachedInput }),
    ...(output === undefined ? {} : { output }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}
