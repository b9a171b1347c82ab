import { type Json, type JsonObject, renderTemplate } from '@relavium/engine';
import { expressionVm } from './expression-vm.js';
import { openProject } from './project.js';

/** The text that an agent node would send: its template as the plan holds it, filled in with these inputs and outputs of nodes before it. */
export async function filledPrompt(workflow: string, id: string, inputs: JsonObject, outputs: JsonObject = {}): Promise<string> {
  const project = openProject();
  const node = project.compile(workflow).plan?.root.nodes.find((candidate) => candidate.id === id);
  project.close();
  if (node?.type !== 'agent' || node.prompt === undefined) throw new Error(`there is no agent node ${id} with a prompt`);
  const none = () => ({ kind: 'none' }) as const;
  const run = {
    id: 'run',
    startedAt: '2030-01-01T00:00:00Z',
    outputs: (name: string) => (Object.hasOwn(outputs, name) ? ({ kind: 'value', value: outputs[name] as Json } as const) : none()),
    errors: none,
    captured: none,
    visible: () => Object.keys(outputs),
  };
  const filled = renderTemplate(node.prompt, { names: new Map([['inputs', inputs]]), run }, await expressionVm());
  if (!filled.ok) throw new Error(filled.message);
  return String(filled.value);
}
