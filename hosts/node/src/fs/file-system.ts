import type { FileOperation, FileSystem, GlobContent, ReadRequest } from '@relavium/engine';
import {
  type AdmittedPath,
  admitPath,
  displayedPath,
  type FsPathPolicy,
  narrowFsPathPolicy,
  operationsOf,
  rulesOf,
} from './fs-path-policy.js';
import { type GlobPath, splitGlob, stepsUpBehindPattern } from './glob-path.js';
import { listFolder } from './list-folder.js';
import { isInPackageStore, refuseHardLink, refuseSpecial } from './open-regular.js';
import { pathDenied } from './path-denied.js';
import type { PathOperations } from './path-operations.js';
import { readGlobFiles } from './read-glob.js';
import { readText } from './read-text.js';
import { writeText } from './write-text.js';

/** The files of this machine, as far as the policy lets tools reach them. Throws a `TypeError` for what is no policy of the factory. */
export function createFileSystem(policy: FsPathPolicy): FileSystem {
  const operations = operationsOf(policy);
  const system: FileSystem = {
    within(scope) {
      const narrowed = narrowFsPathPolicy(policy, scope);
      return narrowed === policy ? system : createFileSystem(narrowed);
    },
    read: async (request, { signal }) => readText(await admitPath(policy, 'read', request.path, request.root), request, signal),
    async readGlob(request, { signal }) {
      const glob = await admitGlob(policy, request.path, request.root);
      if ('file' in glob) return oneFile(glob.file, request, signal);
      return readGlobFiles(glob.folder, glob.path, policy, request, signal);
    },
    write: async (request) => writeText(await admitPath(policy, 'write', request.path, request.root), request),
    list: async (request, { signal }) => listFolder(await admitPath(policy, 'list', request.path, request.root), policy, request, signal),
    check: (operation, path, root) => check(policy, operations, operation, path, root),
  };
  return system;
}

async function check(
  policy: FsPathPolicy,
  operations: PathOperations,
  operation: FileOperation,
  path: string,
  root: string | undefined,
): Promise<string> {
  if (operation === 'glob') {
    await admitGlob(policy, path, root);
    return path;
  }
  const { exists, canonical, display } = await admitPath(policy, operation, path, root);
  const touched = displayedPath(policy, canonical, canonical);
  if (operation !== 'read' || !exists) return touched;
  const entry = await operations.lstat(canonical);
  if (entry.isDirectory()) return touched;
  refuseSpecial(entry, display);
  if (!isInPackageStore(canonical)) refuseHardLink(entry, display);
  return touched;
}

type AdmittedGlob = { readonly file: AdmittedPath } | { readonly folder: AdmittedPath; readonly path: GlobPath };

/** A pattern that exists as it is written is that file: real names do hold stars. */
async function admitGlob(policy: FsPathPolicy, text: string, root: string | undefined): Promise<AdmittedGlob> {
  const rules = rulesOf(policy);
  const spelling =
    rules.refusedSpelling(text) ?? (stepsUpBehindPattern(text) ? 'a pattern takes no step upwards behind its first wildcard' : undefined);
  if (spelling !== undefined) throw pathDenied(text, spelling, 'spelling');
  const path = splitGlob(text, rules);
  if (path === undefined) return { file: await admitPath(policy, 'read', text, root) };
  const folder = await admitPath(policy, 'list', path.folder, root);
  const asWritten =
    rules.platform === 'posix' && !text.endsWith('/') ? await admitPath(policy, 'read', text, root).catch(() => undefined) : undefined;
  return asWritten?.exists === true ? { file: asWritten } : { folder, path };
}

async function oneFile(file: AdmittedPath, request: ReadRequest, signal: Parameters<typeof readText>[2]): Promise<GlobContent> {
  return { files: [{ path: file.display, ...(await readText(file, request, signal)) }], skipped: [] };
}
