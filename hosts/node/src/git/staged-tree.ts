import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostError } from '@relavium/engine';
import type { GitCommitArguments } from '@relavium/schemas/tools';
import { codeOf } from '../fs/error-code.js';
import { pathDenied } from '../fs/path-denied.js';
import { pathspecArguments } from './git-arguments.js';
import { gitFailed, type Repository } from './repository.js';

/** What a commit would record, made in an index of its own: the repository's index and branches stay as they are. */
export interface StagedTree {
  readonly tree: string;
  /** Commit that it would follow; undefined for the first one. */
  readonly parent: string | undefined;
  readonly parentTree: string;
  readonly changes: readonly Change[];
  /** Index that holds the tree, as long as `use` runs. */
  readonly indexFile: string;
}

export interface Change {
  /** From the top of the repository. */
  readonly path: string;
  /** Mode and id that the path would have; a mode of zeros: it would be gone. */
  readonly mode: string;
  readonly id: string;
}

/** Throws `HostError` where nothing can be committed here in a way that a person could have judged. */
export async function withStagedTree<T>(
  repository: Repository,
  request: GitCommitArguments,
  use: (staged: StagedTree) => Promise<T>,
): Promise<T> {
  if (repository.unfinished !== undefined) {
    throw new HostError(
      'tool_failed',
      'unfinished',
      `the repository is in the middle of something (${repository.unfinished}); finish that first`,
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'relavium-git-'));
  try {
    return await use(await stage(repository, request, join(folder, 'index')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function stage(repository: Repository, request: GitCommitArguments, indexFile: string): Promise<StagedTree> {
  const parent = await commitAtHead(repository);
  const env = { GIT_INDEX_FILE: indexFile };
  if (request.pathspecs === undefined || request.pathspecs.length === 0) await copyIndex(repository.indexFile, indexFile);
  else await fillIndex(repository, request, parent, env);
  const tree = (await repository.ask(['write-tree'], { env })).trim();
  const parentTree =
    parent === undefined
      ? (await repository.ask(['hash-object', '-t', 'tree', '--stdin'], { stdin: '' })).trim()
      : (await repository.ask(['rev-parse', '--verify', `${parent}^{tree}`])).trim();
  const changes = await changesBetween(repository, parentTree, tree);
  const outside = changes.find(({ path }) => !path.startsWith(repository.prefix));
  if (outside !== undefined) throw pathDenied(outside.path, 'the commit would hold a file outside the workspace', 'workspace');
  return { tree, parent, parentTree, changes, indexFile };
}

async function changesBetween(repository: Repository, from: string, to: string): Promise<readonly Change[]> {
  const output = await repository.ask(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to]);
  const records = output.split('\0');
  const changes: Change[] = [];
  for (let index = 0; index + 1 < records.length; index += 2) {
    const [, mode, , id] = records[index]!.split(' ');
    changes.push({ path: records[index + 1]!, mode: mode!, id: id! });
  }
  return changes;
}

async function commitAtHead({ run }: Repository): Promise<string | undefined> {
  const { exitCode, stdout } = await run(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}']);
  return exitCode === 0 ? stdout.trim() : undefined;
}

/** Without a file nothing has ever been staged, and git takes a missing index for an empty one. */
async function copyIndex(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw new HostError('tool_failed', 'io', 'the index of the repository cannot be read', {}, error);
  }
}

/** The tree of the last commit, with what the pathspecs name as it is in the work tree now. Only files that git knows are taken. */
async function fillIndex(
  repository: Repository,
  request: GitCommitArguments,
  parent: string | undefined,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const listing = pathspecArguments(request, parent !== undefined);
  const listed = await repository.run(listing);
  if (listed.exitCode === 1) {
    throw new HostError('tool_failed', 'no_match', 'a pathspec names nothing that git tracks; add new files first', {
      stderrTail: listed.stderr.trim().slice(-4_000),
    });
  }
  if (listed.exitCode !== 0) throw gitFailed('ls-files', listed);
  const names = await repository.ask(listing);
  await refuseFilters(repository, names);
  await repository.ask(parent === undefined ? ['read-tree', '--empty'] : ['read-tree', parent], { env });
  await repository.ask(['update-index', '-z', '--add', '--remove', '--stdin'], { env, stdin: names });
}

/** A filter is a program that makes what is committed out of what is in the file; without it something else would be committed. */
async function refuseFilters(repository: Repository, names: string): Promise<void> {
  const fields = (await repository.ask(['check-attr', '-z', '--stdin', 'filter'], { stdin: names })).split('\0');
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const value = fields[index + 2]!;
    if (value === 'unspecified' || value === 'unset') continue;
    const message = `${fields[index]} goes through the filter ${value}, which is a program; commit it by hand`;
    throw new HostError('tool_failed', 'filter', message, { path: fields[index]!, filter: value });
  }
}
