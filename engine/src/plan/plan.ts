import type { Input } from '@relavium/schemas';
import type { Expression } from '../expression/expression.js';
import type { Json } from '../json.js';
import type { ModelSettings } from '../ports/language-model.js';
import type { Template } from '../template/template.js';

/**
 * A workflow that can run: every name is resolved to an index, every expression parsed. Immutable plain data.
 * Nodes and edges stand in the order in which the file lists them; edges that come from `needs`, `parallel_of` and branches
 * stand where their node does.
 */
export interface Plan {
  readonly workflow: { readonly id: string; readonly version?: string; readonly name?: string; readonly description?: string };
  /** Path of the source the plan was made from. */
  readonly file: string;
  readonly inputs: readonly Input[];
  /** In order; an entry may read the ones before it. */
  readonly context: readonly { readonly key: string; readonly value: TemplateTree }[];
  readonly policy: Policy;
  readonly root: ScopePlan;
  readonly maxParallel: number;
  readonly timeoutMs?: number;
  readonly cleanupTimeoutMs: number;
  readonly onFailure: 'fail_fast' | 'continue';
  /** The outermost workflow's counts for the whole run. */
  readonly budget?: BudgetPlan;
  /** Child workflows by the path of their source, those of children included; only on the plan of the outermost workflow. */
  readonly children: Readonly<Record<string, Plan>>;
}

/** A YAML value with its templates parsed. */
export type TemplateTree =
  | { readonly kind: 'literal'; readonly value: Json }
  | { readonly kind: 'template'; readonly template: Template }
  | { readonly kind: 'list'; readonly items: readonly TemplateTree[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, TemplateTree])[] };

export interface Policy {
  /** Each entry as an argument vector. */
  readonly allowedCommands: readonly (readonly string[])[];
  readonly allowedCommandGlobs: readonly string[];
  readonly allowedDomains: readonly string[];
  readonly fsScope: 'sandboxed' | 'project' | 'full';
}

export interface BudgetPlan {
  readonly maxMicrocents?: number;
  /** Input and output together. */
  readonly maxTokens?: number;
  readonly onExceed: 'fail' | 'pause_for_approval' | 'warn';
  /** Whether a model without a known price is refused. */
  readonly isStrict: boolean;
}

/** The nodes and edges of one scope: a workflow, or the body of a loop. */
export interface ScopePlan {
  readonly nodes: readonly PlanNode[];
  readonly edges: readonly PlanEdge[];
}

export interface PlanEdge {
  readonly from: number;
  readonly to: number;
  readonly on: 'success' | 'error' | 'always';
  /** Of a condition's branch: which branch. `default` is the default's. */
  readonly handle?: string;
  readonly condition?: Expression;
  /** Error edges only; absent: any code. */
  readonly codes?: readonly string[];
  readonly label?: string;
}

export type PlanNode =
  | InputNodePlan
  | ToolNodePlan
  | AgentNodePlan
  | ConditionNodePlan
  | TransformNodePlan
  | ParallelNodePlan
  | MergeNodePlan
  | GateNodePlan
  | LoopNodePlan
  | SubworkflowNodePlan
  | WaitNodePlan
  | FailNodePlan
  | OutputNodePlan;

export interface NodePlanCommon {
  readonly index: number;
  readonly id: string;
  readonly name?: string;
  /** Keys from the root of the file to the node, so that a failure can point into the YAML. */
  readonly at: readonly (string | number)[];
  /** Indexes of edges. */
  readonly in: readonly number[];
  readonly out: readonly number[];
  readonly join: 'wait_all' | 'require_all';
  readonly if?: Expression;
  readonly continueOnError: boolean;
  readonly retry?: RetryPlan;
  readonly timeoutMs?: number;
  readonly lock?: string;
}

export interface RetryPlan {
  /** Attempts in all, the first included. */
  readonly max: number;
  readonly backoff: 'constant' | 'linear' | 'exponential';
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** 0..1 */
  readonly jitter: number;
  /** Absent: the codes that are retryable by default. */
  readonly retryOn?: readonly string[];
}

export interface InputNodePlan extends NodePlanCommon {
  readonly type: 'input';
}

export interface ToolNodePlan extends NodePlanCommon {
  readonly type: 'tool';
  readonly tool: string;
  readonly config: Readonly<Record<string, Json>>;
  readonly inputMapping: Mapping;
  readonly outputMapping?: Mapping;
  readonly outputSchema?: Json;
}

export type Mapping = readonly (readonly [name: string, expression: Expression])[];

export interface AgentNodePlan extends NodePlanCommon {
  readonly type: 'agent';
  /** Id of the agent. */
  readonly agent: string;
  /** What the agent is for, as a model reads it that may invoke the node. */
  readonly description?: string;
  /** The agent's own, then those of its chain: each is tried when the ones before it did not answer. */
  readonly models: readonly ModelPlan[];
  readonly settings: ModelSettings;
  /** The agent's instructions, then what the node adds to them. */
  readonly instructions: readonly Template[];
  /** Absent: the agent is asked with the input that it was invoked with. */
  readonly prompt?: Template;
  readonly inputSchema?: Json;
  readonly outputSchema?: Json;
  /** Ids of the tools that it holds, narrowed by the node. */
  readonly tools: readonly string[];
  readonly toolSettings: Readonly<Record<string, AgentToolPlan>>;
  /** Ids of the MCP servers whose tools it holds. */
  readonly mcpServers: readonly string[];
  /** Ids of the agent nodes of this scope that it may invoke. */
  readonly invokes: readonly string[];
  /** Not part of the schedule: it runs only when it is invoked. */
  readonly invokeOnly: boolean;
  /** Answers of the model in one attempt, at most. */
  readonly maxTurns: number;
  /** Tools each of whose governed calls waits for a person. */
  readonly approve: readonly string[];
}

export interface ModelPlan {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl?: string;
  readonly maxAttempts: number;
}

/** What the author fixes about an agent's calls of one tool. */
export interface AgentToolPlan {
  readonly config: Readonly<Record<string, Json>>;
  readonly inputMapping: Mapping;
  /** Gives `run.captured`. */
  readonly outputMapping?: Mapping;
}

export interface ConditionNodePlan extends NodePlanCommon {
  readonly type: 'condition';
  readonly expression: Expression;
  /** In order; `edge` is an index. */
  readonly branches: readonly { readonly when: boolean | string | number; readonly edge: number }[];
  readonly defaultEdge?: number;
}

export interface TransformNodePlan extends NodePlanCommon {
  readonly type: 'transform';
  readonly expression: Expression;
  readonly outputSchema?: Json;
}

export interface ParallelNodePlan extends NodePlanCommon {
  readonly type: 'parallel';
}

export interface MergeNodePlan extends NodePlanCommon {
  readonly type: 'merge';
  readonly strategy: 'concat' | 'object_merge' | 'first' | 'custom';
  readonly fn?: Expression;
  /** In-edges in the order in which their values are taken. */
  readonly order: readonly number[];
  readonly race?: {
    /** Live successes that let the merge fire. */
    readonly count: number;
    readonly losers: 'cancel' | 'finish';
    /** Nodes from which every path leads through this merge. */
    readonly region: readonly number[];
  };
}

export interface GateNodePlan extends NodePlanCommon {
  readonly type: 'human_gate';
  readonly gateType: 'approval' | 'input' | 'review';
  readonly message?: Template;
  readonly assignee?: string;
  readonly inputSchema?: Json;
  readonly timeoutAction: 'reject' | 'approve';
  readonly approves: readonly string[];
}

export interface LoopNodePlan extends NodePlanCommon {
  readonly type: 'loop';
  readonly forEach?: Expression;
  readonly while?: Expression;
  readonly until?: Expression;
  readonly as: string;
  readonly indexAs: string;
  readonly initial?: Expression;
  readonly maxIterations: number;
  readonly maxParallel: number;
  readonly onItemError: 'fail' | 'continue';
  readonly body: ScopePlan;
  /** Absent: the output of the body's last listed node. */
  readonly collect?: Expression;
}

export interface SubworkflowNodePlan extends NodePlanCommon {
  readonly type: 'subworkflow';
  /** Key of `Plan.children`. */
  readonly child: string;
  readonly inputMapping: Mapping;
  readonly outputMapping?: Mapping;
}

export interface WaitNodePlan extends NodePlanCommon {
  readonly type: 'wait';
  readonly durationMs?: number;
  readonly until?: Template;
}

export interface FailNodePlan extends NodePlanCommon {
  readonly type: 'fail';
  /** As errors show it: `user.<code>`. */
  readonly code: string;
  readonly message: Template;
}

export interface OutputNodePlan extends NodePlanCommon {
  readonly type: 'output';
  readonly value?: Expression;
  readonly format?: 'text' | 'markdown' | 'json' | 'media';
  readonly saveTo?: Template;
}
