import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const listDirectory: ToolDef = builtin('list_directory', {
  description:
    'Lists a folder of the workspace, sorted by name; with recursive: true also what is below it, with glob (*, ?, **) only what matches. ' +
    'Links are listed as links and not followed. At most max_entries entries (10 000 unless the author says otherwise).',
  policy: 'fs_read',
  effect: 'none',
  capability: 'fs',
  target: ({ path, root }) => ({ kind: 'path', operation: 'list', path, ...(root === undefined ? {} : { root }) }),
  async call({ path, recursive, glob, root, max_entries }, fs, call) {
    const request = {
      path,
      recursive: recursive ?? false,
      maxEntries: max_entries ?? 10_000,
      ...(glob === undefined ? {} : { glob }),
      ...(root === undefined ? {} : { root }),
    };
    const { entries, truncated } = await fs.list(request, call);
    return { entries: entries.map((entry) => ({ ...entry })), ...(truncated === true ? { truncated } : {}) };
  },
});
