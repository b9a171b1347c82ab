import { dirname, join } from 'node:path';
import type { CallContext, Git, ProcessHost } from '@relavium/engine';
import { inspectArguments } from './git-arguments.js';
import { makeCommit } from './make-commit.js';
import { parseStatus } from './parse-status.js';
import { openRepository } from './repository.js';
import { withStagedTree } from './staged-tree.js';

const MAX_OUTPUT_BYTES = 1024 * 1024;
/** A person reads this at a gate. */
const MAX_PROPOSAL_BYTES = 64 * 1024;

/** The repository of the workspace. Every command goes through the process host, so it ends, is bounded and is found like any other. */
export function createGit(process: ProcessHost): Git {
  return {
    async inspect(request, call) {
      const repository = await openRepository(process, call);
      const isStatus = request.subcommand === 'status';
      const args = inspectArguments(request, repository.prefix);
      const result = await repository.run(args, isStatus ? {} : { maxOutputBytes: MAX_OUTPUT_BYTES });
      const isWhole = isStatus && result.exitCode === 0 && result.truncated !== true;
      return { ...result, ...(isWhole ? { entries: parseStatus(result.stdout) } : {}) };
    },
    async propose(request, call) {
      const repository = await openRepository(process, call);
      return withStagedTree(repository, request, async ({ tree, parentTree, indexFile }) => {
        const options = ['-r', '-p', '--stat', '--no-ext-diff', '--no-textconv', '--no-color', '--find-renames'];
        // From a work tree that holds nothing: an attribute that says of a text that it has no diff would hide it from the person.
        const folder = dirname(indexFile);
        const { stdout } = await repository.run(['-C', folder, 'diff-tree', ...options, parentTree, tree], {
          env: { GIT_DIR: repository.folder, GIT_WORK_TREE: folder, GIT_INDEX_FILE: join(folder, 'none') },
          maxOutputBytes: MAX_PROPOSAL_BYTES,
        });
        return { tree, changes: stdout };
      });
    },
    async commit(request, call: CallContext) {
      const repository = await openRepository(process, call);
      return withStagedTree(repository, request, (staged) => makeCommit(repository, request, staged, call.approvedTree));
    },
  };
}
