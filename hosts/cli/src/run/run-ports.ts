import { builtinTools, createRegistry, type EventStore, knownSecrets, type Plan, type RunPorts, type SourceText } from '@relavium/engine';
import type { NodeHost } from '@relavium/host-node';
import { jsonText } from '../render/outputs.js';
import type { AgentSettings } from './agent-settings.js';
import { templateFiles } from './template-files.js';

export interface OpenedPorts {
  readonly ports: RunPorts;
  /** Removes what the run has kept for itself. */
  close(): void;
}

/** What one run asks of this machine: its own secrets, its own scratch folder, and registries that know both. */
export function openRunPorts(
  host: NodeHost,
  { plan, sources }: { readonly plan: Plan; readonly sources: readonly SourceText[] },
  secretInputs: ReadonlyMap<string, string>,
  agents: AgentSettings | undefined,
): OpenedPorts {
  const secrets = knownSecrets();
  const scratch = host.newScratch(sources.map(({ path }) => path));
  const tools = { ...host.tools, fs: scratch.fs };
  const registry: RunPorts['registry'] = (policy) =>
    createRegistry({ tools: builtinTools, host: tools, policy, secrets, spill: scratch.spill });
  return {
    ports: {
      clock: host.clock,
      store: noStore,
      vm: host.vm,
      newCancel: host.newCancel,
      registry,
      readFile: templateFiles(registry(plan.policy), host),
      secrets,
      secretInputs,
      ...(agents === undefined ? {} : { models: host.newModels(agents, secrets), prices: agents.prices }),
      save: (path, output) => scratch.save(path, typeof output === 'string' ? output : jsonText(output)),
    },
    close: scratch.reclaim,
  };
}

/** Runs are not kept beyond the process that runs them: their events are shown and forgotten. */
const noStore: EventStore = { append: () => {} };
