import PQueue from 'p-queue';
import type { Said } from '../agent/ask-model.js';
import { createLedger, type Ledger } from '../agent/ledger.js';
import type { Prices } from '../agent/prices.js';
import type { GateDecision, Note, RunEvent, StreamedEvent } from '../events/run-event.js';
import type { Json } from '../json.js';
import { type KnownSecrets, knownSecrets } from '../masking/known-secrets.js';
import { mask } from '../masking/mask.js';
import { maskJson } from '../masking/mask-json.js';
import { maskedStream } from '../masking/masked-stream.js';
import type { TextStream } from '../masking/text-stream.js';
import type { AgentNodePlan, Plan, PlanNode, Policy } from '../plan/plan.js';
import type { AgentInvoker } from '../ports/agent-invoker.js';
import type { CallContext } from '../ports/call-context.js';
import type { Cancel, CancelSignal } from '../ports/cancel.js';
import type { Clock } from '../ports/clock.js';
import type { EventStore } from '../ports/event-store.js';
import type { ExpressionVm } from '../ports/expression-vm.js';
import { HostError } from '../ports/host-error.js';
import type { Models } from '../ports/language-model.js';
import { intersectPolicies } from '../registry/effective-policy.js';
import type { Registry } from '../registry/registry.js';
import type { JsonObject } from '../registry/tool-def.js';
import type { ReadFile } from '../template/render.js';
import type { NodeRef } from './apply.js';
import { decisionProblems } from './decision-problems.js';
import { type AgentExecution, executeAgent } from './execute-agent.js';
import { executeTool, type NodeCall } from './execute-tool.js';
import { Execution } from './execution.js';
import { isoInstant } from './instant.js';
import { invokeAgent } from './invoke-agent.js';
import { judgeEdges } from './judge.js';
import { type Attempt, CLEANUP_TIMEOUT, type Command, type Input } from './messages.js';
import type { NodeError } from './node-error.js';
import { callPath, nodeIndex, nodePath, outermostCaller, splitNodePath } from './node-path.js';
import type { Failure, Outcome } from './outcome.js';
import { createPeople, type People } from './people.js';
import { type Answerer, answerQuestion } from './questions.js';
import { redactInput } from './redact-input.js';
import { initialState, openScopes, type RunBegin, type RunState, scopeAt } from './run-state.js';
import { Slot } from './slot.js';
import { isOver, transition } from './transition.js';

/** What a run asks of its host. */
export interface RunPorts extends Answerer {
  readonly clock: Clock;
  readonly store: EventStore;
  readonly vm: ExpressionVm;
  /** The one door to tools, for a policy: the workflow's, or a child's inside its caller's. */
  readonly registry: (policy: Policy) => Registry;
  readonly newCancel: () => Cancel;
  readonly readFile?: ReadFile;
  /** The values of secrets that this run reads, the same object as its registries have: replaced in all that the run keeps and shows. */
  readonly secrets?: KnownSecrets;
  /** Values of the secret inputs of the workflow, by name. */
  readonly secretInputs?: ReadonlyMap<string, string>;
  /** For agents; absent: agent nodes fail. */
  readonly models?: Models;
  /** What models cost, before the built-in table. */
  readonly prices?: Prices;
}

export interface RunOptions {
  /** Nodes in flight; absent: what the workflow says. */
  readonly maxParallel?: number;
  /** Each event once it is durable, in order. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Output of tools while it comes. */
  readonly onStream?: (event: StreamedEvent) => void;
  /** What models say while they say it. */
  readonly onText?: (event: StreamedEvent) => void;
  /** Every governed tool call waits for a person, not only those that an agent node names in `approve`. */
  readonly asks?: boolean;
  /** Asked when nothing but gates is left: true ends this driver with the run `waiting`. */
  readonly parks?: (gates: readonly string[]) => boolean;
}

export interface RunHandle {
  /** Rejects only for a fault of the engine or its store. */
  readonly done: Promise<RunResult>;
  /** Asks the run to end: what runs is stopped, `always` edges are followed. A second call waits for nothing any more. */
  cancel(): void;
  /**
   * A person's word about a gate. Resolves to what is wrong with it, in sentences; nothing is: it was taken. About a gate that does not
   * wait it changes nothing.
   */
  decide(node: string, decision: GateDecision): Promise<readonly string[]>;
}

export interface RunResult {
  readonly status: 'succeeded' | 'failed' | 'cancelled' | 'waiting';
  readonly outputs: JsonObject;
  readonly error?: NodeError;
  readonly state: RunState;
}

/** Handled inputs that may stay in the queue before it is cut. */
const MOST_HANDLED_KEPT = 4_096;
/** Inputs handled before the host gets a turn. */
const INPUTS_A_TURN = 256;

/** Runs a plan. The decisions are `transition`'s; this carries its commands out and feeds back what came of them, one at a time. */
export function startRun(plan: Plan, begin: RunBegin, ports: RunPorts, options: RunOptions = {}): RunHandle {
  const driver = new Driver(plan, begin, ports, options);
  // Not before the caller holds the handle: a listener may want to answer the very first event.
  void Promise.resolve().then(() => driver.feed({ type: 'begin', at: driver.now() }));
  return { done: driver.done, cancel: () => driver.cancel(), decide: (node, decision) => driver.decide(node, decision) };
}

/**
 * Invariants: inputs are handled one by one, in the order in which they came; an event is shown, and a command carried out, only once
 * the events before it are durable; a slot of `queue` is held from `started` until the execution
 * has ended, but for the time in which it waits for a person, and by nobody else.
 */
class Driver {
  readonly done: Promise<RunResult>;
  private readonly plan: Plan;
  private readonly ports: RunPorts;
  private readonly options: RunOptions;
  private readonly queue: PQueue;
  private inputs: Input[] = [];
  private readonly executions = new Map<string, Execution>();
  /** For each `started` that is yet to be handled, how to give its slot back. */
  private readonly free = new Map<Input, () => void>();
  /** Of the executions under way, by path. */
  private readonly slots = new Map<string, Slot>();
  private readonly timers = new Map<string, () => void>();
  private readonly ledger: Ledger;
  private readonly people: People;
  private readonly registries = new Map<string, { readonly policy: Policy; readonly registry: Registry }>();
  private state: RunState;
  /** Position of the next input to handle. */
  private next = 0;
  /** Cancelled when the run ends, however it ends; made when somebody wants to know. */
  private stopped: Cancel | undefined;
  private isPumping = false;
  private isParked = false;
  private isCancelled = false;
  private finish!: (result: RunResult) => void;
  private abort!: (fault: unknown) => void;

  constructor(plan: Plan, begin: RunBegin, ports: RunPorts, options: RunOptions) {
    this.plan = plan;
    this.ports = ports;
    this.options = options;
    const { secrets, secretInputs } = ports;
    for (const value of secretInputs?.values() ?? []) secrets?.add(value);
    const redacted = secrets === undefined ? begin : { ...begin, ...withoutSecrets(begin, secrets) };
    this.state = initialState(plan, redacted);
    this.queue = new PQueue({ concurrency: options.maxParallel ?? plan.maxParallel });
    this.done = new Promise((resolve, reject) => {
      this.finish = resolve;
      this.abort = reject;
    });
    const note = (note: Note): void => this.note(note);
    this.people = createPeople(note);
    this.ledger = createLedger({
      budget: plan.budget,
      prices: ports.prices ?? new Map(),
      spent: this.state.spent,
      note,
      askPerson: (node, message) => this.askPerson(node, `${node}/budget`, message, this.ends()),
    });
  }

  now(): number {
    return this.ports.clock.now();
  }

  feed(told: Input, giveBackSlot?: () => void): void {
    if (this.isParked || isOver(this.state)) return giveBackSlot?.();
    const { secrets } = this.ports;
    const input = secrets === undefined || secrets.isEmpty() ? told : redactInput(told, secrets);
    if (giveBackSlot !== undefined) this.free.set(input, giveBackSlot);
    this.inputs.push(input);
    if (!this.isPumping) this.pump();
  }

  cancel(): void {
    if (!this.isCancelled) {
      this.isCancelled = true;
      return this.feed({ type: 'cancel', at: this.now() });
    }
    this.feed({ type: 'timer', at: this.now(), key: CLEANUP_TIMEOUT });
    for (const execution of [...this.executions.values()]) execution.giveUp();
  }

  async decide(node: string, decision: GateDecision): Promise<readonly string[]> {
    const asked = this.people.decide(node, decision);
    if (asked !== undefined) return asked;
    const ref = this.find(node);
    const gate = ref === undefined ? undefined : scopeAt(this.state, ref.scope)!.plan.nodes[ref.index];
    if (gate?.type !== 'human_gate') return [`"${node}" is no gate of this run that waits`];
    const problems = await decisionProblems(gate, decision);
    if (problems.length === 0) this.feed({ type: 'decided', at: this.now(), node, decision });
    return problems;
  }

  /** Handles what has come. Synchronous while the store is; the one wait is for durability, or for the host's turn. */
  private pump(): void {
    this.isPumping = true;
    try {
      for (let handled = 0; this.next < this.inputs.length; handled++) {
        if (handled >= INPUTS_A_TURN) return this.ports.clock.soon(() => this.pump());
        const input = this.takeInput();
        const { state, commands, events } = transition(this.plan, this.state, input);
        this.state = state;
        const slot = this.takeSlot(input, commands);
        const durable = events.length === 0 ? undefined : this.ports.store.append(events);
        if (durable instanceof Promise) {
          durable.then(() => this.goOn(events, commands, slot)).catch((fault) => this.fault(fault));
          return;
        }
        this.carryOut(events, commands, slot);
      }
      this.isPumping = false;
    } catch (fault) {
      this.fault(fault);
    }
  }

  private goOn(events: readonly RunEvent[], commands: readonly Command[], slot: (() => void) | undefined): void {
    this.carryOut(events, commands, slot);
    this.pump();
  }

  private fault(fault: unknown): void {
    this.stopAll();
    this.isParked = true;
    this.abort(fault);
  }

  /** The slot that an input came with, for what it makes execute. A node that was stopped in line executes nothing: it goes back at once. */
  private takeSlot(input: Input, commands: readonly Command[]): (() => void) | undefined {
    const slot = this.free.get(input);
    if (slot === undefined) return undefined;
    this.free.delete(input);
    if (commands.some(({ type }) => type === 'execute')) return slot;
    slot();
    return undefined;
  }

  private takeInput(): Input {
    const input = this.inputs[this.next++]!;
    // A queue that never runs empty must not keep what was handled: amortised, an input is copied once.
    if (this.next === this.inputs.length || this.next >= MOST_HANDLED_KEPT) {
      this.inputs = this.inputs.slice(this.next);
      this.next = 0;
    }
    return input;
  }

  private carryOut(events: readonly RunEvent[], commands: readonly Command[], slot: (() => void) | undefined): void {
    for (const event of events) this.options.onEvent?.(event);
    for (const command of commands) this.perform(command, slot);
    if (isOver(this.state)) return this.end(this.state.status as RunResult['status']);
    if (events.some(({ type }) => type === 'run:waiting')) this.maybePark();
  }

  private perform(command: Command, slot: (() => void) | undefined): void {
    switch (command.type) {
      case 'start':
        return this.standInLine(command.node);
      case 'execute':
        return this.execute(command, slot ?? (() => undefined));
      case 'cancel':
        return this.executions.get(command.node)?.stop();
      case 'ask':
        return this.ask(command);
      case 'judge': {
        const { node, attempt, since, outcome, positions } = command;
        const ref = this.find(node);
        if (ref === undefined) return;
        return this.feed({
          type: 'verdicts',
          at: this.now(),
          node,
          attempt,
          since,
          outcome,
          edges: judgeEdges(this.state, ref, outcome, positions, this.ports.vm),
        });
      }
      case 'timer':
        this.clear(command.key);
        this.timers.set(
          command.key,
          this.ports.clock.at(command.at, () => {
            this.timers.delete(command.key);
            this.feed({ type: 'timer', at: this.now(), key: command.key });
          }),
        );
        return;
      case 'clear':
        return this.clear(command.key);
      default:
        return command satisfies never;
    }
  }

  private standInLine(node: string): void {
    void this.queue.add(() => new Promise<void>((release) => this.feed({ type: 'started', at: this.now(), node }, release)));
  }

  private execute({ node: path, attempt, since }: Attempt, giveBackSlot: () => void): void {
    const ref = this.find(path)!;
    const node = scopeAt(this.state, ref.scope)!.plan.nodes[ref.index]!;
    const slot = new Slot(this.queue, giveBackSlot);
    this.slots.set(path, slot);
    const execution: Execution = new Execution({
      clock: this.ports.clock,
      cancel: this.ports.newCancel(),
      timeoutMs: node.timeoutMs,
      work: (signal) => this.work(ref, node, this.callContext(ref, path, attempt, signal), execution),
      ended: (outcome) => {
        this.executions.delete(path);
        this.slots.delete(path);
        this.feed({
          type: 'completed',
          at: this.now(),
          node: path,
          attempt,
          since,
          outcome: outcome.kind === 'failed' ? withoutCredentials(outcome) : outcome,
        });
        slot.end();
      },
      fault: (fault) => this.fault(fault),
    });
    this.executions.set(path, execution);
    execution.begin();
  }

  /** Secret inputs are the outermost workflow's: no expression can hand one on to a child. Output that nobody looks at is not made. */
  private callContext({ scope }: NodeRef, path: string, attempt: number, signal: CancelSignal): NodeCall {
    const { secretInputs } = this.ports;
    const isOutermost = scopeAt(this.state, scope)!.depth === 0;
    return {
      node: path,
      attempt,
      callId: `${path}#${attempt}`,
      signal,
      onOutput: this.options.onStream === undefined ? undefined : (stream, text) => this.stream(path, stream, text),
      secretInput: isOutermost && secretInputs !== undefined ? (name) => secretInputs.get(name) : undefined,
    };
  }

  private async work(ref: NodeRef, node: PlanNode, call: NodeCall, execution: Execution): Promise<Outcome> {
    const note = (note: Note): void => {
      if (execution.isUnderWay) this.note(note);
    };
    const work: Work = { ref, node, call, note };
    if (node.type === 'agent') return this.runAgent({ ...work, node });
    if (node.type !== 'tool') throw new Error(`a ${node.type} is no work`);
    return executeTool(this.state, ref, node, {
      registry: this.registryFor(ref.scope).registry,
      vm: this.ports.vm,
      call,
      now: () => this.ports.clock.now(),
      note,
      services: this.services(work),
    });
  }

  private async runAgent({ node, ...work }: AgentWork, invoked?: AgentExecution['invoked']): Promise<Outcome> {
    const { ref, call, note } = work;
    return executeAgent(this.state, ref, node, {
      registry: this.registryFor(ref.scope).registry,
      vm: this.ports.vm,
      readFile: this.ports.readFile,
      models: this.ports.models,
      ledger: this.ledger,
      clock: this.ports.clock,
      call,
      note,
      said: this.saidBy(call.node),
      services: this.services({ ...work, node }),
      ...(invoked === undefined ? {} : { invoked }),
    });
  }

  /** Whom the calls of one execution may ask, and whom they may invoke. */
  private services(work: Work): AgentExecution['services'] {
    const { node } = work;
    const named = node.type === 'agent' ? node.approve : [];
    const asksAll = this.options.asks === true;
    const agents: AgentInvoker = { invoke: (id, input, call) => this.invoke(work, id, input, call) };
    if (!asksAll && named.length === 0) return { agents };
    return {
      agents,
      approval: {
        decide: async ({ tool, preview, context }) => {
          if (!asksAll && !named.includes(tool)) return 'not_needed';
          const question = callPath(context.node, context.call ?? 1);
          const message = `"${node.id}" wants to use ${tool}: ${preview}`;
          const isApproved = await this.askPerson(context.node, question, message, context.signal);
          return isApproved ? 'approved' : 'rejected';
        },
      },
    };
  }

  private async invoke({ ref, note }: Work, id: string, input: Json, call: CallContext): Promise<Json> {
    const { plan } = scopeAt(this.state, ref.scope)!;
    const callee = plan.nodes[nodeIndex(plan, id) ?? -1];
    if (callee?.type !== 'agent') throw new HostError('tool_failed', 'unknown_node', `there is no agent node "${id.slice(0, 100)}" here`);
    return invokeAgent({
      callee,
      input,
      call,
      runId: this.state.begin.runId,
      clock: this.ports.clock,
      newCancel: this.ports.newCancel,
      note: (told) =>
        note(told.type === 'node:failed' || told.type === 'node:retrying' ? { ...told, error: withoutCredentials(told.error) } : told),
      attempt: (context) =>
        this.runAgent(
          { ref: { scope: ref.scope, index: callee.index }, node: callee, call: context, note },
          { input, parent: call.callId ?? call.node },
        ),
    });
  }

  /** Whoever waits for a person keeps nobody else from running. */
  private askPerson(node: string, question: string, message: string, signal: CancelSignal): Promise<boolean> {
    const ask = (): Promise<boolean> => this.people.ask(question, message, signal);
    return this.slots.get(outermostCaller(node))?.without(signal, ask) ?? ask();
  }

  private note(note: Note): void {
    this.feed({ type: 'noted', at: this.now(), note });
  }

  /** What an agent says while it says it, masked; each answer for itself. */
  private saidBy(node: string): Said {
    const { onText } = this.options;
    if (onText === undefined) return { push: () => undefined, end: () => undefined };
    const { secrets = knownSecrets() } = this.ports;
    const open = new Map<'text' | 'reasoning', TextStream>();
    return {
      push: (kind, delta) => {
        const stream = open.get(kind) ?? maskedStream(secrets, (text) => this.tellText({ type: `agent:${kind}`, node, text }));
        open.set(kind, stream);
        stream.push(delta);
      },
      end: () => {
        for (const stream of open.values()) stream.end();
        open.clear();
      },
    };
  }

  private tellText(said: { readonly type: 'agent:text' | 'agent:reasoning'; readonly node: string; readonly text: string }): void {
    if (!isOver(this.state)) this.options.onText?.({ ...said, ts: isoInstant(this.now()), runId: this.state.begin.runId });
  }

  private stream(node: string, stream: 'stdout' | 'stderr', text: string): void {
    if (isOver(this.state)) return;
    this.options.onStream?.({
      type: 'tool:output',
      ts: isoInstant(this.ports.clock.now()),
      runId: this.state.begin.runId,
      node,
      stream,
      text,
    });
  }

  private ask({ node, attempt, since, question }: Extract<Command, { type: 'ask' }>): void {
    const ref = this.find(node);
    if (ref === undefined) return;
    const answer = answerQuestion(this.state, ref, question, this.answerer(ref));
    if (!(answer instanceof Promise)) return this.feed({ type: 'answered', at: this.now(), node, attempt, since, question, answer });
    answer.then(
      (late) => this.feed({ type: 'answered', at: this.now(), node, attempt, since, question, answer: late }),
      (fault) => this.fault(fault),
    );
  }

  private answerer(ref: NodeRef): Answerer {
    const node = scopeAt(this.state, ref.scope)!.plan.nodes[ref.index]!;
    if (node.type !== 'human_gate' || node.approves.length === 0) return this.ports;
    const { registry } = this.registryFor(ref.scope);
    const context = { node: nodePath(ref.scope, node.id), attempt: 1, signal: this.ports.newCancel().signal };
    return { ...this.ports, propose: (call) => registry.propose({ ...call, context }) };
  }

  private maybePark(): void {
    const gates: string[] = [];
    for (const scope of openScopes(this.state.root)) {
      for (const { index, id } of scope.plan.nodes) {
        const { status, waitsFor } = scope.nodes.get(index);
        if (status !== 'waiting' || waitsFor === 'inner') continue;
        if (waitsFor !== 'gate') return;
        gates.push(nodePath(scope.path, id));
      }
    }
    if (this.options.parks?.(gates) !== true) return;
    this.isParked = true;
    this.end('waiting');
  }

  private end(status: RunResult['status']): void {
    this.stopAll();
    const { outputs, error } = this.state;
    this.finish({ status, outputs: outputs ?? {}, state: this.state, ...(error === undefined ? {} : { error }) });
  }

  private ends(): CancelSignal {
    this.stopped ??= this.ports.newCancel();
    return this.stopped.signal;
  }

  private stopAll(): void {
    this.stopped?.cancel();
    this.queue.clear();
    for (const key of [...this.timers.keys()]) this.clear(key);
    for (const execution of [...this.executions.values()]) {
      execution.stop();
      execution.giveUp();
    }
  }

  private clear(key: string): void {
    this.timers.get(key)?.();
    this.timers.delete(key);
  }

  /** Undefined when the node's scope has ended in the very step that asked something of it. */
  private find(path: string): NodeRef | undefined {
    const { scope, id } = splitNodePath(path);
    const open = scopeAt(this.state, scope);
    return open === undefined ? undefined : { scope, index: nodeIndex(open.plan, id)! };
  }

  /** A child's tools obey its own policy and its caller's. */
  private registryFor(scopePath: string): { readonly policy: Policy; readonly registry: Registry } {
    const scope = scopeAt(this.state, scopePath)!;
    if (scope.item !== undefined) return this.registryFor(scope.parent!.scope);
    const key = scope.parent === undefined ? '' : scopePath;
    let found = this.registries.get(key);
    if (found === undefined) {
      const policy =
        scope.parent === undefined
          ? scope.workflow.policy
          : intersectPolicies(this.registryFor(scope.parent.scope).policy, scope.workflow.policy);
      found = { policy, registry: this.ports.registry(policy) };
      this.registries.set(key, found);
    }
    return found;
  }
}

function withoutSecrets({ inputs, context }: RunBegin, secrets: KnownSecrets): Pick<RunBegin, 'inputs' | 'context'> {
  return { inputs: secrets.redactJson(inputs) as JsonObject, context: secrets.redactJson(context) as JsonObject };
}

function withoutCredentials<T extends Pick<Failure, 'message' | 'details'>>(failure: T): T {
  return { ...failure, message: mask(failure.message), details: maskJson(failure.details) };
}

/** A node whose execution is under way. */
interface Work {
  readonly ref: NodeRef;
  readonly node: PlanNode;
  readonly call: CallContext;
  /** Silent once the run goes on without this execution. */
  readonly note: (note: Note) => void;
}

type AgentWork = Work & { readonly node: AgentNodePlan };
