import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CallContext, HostError, type ProcessHost, type ProcessResult } from '@relavium/engine';
import { type GitSettings, PINNED_OPTIONS, pinnedVariables } from './pinned-git.js';
import { readSettings, SETTINGS_PATTERN } from './read-settings.js';

/** A repository in which git can be run as often as one call needs it. */
export interface Repository {
  /** Its own folder, absolute. */
  readonly folder: string;
  /** The workspace's place in it, with a `/` at the end; empty where it is the top. */
  readonly prefix: string;
  /** Absolute. */
  readonly indexFile: string;
  /** Something that has been begun and is not finished, such as a merge. */
  readonly unfinished: string | undefined;
  readonly settings: GitSettings;
  /** Any exit code. */
  run(args: readonly string[], more?: GitRun): Promise<ProcessResult>;
  /** Standard output; throws `tool_failed` for an exit code other than 0. */
  ask(args: readonly string[], more?: GitRun): Promise<string>;
}

export interface GitRun {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly maxOutputBytes?: number;
  /** Lets the repository's hooks run. */
  readonly hooks?: boolean;
}

/** What lists of names may hold at most. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;

/** Throws `tool_failed no_repository` where the workspace is in none, `tool_unavailable` where there is no git. */
export async function openRepository(process: ProcessHost, call: CallContext): Promise<Repository> {
  // Only what git says of changes is output of the call; what is asked in between is not.
  const { onOutput: _, ...quiet } = call;
  const git = (args: readonly string[], env: Readonly<Record<string, string>>, more: GitRun = {}) =>
    process
      .run(
        {
          command: 'git',
          args: [...PINNED_OPTIONS, ...args],
          env: { ...env, ...more.env },
          maxOutputBytes: more.maxOutputBytes ?? MAX_LIST_BYTES,
          ...(more.stdin === undefined ? {} : { stdin: more.stdin }),
        },
        quiet,
      )
      .catch(withoutGit);

  const settings = await lookUpSettings(git);
  const run: Repository['run'] = (args, more = {}) => git(args, pinnedVariables(settings, more.hooks), more);
  const places = await run([
    'rev-parse',
    '--path-format=absolute',
    '--git-dir',
    '--git-path',
    'index',
    '--show-prefix',
    '--is-inside-work-tree',
  ]);
  const lines = places.stdout.split('\n');
  if (places.exitCode !== 0 || lines.length !== 5 || lines[3] !== 'true') {
    throw new HostError('tool_failed', 'no_repository', 'the workspace is in no git repository', {
      exitCode: places.exitCode,
      ...tail(places),
    });
  }
  const [gitFolder, indexFile, prefix] = lines as [string, string, string];
  return {
    folder: gitFolder,
    prefix,
    indexFile,
    unfinished: UNFINISHED.find((name) => existsSync(join(gitFolder, name))),
    settings,
    run,
    async ask(args, more) {
      const result = await run(args, more);
      if (result.exitCode !== 0) throw gitFailed(args[0]!, result);
      if (result.truncated === true) throw new HostError('tool_failed', 'too_large', `git ${args[0]} names more than can be taken in`);
      if (result.invalidUtf8 === true) throw new HostError('tool_failed', 'not_text', `git ${args[0]} names a file whose name is no UTF-8`);
      return result.stdout;
    },
  };
}

/** What git said when it refused. */
export function gitFailed(subcommand: string, result: ProcessResult): HostError {
  const message = `git ${subcommand} ended with exit code ${result.exitCode}`;
  return new HostError('tool_failed', 'git_failed', message, { exitCode: result.exitCode, ...tail(result) });
}

const UNFINISHED = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];

/** Without the pinned variables, since the person's own configuration says who commits and which folders are safe. */
async function lookUpSettings(
  git: (args: readonly string[], env: Readonly<Record<string, string>>) => Promise<ProcessResult>,
): Promise<GitSettings> {
  const ask = async (env: Readonly<Record<string, string>>) =>
    readSettings((await git(['config', '--show-scope', '-z', '--get-regexp', SETTINGS_PATTERN], env)).stdout);
  const first = await ask({});
  if (first.safeFolders.length === 0) return first;
  // Only now git looks into a repository that belongs to somebody else.
  const safe = first.safeFolders.flatMap((folder, index) => [
    [`GIT_CONFIG_KEY_${index}`, 'safe.directory'],
    [`GIT_CONFIG_VALUE_${index}`, folder],
  ]);
  const second = await ask({ GIT_CONFIG_COUNT: String(first.safeFolders.length), ...Object.fromEntries(safe) });
  return { ...second, safeFolders: first.safeFolders };
}

function withoutGit(error: unknown): never {
  if (error instanceof HostError && error.reason === 'not_found') {
    throw new HostError('tool_unavailable', 'no_git', 'there is no git program in PATH', { capability: 'git' });
  }
  throw error;
}

function tail({ stderr }: ProcessResult): { readonly stderrTail?: string } {
  const text = stderr.slice(-4_000).trimEnd();
  return text === '' ? {} : { stderrTail: text.split('\n').slice(-20).join('\n') };
}
