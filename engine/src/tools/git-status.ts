import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const gitStatus: ToolDef = builtin('git_status', {
  description: 'Looks at the git repository of the workspace: status, log or diff. Nothing is changed.',
  policy: 'git',
  effect: 'none',
  capability: 'git',
  target: () => ({ kind: 'none' }),
  call: (args, git, call) => git.inspect(args, call),
});
