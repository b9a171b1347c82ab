import type { Plan, RunPorts } from '@relavium/engine';
import type { ConfigRead, ModelGrants } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';
import type { Project } from '../project/open-project.js';
import { hasAgents } from './what-asks.js';

/** What a person says about agents on the command line. */
export interface AgentFlags {
  /** `PROVIDER:MODEL` for every agent. */
  readonly model?: string;
  /** Origins. */
  readonly allowLocal?: readonly string[];
  /** Dollars. */
  readonly maxCost?: number;
}

export interface AgentSettings extends ModelGrants {
  readonly prices: NonNullable<RunPorts['prices']>;
}

/** What the command line and the configuration say about models. Only for a workflow with agents is the configuration read. */
export async function agentSettings(
  cli: Cli,
  { root }: Project,
  plan: Plan,
  flags: AgentFlags,
): Promise<Outcome<AgentSettings | undefined>> {
  if (!hasAgents(plan)) return done(undefined);
  const origins = flags.allowLocal ?? [];
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong !== undefined)
    return problem(`--allow-local ${wrong} is no origin`, 'An origin is a scheme, a host and a port, such as http://127.0.0.1:11434.');
  if (flags.model !== undefined) {
    const { overrideProblem } = await import('./model-override.js');
    const wrongModel = overrideProblem(flags.model, cli.cwd);
    if (wrongModel !== undefined)
      return problem(`--model: ${wrongModel}`, 'It is PROVIDER:MODEL, or scripted:FILE for answers from a file.');
  }
  const { readConfig } = await import('../project/config.js');
  const config = readConfig({ projectRoot: root, ...(cli.configFile === undefined ? {} : { file: cli.configFile }) });
  const [broken] = config.problems;
  if (broken !== undefined)
    return problem(`${broken.source.path}: ${broken.message}`, 'relavium lint shows what is wrong with the configuration.');
  const provider = config.project.defaults?.provider ?? config.home.defaults?.provider;
  return done({
    allowLocal: [...(config.home.egress?.local ?? []), ...origins],
    prices: pricesOf(config),
    ...(provider === undefined ? {} : { defaultProvider: provider }),
    ...(flags.model === undefined ? {} : { override: flags.model }),
  });
}

/** The person's limit goes before the workflow's own answer to a used-up budget; what has no price cannot be held to it. */
export function withMaxCost(plan: Plan, dollars: number | undefined): Plan {
  if (dollars === undefined) return plan;
  const microcents = Math.floor(dollars * 1e8);
  const { budget } = plan;
  return {
    ...plan,
    budget: {
      ...budget,
      maxMicrocents: Math.min(microcents, budget?.maxMicrocents ?? Number.POSITIVE_INFINITY),
      onExceed: 'fail',
      isStrict: true,
    },
  };
}

/** The project's word goes before the person's. */
function pricesOf({ project, home }: Pick<ConfigRead, 'project' | 'home'>): AgentSettings['prices'] {
  return new Map(
    Object.entries({ ...home.prices, ...project.prices }).map(([name, { input, output, cached_input }]) => [
      name,
      { input, output, ...(cached_input === undefined ? {} : { cachedInput: cached_input }) },
    ]),
  );
}

function isOrigin(text: string): boolean {
  return /^https?:\/\/[^/?#@\s]+$/.test(text) && URL.canParse(text);
}
