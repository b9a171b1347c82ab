import type { Said } from '../agent/ask-model.js';
import type { Ledger } from '../agent/ledger.js';
import type { Note } from '../events/run-event.js';
import type { Json } from '../json.js';
import { knownSecrets } from '../masking/known-secrets.js';
import { maskedStream } from '../masking/masked-stream.js';
import type { TextStream } from '../masking/text-stream.js';
import type { AgentNodePlan, PlanNode, Policy } from '../plan/plan.js';
import type { AgentInvoker } from '../ports/agent-invoker.js';
import type { CallContext } from '../ports/call-context.js';
import type { CancelSignal } from '../ports/cancel.js';
import { HostError } from '../ports/host-error.js';
import { intersectPolicies } from '../registry/effective-policy.js';
import type { Registry } from '../registry/registry.js';
import type { NodeRef } from './apply.js';
import { type AgentExecution, executeAgent } from './execute-agent.js';
import { executeTool, type NodeCall } from './execute-tool.js';
import { isoInstant } from './instant.js';
import { invokeAgent } from './invoke-agent.js';
import type { Attempt } from './messages.js';
import { callPath, nodeIndex } from './node-path.js';
import type { Outcome } from './outcome.js';
import type { RunOptions, RunPorts } from './run-ports.js';
import { type RunState, scopeAt } from './run-state.js';
import { isOver } from './transition.js';
import { withoutCredentials } from './without-credentials.js';

export interface NodeWorkParts {
  /** The run as it is now. */
  readonly state: () => RunState;
  readonly ports: RunPorts;
  readonly options: Pick<RunOptions, 'asks' | 'onStream' | 'onText'>;
  readonly ledger: Ledger;
  /** `question` is the path under which a person answers what the node `node` wants to know. */
  readonly askPerson: (node: string, question: string, message: string, signal: CancelSignal) => Promise<boolean>;
}

/** Does what the nodes of a run want done: calls tools, runs agents and the agents that they invoke. What a run decides is decided elsewhere. */
export class NodeWork {
  private readonly parts: NodeWorkParts;
  private readonly registries = new Map<string, { readonly policy: Policy; readonly registry: Registry }>();

  constructor(parts: NodeWorkParts) {
    this.parts = parts;
  }

  /** One attempt. `note` takes what is to be said of it while it is under way, and is silent once the run goes on without it. */
  async attempt(ref: NodeRef, node: PlanNode, attempt: Attempt, signal: CancelSignal, note: (note: Note) => void): Promise<Outcome> {
    const call = this.callContext(ref, attempt, signal);
    const work: Work = { ref, node, call, note };
    if (node.type === 'agent') return this.runAgent({ ...work, node });
    if (node.type !== 'tool') throw new Error(`a ${node.type} is no work`);
    const { state, ports } = this.parts;
    return executeTool(state(), ref, node, {
      registry: this.registryFor(ref.scope),
      vm: ports.vm,
      call,
      now: () => ports.clock.now(),
      note,
      services: this.services(work),
    });
  }

  /** The tools of a scope. A child's obey its own policy and its caller's. */
  registryFor(scopePath: string): Registry {
    return this.toolsOf(scopePath).registry;
  }

  /** Secret inputs are the outermost workflow's: no expression can hand one on to a child. Output that nobody looks at is not made. */
  private callContext({ scope }: NodeRef, { node, attempt }: Attempt, signal: CancelSignal): NodeCall {
    const { state, ports, options } = this.parts;
    const { secretInputs } = ports;
    const isOutermost = scopeAt(state(), scope)!.depth === 0;
    return {
      node,
      attempt,
      callId: `${node}#${attempt}`,
      signal,
      onOutput: options.onStream === undefined ? undefined : (stream, text) => this.stream(node, stream, text),
      secretInput: isOutermost && secretInputs !== undefined ? (name) => secretInputs.get(name) : undefined,
    };
  }

  private async runAgent({ node, ...work }: AgentWork, invoked?: AgentExecution['invoked']): Promise<Outcome> {
    const { ref, call, note } = work;
    const { state, ports, ledger } = this.parts;
    return executeAgent(state(), ref, node, {
      registry: this.registryFor(ref.scope),
      vm: ports.vm,
      readFile: ports.readFile,
      models: ports.models,
      ledger,
      clock: ports.clock,
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
    const asksAll = this.parts.options.asks === true;
    const agents: AgentInvoker = { invoke: (id, input, call) => this.invoke(work, id, input, call) };
    if (!asksAll && named.length === 0) return { agents };
    return {
      agents,
      approval: {
        decide: async ({ tool, preview, context }) => {
          if (!asksAll && !named.includes(tool)) return 'not_needed';
          const question = callPath(context.node, context.call ?? 1);
          const message = `"${node.id}" wants to use ${tool}: ${preview}`;
          const isApproved = await this.parts.askPerson(context.node, question, message, context.signal);
          return isApproved ? 'approved' : 'rejected';
        },
      },
    };
  }

  private async invoke({ ref, note }: Work, id: string, input: Json, call: CallContext): Promise<Json> {
    const { state, ports } = this.parts;
    const { plan } = scopeAt(state(), ref.scope)!;
    const callee = plan.nodes[nodeIndex(plan, id) ?? -1];
    if (callee?.type !== 'agent') throw new HostError('tool_failed', 'unknown_node', `there is no agent node "${id.slice(0, 100)}" here`);
    return invokeAgent({
      callee,
      input,
      call,
      runId: state().begin.runId,
      clock: ports.clock,
      newCancel: ports.newCancel,
      note: (told) =>
        note(told.type === 'node:failed' || told.type === 'node:retrying' ? { ...told, error: withoutCredentials(told.error) } : told),
      attempt: (context) =>
        this.runAgent(
          { ref: { scope: ref.scope, index: callee.index }, node: callee, call: context, note },
          { input, parent: call.callId ?? call.node },
        ),
    });
  }

  /** What an agent says while it says it, masked; each answer for itself. */
  private saidBy(node: string): Said {
    const { ports, options } = this.parts;
    const { onText } = options;
    if (onText === undefined) return { push: () => undefined, end: () => undefined };
    const { secrets = knownSecrets() } = ports;
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
    const { state, ports, options } = this.parts;
    if (!isOver(state())) options.onText?.({ ...said, ts: isoInstant(ports.clock.now()), runId: state().begin.runId });
  }

  private stream(node: string, stream: 'stdout' | 'stderr', text: string): void {
    const { state, ports, options } = this.parts;
    if (isOver(state())) return;
    options.onStream?.({
      type: 'tool:output',
      ts: isoInstant(ports.clock.now()),
      runId: state().begin.runId,
      node,
      stream,
      text,
    });
  }

  private toolsOf(scopePath: string): { readonly policy: Policy; readonly registry: Registry } {
    const { state, ports } = this.parts;
    const scope = scopeAt(state(), scopePath)!;
    if (scope.item !== undefined) return this.toolsOf(scope.parent!.scope);
    const key = scope.parent === undefined ? '' : scopePath;
    let found = this.registries.get(key);
    if (found === undefined) {
      const policy =
        scope.parent === undefined
          ? scope.workflow.policy
          : intersectPolicies(this.toolsOf(scope.parent.scope).policy, scope.workflow.policy);
      found = { policy, registry: ports.registry(policy) };
      this.registries.set(key, found);
    }
    return found;
  }
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
