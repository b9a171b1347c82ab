import type { GateDecision, RunEvent } from '../events/run-event.js';
import { evaluate } from '../expression/evaluate.js';
import type { Json } from '../json.js';
import type { Plan, PlanNode, ScopePlan, ToolNodePlan } from '../plan/plan.js';
import type { Registry, ToolDecision } from '../registry/registry.js';
import { judgeEdges } from './judge.js';
import { evaluateMapping } from './mapping.js';
import { type Command, type Input, RUN_TIMEOUT, wholeTimeout } from './messages.js';
import { itemScopePath, nodeIndex, nodePath, splitNodePath } from './node-path.js';
import { type Answerer, answerQuestion } from './questions.js';
import { initialState, isScheduled, type RunBegin, type RunState, scopeAt } from './run-state.js';
import { scopeOf } from './scope.js';
import { transition } from './transition.js';

/** What would become of one node. */
export interface DryRunLine {
  /** Path of the node; in a loop of its first iteration. */
  readonly node: string;
  readonly type: PlanNode['type'];
  /**
   * `execute`: it would run now, and only a run can tell its result. `done`: pure, mocked, or evaluated here. `skip`: it would not run.
   * `fail`: it would fail. `deferred`: that depends on a result which is not known.
   */
  readonly decision: 'execute' | 'done' | 'skip' | 'fail' | 'deferred';
  readonly reason: string;
  /** What the policy says of the call, as far as its arguments are known. */
  readonly policy?: ToolDecision;
}

export interface DryRun {
  readonly lines: readonly DryRunLine[];
  /** The run would be refused somewhere that is known now. */
  readonly denied: boolean;
}

/** Output by node path, for nodes whose result only a run can tell. */
export type Mocks = ReadonlyMap<string, Json>;

export interface DryRunPorts extends Answerer {
  readonly now: number;
  readonly registry: Registry;
}

/**
 * Runs the real transition and does nothing: expressions are evaluated, calls are judged and not made. Where only a call could tell how it
 * goes on, a mock does, or the rest is deferred.
 */
export async function dryRun(plan: Plan, begin: RunBegin, ports: DryRunPorts, mocks: Mocks): Promise<DryRun> {
  const play: Play = { ports: { ...ports, save: () => Promise.resolve() }, mocks, verdicts: new Map(), policies: new Map() };
  await playOut(plan, begin, play);
  const lines: DryRunLine[] = [];
  await describe(plan, plan.root, '', play, lines);
  return { lines, denied: lines.some(({ policy }) => policy !== undefined && policy.decision !== 'allow') };
}

interface Play {
  readonly ports: DryRunPorts;
  readonly mocks: Mocks;
  readonly verdicts: Map<string, Verdict>;
  readonly policies: Map<string, ToolDecision>;
}

type Verdict = Pick<DryRunLine, 'decision' | 'reason'>;

async function playOut(plan: Plan, begin: RunBegin, play: Play): Promise<void> {
  let state = initialState(plan, begin);
  const inputs: Input[] = [{ type: 'begin', at: play.ports.now }];
  for (let next = 0; next < inputs.length; next++) {
    const step = transition(plan, state, inputs[next]!);
    state = step.state;
    for (const event of step.events) {
      note(event, play);
      if (event.type !== 'gate:opened') continue;
      const decision = mockedDecision(play.mocks, event.node);
      if (decision !== undefined) inputs.push({ type: 'decided', at: play.ports.now, node: event.node, decision });
    }
    for (const command of step.commands) {
      const follows = await follow(command, state, play);
      if (follows !== undefined) inputs.push(follows);
    }
  }
}

/** Keeps the last that was heard of a node. */
function note(event: RunEvent, { verdicts, mocks }: Play): void {
  switch (event.type) {
    case 'node:started':
      return void verdicts.set(event.node, { decision: 'execute', reason: reasonToWait(event.nodeType) });
    case 'node:succeeded':
      return void verdicts.set(event.node, {
        decision: 'done',
        reason: mockFor(mocks, event.node) === undefined ? 'evaluated here' : 'mocked',
      });
    case 'node:failed':
      return void verdicts.set(event.node, { decision: 'fail', reason: `${event.error.code}: ${event.error.message}` });
    case 'node:cancelled':
      return void verdicts.set(event.node, { decision: 'skip', reason: event.reason });
    case 'node:skipped': {
      const { reason, condition, upstream } = event;
      const seen = Object.entries(condition?.values ?? {}).map(([name, value]) => `${name} is ${JSON.stringify(value)}`);
      const details = [condition?.text, ...seen, upstream].filter((text) => text !== undefined);
      return void verdicts.set(event.node, {
        decision: 'skip',
        reason: details.length === 0 ? reason : `${reason} (${details.join('; ')})`,
      });
    }
    default:
      return;
  }
}

/** A mock of a gate is its output; what it does not say is a plain approval. */
function mockedDecision(mocks: Mocks, gate: string): GateDecision | undefined {
  const mock = mockFor(mocks, gate);
  if (mock === undefined) return undefined;
  const given = (typeof mock === 'object' && mock !== null && !Array.isArray(mock) ? mock : {}) as Partial<GateDecision>;
  return { by: 'mock', ...given, decision: given.decision ?? 'approved' };
}

function reasonToWait(type: string): string {
  switch (type) {
    case 'human_gate':
      return 'a person decides';
    case 'loop':
    case 'subworkflow':
      return 'something in it is to be run';
    default:
      return 'all that it waits for is known';
  }
}

async function follow(command: Command, state: RunState, { ports, mocks, policies }: Play): Promise<Input | undefined> {
  const at = ports.now;
  switch (command.type) {
    case 'start':
      return { type: 'started', at, node: command.node };
    case 'execute': {
      const { node, attempt, since } = command;
      const policy = await judgeCall(state, node, ports);
      if (policy !== undefined) policies.set(node, policy);
      const mock = mockFor(mocks, node);
      return mock === undefined ? undefined : { type: 'completed', at, node, attempt, since, outcome: { kind: 'succeeded', output: mock } };
    }
    case 'ask': {
      const { node, attempt, since, question } = command;
      const ref = find(state, node);
      return ref === undefined
        ? undefined
        : { type: 'answered', at, node, attempt, since, question, answer: await answerQuestion(state, ref, question, ports) };
    }
    case 'judge': {
      const { node, attempt, since, outcome, positions } = command;
      const ref = find(state, node);
      if (ref === undefined) return undefined;
      return { type: 'verdicts', at, node, attempt, since, outcome, edges: judgeEdges(state, ref, outcome, positions, ports.vm) };
    }
    case 'timer':
      return isWait(state, command.key) ? { type: 'timer', at: command.at, key: command.key } : undefined;
    case 'cancel':
    case 'clear':
      return undefined;
    default:
      return command satisfies never;
  }
}

/** By the node's path, or by the path without the numbers of iterations, which stands for all of them. */
function mockFor(mocks: Mocks, node: string): Json | undefined {
  return mocks.get(node) ?? mocks.get(node.replaceAll(/\[\d+\]/g, ''));
}

/** Of the timers only those of `wait` nodes are let run out: time is no result. */
function isWait(state: RunState, key: string): boolean {
  if (key === RUN_TIMEOUT || key.endsWith(wholeTimeout(''))) return false;
  const ref = find(state, key);
  return ref !== undefined && scopeAt(state, ref.scope)!.plan.nodes[ref.index]!.type === 'wait';
}

function find(state: RunState, path: string): { readonly scope: string; readonly index: number } | undefined {
  const { scope, id } = splitNodePath(path);
  const open = scopeAt(state, scope);
  const index = open === undefined ? undefined : nodeIndex(open.plan, id);
  return index === undefined ? undefined : { scope, index };
}

/** What the policy says of a call with the arguments that it would have now. */
async function judgeCall(state: RunState, path: string, ports: DryRunPorts): Promise<ToolDecision | undefined> {
  const ref = find(state, path)!;
  const node = scopeAt(state, ref.scope)!.plan.nodes[ref.index]!;
  if (node.type !== 'tool') return undefined;
  const mapped = evaluateMapping(node.inputMapping, (expression) =>
    evaluate(expression, scopeOf(state, ref, { reader: expression }), ports.vm),
  );
  if (!mapped.ok) return { decision: 'error', code: 'expression_error', message: mapped.error.message };
  return ports.registry.check(callOf(node, path, mapped.values));
}

function callOf(node: ToolNodePlan, path: string, mapped: { readonly [name: string]: Json }): Parameters<Registry['check']>[0] {
  const signal = { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined };
  const context = { node: path, attempt: 1, signal };
  const { node_id: id } = node.config;
  return {
    tool: node.tool,
    caller: 'node',
    granted: [node.tool],
    modelArgs: {},
    mapped,
    config: node.config,
    agents: NOT_INVOKED,
    ...(typeof id === 'string' ? { invokes: [id] } : {}),
    context,
  };
}

/** `unheard`: what becomes of nodes that nothing was heard of. */
async function describe(
  root: Plan,
  { nodes }: ScopePlan,
  path: string,
  play: Play,
  lines: DryRunLine[],
  unheard: Verdict = DEFERRED,
): Promise<void> {
  for (const node of nodes) {
    const at = nodePath(path, node.id);
    const verdict = play.verdicts.get(at) ?? (isScheduled(node) || unheard !== DEFERRED ? unheard : INVOKED);
    // A call that is not made is not judged.
    const policy = verdict.decision === 'skip' ? undefined : (play.policies.get(at) ?? (await literalCall(node, at, play.ports)));
    lines.push({ node: at, type: node.type, ...verdict, ...(policy === undefined ? {} : { policy }) });
    const inside = insideOf(node, verdict);
    if (node.type === 'loop') await describe(root, node.body, itemScopePath(at, 0), play, lines, inside);
    if (node.type === 'subworkflow' && play.verdicts.has(at))
      await describe(root, root.children[node.child]!.root, at, play, lines, inside);
  }
}

/** A loop or a child that has come to its end will not run what it has not run. */
function insideOf({ id }: PlanNode, { decision }: Verdict): Verdict {
  if (decision === 'skip' || decision === 'fail') return { decision: 'skip', reason: `${id} does not run` };
  return decision === 'done' ? { decision: 'skip', reason: `${id} has ended without it` } : DEFERRED;
}

const NOT_INVOKED = { invoke: () => Promise.reject(new Error('a dry run invokes nobody')) };
const INVOKED: Verdict = { decision: 'deferred', reason: 'runs when an agent invokes it' };
const DEFERRED: Verdict = { decision: 'deferred', reason: 'depends on a result that only a run can tell' };

/** A deferred call whose arguments are all literal can be judged although nobody knows whether it is made. */
async function literalCall(node: PlanNode, path: string, ports: DryRunPorts): Promise<ToolDecision | undefined> {
  if (node.type !== 'tool' || node.inputMapping.length > 0) return undefined;
  return ports.registry.check(callOf(node, path, {}));
}
