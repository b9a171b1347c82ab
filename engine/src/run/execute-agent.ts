import type { Said } from '../agent/ask-model.js';
import type { Ledger } from '../agent/ledger.js';
import { runAgent } from '../agent/run-agent.js';
import type { FixedArguments } from '../agent/tool-calls.js';
import { type Invocable, projectTool } from '../agent/tool-projection.js';
import type { Note } from '../events/run-event.js';
import type { Expression } from '../expression/expression.js';
import type { Json } from '../json.js';
import type { AgentNodePlan } from '../plan/plan.js';
import type { AgentInvoker } from '../ports/agent-invoker.js';
import type { CallContext } from '../ports/call-context.js';
import type { Clock } from '../ports/clock.js';
import type { ExpressionVm } from '../ports/expression-vm.js';
import type { Models } from '../ports/language-model.js';
import type { Registry, ToolCall } from '../registry/registry.js';
import { textOf } from '../template/json-text.js';
import { type ReadFile, renderTemplateAsync } from '../template/render.js';
import type { Template } from '../template/template.js';
import type { NodeRef } from './apply.js';
import { evaluateMapping, mapResult } from './mapping.js';
import { failed, type Outcome } from './outcome.js';
import { type RunState, scopeAt } from './run-state.js';
import { type ExtraNames, evaluateIn, scopeOf } from './scope.js';

export interface AgentExecution {
  readonly registry: Registry;
  readonly vm: ExpressionVm;
  readonly readFile: ReadFile | undefined;
  readonly models: Models | undefined;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly call: CallContext;
  readonly note: (note: Note) => void;
  readonly said: Said;
  readonly services: { readonly agents: AgentInvoker } & Pick<ToolCall, 'approval'>;
  /** Of an invoked agent. */
  readonly invoked?: { readonly input: Json; readonly parent: string };
}

/** One attempt of an agent node: its texts and mappings are filled in with what the run knows now, and the loop does the rest. */
export async function executeAgent(state: RunState, ref: NodeRef, node: AgentNodePlan, execution: AgentExecution): Promise<Outcome> {
  const { registry, vm, models, call, invoked } = execution;
  if (models === undefined) return failed('provider_unavailable', 'this host has no models');
  const absent = absentTools(node, registry);
  if (absent !== undefined) return absent;
  const names: ExtraNames = [['input', invoked?.input]];
  const fixed = fixedArguments(state, ref, node, vm);
  if ('kind' in fixed) return fixed;
  const texts: string[] = [];
  for (const template of node.prompt === undefined ? node.instructions : [...node.instructions, node.prompt]) {
    const filled = await fill(template, state, ref, names, execution);
    if ('kind' in filled) return filled;
    texts.push(filled.text);
  }
  const prompt = node.prompt === undefined ? promptFrom(invoked?.input ?? null) : (texts.pop() as string);
  const granted = node.invokes.length > 0 ? [...node.tools, 'invoke_agent'] : node.tools;
  const invocable = invocableNodes(state, ref, node);
  return runAgent(
    {
      instructions: texts.join('\n\n'),
      prompt,
      settings: node.settings,
      tools: registry.tools
        .filter(({ id }) => granted.includes(id))
        .map((tool) => projectTool(tool, node.toolSettings[tool.id], invocable)),
      outputSchema: node.outputSchema,
      maxTurns: node.maxTurns,
    },
    {
      ask: {
        node: call.node,
        agent: node.agent,
        models: node.models,
        open: (reference) => models.open(reference),
        ledger: execution.ledger,
        clock: execution.clock,
        signal: call.signal,
        said: execution.said,
      },
      calling: {
        ...execution.services,
        registry,
        granted,
        invokes: node.invokes,
        fixed,
        context: call,
        runId: state.begin.runId,
        clock: execution.clock,
        note: execution.note,
        nodeId: node.id,
        ...(invoked === undefined ? {} : { parent: invoked.parent }),
      },
      note: execution.note,
    },
  );
}

/** A tool that the author has granted and that is not there is told before a model is paid for. */
function absentTools({ tools, mcpServers }: AgentNodePlan, registry: Registry): Outcome | undefined {
  const missing = tools.filter((tool) => registry.find(tool) === undefined);
  if (missing.length > 0) return failed('tool_unavailable', `not part of this version: ${missing.join(', ')}`, { tools: missing });
  if (mcpServers.length === 0) return undefined;
  return failed('tool_unavailable', `MCP servers are not part of this version: ${mcpServers.join(', ')}`, { mcpServers });
}

type FixedByTool = ReadonlyMap<string, FixedArguments>;

function fixedArguments(
  state: RunState,
  ref: NodeRef,
  node: AgentNodePlan,
  vm: ExpressionVm,
): FixedByTool | Extract<Outcome, { kind: 'failed' }> {
  const text = (expression: Expression, names: ExtraNames = []) => evaluateIn(state, ref, expression, vm, names);
  const fixed = new Map<string, FixedArguments>();
  for (const [tool, { config, inputMapping, outputMapping }] of Object.entries(node.toolSettings)) {
    const mapped = evaluateMapping(inputMapping, (expression) => text(expression));
    if (!mapped.ok) {
      const message = `agent_config of ${tool}: ${mapped.error.message}`;
      return { kind: 'failed', code: 'expression_error', message, details: { reason: mapped.error.reason } };
    }
    fixed.set(tool, {
      config,
      mapped: mapped.values,
      mappedNames: inputMapping.map(([name]) => name),
      ...(outputMapping === undefined ? {} : { capture: (result: Json) => mapResult(outputMapping, result, text) }),
    });
  }
  return fixed;
}

type Filled = { readonly text: string } | Extract<Outcome, { kind: 'failed' }>;

async function fill(
  template: Template,
  state: RunState,
  ref: NodeRef,
  names: ExtraNames,
  { vm, readFile }: AgentExecution,
): Promise<Filled> {
  const rendered = await renderTemplateAsync(template, scopeOf(state, ref, { reader: template, names }), vm, readFile);
  const text = rendered.ok ? textOf(rendered.value) : rendered;
  if (text.ok) return { text: text.value };
  const isOwn = text.reason === 'unresolved_reference' || text.reason.startsWith('tool_');
  return { kind: 'failed', code: isOwn ? text.reason : 'expression_error', message: text.message, details: { reason: text.reason } };
}

function promptFrom(input: Json): string {
  return typeof input === 'string' ? input : JSON.stringify(input, undefined, 2);
}

function invocableNodes(state: RunState, { scope }: NodeRef, { invokes }: AgentNodePlan): readonly Invocable[] {
  return scopeAt(state, scope)!.plan.nodes.filter((node) => node.type === 'agent' && invokes.includes(node.id)) as readonly AgentNodePlan[];
}
