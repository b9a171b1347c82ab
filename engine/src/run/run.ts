import PQueue from 'p-queue';
import type { GateDecision, RunEvent, StreamedEvent } from '../events/run-event.js';
import { mask } from '../masking/mask.js';
import { maskJson } from '../masking/mask-json.js';
import type { Plan, Policy } from '../plan/plan.js';
import type { Cancel } from '../ports/cancel.js';
import type { Clock } from '../ports/clock.js';
import type { EventStore } from '../ports/event-store.js';
import type { ExpressionVm } from '../ports/expression-vm.js';
import { intersectPolicies } from '../registry/effective-policy.js';
import type { Registry } from '../registry/registry.js';
import type { JsonObject } from '../registry/tool-def.js';
import type { ReadFile } from '../template/render.js';
import type { NodeRef } from './apply.js';
import { executeTool } from './execute-tool.js';
import { isoInstant } from './instant.js';
import { judgeEdges } from './judge.js';
import { CLEANUP_TIMEOUT, type Command, type Input } from './messages.js';
import type { NodeError } from './node-error.js';
import { nodeIndex, nodePath, splitNodePath } from './node-path.js';
import { type Failure, failed, type Outcome } from './outcome.js';
import { type Answerer, answerQuestion } from './questions.js';
import { initialState, type RunBegin, type RunState } from './run-state.js';
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
}

export interface RunOptions {
  /** Nodes in flight; absent: what the workflow says. */
  readonly maxParallel?: number;
  /** Each event once it is durable, in order. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Output of tools while it comes. */
  readonly onStream?: (event: StreamedEvent) => void;
  /** Asked when nothing but gates is left: true ends this driver with the run `waiting`. */
  readonly parks?: (gates: readonly string[]) => boolean;
}

export interface RunHandle {
  /** Rejects only for a fault of the engine or its store. */
  readonly done: Promise<RunResult>;
  /** Asks the run to end: what runs is stopped, `always` edges are followed. A second call waits for nothing any more. */
  cancel(): void;
  /** A person's word about a gate that waits; any other call changes nothing. */
  decide(node: string, decision: GateDecision): void;
}

export interface RunResult {
  readonly status: 'succeeded' | 'failed' | 'cancelled' | 'waiting';
  readonly outputs: JsonObject;
  readonly error?: NodeError;
  readonly state: RunState;
}

/** Milliseconds that a stopped execution may take before the run goes on without it. */
const ABANDON_AFTER_MS = 10_000;
/** Inputs handled before the host gets a turn. */
const INPUTS_A_TURN = 256;

/** Runs a plan. The decisions are `transition`'s; this carries its commands out and feeds back what came of them, one at a time. */
export function startRun(plan: Plan, begin: RunBegin, ports: RunPorts, options: RunOptions = {}): RunHandle {
  const driver = new Driver(plan, begin, ports, options);
  driver.feed({ type: 'begin' });
  return { done: driver.done, cancel: () => driver.cancel(), decide: (node, decision) => driver.feed({ type: 'decided', node, decision }) };
}

interface Execution {
  readonly attempt: number;
  readonly cancel: Cancel;
  readonly takeBackTimers: (() => void)[];
}

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

/**
 * Invariants: inputs are handled one by one, in the order in which they came; an event is shown, and a command carried out, only once
 * the events before it are durable; a slot of `queue` is held from `started` until the execution has ended, and by nobody else.
 */
class Driver {
  readonly done: Promise<RunResult>;
  private readonly plan: Plan;
  private readonly ports: RunPorts;
  private readonly options: RunOptions;
  private readonly queue: PQueue;
  private inputs: Input[] = [];
  private readonly executions = new Map<string, Execution>();
  /** Gives back the slot of a node that stands in line or runs. */
  private readonly slots = new Map<string, () => void>();
  private readonly timers = new Map<string, () => void>();
  private readonly registries = new Map<string, { readonly policy: Policy; readonly registry: Registry }>();
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
    this.state = initialState(plan, begin);
    this.queue = new PQueue({ concurrency: options.maxParallel ?? plan.maxParallel });
    this.done = new Promise((resolve, reject) => {
      this.finish = resolve;
      this.abort = reject;
    });
  }

  feed(input: Unstamped<Input>): void {
    if (this.isParked || isOver(this.state)) return;
    this.inputs.push({ ...input, at: this.ports.clock.now() } as Input);
    if (!this.isPumping) this.pump();
  }

  cancel(): void {
    if (!this.isCancelled) {
      this.isCancelled = true;
      return this.feed({ type: 'cancel' });
    }
    this.feed({ type: 'timer', key: CLEANUP_TIMEOUT });
    for (const [node, { attempt }] of [...this.executions]) this.complete(node, attempt, { kind: 'cancelled' });
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
        // A node that was stopped while it stood in line does not execute and gives its slot back.
        if (input.type === 'started' && !commands.some(({ type }) => type === 'execute')) this.release(input.node);
        const durable = events.length === 0 ? undefined : this.ports.store.append(events);
        if (durable instanceof Promise) {
          durable.then(
            () => {
              this.carryOut(events, commands);
              this.pump();
            },
            (fault) => this.abort(fault),
          );
          return;
        }
        this.carryOut(events, commands);
      }
      this.isPumping = false;
    } catch (fault) {
      this.stopAll();
      this.abort(fault);
    }
  }

  private takeInput(): Input {
    const input = this.inputs[this.next++]!;
    if (this.next === this.inputs.length) {
      this.inputs = [];
      this.next = 0;
    }
    return input;
  }

  private carryOut(events: readonly RunEvent[], commands: readonly Command[]): void {
    for (const event of events) this.options.onEvent?.(event);
    for (const command of commands) this.perform(command);
    if (isOver(this.state)) return this.end(this.state.status as RunResult['status']);
    if (events.some(({ type }) => type === 'run:waiting')) this.maybePark();
  }

  private perform(command: Command): void {
    switch (command.type) {
      case 'start':
        return this.standInLine(command.node);
      case 'execute':
        return this.execute(command.node, command.attempt);
      case 'cancel':
        return this.stop(command.node);
      case 'ask':
        return this.ask(command);
      case 'judge': {
        const { node, attempt, outcome, positions } = command;
        const ref = this.find(node);
        if (ref === undefined) return;
        return this.feed({
          type: 'verdicts',
          node,
          attempt,
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
            this.feed({ type: 'timer', key: command.key });
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
    void this.queue.add(
      () =>
        new Promise<void>((release) => {
          this.slots.set(node, release);
          this.feed({ type: 'started', node });
        }),
    );
  }

  private release(node: string): void {
    this.slots.get(node)?.();
    this.slots.delete(node);
  }

  private execute(path: string, attempt: number): void {
    const ref = this.find(path)!;
    const node = this.state.scopes.get(ref.scope)!.plan.nodes[ref.index]!;
    const cancel = this.ports.newCancel();
    const execution: Execution = { attempt, cancel, takeBackTimers: [] };
    this.executions.set(path, execution);
    let timedOut = false;
    if (node.timeoutMs !== undefined) {
      const { timeoutMs } = node;
      execution.takeBackTimers.push(
        this.ports.clock.at(this.ports.clock.now() + timeoutMs, () => {
          timedOut = true;
          this.stop(path);
        }),
      );
    }
    const timeout = failed('timeout', `not done within ${node.timeoutMs} ms`, { timeoutMs: node.timeoutMs ?? 0 });
    const ended = (outcome: Outcome): void => this.complete(path, attempt, timedOut ? timeout : outcome);
    if (node.type !== 'tool') return ended(failed('provider_unavailable', 'agents are not part of this version'));
    const call = {
      node: path,
      attempt,
      signal: cancel.signal,
      onOutput: (stream: 'stdout' | 'stderr', text: string) => this.stream(path, stream, text),
    };
    executeTool(this.state, ref, node, {
      registry: this.registryOf(ref.scope),
      vm: this.ports.vm,
      call,
      now: () => this.ports.clock.now(),
      note: (note) => {
        if (this.executions.get(path) === execution) this.feed({ type: 'noted', note });
      },
    }).then(ended, (fault) => {
      this.stopAll();
      this.abort(fault);
    });
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

  /** Tells an execution to end, and goes on without it if it does not. */
  private stop(path: string): void {
    const execution = this.executions.get(path);
    if (execution === undefined) return;
    execution.cancel.cancel();
    const { clock } = this.ports;
    execution.takeBackTimers.push(
      clock.at(clock.now() + ABANDON_AFTER_MS, () => this.complete(path, execution.attempt, { kind: 'cancelled' })),
    );
  }

  private complete(path: string, attempt: number, outcome: Outcome): void {
    const execution = this.executions.get(path);
    if (execution === undefined || execution.attempt !== attempt) return;
    for (const takeBack of execution.takeBackTimers) takeBack();
    this.executions.delete(path);
    this.feed({
      type: 'completed',
      node: path,
      attempt,
      outcome: outcome.kind === 'failed' ? { kind: 'failed', ...masked(outcome) } : outcome,
    });
    this.release(path);
  }

  private ask({ node, attempt, question }: Extract<Command, { type: 'ask' }>): void {
    const ref = this.find(node);
    if (ref === undefined) return;
    const answer = answerQuestion(this.state, ref, question, this.ports);
    if (!(answer instanceof Promise)) return this.feed({ type: 'answered', node, attempt, question, answer });
    answer.then(
      (late) => this.feed({ type: 'answered', node, attempt, question, answer: late }),
      (fault) => {
        this.stopAll();
        this.abort(fault);
      },
    );
  }

  private maybePark(): void {
    const gates: string[] = [];
    for (const scope of this.state.scopes.values()) {
      for (const { index, id } of scope.plan.nodes) {
        const node = scope.nodes.get(index);
        if (node.status !== 'waiting') continue;
        if (node.waitsFor !== 'gate') return;
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
    for (const [path, execution] of this.executions) {
      execution.cancel.cancel();
      for (const takeBack of execution.takeBackTimers) takeBack();
      this.release(path);
    }
    this.executions.clear();
  }

  private clear(key: string): void {
    this.timers.get(key)?.();
    this.timers.delete(key);
  }

  /** Undefined when the node's scope has ended in the very step that asked something of it. */
  private find(path: string): NodeRef | undefined {
    const { scope, id } = splitNodePath(path);
    const open = this.state.scopes.get(scope);
    return open === undefined ? undefined : { scope, index: nodeIndex(open.plan, id)! };
  }

  /** A child's tools obey its own policy and its caller's. */
  private registryOf(scopePath: string): Registry {
    return this.registryFor(scopePath).registry;
  }

  private registryFor(scopePath: string): { readonly policy: Policy; readonly registry: Registry } {
    const scope = this.state.scopes.get(scopePath)!;
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

function masked(failure: Failure): Failure {
  return { ...failure, message: mask(failure.message), details: maskJson(failure.details) as JsonObject };
}
