import type { Json, JsonObject } from '../json.js';
import type { AgentNodePlan, AgentToolPlan } from '../plan/plan.js';
import type { ModelTool } from '../ports/language-model.js';
import type { ToolDef } from '../registry/tool-def.js';

/** An agent node that may be invoked, as the invoking model is told about it. */
export type Invocable = Pick<AgentNodePlan, 'id' | 'description' | 'inputSchema'>;

/** A tool as a model sees it: without what only the author sets, and without what the author has fixed. */
export function projectTool(tool: ToolDef, settings: AgentToolPlan | undefined, invocable: readonly Invocable[]): ModelTool {
  const fixed = new Set([
    ...tool.configOnly,
    ...Object.keys(settings?.config ?? {}),
    ...(settings?.inputMapping ?? []).map(([name]) => name),
  ]);
  const {
    properties = {},
    required = [],
    ...rest
  } = withoutMeta(tool.parameters) as {
    readonly properties?: JsonObject;
    readonly required?: readonly string[];
  };
  const visible = Object.fromEntries(Object.entries(properties).filter(([name]) => !fixed.has(name)));
  if (tool.policy === 'engine' && Object.hasOwn(visible, 'node_id')) visible.node_id = nodeChoice(invocable);
  const needed = required.filter((name) => !fixed.has(name));
  return {
    name: tool.id,
    description: tool.description,
    parameters: { ...rest, properties: visible, ...(needed.length === 0 ? {} : { required: needed }) },
  };
}

/** What names a schema among files says nothing to a model. */
function withoutMeta({ $schema: _, $id: __, title: ___, examples: ____, ...schema }: JsonObject): JsonObject {
  return schema;
}

function nodeChoice(invocable: readonly Invocable[]): Json {
  const lines = invocable.map(({ id, description, inputSchema }) => {
    const about = description === undefined ? '' : `: ${description}`;
    return `${id}${about}${inputSchema === undefined ? '' : `\n  input meets ${JSON.stringify(inputSchema)}`}`;
  });
  return { type: 'string', enum: invocable.map(({ id }) => id), description: `Which agent:\n${lines.join('\n')}` };
}
