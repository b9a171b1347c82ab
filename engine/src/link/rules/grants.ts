import type { AgentNode, Workflow } from '@relavium/schemas';
import { invokeCycle, unknownNode } from '../../diagnostics/catalogue/graph.js';
import {
  approvalWithoutEffect,
  commandsOff,
  missingPrompt,
  toolNotGranted,
  unknownServer,
  unknownTool,
  widenedGrant,
} from '../../diagnostics/catalogue/tools.js';
import type { Path, YamlDocument } from '../../parse/yaml-document.js';
import { isGoverned } from '../../registry/approval.js';
import { isKnownTool, toolIds } from '../known-tools.js';
import type { LinkContext } from '../link-context.js';
import type { LinkedAgent, LinkedNode, LinkedScope, LinkedWorkflow } from '../model.js';
import { nameAdvice, replacing } from '../name-advice.js';
import type { Rule, World } from '../rule.js';

/** What agents hold, what their nodes may pick from it, and whom they may invoke. */
export const grantsRule: Rule = (context, workflow, world) => {
  checkDeclarations(context, workflow.syntax);
  for (const agent of new Set(workflow.agents.values())) checkAgent(context, workflow.syntax, world, agent);
  const invoked = new Set(workflow.scopes.flatMap((scope) => scope.nodes.flatMap((node) => invokesOf(node))));
  for (const scope of workflow.scopes) {
    for (const node of scope.nodes) {
      if (node.syntax.type !== 'agent') continue;
      checkNode(context, workflow, world, node, node.syntax);
      if (node.syntax.prompt_template === undefined && node.syntax.invoke_only !== true) {
        context.report(missingPrompt, { path: [...node.at, 'id'] }, { node: node.id }, { suggestion: promptAdvice(node.id, invoked) });
      }
      checkInvokes(context, scope, node);
    }
    checkInvokeCycles(context, scope);
  }
};

function promptAdvice(id: string, invoked: ReadonlySet<string>): string | undefined {
  return invoked.has(id) ? 'or write invoke_only: true if only other agents start it' : undefined;
}

function checkDeclarations(context: LinkContext, workflow: Workflow): void {
  const servers = workflow.tools?.mcp_servers?.map((server) => server.id) ?? [];
  workflow.tools?.declarations?.forEach((declaration, index) => {
    if (declaration.type !== 'mcp' || servers.includes(declaration.server)) return;
    reportServer(context, declaration.server, servers, ['workflow', 'tools', 'declarations', index, 'server'], context.document);
  });
}

function reportServer(context: LinkContext, id: string, servers: readonly string[], path: Path, document: YamlDocument): void {
  context.report(
    unknownServer,
    { path, document },
    { id },
    nameAdvice(context, id, () => servers, { fix: replacing(document, path, 'value') }),
  );
}

function checkAgent(context: LinkContext, workflow: Workflow, world: World, agent: LinkedAgent): void {
  const { document, at, syntax } = agent;
  const own = syntax.mcp_servers?.flatMap((server) => ('ref' in server ? [] : [server.id])) ?? [];
  syntax.tools?.forEach((tool, index) => {
    if (isKnownTool(tool, workflow, world) || own.some((server) => tool.startsWith(`mcp_${server}_`))) return;
    const path = [...at, 'tools', index];
    const advice = nameAdvice(context, tool, () => toolIds(workflow, world), { fix: replacing(document, path, 'value') });
    context.report(unknownTool, { path, document }, { id: tool }, advice);
  });
}

function checkNode(context: LinkContext, workflow: LinkedWorkflow, world: World, node: LinkedNode, syntax: AgentNode): void {
  const agent = workflow.agents.get(syntax.agent_ref);
  if (agent === undefined) return;
  const held = agent.syntax.tools ?? [];
  const servers = agent.syntax.mcp_servers?.map((server) => ('ref' in server ? server.ref : server.id)) ?? [];
  const holds = (tool: string): boolean => held.includes(tool) || servers.some((server) => tool.startsWith(`mcp_${server}_`));
  syntax.tools?.forEach((tool, index) => {
    if (holds(tool)) return;
    const advice = nameAdvice(context, tool, () => held);
    context.report(widenedGrant, { path: [...node.at, 'tools', index] }, { tool, agent: agent.syntax.id }, advice);
  });
  const granted = syntax.tools ?? held;
  const has = (tool: string): boolean =>
    granted.includes(tool) || (syntax.tools === undefined && holds(tool)) || (tool === 'invoke_agent' && syntax.invokes !== undefined);
  for (const tool of Object.keys(syntax.agent_config ?? {})) {
    if (!has(tool)) context.report(toolNotGranted, { path: [...node.at, 'agent_config', tool], what: 'key' }, { tool, node: node.id });
  }
  syntax.approve?.forEach((tool, index) => {
    const path = [...node.at, 'approve', index];
    const policy = world.tools.get(tool)?.policy;
    if (!has(tool)) context.report(toolNotGranted, { path }, { tool, node: node.id });
    else if (policy !== undefined && !isGoverned(policy)) context.report(approvalWithoutEffect, { path }, { tool });
  });
  if (granted.includes('invoke_agent') && syntax.invokes === undefined) {
    context.report(
      toolNotGranted,
      { path: [...node.at, 'agent_ref'] },
      { tool: 'invoke_agent', node: node.id },
      { suggestion: 'invokes: [id] on the node names the agents that it may invoke' },
    );
  }
  const { allowedCommands = [], allowedCommandGlobs = [] } = workflow.syntax.tools ?? {};
  if (granted.includes('run_command') && allowedCommands.length === 0 && allowedCommandGlobs.length === 0) {
    context.report(commandsOff, { path: [...node.at, 'agent_ref'] }, {});
  }
}

function invokesOf(node: LinkedNode): readonly string[] {
  return node.syntax.type === 'agent' ? (node.syntax.invokes ?? []) : [];
}

function checkInvokes(context: LinkContext, scope: LinkedScope, node: LinkedNode): void {
  const agents = (): readonly string[] => scope.nodes.filter((other) => other.syntax.type === 'agent').map((other) => other.id);
  invokesOf(node).forEach((id, index) => {
    if (scope.byId.get(id)?.syntax.type === 'agent') return;
    const path = [...node.at, 'invokes', index];
    const advice = nameAdvice(context, id, agents, {
      fix: replacing(context.document, path, 'value'),
      otherwise: () => 'invokes names agent nodes of this scope',
    });
    context.report(unknownNode, { path }, { id, elsewhere: '' }, advice);
  });
}

/** The first circle found from each node that is listed first on it. */
function checkInvokeCycles(context: LinkContext, scope: LinkedScope): void {
  const done = new Set<LinkedNode>();
  for (const start of scope.nodes) {
    if (done.has(start) || invokesOf(start).length === 0) continue;
    const path: LinkedNode[] = [];
    const stack: { node: LinkedNode; next: number }[] = [{ node: start, next: 0 }];
    path.push(start);
    while (stack.length > 0) {
      const top = stack[stack.length - 1] as { node: LinkedNode; next: number };
      const targets = invokesOf(top.node);
      const target = scope.byId.get(targets[top.next] ?? '');
      if (top.next >= targets.length) {
        stack.pop();
        path.pop();
        done.add(top.node);
        continue;
      }
      top.next += 1;
      if (target === undefined || done.has(target)) continue;
      const from = path.indexOf(target);
      if (from !== -1) {
        const chain = [...path.slice(from), target].map((node) => node.id);
        context.report(invokeCycle, { path: [...top.node.at, 'invokes', top.next - 1] }, { chain });
      } else {
        stack.push({ node: target, next: 0 });
        path.push(target);
      }
    }
  }
}
