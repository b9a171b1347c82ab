import type { createRegistry, RunPorts } from '@relavium/engine';
import type { NodeHost } from '@relavium/host-node';

type ReadFile = NonNullable<RunPorts['readFile']>;

/** Files for the template filter `read_file`: read by the tool of that name, so that the same rules hold for both. */
export function templateFiles(registry: ReturnType<typeof createRegistry>, host: NodeHost): ReadFile {
  return async (path) => {
    const context = { node: 'template', attempt: 1, signal: host.newCancel().signal };
    const outcome = await registry.dispatch({
      tool: 'read_file',
      caller: 'node',
      granted: ['read_file'],
      modelArgs: {},
      mapped: {},
      config: { path },
      context,
    });
    if (outcome.ok) return { ok: true, text: (outcome.output as { readonly content: string }).content };
    const { code, message } = outcome.error;
    return { ok: false, code: code === 'tool_denied' || code === 'tool_unavailable' ? code : 'tool_failed', message };
  };
}
