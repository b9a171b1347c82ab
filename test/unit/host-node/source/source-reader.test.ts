import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot } from '../../../../hosts/node/src/source/project-root.js';
import { createSourceReader } from '../../../../hosts/node/src/source/source-reader.js';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'source-')));
  root = join(base, 'project');
  put('project/.relavium/agents/writer.agent.yaml', 'agent');
  put('project/.relavium/workflows/release-notes.relavium.yaml', 'workflow');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), content);
}

const reader = (cwd = root) => createSourceReader({ root, cwd });
const problemOf = (from: string, path: string) => {
  const read = reader().relative(from, path);
  return read.ok ? 'none' : read.problem;
};

describe('files that a workflow names', () => {
  it('are found relative to it, and named as a person would type them', () => {
    put('project/flows/a.agent.yaml', 'A');
    put('project/flows/sub/b.relavium.yaml', 'B');
    expect(reader().relative('flows/main.relavium.yaml', './a.agent.yaml')).toEqual({
      ok: true,
      source: { path: 'flows/a.agent.yaml', text: 'A' },
    });
    expect(reader().relative('flows/sub/b.relavium.yaml', '../a.agent.yaml')).toMatchObject({ source: { path: 'flows/a.agent.yaml' } });
    expect(reader(join(root, 'flows/sub')).relative('b.relavium.yaml', '../a.agent.yaml')).toMatchObject({
      source: { path: '../a.agent.yaml', text: 'A' },
    });
    expect(reader().relative(join(root, 'flows/main.relavium.yaml'), 'a.agent.yaml')).toMatchObject({
      source: { path: 'flows/a.agent.yaml' },
    });
  });

  it('lie inside the project, links followed', () => {
    put('outside.yaml', 'no');
    symlinkSync('../outside.yaml', join(root, 'link.yaml'));
    symlinkSync('..', join(root, 'up'));
    put('project/real.yaml', 'yes');
    symlinkSync('real.yaml', join(root, 'inside.yaml'));
    for (const path of ['../outside.yaml', join(base, 'outside.yaml'), 'link.yaml', 'up/outside.yaml', '\\\\server\\x.yaml', ''])
      expect(problemOf('main.yaml', path)).toBe('outside');
    expect(problemOf('main.yaml', 'inside.yaml')).toBe('none');
  });

  it('that cannot be read say why', () => {
    execFileSync('mkfifo', [join(root, 'pipe.yaml')]);
    put('project/latin.yaml', Buffer.from([0x61, 0xe9]));
    put('project/large.yaml', Buffer.alloc(2 * 1024 * 1024 + 1, 'a'));
    put('project/limit.yaml', Buffer.alloc(2 * 1024 * 1024, 'a'));
    put('project/bom.yaml', '\ufeffa: 1');
    expect(problemOf('main.yaml', 'none.yaml')).toBe('missing');
    expect(problemOf('main.yaml', 'latin.yaml/x')).toBe('missing');
    for (const path of ['pipe.yaml', 'latin.yaml', 'large.yaml', '.relavium']) expect(problemOf('main.yaml', path)).toBe('unreadable');
    expect(problemOf('main.yaml', 'limit.yaml')).toBe('none');
    expect(reader().relative('main.yaml', 'bom.yaml')).toMatchObject({ source: { text: 'a: 1' } });
  });

  it('are found by their id', () => {
    expect(reader().byId('agent', 'writer')).toEqual({ ok: true, source: { path: '.relavium/agents/writer.agent.yaml', text: 'agent' } });
    expect(reader().ids('workflow')).toEqual(['release-notes']);
    expect(reader().ids('agent')).toEqual(['writer']);
    for (const id of ['none', '../agents/writer', 'a/b', ''])
      expect(reader().byId('agent', id)).toMatchObject({ ok: false, problem: 'missing' });
    expect(createSourceReader({ root: base }).ids('agent')).toEqual([]);
  });
});

describe('the project of a folder', () => {
  it('is the nearest parent with a state folder, else the folder itself', () => {
    put('project/deep/er/x', '');
    mkdirSync(join(base, 'plain/a'), { recursive: true });
    expect(projectRoot(join(root, 'deep/er'), base)).toBe(root);
    expect(projectRoot(root, base)).toBe(root);
    expect(projectRoot(join(base, 'plain/a'), base)).toBe(join(base, 'plain/a'));
  });

  it('is not the home, whose state folder holds settings', () => {
    mkdirSync(join(base, '.relavium'));
    mkdirSync(join(base, 'plain'));
    expect(projectRoot(join(base, 'plain'), base)).toBe(join(base, 'plain'));
    expect(projectRoot(join(base, 'plain'), join(base, 'elsewhere'))).toBe(base);
  });
});
