import PQueue from 'p-queue';
import { createLedger } from '../agent/ledger.js';
import type { GateDecision, Note, RunEvent } from '../events/run-event.js';
import type { JsonObject } from '../json.js';
import type { KnownSecrets } from '../masking/known-secrets.js';
import type { Plan } from '../plan/plan.js';
import type { CancelSignal } from '../ports/cancel.js';

import type { NodeRef } from './apply.js';
import { decisionProblems } from './decision-problems.js';
import { Execution } from './execution.js';
import { judgeEdges } from './judge.js';
import { type Attempt, CLEANUP_TIMEOUT, type Command, type Input } from './messages.js';
import type { NodeError } from './node-error.js';
import { nodeIndex, nodePath, outermostCaller, splitNodePath } from './node-path.js';
import { NodeWork } from './node-work.js';
import { createPeople, type People } from './people.js';
import { type Answerer, answerQuestion } from './questions.js';
import { redactInput } from './redact-input.js';
import type { RunOptions, RunPorts } from './run-ports.js';
import { initialState, openScopes, type RunBegin, type RunState, scopeAt } from './run-state.js';
import { Slot } from './slot.js';
import { isOver, transition } from './transition.js';
import { withoutCredentials } from './without-credentials.js';

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
 * the events before it are durable; a slot of `queue` is held from `started` until the execution has ended, but for the time in which it
 * waits for a person, and by nobody else.
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
  private readonly people: People;
  private readonly work: NodeWork;
  private state: RunState;
  /** Position of the next input to handle. */
  private next = 0;
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
    const ledger = createLedger({
      budget: plan.budget,
      prices: ports.prices ?? new Map(),
      spent: this.state.spent,
      note,
      askPerson: (node, message, signal) => this.askPerson(node, `${node}/budget`, message, signal),
    });
    this.work = new NodeWork({
      state: () => this.state,
      ports,
      options,
      ledger,
      askPerson: (node, question, message, signal) => this.askPerson(node, question, message, signal),
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
    const problems = decisionProblems(gate, decision);
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

  private execute(begun: Attempt, giveBackSlot: () => void): void {
    const { node: path } = begun;
    const ref = this.find(path)!;
    const node = scopeAt(this.state, ref.scope)!.plan.nodes[ref.index]!;
    const slot = new Slot(this.queue, giveBackSlot);
    this.slots.set(path, slot);
    const execution: Execution = new Execution({
      clock: this.ports.clock,
      cancel: this.ports.newCancel(),
      timeoutMs: node.timeoutMs,
      work: (signal) =>
        this.work.attempt(ref, node, begun, signal, (note) => {
          if (execution.isUnderWay) this.note(note);
        }),
      ended: (outcome) => {
        this.executions.delete(path);
        this.slots.delete(path);
        this.feed({
          ...begun,
          type: 'completed',
          at: this.now(),
          outcome: outcome.kind === 'failed' ? withoutCredentials(outcome) : outcome,
        });
        slot.end();
      },
      fault: (fault) => this.fault(fault),
    });
    this.executions.set(path, execution);
    execution.begin();
  }

  /** Whoever waits for a person keeps nobody else from running. */
  private askPerson(node: string, question: string, message: string, signal: CancelSignal): Promise<boolean> {
    const ask = (): Promise<boolean> => this.people.ask(question, message, signal);
    return this.slots.get(outermostCaller(node))?.without(signal, ask) ?? ask();
  }

  private note(note: Note): void {
    this.feed({ type: 'noted', at: this.now(), note });
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
    const registry = this.work.registryFor(ref.scope);
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

  private stopAll(): void {
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
}

function withoutSecrets({ inputs, context }: RunBegin, secrets: KnownSecrets): Pick<RunBegin, 'inputs' | 'context'> {
  return { inputs: secrets.redactJson(inputs) as JsonObject, context: secrets.redactJson(context) as JsonObject };
}
