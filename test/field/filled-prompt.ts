import { type JsonObject, renderTemplate } from '@relavium/engine';
import { expressionVm } from './expression-vm.js';
import { openProject } from './project.js';

/** The text that an agent node would send: its template as the plan holds it, filled in with these inputs. */
export async function filledPrompt(workflow: string, id: string, inputs: JsonObject): Promise<string> {
  const project = openProject();
  const node = project.compile(workflow).plan?.root.nodes.find((candidate) => candidate.id === id);
  project.close();
  if (node?.type !== 'agent' || node.prompt === undefined) throw new Error(`there is no agent node ${id} with a prompt`);
  const filled = renderTemplate(node.prompt, { names: new Map([['inputs', inputs]]) }, await expressionVm());
  if (!filled.ok) throw new Error(filled.message);
  return String(filled.value);
}
