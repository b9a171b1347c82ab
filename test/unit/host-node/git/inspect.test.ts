import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectArguments } from '../../../../hosts/node/src/git/git-arguments.js';
import { requirement } from '../../requirement.js';
import { call, type RepositoryFolder, repositoryFolder } from './repository-folder.js';

let folder: RepositoryFolder;
beforeEach(() => {
  folder = repositoryFolder();
});
afterEach(() => folder.remove());

const commitAll = (message: string) => {
  folder.git('add', '-A');
  folder.git('commit', '-q', '-m', message);
};
/** A merge that is stopped by a conflict in `a.txt`. */
const conflict = () => {
  folder.write('a.txt', 'one\n');
  commitAll('first');
  folder.git('checkout', '-q', '-b', 'side');
  folder.write('a.txt', 'side\n');
  commitAll('side');
  folder.git('checkout', '-q', 'main');
  folder.write('a.txt', 'main\n');
  commitAll('main');
  expect(() => folder.git('merge', '-q', 'side')).toThrow();
};
const status = async (where?: string) => (await folder.capability(where).inspect({ subcommand: 'status' }, call)).entries;

describe('git_status', () => {
  it('gives changed files one by one, names as they are', async () => {
    for (const name of ['plain.txt', 'moved.txt', 'gone.txt', 'a b\tc\n"d" é.txt', ' lead']) folder.write(name, `${name}\n`.repeat(20));
    commitAll('first');
    folder.git('mv', 'moved.txt', 'new name\n.txt');
    folder.git('rm', '-q', 'gone.txt');
    folder.write('plain.txt', 'changed');
    folder.write('a b\tc\n"d" é.txt', 'changed');
    folder.write(' lead', 'changed');
    folder.write('-n', 'x');
    folder.write('un\ntracked', 'x');
    const entries = (await status()) ?? [];
    expect([...entries].sort((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      { kind: 'changed', path: ' lead', index: '.', worktree: 'M' },
      { kind: 'untracked', path: '-n' },
      { kind: 'changed', path: 'a b\tc\n"d" é.txt', index: '.', worktree: 'M' },
      { kind: 'changed', path: 'gone.txt', index: 'D', worktree: '.' },
      { kind: 'renamed', path: 'new name\n.txt', from: 'moved.txt', index: 'R', worktree: '.' },
      { kind: 'changed', path: 'plain.txt', index: '.', worktree: 'M' },
      { kind: 'untracked', path: 'un\ntracked' },
    ]);
  });

  it('tells files that could not be merged', async () => {
    conflict();
    expect(await status()).toEqual([{ kind: 'unmerged', path: 'a.txt', index: 'U', worktree: 'U' }]);
  });

  it(requirement('GS-05', 'gives what git printed, also for log and diff'), async () => {
    folder.write('a.txt', 'one\n');
    commitAll('the first');
    folder.write('a.txt', 'two\n');
    const git = folder.capability();
    expect(await git.inspect({ subcommand: 'log', args: ['--format=%s %an'] }, call)).toMatchObject({
      exitCode: 0,
      stdout: 'the first Test Person\n',
    });
    const diff = await git.inspect({ subcommand: 'diff' }, call);
    expect(diff.stdout).toContain('-one\n+two\n');
    expect(diff.entries).toBeUndefined();
    expect((await git.inspect({ subcommand: 'diff', args: ['--exit-code'] }, call)).exitCode).toBe(1);
  });

  it(requirement('GS-01', 'reads status, log and diff, and changes nothing'), async () => {
    folder.write('a.txt', 'one\n');
    commitAll('the first');
    folder.write('a.txt', 'two\n');
    folder.write('b.txt', 'new\n');
    const seen = () => [
      readFileSync(join(folder.workspace, '.git/index')).toString('base64'),
      folder.git('rev-parse', 'HEAD'),
      folder.git('stash', 'list'),
    ];
    const before = seen();
    const git = folder.capability();
    for (const subcommand of ['status', 'log', 'diff'] as const) expect((await git.inspect({ subcommand }, call)).exitCode).toBe(0);
    expect(seen()).toEqual(before);
  });

  it(requirement('GS-03', 'puts what an author adds before the form of the answer and paths behind the separator'), () => {
    expect(inspectArguments({ subcommand: 'status', args: ['--short', '--', 'src'] }, '')).toEqual([
      'status',
      '--short',
      '--ignore-submodules=dirty',
      '--no-column',
      '--porcelain=v2',
      '-z',
      '--',
      'src',
    ]);
    expect(inspectArguments({ subcommand: 'log', args: ['--max-count=5'] }, 'sub/').slice(-4)).toEqual([
      '--max-count=100',
      '--max-count=5',
      '--',
      '.',
    ]);
    expect(inspectArguments({ subcommand: 'log', args: ['--', ':!a'] }, 'sub/').slice(-3)).toEqual(['--', '.', ':!a']);
  });

  it('is read as entries whatever form an author asks for', async () => {
    folder.write('a.txt', 'x');
    const result = await folder.capability().inspect({ subcommand: 'status', args: ['--short', '--branch'] }, call);
    expect(result.entries).toEqual([{ kind: 'untracked', path: 'a.txt' }]);
  });

  it('shows a workspace inside a repository its own part', async () => {
    folder.write('inside/a.txt', 'one\n');
    folder.write('outside.txt', 'secret one\n');
    commitAll('first');
    folder.write('inside/a.txt', 'two\n');
    folder.write('outside.txt', 'secret two\n');
    const git = folder.capability(join(folder.workspace, 'inside'));
    expect((await git.inspect({ subcommand: 'status' }, call)).entries).toMatchObject([{ path: 'inside/a.txt' }]);
    expect((await git.inspect({ subcommand: 'diff' }, call)).stdout).not.toContain('secret');
  });

  it('says where there is no repository, and where there is no git', async () => {
    const bare = join(folder.base, 'plain');
    mkdirSync(bare);
    await expect(folder.capability(bare).inspect({ subcommand: 'status' }, call)).rejects.toMatchObject({
      code: 'tool_failed',
      reason: 'no_repository',
    });
    // What looks like a bare repository is only files.
    folder.git('init', '-q', '--bare', join(folder.base, 'planted'));
    await expect(folder.capability(join(folder.base, 'planted')).inspect({ subcommand: 'log' }, call)).rejects.toMatchObject({
      reason: 'no_repository',
    });
  });
});

describe('what a repository says in its own configuration', () => {
  /** A program that leaves a trace wherever it is named. */
  const trap = () => {
    const path = join(folder.base, 'trap.sh');
    writeFileSync(path, `#!/bin/sh\necho "$0 $*" >> '${join(folder.base, 'sprung')}'\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const isSprung = () => existsSync(join(folder.base, 'sprung'));

  it('starts no program: monitors, hooks, filters, differs, pagers, converters, signers', async () => {
    folder.write('a.txt', 'one\n');
    folder.write('b.bin', 'one\n');
    folder.write('.gitattributes', '*.txt diff=odd filter=odd\n*.bin filter=a=b\n');
    commitAll('first');
    const program = trap();
    const settings: readonly (readonly [string, string])[] = [
      ['core.fsmonitor', program],
      ['core.hooksPath', join(folder.base, 'hooks')],
      ['core.pager', program],
      ['pager.log', program],
      ['pager.diff', program],
      ['pager.status', program],
      ['core.sshCommand', program],
      ['core.editor', program],
      ['diff.external', program],
      ['diff.odd.command', program],
      ['diff.odd.textconv', program],
      ['filter.odd.clean', program],
      ['filter.odd.smudge', program],
      ['filter.odd.required', 'true'],
      ['filter.a=b.clean', program],
      ['filter.a=b.process', program],
      ['gpg.program', program],
      ['log.showSignature', 'true'],
      ['alias.status', `!${program}`],
      ['alias.log', `!${program}`],
      ['credential.helper', program],
      ['interactive.diffFilter', program],
    ];
    for (const [key, value] of settings) folder.git('config', key, value);
    mkdirSync(join(folder.base, 'hooks'));
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'pre-commit', 'reference-transaction']) {
      writeFileSync(join(folder.base, 'hooks', hook), `#!/bin/sh\nexec '${program}' ${hook}\n`);
      chmodSync(join(folder.base, 'hooks', hook), 0o755);
    }
    folder.write('a.txt', 'two\n');
    folder.write('b.bin', 'two\n');
    const git = folder.capability();
    const results = [];
    for (const subcommand of ['status', 'diff', 'log'] as const) results.push(await git.inspect({ subcommand }, call));
    for (const { exitCode, stderr } of results) expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(results[1]!.stdout).toContain('+two');
    expect(isSprung()).toBe(false);
    // The trap itself works: a person's own git walks into it.
    folder.git('status');
    expect(isSprung()).toBe(true);
  });

  it('does not show what has changed in files that may not be read', async () => {
    folder.write('.env', 'KEY=one\n');
    folder.write('sub/.npmrc', 'one\n');
    folder.write('a.txt', 'one\n');
    folder.git('add', '-f', '.');
    commitAll('first');
    // The blank at the end is what --check looks for.
    for (const path of ['.env', 'sub/.npmrc', 'a.txt']) folder.write(path, 'canary \n');
    const git = folder.capability();
    const diff = await git.inspect({ subcommand: 'diff' }, call);
    expect(diff.stdout.match(/canary/g)).toHaveLength(1);
    expect(diff.stdout).toContain('a.txt');
    commitAll('second');
    const log = await git.inspect({ subcommand: 'log', args: ['-p'] }, call);
    expect(log.stdout.match(/canary/g)).toHaveLength(1);
    for (const option of ['--binary', '--check', '--diff-merges=on', '--cc']) {
      const { stdout } = await git.inspect({ subcommand: 'log', args: [option] }, call);
      expect([option, stdout]).toEqual([option, expect.not.stringMatching(/\.env|\.npmrc/)]);
    }
    expect((await git.inspect({ subcommand: 'log', args: ['--oneline'] }, call)).stdout.trim().split('\n')).toHaveLength(2);
  });

  it('makes no merge anew, which would start the programs that merge', async () => {
    folder.write('.gitattributes', 'a.txt merge=odd\n');
    conflict();
    folder.write('a.txt', 'both\n');
    commitAll('merged');
    folder.git('config', 'merge.odd.driver', trap());
    folder.git('config', 'log.diffMerges', 'remerge');
    const { exitCode } = await folder.capability().inspect({ subcommand: 'log', args: ['-m', '-p'] }, call);
    expect([exitCode, isSprung()]).toEqual([0, false]);
    folder.git('log', '-m', '-p');
    expect(isSprung()).toBe(true);
  });

  it('starts no program to verify a signature, whatever its format', async () => {
    folder.write('a.txt', 'one\n');
    commitAll('first');
    const program = trap();
    for (const key of ['gpg.program', 'gpg.openpgp.program', 'gpg.x509.program', 'gpg.ssh.program', 'gpg.ssh.defaultKeyCommand'])
      folder.git('config', key, program);
    folder.git('config', 'gpg.ssh.allowedSignersFile', program);
    const [headers = '', message = ''] = folder.git('cat-file', 'commit', 'HEAD').split('\n\n');
    for (const format of ['SSH SIGNATURE', 'SIGNED MESSAGE', 'PGP SIGNATURE']) {
      const signature = `gpgsig -----BEGIN ${format}-----\n AAAA\n -----END ${format}-----`;
      const file = join(folder.base, 'commit');
      writeFileSync(file, `${headers}\n${signature}\n\n${message}`);
      folder.git('update-ref', 'HEAD', folder.git('hash-object', '-t', 'commit', '-w', file).trim());
      await folder.capability().inspect({ subcommand: 'log', args: ['--format=%G? %GS'] }, call);
    }
    expect(isSprung()).toBe(false);
    folder.git('log', '-n', '1', '--format=%G?');
    expect(isSprung()).toBe(true);
  });

  it('of a submodule starts no program either', async () => {
    folder.write('a.txt', 'x\n');
    commitAll('first');
    const sub = join(folder.workspace, 'sub');
    mkdirSync(sub);
    folder.git('-C', 'sub', 'init', '-q');
    writeFileSync(join(sub, 'b.txt'), 'x\n');
    folder.git('-C', 'sub', '-c', 'user.name=T', '-c', 'user.email=t@example.com', 'add', '-A');
    folder.git('-C', 'sub', '-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', 'sub');
    folder.git('add', 'sub');
    folder.git('commit', '-q', '-m', 'with a submodule');
    // A form of the diff that would start a git in the submodule, under the configuration of that one.
    writeFileSync(join(sub, '.gitattributes'), '* diff=odd\n');
    writeFileSync(join(sub, 'b.txt'), 'y\n');
    folder.git('-C', 'sub', 'add', '-A');
    folder.git('-C', 'sub', '-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', 'ahead');
    folder.git('config', 'diff.submodule', 'diff');
    folder.git('-C', 'sub', 'config', 'diff.odd.command', trap());
    folder.git('-C', 'sub', 'config', 'core.fsmonitor', trap());
    for (const subcommand of ['status', 'diff', 'log'] as const) await folder.capability().inspect({ subcommand }, call);
    expect(isSprung()).toBe(false);
  });

  it('of the person is not used, but for who commits and what is safe', async () => {
    writeFileSync(join(folder.home, '.gitconfig'), `[core]\n\tfsmonitor = ${trap()}\n[status]\n\tshowUntrackedFiles = no\n`);
    folder.write('a.txt', 'x');
    expect(await status()).toEqual([{ kind: 'untracked', path: 'a.txt' }]);
    expect(isSprung()).toBe(false);
  });
});
