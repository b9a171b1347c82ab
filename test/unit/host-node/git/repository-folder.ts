import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Git } from '../../../../engine/src/ports/git.js';
import { createGit } from '../../../../hosts/node/src/git/create-git.js';
import { createProcessHost } from '../../../../hosts/node/src/process/process-host.js';

export const call = { node: 'test', attempt: 1, signal: new AbortController().signal };

/** A folder with a home of its own beside it, in which real git runs. */
export interface RepositoryFolder {
  readonly base: string;
  readonly workspace: string;
  readonly home: string;
  /** Runs git as a person would. */
  git(...args: readonly string[]): string;
  write(path: string, text: string): void;
  /** The capability under test, for the workspace or a folder in it. */
  capability(folder?: string): Git;
  remove(): void;
}

export function repositoryFolder(): RepositoryFolder {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'git-')));
  const workspace = join(base, 'ws');
  const home = join(base, 'home');
  mkdirSync(workspace);
  mkdirSync(home);
  const environment = { PATH: process.env.PATH, HOME: home };
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: workspace, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Test Person');
  git('config', 'user.email', 'test@example.com');
  return {
    base,
    workspace,
    home,
    git,
    write(path, text) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text);
    },
    capability: (folder = workspace) => createGit(createProcessHost({ workspace: folder, environment })),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
