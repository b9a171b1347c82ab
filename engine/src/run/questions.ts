import { toBoolean } from '../expression/boolean.js';
import { type Evaluated, evaluate, type Scope } from '../expression/evaluate.js';
import type { Expression } from '../expression/expression.js';
import type { Json, JsonObject } from '../json.js';
import { mask } from '../masking/mask.js';
import { maskJson } from '../masking/mask-json.js';
import type { GateNodePlan, LoopNodePlan, OutputNodePlan, PlanNode, SubworkflowNodePlan } from '../plan/plan.js';
import type { ExpressionVm } from '../ports/expression-vm.js';
import { HostError } from '../ports/host-error.js';

import { type ReadFile, renderTemplate, renderTemplateAsync } from '../template/render.js';
import type { Template } from '../template/template.js';
import { checkValue } from '../validate/check-value.js';
import type { NodeRef } from './apply.js';
import { type Propose, proposalAt } from './approvals.js';
import { evaluateMapping } from './mapping.js';
import type { Answer, Question } from './messages.js';
import { itemScopePath, nodePath } from './node-path.js';
import { fedTo } from './outputs.js';
import { prepareInputs } from './prepare.js';
import { lastListed, type RunState, scopeAt } from './run-state.js';
import { type ExtraNames, evaluateIn, itemScopeOf, scopeOf } from './scope.js';

/** What answering needs of the host. */
export interface Answerer {
  readonly vm: ExpressionVm;
  /** For the filter `read_file`; absent where the host has no files. */
  readonly readFile?: ReadFile;
  /** Asks what a call would do that a person is to approve; absent where nothing is going to be done. */
  readonly propose?: Propose;
  /** Writes what an output node's `save_to` names. Throws `HostError`. */
  readonly save?: (path: string, output: Json, format: OutputNodePlan['format']) => Promise<void>;
}

/** Evaluates what a node needs to go on. A promise only where the host must do something: a file to read or write. */
export function answerQuestion(state: RunState, ref: NodeRef, question: Question, host: Answerer): Answer | Promise<Answer> {
  const scope = scopeAt(state, ref.scope)!;
  const node = scope.plan.nodes[ref.index]!;
  const path = nodePath(ref.scope, node.id);
  const text = (expression: Expression, names: ExtraNames = []): Evaluated => evaluateIn(state, ref, expression, host.vm, names);
  switch (question.kind) {
    case 'if': {
      const condition = node.if!;
      const answer = asAnswer(toBoolean(text(condition)));
      return answer.ok && answer.value === false
        ? { ...answer, seen: seenBy(condition, scopeOf(state, ref, { reader: condition })) }
        : answer;
    }
    case 'value':
      return answerValue(state, ref, node, host);
    case 'merge': {
      const { fn } = node as Extract<PlanNode, { type: 'merge' }>;
      return asAnswer(text(fn!, [['branches', question.branches]]));
    }
    case 'loop':
      return answerLoop(node as LoopNodePlan, text);
    case 'while': {
      const loop = scope.nodes.get(ref.index).loop!;
      const { while: condition, indexAs } = node as LoopNodePlan;
      return asAnswer(
        toBoolean(
          text(condition!, [
            ['prev', loop.prev],
            [indexAs, loop.next],
          ]),
        ),
      );
    }
    case 'item':
      return answerItem(state, node as LoopNodePlan, itemScopePath(path, question.index), host);
    case 'child':
      return answerChild(state, ref, node as SubworkflowNodePlan, host);
    case 'child_outputs': {
      const { outputMapping } = node as SubworkflowNodePlan;
      const mapped = evaluateMapping(outputMapping!, (expression) => text(expression, [['result', question.outputs]]));
      return mapped.ok ? { ok: true, value: mapped.values } : failure(mapped.error);
    }
    default:
      return question satisfies never;
  }
}

function answerValue(state: RunState, ref: NodeRef, node: PlanNode, host: Answerer): Answer | Promise<Answer> {
  const text = (expression: Expression): Answer => asAnswer(evaluateIn(state, ref, expression, host.vm));
  switch (node.type) {
    case 'transform': {
      const answer = text(node.expression);
      return node.outputSchema === undefined ? answer : checked(answer, node.outputSchema);
    }
    case 'condition':
      return text(node.expression);
    case 'fail':
      return rendered(state, ref, node.message, host);
    case 'human_gate':
      return answerGate(state, ref, node, host);
    case 'wait':
      return rendered(state, ref, node.until!, host);
    case 'output':
      return answerOutput(state, ref, node, host);
    default:
      throw new Error(`a ${node.type} has no value to evaluate`);
  }
}

function rendered(state: RunState, ref: NodeRef, template: Template, host: Answerer): Answer | Promise<Answer> {
  const scope = scopeOf(state, ref, { reader: template });
  if (!template.readsFiles) return asAnswer(renderTemplate(template, scope, host.vm));
  return renderTemplateAsync(template, scope, host.vm, host.readFile).then(asAnswer);
}

/** A gate's message, and below it what is to be approved. */
function answerGate(state: RunState, ref: NodeRef, { message, approves }: GateNodePlan, host: Answerer): Answer | Promise<Answer> {
  const said: Answer | Promise<Answer> = message === undefined ? { ok: true, value: '' } : rendered(state, ref, message, host);
  const { propose } = host;
  return approves.length === 0 || propose === undefined ? said : withProposal(said, () => proposalAt(state, ref, host.vm, propose));
}

async function withProposal(said: Answer | Promise<Answer>, ask: () => ReturnType<typeof proposalAt>): Promise<Answer> {
  const answer = await said;
  if (!answer.ok) return answer;
  const proposal = await ask();
  if (proposal === undefined || !proposal.ok) return proposal ?? answer;
  const { value = null } = answer;
  const message = typeof value === 'string' ? value : JSON.stringify(value);
  return { ok: true, value: message === '' ? proposal.text : `${message}\n\n${proposal.text}`, tree: proposal.seal };
}

function checked(answer: Answer, schema: Json): Answer {
  if (!answer.ok || answer.value === undefined) return answer;
  const problems = checkValue(schema, answer.value);
  if (problems.length === 0) return answer;
  return {
    ok: false,
    code: 'output_invalid',
    message: `the output does not meet output_schema: ${problems.join('; ')}`,
    details: { problems },
  };
}

/** What a loop begins with. It sees its own names as they are before the first round. */
function answerLoop(node: LoopNodePlan, evaluated: (expression: Expression, names: ExtraNames) => Evaluated): Answer {
  const given: Record<string, Json> = {};
  const text = (expression: Expression): Evaluated => {
    const index: ExtraNames[number] = [node.indexAs, 0];
    return evaluated(expression, node.maxParallel > 1 ? [index] : [index, ['prev', given.initial ?? null]]);
  };
  if (node.initial !== undefined) {
    const initial = text(node.initial);
    if (!initial.ok) return failure(initial);
    if (initial.value !== undefined) given.initial = initial.value;
  }
  if (node.forEach !== undefined) {
    const items = text(node.forEach);
    if (!items.ok) return failure(items);
    if (!Array.isArray(items.value)) {
      const found = items.value === undefined ? 'undefined' : items.value === null ? 'null' : `a ${typeof items.value}`;
      return failure({ reason: 'result_type', message: `for_each takes a list; this gave ${found}` });
    }
    given.items = items.value;
  }
  return { ok: true, value: given };
}

function answerItem(state: RunState, node: LoopNodePlan, path: string, host: Answerer): Answer {
  const item = scopeAt(state, path)!;
  let value: Json | undefined = lastListed(item);
  if (node.collect !== undefined) {
    const collected = evaluate(node.collect, itemScopeOf(state, path, { reader: node.collect }), host.vm);
    if (!collected.ok) return failure(collected);
    value = collected.value;
  }
  let done = false;
  if (node.until !== undefined) {
    const scope = itemScopeOf(state, path, { reader: node.until, names: [['prev', value ?? null]] });
    const until = toBoolean(evaluate(node.until, scope, host.vm));
    if (!until.ok) return failure(until);
    done = until.value === true;
  }
  return { ok: true, value: { ...(value === undefined ? {} : { value }), done } };
}

async function answerChild(state: RunState, ref: NodeRef, node: SubworkflowNodePlan, host: Answerer): Promise<Answer> {
  const child = state.root.workflow.children[node.child]!;
  const mapped = evaluateMapping(node.inputMapping, (expression) => evaluateIn(state, ref, expression, host.vm));
  if (!mapped.ok) return failure(mapped.error);
  const prepared = await prepareInputs(child, mapped.values, { ...host, run: { id: state.begin.runId, startedAt: state.startedAt } });
  if (prepared.ok) return { ok: true, value: { inputs: prepared.inputs, context: prepared.context } };
  const said = prepared.problems.map(({ input, message }) => `${input}: ${message}`).join('; ');
  return {
    ok: false,
    code: 'validation',
    message: `the child refuses its inputs: ${said}`,
    details: { inputs: prepared.problems.map(({ input }) => input) },
  };
}

async function answerOutput(state: RunState, ref: NodeRef, node: OutputNodePlan, host: Answerer): Promise<Answer> {
  const scope = scopeAt(state, ref.scope)!;
  const value: Answer =
    node.value === undefined ? { ok: true, value: fedTo(scope, ref.index) } : asAnswer(evaluateIn(state, ref, node.value, host.vm));
  if (!value.ok || node.saveTo === undefined || value.value === undefined) return value;
  const target = await rendered(state, ref, node.saveTo, host);
  if (!target.ok) return target;
  if (host.save === undefined)
    return { ok: false, code: 'tool_unavailable', message: 'save_to needs a host that keeps files', details: {} };
  try {
    await host.save(String(target.value), value.value, node.format);
    return value;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const { code, message, reason, details } = error;
    return { ok: false, code, message: mask(`save_to: ${message}`), details: maskJson({ reason, ...details }) as JsonObject };
  }
}

/** What stands behind the names that a condition reads, clipped and masked, so that a skip can say what it saw. */
function seenBy(expression: Expression, scope: Scope): JsonObject {
  const seen: [string, Json][] = [];
  for (const read of expression.reads.slice(0, 8)) {
    const label = expression.text.slice(read.start, read.end);
    seen.push([label, shown(valueAt(scope, read.root, read.path))]);
  }
  return Object.fromEntries(seen);
}

function valueAt(scope: Scope, root: string, path: readonly (string | number)[]): Json | undefined {
  if (root !== 'run') return dig(scope.names.get(root), path);
  const [map, id, ...rest] = path;
  if ((map !== 'outputs' && map !== 'errors') || typeof id !== 'string' || scope.run === undefined) return undefined;
  const found = scope.run[map](id);
  return found.kind === 'value' ? dig(found.value, rest) : undefined;
}

function dig(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  let at: Json | undefined = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as { readonly [key: string]: Json })[key];
  }
  return at;
}

const SEEN_LIMIT = 200;

function shown(value: Json | undefined): Json {
  if (value === undefined || value === null || typeof value === 'boolean' || typeof value === 'number') return value ?? null;
  const text = typeof value === 'string' ? mask(value) : JSON.stringify(maskJson(value));
  return text.length <= SEEN_LIMIT ? text : `${text.slice(0, SEEN_LIMIT)}…`;
}

function asAnswer(result: Evaluated | { readonly ok: false; readonly reason: string; readonly message: string }): Answer {
  return result.ok ? { ok: true, value: result.value } : failure(result);
}

/** What stands in the way of a template's hole may be a file, not the text: then the tool's own code is told. */
const OWN_CODES: ReadonlySet<string> = new Set(['unresolved_reference', 'tool_denied', 'tool_failed', 'tool_unavailable']);

function failure(error: { readonly reason: string; readonly message: string }): Answer {
  const message = mask(error.message);
  if (OWN_CODES.has(error.reason)) return { ok: false, code: error.reason, message, details: {} };
  return { ok: false, code: 'expression_error', message, details: { reason: error.reason } };
}
