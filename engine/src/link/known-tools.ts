import type { Workflow } from '@relavium/schemas';
import type { World } from './rule.js';

/** Tools that a workflow may name by an id that is written down somewhere. */
export function toolIds(workflow: Workflow, world: World): readonly string[] {
  const declared = workflow.tools?.declarations?.map((declaration) => declaration.id) ?? [];
  return [...new Set([...world.tools.keys(), ...declared])];
}

/** What a server or a package offers is only known when it runs, so of those names the first half is checked. */
export function isKnownTool(id: string, workflow: Workflow, world: World): boolean {
  if (toolIds(workflow, world).includes(id)) return true;
  if (/^plugin_.+_.+$/.test(id)) return true;
  const servers = workflow.tools?.mcp_servers?.map((server) => server.id) ?? [];
  return servers.some((server) => id.startsWith(`mcp_${server}_`));
}
