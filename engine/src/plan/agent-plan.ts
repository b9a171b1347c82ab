import type { Agent, AgentNode } from '@relavium/schemas';
import type { Json } from '../json.js';
import type { LinkedAgent } from '../link/model.js';
import type { ModelSettings } from '../ports/language-model.js';
import { DEFAULT_FALLBACK_ATTEMPTS, DEFAULT_MAX_TURNS } from './ceilings.js';
import { type Build, mapping, template } from './parsed-text.js';
import type { AgentNodePlan, AgentToolPlan, ModelPlan, NodePlanCommon } from './plan.js';

/** An agent node: what its agent says, and what the node says instead. A node narrows what the agent holds and never widens it. */
export function agentPlan(build: Build, common: NodePlanCommon, node: AgentNode): AgentNodePlan {
  const { syntax: agent } = build.workflow.agents.get(node.agent_ref) as LinkedAgent;
  const description = node.description ?? agent.description;
  const outputSchema = node.output_schema ?? agent.output_schema;
  return {
    ...common,
    type: 'agent',
    agent: agent.id,
    ...(description === undefined ? {} : { description }),
    models: modelsOf(build, node, agent),
    settings: settingsOf(node, agent),
    instructions: [agent.system_prompt, node.system_prompt_append].flatMap((text) => (text === undefined ? [] : [template(build, text)])),
    ...(node.prompt_template === undefined ? {} : { prompt: template(build, node.prompt_template) }),
    ...(agent.input_schema === undefined ? {} : { inputSchema: agent.input_schema as Json }),
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as Json }),
    tools: node.tools ?? agent.tools ?? [],
    toolSettings: toolSettings(build, node),
    mcpServers: (agent.mcp_servers ?? []).map((server) => ('ref' in server ? server.ref : server.id)),
    invokes: node.invokes ?? [],
    invokeOnly: node.invoke_only === true,
    maxTurns: node.max_turns ?? DEFAULT_MAX_TURNS,
    approve: node.approve ?? [],
  };
}

/** The address of a server belongs to the provider that it was written for. */
function modelsOf({ workflow }: Build, node: AgentNode, agent: Agent): readonly ModelPlan[] {
  const written = agent.provider ?? workflow.syntax.defaults?.provider;
  const provider = node.provider ?? written ?? '';
  const baseUrl = provider === written ? agent.base_url : undefined;
  const own: ModelPlan = {
    provider,
    model: node.model ?? agent.model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    maxAttempts: 1,
  };
  const chain = (agent.fallback_chain ?? []).map(
    ({ provider: other, model, base_url, max_attempts }): ModelPlan => ({
      provider: other,
      model,
      ...(base_url === undefined ? {} : { baseUrl: base_url }),
      maxAttempts: max_attempts ?? DEFAULT_FALLBACK_ATTEMPTS,
    }),
  );
  return [own, ...chain];
}

function settingsOf(node: AgentNode, agent: Agent): ModelSettings {
  const temperature = node.temperature ?? agent.temperature;
  const maxOutputTokens = node.max_tokens ?? agent.max_tokens;
  const reasoningEffort = node.reasoning_effort ?? agent.reasoning_effort;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
  };
}

function toolSettings(build: Build, { agent_config = {} }: AgentNode): Readonly<Record<string, AgentToolPlan>> {
  return Object.fromEntries(
    Object.entries(agent_config).map(([tool, { tool_config = {}, input_mapping, output_mapping }]): [string, AgentToolPlan] => [
      tool,
      {
        config: tool_config,
        inputMapping: mapping(build, input_mapping),
        ...(output_mapping === undefined ? {} : { outputMapping: mapping(build, output_mapping) }),
      },
    ]),
  );
}
