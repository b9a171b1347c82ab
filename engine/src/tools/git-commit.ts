import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const gitCommit: ToolDef = builtin('git_commit', {
  description:
    'Commits what is staged, or only the given pathspecs. message is not empty and at most 16 KiB (16384 bytes) of UTF-8. ' +
    'Only a tool node may do it, after a person has approved it at a human gate that names the node.',
  policy: 'gate',
  effect: 'once',
  capability: 'git',
  bounds: [{ kind: 'text', argument: 'message', maxBytes: 16_384 }],
  target: () => ({ kind: 'none' }),
  call: async (args, git, call) => ({ ...(await git.commit(args, call)) }),
  async propose(args, git, call) {
    const { tree, changes } = await git.propose(args, call);
    const what = changes.trim() === '' ? 'Nothing would change.' : changes.trimEnd();
    return { seal: tree, text: `${args.message.trimEnd()}\n\n${what}` };
  },
});
