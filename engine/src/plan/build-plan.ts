import type { Retry, Workflow } from '@relavium/schemas';
import type { Json } from '../json.js';
import type { Linked } from '../link/link.js';
import type { LinkedEdge, LinkedNode, LinkedScope, LinkedWorkflow } from '../link/model.js';
import type { Parses } from '../link/parses.js';
import { alwaysThrough } from '../link/upstream.js';
import { agentPlan } from './agent-plan.js';
import {
  DEFAULT_BACKOFF_MS,
  DEFAULT_CLEANUP_TIMEOUT_MS,
  DEFAULT_MAX_BACKOFF_MS,
  DEFAULT_MAX_ITERATIONS,
  DEFAULT_MAX_PARALLEL,
} from './ceilings.js';
import { type Build, expression, mapping, template } from './parsed-text.js';
import type { BudgetPlan, MergeNodePlan, NodePlanCommon, Plan, PlanEdge, PlanNode, RetryPlan, ScopePlan, TemplateTree } from './plan.js';
import { policyOf } from './policy.js';

/** The plan of a workflow without errors, its children by their paths beside it. */
export function buildPlan(linked: Linked): Plan {
  const root = planOf(linked.workflow, linked.parses);
  const own = linked.workflow.document.source.path;
  const children: Record<string, Plan> = {};
  for (const [path, workflow] of linked.all) {
    // The outermost workflow is among its children only where one of them names it again.
    if (path !== own || isNamed(linked, workflow)) children[path] = path === own ? root : planOf(workflow, linked.parses);
  }
  return { ...root, children };
}

function isNamed(linked: Linked, workflow: LinkedWorkflow): boolean {
  return [...linked.all.values()].some((other) => [...other.children.values()].includes(workflow));
}

function planOf(workflow: LinkedWorkflow, parses: Parses): Plan {
  const { syntax, document } = workflow;
  const build: Build = { workflow, parses };
  return {
    workflow: {
      id: syntax.id,
      ...(syntax.version === undefined ? {} : { version: syntax.version }),
      ...(syntax.name === undefined ? {} : { name: syntax.name }),
      ...(syntax.description === undefined ? {} : { description: syntax.description }),
    },
    file: document.source.path,
    inputs: syntax.inputs ?? [],
    context: (syntax.context ?? []).map((entry) => ({ key: entry.key, value: treeOf(build, entry.value as Json) })),
    policy: policyOf(syntax),
    root: scopePlan(build, workflow.root),
    maxParallel: syntax.max_parallel ?? DEFAULT_MAX_PARALLEL,
    ...(syntax.timeout_ms === undefined ? {} : { timeoutMs: syntax.timeout_ms }),
    cleanupTimeoutMs: syntax.cleanup_timeout_ms ?? DEFAULT_CLEANUP_TIMEOUT_MS,
    onFailure: syntax.on_failure ?? 'fail_fast',
    ...(syntax.budget === undefined ? {} : { budget: budgetOf(syntax.budget) }),
    children: {},
  };
}

function budgetOf({ max_cost_microcents, max_tokens, on_exceed, strict_cost_cap }: NonNullable<Workflow['budget']>): BudgetPlan {
  return {
    ...(max_cost_microcents === undefined ? {} : { maxMicrocents: max_cost_microcents }),
    ...(max_tokens === undefined ? {} : { maxTokens: max_tokens }),
    onExceed: on_exceed ?? 'fail',
    isStrict: strict_cost_cap === true,
  };
}

/** Parts without a template stay one literal, so that large data costs nothing. */
function treeOf(build: Build, value: Json): TemplateTree {
  if (!holdsTemplate(value)) return { kind: 'literal', value };
  if (typeof value === 'string') return { kind: 'template', template: template(build, value) };
  if (Array.isArray(value)) return { kind: 'list', items: value.map((item: Json) => treeOf(build, item)) };
  return { kind: 'map', entries: Object.entries(value as object).map(([key, item]) => [key, treeOf(build, item as Json)] as const) };
}

function holdsTemplate(value: Json): boolean {
  if (typeof value === 'string') return value.includes('{{');
  return typeof value === 'object' && value !== null && Object.values(value).some((item) => holdsTemplate(item as Json));
}

function scopePlan(build: Build, scope: LinkedScope): ScopePlan {
  const races = raceRegions(scope);
  return {
    nodes: scope.nodes.map((node) => compact(nodePlan(build, scope, node, races))),
    edges: scope.edges.map((edge) => compact(edgePlan(build, edge))),
  };
}

/** An object that was put together from many spreads is slow to read in V8 (a quarter of the cost of a node); a copy of it is not. */
function compact<T extends object>(built: T): T {
  return { ...built };
}

function edgePlan(build: Build, edge: LinkedEdge): PlanEdge {
  const { condition, codes, label } = edge.written ?? {};
  return {
    from: edge.from,
    to: edge.to,
    on: edge.on,
    ...(edge.handle === undefined ? {} : { handle: edge.handle }),
    ...(condition === undefined ? {} : { condition: expression(build, condition) }),
    ...(codes === undefined ? {} : { codes }),
    ...(label === undefined ? {} : { label }),
  };
}

function raceRegions(scope: LinkedScope): ReadonlyMap<number, readonly number[]> {
  const races = scope.nodes.filter(({ syntax }) => syntax.type === 'merge' && isRace(syntax.join_strategy)).map((node) => node.index);
  const regions = alwaysThrough(scope, races);
  return new Map(races.map((race, index) => [race, regions[index] as readonly number[]]));
}

function isRace(join: string | undefined): boolean {
  return join === 'wait_first' || join === 'wait_n';
}

function common(build: Build, node: LinkedNode): NodePlanCommon {
  const { syntax } = node;
  const retry = retryOf(build, node);
  const timeoutMs = timeoutOf(build, node);
  return {
    index: node.index,
    id: node.id,
    ...(syntax.name === undefined ? {} : { name: syntax.name }),
    at: node.at,
    in: node.in,
    out: node.out,
    join: syntax.join_strategy === 'require_all' ? 'require_all' : 'wait_all',
    ...(syntax.if === undefined ? {} : { if: expression(build, syntax.if) }),
    continueOnError: 'continue_on_error' in syntax && syntax.continue_on_error === true,
    ...(retry === undefined ? {} : { retry }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...('lock' in syntax && syntax.lock !== undefined ? { lock: syntax.lock } : {}),
  };
}

/**
 * `defaults` are for single calls. A loop or a child as a whole, and a person at a gate, need another measure: there only what the node
 * itself says counts.
 */
function isCall({ syntax }: LinkedNode): boolean {
  return syntax.type === 'tool' || syntax.type === 'agent';
}

function retryOf(build: Build, node: LinkedNode): RetryPlan | undefined {
  const own = ('retry' in node.syntax ? node.syntax.retry : undefined) ?? agentRetry(build, node);
  const retry: Retry | undefined = own ?? (isCall(node) ? build.workflow.syntax.defaults?.retry : undefined);
  if (retry === undefined) return undefined;
  return {
    max: retry.max,
    backoff: retry.backoff ?? 'constant',
    backoffMs: retry.backoff_ms ?? DEFAULT_BACKOFF_MS,
    maxBackoffMs: retry.max_backoff_ms ?? DEFAULT_MAX_BACKOFF_MS,
    jitter: retry.jitter ?? 0,
    ...(retry.retry_on === undefined ? {} : { retryOn: retry.retry_on }),
  };
}

/** An agent brings its own, which a node may replace. */
function agentRetry({ workflow }: Build, { syntax }: LinkedNode): Retry | undefined {
  return syntax.type === 'agent' ? workflow.agents.get(syntax.agent_ref)?.syntax.retry : undefined;
}

function timeoutOf(build: Build, node: LinkedNode): number | undefined {
  const own = 'timeout_ms' in node.syntax ? node.syntax.timeout_ms : undefined;
  return own ?? (isCall(node) ? build.workflow.syntax.defaults?.timeout_ms : undefined);
}

function nodePlan(build: Build, scope: LinkedScope, node: LinkedNode, races: ReadonlyMap<number, readonly number[]>): PlanNode {
  const base = common(build, node);
  const { syntax } = node;
  switch (syntax.type) {
    case 'input':
    case 'parallel':
      return { ...base, type: syntax.type };
    case 'tool':
      return {
        ...base,
        type: 'tool',
        tool: syntax.tool,
        config: (syntax.tool_config ?? {}) as Readonly<Record<string, Json>>,
        inputMapping: mapping(build, syntax.input_mapping),
        ...(syntax.output_mapping === undefined ? {} : { outputMapping: mapping(build, syntax.output_mapping) }),
        ...(syntax.output_schema === undefined ? {} : { outputSchema: syntax.output_schema as Json }),
      };
    case 'agent':
      return agentPlan(build, base, syntax);
    case 'condition': {
      const edgeOf = (handle: string): number => node.out.find((index) => isBranch(scope, index, node, handle)) as number;
      return {
        ...base,
        type: 'condition',
        expression: expression(build, syntax.expression),
        branches: syntax.branches.map(({ when }) => ({ when, edge: edgeOf(String(when)) })),
        ...(syntax.default === undefined ? {} : { defaultEdge: edgeOf('default') }),
      };
    }
    case 'transform':
      return {
        ...base,
        type: 'transform',
        expression: expression(build, syntax.transform),
        ...(syntax.output_schema === undefined ? {} : { outputSchema: syntax.output_schema as Json }),
      };
    case 'merge':
      return {
        ...base,
        type: 'merge',
        strategy: syntax.merge_strategy,
        ...(syntax.merge_fn === undefined ? {} : { fn: expression(build, syntax.merge_fn) }),
        order: mergeOrder(scope, node),
        ...raceOf(node, races),
      };
    case 'human_gate':
      return {
        ...base,
        type: 'human_gate',
        gateType: syntax.gate_type,
        ...(syntax.message_template === undefined ? {} : { message: template(build, syntax.message_template) }),
        ...(syntax.assignee === undefined ? {} : { assignee: syntax.assignee }),
        ...(syntax.input_schema === undefined ? {} : { inputSchema: syntax.input_schema as Json }),
        timeoutAction: syntax.timeout_action ?? 'reject',
        approves: syntax.approves ?? [],
      };
    case 'loop':
      return {
        ...base,
        type: 'loop',
        ...(syntax.for_each === undefined ? {} : { forEach: expression(build, syntax.for_each) }),
        ...(syntax.while === undefined ? {} : { while: expression(build, syntax.while) }),
        ...(syntax.until === undefined ? {} : { until: expression(build, syntax.until) }),
        as: syntax.as ?? 'item',
        indexAs: syntax.index_as ?? 'index',
        ...(syntax.initial === undefined ? {} : { initial: expression(build, syntax.initial) }),
        // A list bounds its own loop; without one something has to.
        maxIterations: syntax.max_iterations ?? (syntax.for_each === undefined ? DEFAULT_MAX_ITERATIONS : Number.MAX_SAFE_INTEGER),
        maxParallel: syntax.max_parallel ?? 1,
        onItemError: syntax.on_item_error ?? 'fail',
        body: scopePlan(build, node.body as LinkedScope),
        ...(syntax.collect === undefined ? {} : { collect: expression(build, syntax.collect) }),
      };
    case 'subworkflow':
      return {
        ...base,
        type: 'subworkflow',
        child: (build.workflow.children.get(syntax.workflow) as LinkedWorkflow).document.source.path,
        inputMapping: mapping(build, syntax.input_mapping),
        ...(syntax.output_mapping === undefined ? {} : { outputMapping: mapping(build, syntax.output_mapping) }),
      };
    case 'wait':
      return {
        ...base,
        type: 'wait',
        ...(syntax.duration_ms === undefined ? {} : { durationMs: syntax.duration_ms }),
        ...(syntax.until === undefined ? {} : { until: template(build, syntax.until) }),
      };
    case 'fail':
      return { ...base, type: 'fail', code: `user.${syntax.code}`, message: template(build, syntax.message) };
    case 'output':
      return {
        ...base,
        type: 'output',
        ...(syntax.value === undefined ? {} : { value: expression(build, syntax.value) }),
        ...(syntax.output_format === undefined ? {} : { format: syntax.output_format }),
        ...(syntax.save_to === undefined ? {} : { saveTo: template(build, syntax.save_to) }),
      };
    default:
      return syntax satisfies never;
  }
}

/** The branch's own edge comes before others that name the same handle, since branches are read before `edges:`. */
function isBranch(scope: LinkedScope, index: number, node: LinkedNode, handle: string): boolean {
  const edge = scope.edges[index];
  if (edge?.handle !== handle || node.syntax.type !== 'condition') return false;
  const target =
    handle === 'default' ? node.syntax.default : node.syntax.branches.find((branch) => String(branch.when) === handle)?.target_node;
  return scope.nodes[edge.to]?.id === target;
}

/**
 * Branch outputs are taken in the order of `parallel_of` if one parallel node's members all point here, else in the order of the edges.
 * Edges that are not of that parallel node follow in their own order.
 */
function mergeOrder(scope: LinkedScope, node: LinkedNode): readonly number[] {
  const bySource = new Map<string, number[]>();
  for (const index of node.in) {
    const id = scope.nodes[scope.edges[index]?.from as number]?.id as string;
    const list = bySource.get(id);
    if (list === undefined) bySource.set(id, [index]);
    else list.push(index);
  }
  const paired = pairedParallel(scope, node, bySource);
  if (paired === undefined) return node.in;
  const first = paired.flatMap((member) => bySource.get(member) ?? []);
  const taken = new Set(first);
  return [...first, ...node.in.filter((index) => !taken.has(index))];
}

/** The first listed parallel node that leads only here. Found by way of the sources, so that many merges stay linear. */
function pairedParallel(
  scope: LinkedScope,
  node: LinkedNode,
  bySource: ReadonlyMap<string, readonly number[]>,
): readonly string[] | undefined {
  const candidates = new Set<number>();
  const firstSource = node.in.map((index) => scope.edges[index]?.from as number);
  for (const source of firstSource) {
    for (const index of scope.nodes[source]?.in ?? []) candidates.add(scope.edges[index]?.from as number);
  }
  for (const candidate of [...candidates].sort((a, b) => a - b)) {
    const syntax = scope.nodes[candidate]?.syntax;
    if (syntax?.type === 'parallel' && syntax.parallel_of.every((member) => bySource.has(member))) return syntax.parallel_of;
  }
  return undefined;
}

function raceOf(node: LinkedNode, races: ReadonlyMap<number, readonly number[]>): Pick<MergeNodePlan, 'race'> {
  const region = races.get(node.index);
  if (region === undefined || node.syntax.type !== 'merge') return {};
  return { race: { count: node.syntax.wait_n ?? 1, losers: node.syntax.losers ?? 'cancel', region } };
}
