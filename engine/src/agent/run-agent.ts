import type { Note } from '../events/run-event.js';
import type { Json, JsonObject } from '../json.js';
import { maskJson } from '../masking/mask-json.js';
import { MAX_CALLS_IN_ANSWER } from '../plan/ceilings.js';
import type { ModelMessage, ModelRequest, ModelTool, ToolCallPart } from '../ports/language-model.js';

import type { Failure } from '../run/outcome.js';
import { answerRule, checkAnswer, correctionOf } from './answer.js';
import { type AskParts, askModel, type ModelAnswer } from './ask-model.js';
import { asFailure, type Calling, type CallsMade, makeCalls } from './tool-calls.js';

/** One attempt of an agent, with all that is known before it starts. */
export interface AgentTask {
  readonly instructions: string;
  readonly prompt: string;
  readonly settings: ModelRequest['settings'];
  readonly tools: readonly ModelTool[];
  readonly outputSchema: Json | undefined;
  readonly maxTurns: number;
}

export interface AgentParts {
  readonly ask: Omit<AskParts, 'onFailover'>;
  readonly calling: Calling;
  readonly note: (note: Note) => void;
}

export type AgentOutcome =
  | { readonly kind: 'succeeded'; readonly output: Json; readonly captured?: JsonObject }
  | ({ readonly kind: 'failed' } & Failure)
  | { readonly kind: 'cancelled' };

/** Answers with a mistake from which a model may learn, in one attempt. */
const CORRECTIONS = 3;
/** So many turns in a row with the same calls and the same results are no progress. */
const SAME_TURNS = 3;

/**
 * Asks, makes the calls of the answer, gives their results back, and asks again, until the model has nothing to call any more or a limit
 * ends it. The model decides what is asked for; what is done is decided by the registry.
 */
export async function runAgent(task: AgentTask, parts: AgentParts): Promise<AgentOutcome> {
  const conversation = new Conversation(task, parts);
  let calls = 0;
  let corrections = 0;
  let captured: JsonObject | undefined;
  let hasCorrectedAnswer = false;
  for (let turn = 1; turn <= task.maxTurns; turn++) {
    const asked = await askModel(conversation.request(), { ...parts.ask, onFailover: conversation.failover });
    if (asked.kind !== 'answer') return asked;
    const { answer } = asked;
    conversation.answered(answer, turn);
    if (answer.finish === 'content_filter') return failed('content_filter', 'the provider held the answer back', {});
    const wanted = answer.parts.filter((part) => part.kind === 'tool_call');
    if (wanted.length === 0) {
      if (answer.finish === 'length') return cutOff(answer, task);
      const text = textOf(answer);
      if (task.outputSchema === undefined) return succeeded(text, captured);
      const checked = checkAnswer(text, task.outputSchema);
      if (checked.ok) return succeeded(checked.output, captured);
      const { problems } = checked;
      if (hasCorrectedAnswer || turn === task.maxTurns || ++corrections > CORRECTIONS)
        return failed('output_invalid', `the answer does not meet output_schema: ${problems.join('; ')}`, { problems });
      hasCorrectedAnswer = true;
      conversation.add({ role: 'user', text: correctionOf(problems) });
      continue;
    }
    if (wanted.length > MAX_CALLS_IN_ANSWER) {
      const message = `the model made ${wanted.length} calls in one answer; ${MAX_CALLS_IN_ANSWER} is the most, and none of them was made`;
      return failed('turn_limit', message, { reason: 'calls', calls: wanted.length });
    }
    if (turn === task.maxTurns) break;
    const made = await makeCalls(wanted, calls + 1, parts.calling);
    calls += wanted.length;
    captured = made.captured === undefined ? captured : { ...captured, ...made.captured };
    if (made.isCancelled) return { kind: 'cancelled' };
    if (made.fatal !== undefined) return { kind: 'failed', ...asFailure(made.fatal) };
    conversation.add({ role: 'tool', results: made.results });
    if (made.correctable !== undefined && ++corrections > CORRECTIONS) {
      const { code, message, details } = made.correctable;
      return failed(code, `${message} (the model has been told ${CORRECTIONS} times of mistakes before)`, details);
    }
    if (conversation.stands(wanted, made)) {
      const message = `the model has made the same calls ${SAME_TURNS} times in a row, with the same results`;
      return failed('turn_limit', message, { reason: 'no_progress' });
    }
  }
  const message = `the model still calls tools in its answer number ${task.maxTurns}; max_turns allows no more, and the last calls were not made`;
  return failed('turn_limit', message, { reason: 'turns', maxTurns: task.maxTurns });
}

/** What is said so far, and what of it no event has told yet. */
class Conversation {
  private readonly messages: ModelMessage[];
  private readonly fixed: Omit<ModelRequest, 'messages'>;
  private readonly parts: AgentParts;
  private told = 0;
  private last: { readonly signature: string; readonly times: number } = { signature: '', times: 0 };

  constructor({ instructions, prompt, settings, tools, outputSchema }: AgentTask, parts: AgentParts) {
    this.parts = parts;
    this.messages = [{ role: 'user', text: prompt }];
    this.fixed = {
      system: outputSchema === undefined ? instructions : `${instructions}\n\n${answerRule(outputSchema)}`,
      tools,
      settings,
      ...(outputSchema === undefined ? {} : { outputSchema }),
    };
  }

  request(): ModelRequest {
    return { ...this.fixed, messages: [...this.messages] };
  }

  add(message: ModelMessage): void {
    this.messages.push(message);
  }

  answered({ provider, model, parts, finish, usage }: ModelAnswer, turn: number): void {
    this.add({ role: 'assistant', parts });
    const fresh: readonly object[] = this.messages.slice(this.told);
    const opening = this.told === 0 ? [{ role: 'system', text: this.fixed.system }] : [];
    this.told = this.messages.length;
    this.parts.note({
      type: 'agent:turn_completed',
      node: this.parts.calling.context.node,
      turn,
      provider,
      model,
      usage: {
        inputTokens: usage.input,
        outputTokens: usage.output,
        ...(usage.cachedInput === undefined ? {} : { cachedInputTokens: usage.cachedInput }),
        ...(usage.reasoning === undefined ? {} : { reasoningTokens: usage.reasoning }),
      },
      finishReason: finish,
      transcript: maskJson([...opening, ...fresh] as Json) as JsonObject[],
    });
  }

  readonly failover = (from: string, to: string, { code, message, details }: Failure): void => {
    const { context, nodeId } = this.parts.calling;
    const error = { code, message, node: nodeId, path: context.node, details, attempt: context.attempt };
    this.parts.note({ type: 'agent:failover', node: context.node, from, to, error });
  };

  /** Whether the model goes round in a circle of one turn. */
  stands(calls: readonly ToolCallPart[], { results }: CallsMade): boolean {
    const signature = JSON.stringify(calls.map((call, index) => [call.name, call.arguments, unmarked(results[index]?.text ?? '')]));
    this.last = { signature, times: signature === this.last.signature ? this.last.times + 1 : 1 };
    return this.last.times >= SAME_TURNS;
  }
}

/** Without the lines around a result, which count the calls. */
function unmarked(text: string): string {
  return text.slice(text.indexOf('\n') + 1, Math.max(0, text.lastIndexOf('\n')));
}

function succeeded(output: Json, captured: JsonObject | undefined): AgentOutcome {
  return { kind: 'succeeded', output, ...(captured === undefined ? {} : { captured }) };
}

function textOf({ parts }: ModelAnswer): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

function cutOff({ usage }: ModelAnswer, { settings }: AgentTask): AgentOutcome {
  const limit = settings.maxOutputTokens === undefined ? '' : `, which is ${settings.maxOutputTokens}`;
  const message = `the answer was cut off after ${usage.output} tokens; raise max_tokens${limit}, or ask for less`;
  return failed('output_invalid', message, { reason: 'length' });
}

function failed(code: string, message: string, details: JsonObject): AgentOutcome {
  return { kind: 'failed', code, message, details };
}
