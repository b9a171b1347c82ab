import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const webSearch: ToolDef = builtin('web_search', {
  description: 'Searches the web and gives titles, addresses and short extracts.',
  policy: 'search',
  effect: 'none',
  capability: 'search',
  // Where to is the author's literal choice; without an endpoint it is the provider's own address.
  target: ({ endpoint }) => (endpoint === undefined ? { kind: 'none' } : { kind: 'url', url: endpoint }),
  call: async (args, search, call) => ({ results: (await search.search(args, call)).map((result) => ({ ...result })) }),
});
