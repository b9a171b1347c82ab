import { modelAddress } from '../../diagnostics/catalogue/tools.js';
import type { Path } from '../../parse/yaml-document.js';
import type { LinkContext } from '../link-context.js';
import type { LinkedAgent } from '../model.js';
import type { Rule } from '../rule.js';

/** Servers of one's own have an address, vendors have theirs. Only warned of: `--model` can put another model in their place. */
export const modelsRule: Rule = (context, workflow) => {
  for (const agent of new Set(workflow.agents.values())) {
    const { syntax, at } = agent;
    const provider = syntax.provider ?? workflow.syntax.defaults?.provider;
    checkAddress(context, agent, { provider, base_url: syntax.base_url }, [...at, syntax.provider === undefined ? 'id' : 'provider']);
    syntax.fallback_chain?.forEach((entry, index) => {
      checkAddress(context, agent, entry, [...at, 'fallback_chain', index, 'provider']);
    });
  }
};

interface Served {
  readonly provider: string | undefined;
  readonly base_url?: string | undefined;
}

const OWN_SERVERS: ReadonlySet<string> = new Set(['openai-compatible', 'local']);

function checkAddress(context: LinkContext, { document }: LinkedAgent, { provider, base_url }: Served, path: Path): void {
  if (provider === undefined || OWN_SERVERS.has(provider) === (base_url !== undefined)) return;
  context.report(modelAddress, { path, document }, { provider, hasAddress: base_url !== undefined });
}
