import type { ReadRequest } from '../ports/file-system.js';
import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const readFile: ToolDef = builtin('read_file', {
  description:
    'Reads a text file of the workspace, or with glob several files (* and ? inside a name, ** over folders). UTF-8 and UTF-16 text only. ' +
    'A file larger than max_bytes (8 MiB unless the author says otherwise) is refused: read a part of it by start_line and line_count, ' +
    'or by start_byte and byte_count where the text has no line breaks.',
  policy: 'fs_read',
  effect: 'none',
  capability: 'fs',
  target: ({ path, glob, root }) => ({
    kind: 'path',
    operation: path === undefined ? 'glob' : 'read',
    path: path ?? glob!,
    ...(root === undefined ? {} : { root }),
  }),
  async call({ path, glob, encoding, start_line, line_count, start_byte, byte_count, root, max_bytes }, fs, call) {
    const request: ReadRequest = {
      path: path ?? glob!,
      ...(root === undefined ? {} : { root }),
      ...(encoding === undefined ? {} : { encoding }),
      ...(start_line === undefined ? {} : { startLine: start_line }),
      ...(line_count === undefined ? {} : { lineCount: line_count }),
      ...(start_byte === undefined ? {} : { startByte: start_byte }),
      ...(byte_count === undefined ? {} : { byteCount: byte_count }),
      maxBytes: max_bytes ?? 8 * 1024 * 1024,
    };
    if (path !== undefined) return { ...(await fs.read(request, call)) };
    const { files, skipped } = await fs.readGlob(request, call);
    return { files: files.map((file) => ({ ...file })), skipped: skipped.map((file) => ({ ...file })) };
  },
});
