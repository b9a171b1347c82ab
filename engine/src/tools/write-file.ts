import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const writeFile: ToolDef = builtin('write_file', {
  description:
    'Writes a text file of the workspace as UTF-8: content replaces the whole file at once, or with append: true is added at its end. ' +
    'content may be empty and is at most 8 MiB (8388608 bytes). Missing folders are made only with create_parents: true.',
  policy: 'fs_write',
  // The same content written twice is the same file; the same text appended twice is not.
  effect: ({ append }) => (append === true ? 'once' : 'receipt'),
  capability: 'fs',
  bounds: [{ kind: 'text', argument: 'content', maxBytes: 8 * 1024 * 1024 }],
  target: ({ path, root }) => ({ kind: 'path', operation: 'write', path, ...(root === undefined ? {} : { root }) }),
  async call({ path, content, append, create_parents, root }, fs, call) {
    const request = {
      path,
      content,
      append: append ?? false,
      createParents: create_parents ?? false,
      ...(root === undefined ? {} : { root }),
    };
    return { ...(await fs.write(request, call)) };
  },
});
