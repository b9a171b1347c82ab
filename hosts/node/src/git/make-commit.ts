import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type GitCommit, HostError } from '@relavium/engine';
import type { GitCommitArguments } from '@relavium/schemas/tools';
import { commitArguments } from './git-arguments.js';
import { gitFailed, type Repository } from './repository.js';
import type { StagedTree } from './staged-tree.js';

/**
 * Makes a commit of exactly the tree that was approved, by the parts of which `git commit` is made: nothing that changes in the work tree
 * or in the index meanwhile can get in, and where the branch has moved on meanwhile there is no commit.
 */
export async function makeCommit(
  repository: Repository,
  request: GitCommitArguments,
  staged: StagedTree,
  approvedTree: string | undefined,
): Promise<GitCommit> {
  if (approvedTree !== staged.tree) throw notApproved(staged.tree, approvedTree);
  if (staged.changes.length === 0) throw new HostError('tool_failed', 'nothing_to_commit', 'there is nothing to commit');
  const identity = identityOf(repository);
  const message = request.hooks === true ? await withHooks(repository, request.message, staged, identity) : request.message;
  const text = message.endsWith('\n') ? message : `${message}\n`;
  const commit = (await repository.ask(commitArguments(staged.tree, staged.parent), { stdin: text, env: identity })).trim();
  if (request.pathspecs !== undefined && request.pathspecs.length > 0) await stageInIndex(repository, staged);
  const subject = text.trimStart().split('\n', 1)[0]!.slice(0, 200);
  const before = staged.parent ?? '0'.repeat(commit.length);
  await repository.ask(['update-ref', '-m', `commit: ${subject}`, 'HEAD', commit, before], { env: identity });
  // What a hook says after the fact changes nothing any more.
  if (request.hooks === true) await repository.run(['hook', 'run', '--ignore-missing', 'post-commit'], { hooks: true, env: identity });
  const branch = await repository.run(['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return { commit, branch: branch.exitCode === 0 ? branch.stdout.trim() : 'HEAD', filesChanged: staged.changes.length };
}

function notApproved(found: string, approved: string | undefined): HostError {
  const message =
    approved === undefined
      ? 'the approval does not say what was seen'
      : 'what would be committed now is not what was approved: it has changed since';
  return new HostError('tool_denied', 'gate_required', message, {
    rule: 'a commit is what a person saw at the gate',
    source: 'built_in',
    value: approved === undefined ? found : `approved ${approved}, now ${found}`,
  });
}

function identityOf({ settings: { name, email } }: Repository): Record<string, string> {
  if (name === undefined || name === '' || email === undefined || email === '') {
    throw new HostError('tool_failed', 'no_identity', 'git does not know who commits: set user.name and user.email with git config');
  }
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}

/** The hooks of `git commit` in their order, on an index of their own. They may refuse and may word the message; the tree stays the approved one. */
async function withHooks(
  repository: Repository,
  message: string,
  staged: StagedTree,
  identity: Readonly<Record<string, string>>,
): Promise<string> {
  const file = join(dirname(staged.indexFile), 'message');
  await writeFile(file, message, { mode: 0o600 });
  const env = { ...identity, GIT_INDEX_FILE: staged.indexFile };
  for (const hook of [['pre-commit'], ['prepare-commit-msg', '--', file, 'message'], ['commit-msg', '--', file]]) {
    const args = ['hook', 'run', '--ignore-missing', ...hook];
    const result = await repository.run(args, { hooks: true, env });
    if (result.exitCode !== 0) throw gitFailed(`hook ${hook[0]}`, result);
  }
  const tree = (await repository.ask(['write-tree'], { env: { GIT_INDEX_FILE: staged.indexFile } })).trim();
  if (tree !== staged.tree) throw notApproved(tree, staged.tree);
  const worded = await readFile(file, 'utf8');
  if (worded.trim() === '') throw new HostError('tool_failed', 'hook', 'the hooks have left no message');
  return worded;
}

/** Before the branch moves, so that a failure here leaves nothing worse than files that are staged. */
async function stageInIndex(repository: Repository, { changes }: StagedTree): Promise<void> {
  const stdin = changes.map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`).join('');
  await repository.ask(['update-index', '-z', '--index-info'], { stdin });
}
