import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const gitStatus: ToolDef = builtin('git_status', {
  description:
    'Looks at the git repository of the workspace: status (with entries, one a changed file), log (the last 100 commits) or diff ' +
    '(changes that are not staged). Nothing is changed.',
  policy: 'git',
  effect: 'none',
  capability: 'git',
  target: ({ args = [] }) => ({ kind: 'git', args }),
  async call(args, git, call) {
    const { entries, ...result } = await git.inspect(args, call);
    return { ...result, ...(entries === undefined ? {} : { entries: entries.map((entry) => ({ ...entry })) }) };
  },
  failure(result, { subcommand, args }) {
    const exitCode = result.exitCode as number;
    // An author may ask diff to say by its exit code whether there are differences.
    const isAnswer = subcommand === 'diff' && exitCode === 1 && args?.some((arg) => arg === '--exit-code' || arg === '--quiet') === true;
    if (exitCode === 0 || isAnswer) return undefined;
    return { message: `git ${subcommand} ended with exit code ${exitCode}`, details: { exitCode, stderrTail: result.stderr as string } };
  },
});
