import { unusedAgent } from '../diagnostics/catalogue/tools.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import { parseYaml } from '../parse/parse-yaml.js';
import type { SourceText } from '../source/source-text.js';

/** Agent files of a project that none of its workflows reads. `used` are the sources of all compilations. */
export function unusedAgents(agents: readonly SourceText[], used: readonly SourceText[]): readonly Diagnostic[] {
  const paths = new Set(used.map((source) => source.path));
  return agents.flatMap((agent) => {
    const { document } = parseYaml(agent);
    const id = document === undefined ? undefined : (document.value as { readonly id?: unknown } | null)?.id;
    if (paths.has(agent.path) || document === undefined || typeof id !== 'string') return [];
    return [diagnose(unusedAgent, agent, document.rangeOf(['id'], 'value'), { id })];
  });
}
