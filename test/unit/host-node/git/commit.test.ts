import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GitCommit } from '../../../../engine/src/ports/git.js';
import { requirement, requirements } from '../../requirement.js';
import { call, type RepositoryFolder, repositoryFolder } from './repository-folder.js';

let folder: RepositoryFolder;
beforeEach(() => {
  folder = repositoryFolder();
});
afterEach(() => folder.remove());

interface Request {
  readonly message: string;
  readonly pathspecs?: readonly string[];
  readonly hooks?: boolean;
}

const commitAll = (message: string) => {
  folder.git('add', '-A');
  folder.git('commit', '-q', '-m', message);
};
const propose = (request: Request) => folder.capability().propose(request, call);
const commit = (request: Request, approvedTree: string | undefined): Promise<GitCommit> =>
  folder.capability().commit(request, approvedTree === undefined ? call : { ...call, approvedTree });
const approved = async (request: Request): Promise<GitCommit> => commit(request, (await propose(request)).tree);
const filesAt = (revision: string) => folder.git('ls-tree', '-r', '--name-only', revision).trim().split('\n');
const hook = (name: string, script: string) => {
  mkdirSync(join(folder.workspace, '.git/hooks'), { recursive: true });
  writeFileSync(join(folder.workspace, '.git/hooks', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder.workspace, '.git/hooks', name), 0o755);
};

describe('a commit of what is staged', () => {
  it(requirements(['GC-03', 'GC-08'], 'records exactly that, as the first commit too'), async () => {
    folder.write('a.txt', 'staged\n');
    folder.git('add', 'a.txt');
    folder.write('a.txt', 'not staged\n');
    folder.write('b.txt', 'not staged\n');
    const result = await approved({ message: 'docs: first\n\nwith a body' });
    expect(result).toEqual({ commit: folder.git('rev-parse', 'HEAD').trim(), branch: 'main', filesChanged: 1 });
    expect(folder.git('show', 'HEAD:a.txt')).toBe('staged\n');
    expect(filesAt('HEAD')).toEqual(['a.txt']);
    expect(folder.git('log', '-1', '--format=%an <%ae>|%B').trim()).toBe('Test Person <test@example.com>|docs: first\n\nwith a body');
    expect(folder.git('status', '--porcelain')).toBe(' M a.txt\n?? b.txt\n');
  });

  it(requirement('GC-01', 'takes the message as it is: it is no option and no file'), async () => {
    for (const message of ['--amend', '-F/etc/hostname', '--file=/etc/hostname', '@/etc/hostname', '# not a comment', '$(id)']) {
      folder.write('a.txt', message);
      folder.git('add', 'a.txt');
      await approved({ message });
      expect(folder.git('log', '-1', '--format=%B').trim()).toBe(message);
    }
    expect(folder.git('rev-list', '--count', 'HEAD').trim()).toBe('6');
  });
});

describe('a commit of pathspecs', () => {
  beforeEach(() => {
    for (const path of ['a.txt', 'b.txt', 'docs/c.txt', 'docs/d.txt']) folder.write(path, 'one\n');
    commitAll('first');
  });

  it(requirement('GC-02', 'records those files as they are in the work tree, and leaves what is staged beside them'), async () => {
    folder.write('a.txt', 'two\n');
    folder.write('b.txt', 'staged\n');
    folder.git('add', 'b.txt');
    folder.write('docs/c.txt', 'two\n');
    rmSync(join(folder.workspace, 'docs/d.txt'));
    folder.write('docs/new.txt', 'untracked\n');
    expect(await approved({ message: 'm', pathspecs: ['a.txt', 'docs'] })).toMatchObject({ filesChanged: 3 });
    expect(filesAt('HEAD')).toEqual(['a.txt', 'b.txt', 'docs/c.txt']);
    expect(folder.git('show', 'HEAD:b.txt')).toBe('one\n');
    expect(folder.git('status', '--porcelain')).toBe('M  b.txt\n?? docs/new.txt\n');
  });

  it('takes a file that was added and never committed, and one that was removed from the index', async () => {
    folder.write('new.txt', 'new\n');
    folder.git('add', 'new.txt');
    folder.git('rm', '-q', '--cached', 'b.txt');
    rmSync(join(folder.workspace, 'b.txt'));
    await approved({ message: 'm', pathspecs: ['new.txt', 'b.txt'] });
    expect(filesAt('HEAD')).toEqual(['a.txt', 'docs/c.txt', 'docs/d.txt', 'new.txt']);
    expect(folder.git('status', '--porcelain')).toBe('');
  });

  it(requirement('GC-07', 'takes no pathspec for an option'), async () => {
    folder.write('a.txt', 'two\n');
    for (const pathspec of ['--all', '-a', '--no-verify', '-F/etc/hostname', '--file=/etc/hostname', '--amend']) {
      await expect(propose({ message: 'm', pathspecs: [pathspec] })).rejects.toMatchObject({ code: 'tool_failed', reason: 'no_match' });
      folder.write(pathspec.replaceAll('/', '_'), 'x\n');
    }
    commitAll('odd names');
    folder.write('--all', 'two\n');
    folder.write('a.txt', 'three\n');
    expect(await approved({ message: 'm', pathspecs: ['--all'] })).toMatchObject({ filesChanged: 1 });
    expect(folder.git('status', '--porcelain')).toBe(' M a.txt\n');
  });

  it('takes names as they are', async () => {
    const odd = 'a b\t"c"\né.txt';
    folder.write(odd, 'one\n');
    commitAll('odd');
    folder.write(odd, 'two\n');
    expect(await approved({ message: 'm', pathspecs: [odd] })).toMatchObject({ filesChanged: 1 });
    expect(folder.git('status', '--porcelain')).toBe('');
  });

  it('is refused where a file goes through a filter, since a filter is a program', async () => {
    folder.write('.gitattributes', '*.txt filter=lfs\n');
    folder.write('a.txt', 'two\n');
    await expect(propose({ message: 'm', pathspecs: ['a.txt'] })).rejects.toMatchObject({ code: 'tool_failed', reason: 'filter' });
  });
});

describe('what a person is shown', () => {
  it('is the differences, and showing them changes neither index nor branch', async () => {
    folder.write('a.txt', 'one\n');
    commitAll('first');
    folder.write('a.txt', 'two\n');
    const before = folder.git('rev-parse', 'HEAD');
    const { tree, changes } = await propose({ message: 'm', pathspecs: ['a.txt'] });
    expect(tree).toMatch(/^[0-9a-f]{40}$/);
    expect(changes).toContain('a.txt | 2 +-');
    expect(changes).toContain('-one\n+two\n');
    expect(folder.git('rev-parse', 'HEAD')).toBe(before);
    expect(folder.git('status', '--porcelain')).toBe(' M a.txt\n');
  });

  it('is the text of a file too of which an attribute says that it has none', async () => {
    folder.write('deploy.sh', 'one\n');
    folder.write('sub/b.sh', 'one\n');
    commitAll('first');
    folder.write('.gitattributes', '*.sh -diff\n');
    folder.write('deploy.sh', 'two\n');
    folder.write('sub/b.sh', 'three\n');
    expect((await propose({ message: 'm', pathspecs: ['deploy.sh'] })).changes).toContain('-one\n+two\n');
    const part = await folder.capability(join(folder.workspace, 'sub')).propose({ message: 'm', pathspecs: ['b.sh'] }, call);
    expect(part.changes).toContain('-one\n+three\n');
  });

  it('is what is committed: any change since is refused, and so is a commit that nobody was shown', async () => {
    folder.write('a.txt', 'one\n');
    commitAll('first');
    folder.write('a.txt', 'two\n');
    const request = { message: 'm', pathspecs: ['a.txt'] };
    const { tree } = await propose(request);
    folder.write('a.txt', 'three\n');
    const refusal = { code: 'tool_denied', reason: 'gate_required' };
    await expect(commit(request, tree)).rejects.toMatchObject(refusal);
    await expect(commit(request, undefined)).rejects.toMatchObject(refusal);
    folder.write('a.txt', 'two\n');
    folder.write('b.txt', 'new\n');
    folder.git('add', 'b.txt');
    await expect(commit({ message: 'm' }, tree)).rejects.toMatchObject(refusal);
    expect(folder.git('rev-list', '--count', 'HEAD').trim()).toBe('1');
    expect(await commit(request, tree)).toMatchObject({ filesChanged: 1 });
  });

  it('is refused when the branch has moved on, though the files are the same', async () => {
    folder.write('a.txt', 'one\n');
    folder.write('b.txt', 'one\n');
    commitAll('first');
    folder.write('a.txt', 'two\n');
    const request = { message: 'm', pathspecs: ['a.txt'] };
    const { tree } = await propose(request);
    folder.write('b.txt', 'two\n');
    folder.git('commit', '-q', '-m', 'somebody else', 'b.txt');
    await expect(commit(request, tree)).rejects.toMatchObject({ reason: 'gate_required' });
  });
});

describe('a commit', () => {
  beforeEach(() => {
    folder.write('a.txt', 'one\n');
    commitAll('first');
    folder.write('a.txt', 'two\n');
    folder.git('add', 'a.txt');
  });

  it('runs no hook unless the author wants hooks', async () => {
    const trace = join(folder.base, 'trace');
    for (const name of ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-index-change', 'reference-transaction'])
      hook(name, `echo ${name} >> '${trace}'; exit 1`);
    await approved({ message: 'm' });
    expect(existsSync(trace)).toBe(false);
  });

  it('with hooks lets them refuse and word the message, and not change what was approved', async () => {
    hook('pre-commit', 'echo no such luck >&2; exit 3');
    const request = { message: 'm', hooks: true };
    await expect(approved(request)).rejects.toMatchObject({
      reason: 'git_failed',
      details: { stderrTail: expect.stringContaining('no such luck') },
    });
    hook('pre-commit', 'echo more > more.txt; git add more.txt');
    await expect(approved(request)).rejects.toMatchObject({ reason: 'gate_required' });
    hook('pre-commit', 'exit 0');
    hook('commit-msg', 'echo "Reviewed: yes" >> "$1"');
    await approved(request);
    expect(folder.git('log', '-1', '--format=%B').trim()).toBe('mReviewed: yes');
  });

  it('is refused with nothing to commit, in the middle of a merge, and without an identity', async () => {
    folder.git('reset', '-q', '--hard');
    await expect(approved({ message: 'm' })).rejects.toMatchObject({ reason: 'nothing_to_commit' });
    writeFileSync(join(folder.workspace, '.git/MERGE_HEAD'), `${folder.git('rev-parse', 'HEAD')}`);
    await expect(propose({ message: 'm' })).rejects.toMatchObject({ reason: 'unfinished' });
    rmSync(join(folder.workspace, '.git/MERGE_HEAD'));
    folder.write('a.txt', 'two\n');
    folder.git('config', '--unset', 'user.email');
    await expect(approved({ message: 'm', pathspecs: ['a.txt'] })).rejects.toMatchObject({ reason: 'no_identity' });
    writeFileSync(join(folder.home, '.gitconfig'), '[user]\n\temail = home@example.com\n');
    await approved({ message: 'm', pathspecs: ['a.txt'] });
    expect(folder.git('log', '-1', '--format=%ae').trim()).toBe('home@example.com');
  });

  it('by a workspace that is a part of the repository holds nothing from outside it', async () => {
    folder.write('part/b.txt', 'one\n');
    folder.git('add', 'part');
    const part = folder.capability(join(folder.workspace, 'part'));
    await expect(part.propose({ message: 'm' }, call)).rejects.toMatchObject({ code: 'tool_denied', reason: 'path_denied' });
    await expect(part.propose({ message: 'm', pathspecs: ['../a.txt'] }, call)).rejects.toMatchObject({ reason: 'path_denied' });
    const { tree } = await part.propose({ message: 'm', pathspecs: ['b.txt'] }, call);
    expect(await part.commit({ message: 'm', pathspecs: ['b.txt'] }, { ...call, approvedTree: tree })).toMatchObject({ filesChanged: 1 });
  });
});
