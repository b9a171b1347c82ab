import type { Agent, Workflow } from '@relavium/schemas';
import { duplicateId } from '../diagnostics/catalogue/graph.js';
import { missingFile, unknownAgent } from '../diagnostics/catalogue/tools.js';
import type { Path } from '../parse/yaml-document.js';
import type { SourceRead } from '../ports/source-reader.js';
import type { Files } from './files.js';
import type { LinkContext } from './link-context.js';
import type { LinkedAgent, LinkedScope } from './model.js';
import { listed, nameAdvice, replacing } from './name-advice.js';

/** Agents by the id by which nodes may name them: those of `agents:` first, then files of the project by id. */
export function linkAgents(
  context: LinkContext,
  workflow: Workflow,
  scopes: readonly LinkedScope[],
  files: Files,
): ReadonlyMap<string, LinkedAgent> {
  const agents = new Map<string, LinkedAgent>();
  /** Where an agent was meant to come from that could not be read; naming it is no second finding. */
  let incomplete = false;
  workflow.agents?.forEach((entry, index) => {
    const at: Path = ['workflow', 'agents', index];
    const agent =
      '$ref' in entry
        ? agentFromFile(context, files, entry.$ref, [...at, '$ref'])
        : { syntax: entry as Agent, document: context.document, at };
    if (agent === undefined) incomplete = true;
    else if (agents.has(agent.syntax.id) && '$ref' in entry) {
      const data = { kind: 'agent', id: agent.syntax.id, other: agent.syntax.id, line: lineOf(context, agents.get(agent.syntax.id)) };
      context.report(duplicateId, { path: [...at, '$ref'] }, data);
    } else agents.set(agent.syntax.id, agent);
  });
  for (const scope of scopes) {
    for (const { syntax, at } of scope.nodes) {
      if (syntax.type !== 'agent' || agents.has(syntax.agent_ref)) continue;
      const found = agentById(context, files, syntax.agent_ref, [...at, 'agent_ref'], [...agents.keys()], incomplete);
      if (found !== undefined) agents.set(syntax.agent_ref, found);
    }
  }
  return agents;
}

function lineOf(context: LinkContext, agent: LinkedAgent | undefined): number {
  return agent === undefined || agent.document !== context.document ? 1 : context.lineOf(agent.at, 'value');
}

function agentFromFile(context: LinkContext, files: Files, path: string, at: Path): LinkedAgent | undefined {
  const read = files.reader.relative(context.document.source.path, path);
  return read.ok ? parsedAgent(files, read) : reportUnread(context, read, path, at);
}

function agentById(
  context: LinkContext,
  files: Files,
  id: string,
  at: Path,
  own: readonly string[],
  incomplete: boolean,
): LinkedAgent | undefined {
  const read = files.reader.byId('agent', id);
  if (read.ok) return parsedAgent(files, read);
  if (read.problem !== 'missing') return reportUnread(context, read, `the agent ${id}`, at);
  if (incomplete) return undefined;
  const advice = nameAdvice(context, id, () => [...own, ...files.reader.ids('agent')], {
    fix: replacing(context.document, at, 'value'),
    otherwise: listed('agents'),
  });
  context.report(unknownAgent, { path: at }, { id }, advice);
  return undefined;
}

function parsedAgent(files: Files, read: SourceRead & { ok: true }): LinkedAgent | undefined {
  const { document, value } = files.agent(read.source);
  return document === undefined || value === undefined ? undefined : { syntax: value, document, at: [] };
}

function reportUnread(context: LinkContext, read: SourceRead & { ok: false }, path: string, at: Path): undefined {
  context.report(missingFile, { path: at }, { path, problem: unreadWords(read.problem) });
  return undefined;
}

export function unreadWords(problem: 'missing' | 'outside' | 'unreadable'): string {
  return { missing: 'does not exist', outside: 'lies outside the project', unreadable: 'cannot be read' }[problem];
}
