import type { Policy } from '../plan/plan.js';
import type { CallContext } from '../ports/call-context.js';
import type { FileSystem } from '../ports/file-system.js';
import { HostError } from '../ports/host-error.js';
import type { FileErrorCode, ReadFile } from '../template/render.js';

/** What the template filter `read_file` reads through: the files of the host under the workflow's policy, as the tool of that name. */
export function templateFileReader(fs: FileSystem | undefined, { fsScope }: Pick<Policy, 'fsScope'>, context: CallContext): ReadFile {
  const files = fs?.within(fsScope);
  return async (path) => {
    if (files === undefined) return { ok: false, code: 'tool_unavailable', message: 'this host has no fs capability' };
    try {
      const { content } = await files.read({ path, maxBytes: MAX_BYTES }, context);
      return { ok: true, text: content };
    } catch (error) {
      if (error instanceof HostError) return { ok: false, code: codeOf(error), message: error.message };
      throw error;
    }
  };
}

const MAX_BYTES = 8 * 1024 * 1024;

function codeOf({ code }: HostError): FileErrorCode {
  return code === 'tool_denied' || code === 'tool_unavailable' ? code : 'tool_failed';
}
