import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileSystem, HostError } from '@relavium/engine';
import { createNodeHost } from '@relavium/host-node';
import fc from 'fast-check';
import type { FuzzRequest, FuzzResult } from './request.js';

/** Stands in every file that no tool may show or change. */
const SECRET = 'NOT-FOR-TOOLS';

/** Random paths through a workspace full of links, beside files that must neither be shown nor changed. */
export async function fuzzPathsJail(request: FuzzRequest): Promise<FuzzResult> {
  const counts = { runs: 0, allowed: 0, refused: 0 };
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'paths-')));
  try {
    const workspace = layOut(base);
    const before = snapshot(base);
    const { fs } = createNodeHost({ workspace, environment: process.env }).tools;
    if (fs === undefined) throw new Error('the host has no files');
    const property = fc.asyncProperty(operation, path(base), async (kind, target) => {
      const answer = await attempt(fs, kind, target);
      counts.runs++;
      counts[answer === undefined ? 'refused' : 'allowed']++;
      if (answer?.includes(SECRET)) throw new Error(`${kind} ${JSON.stringify(target)} showed what it must not: ${answer.slice(0, 200)}`);
      const changed = differing(before, snapshot(base));
      if (changed.length > 0) throw new Error(`${kind} ${JSON.stringify(target)} changed ${changed.join(', ')}`);
    });
    const details = await fc.check(property, { seed: request.seed, ...request.limit });
    if (!details.failed) return { ok: true, counts };
    return {
      ok: false,
      counts,
      counterexample: `${String(details.errorInstance)}\n--seed ${details.seed}, path ${details.counterexamplePath}`,
    };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const operation = fc.constantFrom('read', 'glob', 'list', 'list_recursive', 'write', 'append');
type Operation = 'read' | 'glob' | 'list' | 'list_recursive' | 'write' | 'append';

const folders = ['src', 'src/deep', '.git', '.ssh', '.aws', '.relavium', 'sub.git'];
const secretFiles = [
  '.env',
  '.env.local',
  '.npmrc',
  '.git/config',
  '.ssh/id',
  '.aws/credentials',
  '.relavium/runs.db',
  'src/.netrc',
  'src/deep/.env',
];
/** May be read, and not changed. */
const startFiles = ['.git/HEAD', '.bashrc'];
const links = ['out', 'out-file', 'src/up', 'src/out', 'src/loop', 'in', 'env-link', 'hard'];

/** Names that lead somewhere, and ways to write them that a careless guard takes for something else. */
function path(base: string): fc.Arbitrary<string> {
  const plain = fc.constantFrom('src', 'deep', 'a.txt', 'b.txt', 'new.txt', 'in', '.', '..', '*', '**');
  const odd = fc.constantFrom(
    ...['', 'outside', 'secret.txt', 'workspace', '?nv', '.*'],
    ...[...folders, ...secretFiles, ...startFiles, ...links].flatMap((each) => each.split('/')),
    ...['.ENV', '.env ', '.env.', '.Ssh', '.git\\config', '..\\outside', 'a.txt\u0000', '%2e%2e', '\u2025', 'file:'],
  );
  const name = fc.oneof({ weight: 2, arbitrary: plain }, { weight: 1, arbitrary: odd });
  const start = fc.constantFrom('', '', '', '', './', '/', '//', '~/', `${base}/`, `${base}/workspace/`, `${base}/outside/`);
  return fc
    .tuple(start, fc.array(name, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '', '', '/'))
    .map(([from, names, end]) => from + names.join('/') + end);
}

/** What was shown; `undefined` for a refusal or a failure. */
async function attempt(fs: FileSystem, kind: Operation, target: string): Promise<string | undefined> {
  const call = { node: 'fuzz', attempt: 1, signal: new AbortController().signal };
  try {
    switch (kind) {
      case 'read':
        return JSON.stringify(await fs.read({ path: target, maxBytes: 1 << 20 }, call));
      case 'glob':
        return JSON.stringify(await fs.readGlob({ path: target, maxBytes: 1 << 20 }, call));
      case 'list':
      case 'list_recursive':
        return JSON.stringify(await fs.list({ path: target, recursive: kind === 'list_recursive', maxEntries: 1000 }, call));
      case 'write':
      case 'append':
        return JSON.stringify(await fs.write({ path: target, content: 'written', append: kind === 'append', createParents: true }, call));
    }
  } catch (error) {
    if (error instanceof HostError) return undefined;
    throw error;
  }
}

function layOut(base: string): string {
  const workspace = join(base, 'workspace');
  const outside = join(base, 'outside');
  for (const folder of folders) mkdirSync(join(workspace, folder), { recursive: true });
  mkdirSync(join(outside, `dir-${SECRET}`), { recursive: true });
  for (const file of ['a.txt', 'src/b.txt', 'src/deep/a.txt']) writeFileSync(join(workspace, file), 'open');
  for (const file of secretFiles) writeFileSync(join(workspace, file), SECRET);
  for (const file of startFiles) writeFileSync(join(workspace, file), 'as it was');
  for (const file of ['secret.txt', 'a.txt']) writeFileSync(join(outside, file), SECRET);
  symlinkSync(outside, join(workspace, 'out'));
  symlinkSync(join(outside, 'secret.txt'), join(workspace, 'out-file'));
  symlinkSync('..', join(workspace, 'src/up'));
  symlinkSync('../../outside', join(workspace, 'src/out'));
  symlinkSync('loop', join(workspace, 'src/loop'));
  symlinkSync('src', join(workspace, 'in'));
  symlinkSync('.env', join(workspace, 'env-link'));
  linkSync(join(outside, 'secret.txt'), join(workspace, 'hard'));
  return workspace;
}

/** Every file that must stay as it is, with its content. */
function snapshot(base: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(join(base, 'outside'), { recursive: true, encoding: 'utf8' })) {
    const file = join(base, 'outside', name);
    found.set(`outside/${name}`, statSync(file).isFile() ? readFileSync(file, 'utf8') : 'folder');
  }
  for (const name of [...secretFiles, ...startFiles]) found.set(name, readFileSync(join(base, 'workspace', name), 'utf8'));
  return found;
}

function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));
}
