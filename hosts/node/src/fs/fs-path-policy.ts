import { deepestExistingReal, type FileScope, HostError } from '@relavium/engine';
import { isMissing } from './error-code.js';
import { mayBeProtected, protectedForReading, protectedForSaving, protectedForWriting, suspectedRepository } from './floors.js';
import { pathDenied } from './path-denied.js';
import { nodePathOperations, type PathOperations } from './path-operations.js';
import { type PathRules, pathRules } from './path-rules.js';
import { isStillPinned, type PinnedFolder, pinFolder } from './pinned-folder.js';
import { isScratchOpen, type ScratchRoot, type ScratchState, scratchState } from './scratch-root.js';

/** Which paths may be reached. Opaque and immutable; only this module makes one, and an object that merely looks like one gives no access. */
export interface FsPathPolicy {
  readonly kind: 'fs-path-policy';
}

export interface FsPathPolicyOptions {
  readonly workspaceDir: string;
  /** Folders that this invocation was given; they count from the project tier on. */
  readonly extraRoots?: readonly string[];
  readonly scratch?: ScratchRoot;
  /** Default `sandboxed`. */
  readonly tier?: FileScope;
  /** A chat has no full tier. Default `workflow`. */
  readonly surface?: 'workflow' | 'chat';
  readonly operations?: PathOperations;
}

/** `save` is trusted persistence: relative paths of the workspace only, and `.relavium/runs` is open to it. */
export type PathOperation = 'read' | 'write' | 'list' | 'save';

/** A path that may be used. What is done, is done to `canonical`. */
export interface AdmittedPath {
  readonly lexical: string;
  readonly canonical: string;
  readonly exists: boolean;
  /** As the caller would name it again: relative to the workspace with `/`, or absolute where that is impossible. */
  readonly display: string;
}

interface PolicyState {
  readonly workspace: PinnedFolder;
  readonly roots: readonly PinnedFolder[];
  readonly scratch: ScratchState | undefined;
  /** Tools may read what is in the scratch folder, and not write there. */
  readonly isScratchReadOnly: boolean;
  /** Canonical paths of what no tool writes. */
  readonly kept: readonly (() => readonly string[])[];
  readonly tier: FileScope;
  readonly operations: PathOperations;
  readonly rules: PathRules;
}

const states = new WeakMap<FsPathPolicy, PolicyState>();

/** Pins the folders as they are now. Throws a `TypeError` where one does not exist. */
export function createFsPathPolicy(options: FsPathPolicyOptions): FsPathPolicy {
  const { workspaceDir, extraRoots = [], scratch, tier = 'sandboxed', surface = 'workflow', operations = nodePathOperations } = options;
  const rules = pathRules(operations.platform);
  const pin = (path: string) => {
    const pinned = rules.refusedSpelling(path) === undefined ? pinFolder(path, operations, rules) : undefined;
    if (pinned === undefined) throw new TypeError(`there is no folder ${path}`);
    return pinned;
  };
  return issue({
    workspace: pin(workspaceDir),
    roots: extraRoots.map(pin),
    scratch: scratch === undefined ? undefined : scratchState(scratch),
    isScratchReadOnly: false,
    kept: [],
    tier: surface === 'chat' && tier === 'full' ? 'project' : tier,
    operations,
    rules,
  });
}

/** The same folders with at most this tier. */
export function narrowFsPathPolicy(policy: FsPathPolicy, scope: FileScope): FsPathPolicy {
  const state = stateOf(policy);
  const tier = TIERS[Math.min(TIERS.indexOf(state.tier), TIERS.indexOf(scope))]!;
  return tier === state.tier ? policy : issue({ ...state, tier });
}

/** The same policy with a scratch root. Giving it the one that it has changes nothing; another one is refused. */
export function withScratch(policy: FsPathPolicy, scratch: ScratchRoot, access: 'read' | 'write' = 'write'): FsPathPolicy {
  const state = stateOf(policy);
  const added = scratchState(scratch);
  if (state.scratch === added) return policy;
  if (state.scratch !== undefined) throw new TypeError('the policy has another scratch root');
  return issue({ ...state, scratch: added, isScratchReadOnly: access === 'read' });
}

/**
 * The same policy, and no tool writes these files, nor anything in these folders: what decides what a run may do is not for the run to
 * change. Looked up at the first write.
 */
export function withKept(policy: FsPathPolicy, paths: readonly string[]): FsPathPolicy {
  const state = stateOf(policy);
  let canonical: readonly string[] | undefined;
  const lookUp = () => {
    canonical ??= paths.map((path) => realPath(path, state.operations));
    return canonical;
  };
  return issue({ ...state, kept: [...state.kept, lookUp] });
}

/** What is not there now is kept by its name: it could come back. */
function realPath(path: string, { realpathSync }: PathOperations): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export function operationsOf(policy: FsPathPolicy): PathOperations {
  return stateOf(policy).operations;
}

export function rulesOf(policy: FsPathPolicy): PathRules {
  return stateOf(policy).rules;
}

/** Judges a path; throws the `HostError` that says why it may not be used. `root` narrows what may be reached to one folder. */
export async function admitPath(policy: FsPathPolicy, operation: PathOperation, path: string, root?: string): Promise<AdmittedPath> {
  const state = stateOf(policy);
  const { rules } = state;
  const spelling = rules.refusedSpelling(path) ?? refusedForOperation(path, operation);
  if (spelling !== undefined) throw pathDenied(path, spelling, 'spelling');
  const folder = root === undefined ? undefined : await admitPath(policy, 'list', root);
  const lexical = rules.resolve(folder?.lexical ?? state.workspace.lexical, path);
  const area = areaOf(state, lexical, operation);
  if (area === undefined && !isAlias(lexical, rules)) throw outside(path, state);
  refuseProtected(path, lexical, operation, exemptLexical(area, state), rules);
  const { canonical, exists, existing } = await resolveReal(path, lexical, operation, state);
  const realArea = areaOf(state, canonical, operation);
  const { scratch } = state;
  // No link leads into a scratch folder or out of it.
  if (realArea === undefined || (scratch !== undefined && (area === scratch.root) !== (realArea === scratch.root)))
    throw outside(path, state);
  refuseProtected(path, canonical, operation, exemptCanonical(realArea, state), rules);
  if (operation === 'write' || operation === 'save') {
    refuseKept(path, canonical, state);
    await refuseRepository(path, canonical, state);
  }
  if (folder !== undefined && !(rules.isInside(folder.lexical, lexical) && rules.isInside(folder.canonical, canonical))) {
    throw pathDenied(path, 'the path leaves the folder that the author has set as root', 'root');
  }
  await refuseChangedArea(path, realArea, { lexical, canonical, existing }, state);
  return { lexical, canonical, exists, display: displayed(lexical, canonical, state) };
}

/** Would this entry be refused for its name? For entries of a folder that was admitted, found there as no link. */
export function isProtected(policy: FsPathPolicy, admitted: AdmittedPath, lexical: string, canonical: string): boolean {
  const state = stateOf(policy);
  if (!mayBeProtected(state.rules.basename(canonical), state.rules)) return false;
  const area = areaOf(state, admitted.canonical, 'list');
  return (
    protectedForReading(lexical, state.rules, exemptLexical(area, state)) !== undefined ||
    protectedForReading(canonical, state.rules, exemptCanonical(area, state)) !== undefined
  );
}

export function displayedPath(policy: FsPathPolicy, lexical: string, canonical: string): string {
  return displayed(lexical, canonical, stateOf(policy));
}

const TIERS = ['sandboxed', 'project', 'full'] as const;

function issue(state: PolicyState): FsPathPolicy {
  const policy: FsPathPolicy = Object.freeze({ kind: 'fs-path-policy' });
  states.set(policy, state);
  return policy;
}

function stateOf(policy: FsPathPolicy): PolicyState {
  const state = states.get(policy);
  if (state === undefined) throw new TypeError('this path policy was not made by its factory');
  return state;
}

/** What gives access to a path: a pinned folder, or in the full tier the whole file system. */
type Area = PinnedFolder | 'anywhere';

function areaOf(state: PolicyState, path: string, operation: PathOperation): Area | undefined {
  const { workspace, roots, scratch, isScratchReadOnly, tier, rules } = state;
  const isIn = (folder: PinnedFolder) => rules.isInside(folder.lexical, path) || rules.isInside(folder.canonical, path);
  // A workspace may hold the home folder, and the scratch folder with it.
  if (scratch !== undefined && operation !== 'save' && isIn(scratch.root))
    return isScratchReadOnly && operation === 'write' ? undefined : scratch.root;
  if (isIn(workspace)) return workspace;
  if (operation === 'save') return undefined;
  const root = tier === 'sandboxed' ? undefined : roots.find(isIn);
  return root ?? (tier === 'full' ? 'anywhere' : undefined);
}

/** A short name of Windows hides where it leads; only its canonical path can be compared. */
function isAlias(path: string, rules: PathRules): boolean {
  return rules.platform === 'win32' && /~[0-9]/u.test(path);
}

function exemptLexical(area: Area | undefined, { scratch }: PolicyState): number {
  return scratch !== undefined && area === scratch.root ? scratch.exemptLexical : -1;
}

function exemptCanonical(area: Area | undefined, { scratch }: PolicyState): number {
  return scratch !== undefined && area === scratch.root ? scratch.exemptCanonical : -1;
}

function refuseProtected(given: string, path: string, operation: PathOperation, exempt: number, rules: PathRules): void {
  const name =
    operation === 'save'
      ? protectedForSaving(path, rules)
      : operation === 'write'
        ? protectedForWriting(path, rules, exempt)
        : protectedForReading(path, rules, exempt);
  if (name !== undefined)
    throw pathDenied(
      given,
      `${name} is protected in every tier`,
      operation === 'write' || operation === 'save' ? 'write floor' : 'read floor',
    );
}

function refuseKept(given: string, canonical: string, { kept, rules }: PolicyState): void {
  if (kept.some((lookUp) => lookUp().some((path) => rules.isInside(path, canonical)))) {
    throw pathDenied(given, 'the run is made of this file, so that no tool may change it', 'write floor');
  }
}

async function refuseRepository(given: string, canonical: string, { operations, rules }: PolicyState): Promise<void> {
  const folder = suspectedRepository(canonical, rules);
  if (folder === undefined) return;
  const isThere = (name: string) =>
    operations.lstat(rules.join(folder, name)).then(
      () => true,
      () => false,
    );
  if ((await isThere('HEAD')) && (await isThere('objects')))
    throw pathDenied(given, 'the file belongs to a bare repository and decides what git starts', 'write floor');
}

interface Resolved {
  readonly canonical: string;
  readonly exists: boolean;
  /** The deepest canonical folder that exists. */
  readonly existing: string;
}

async function resolveReal(
  given: string,
  lexical: string,
  operation: PathOperation,
  { operations, rules }: PolicyState,
): Promise<Resolved> {
  const unresolved = () => pathDenied(given, 'the path cannot be resolved', 'resolution');
  try {
    const canonical = await operations.realpath(lexical);
    const entry = await operations.lstat(canonical);
    if (rules.platform === 'win32' && operation === 'read' && (await operations.lstat(lexical)).isSymbolicLink()) {
      throw pathDenied(given, 'links to files are not read on Windows', 'links');
    }
    return { canonical, exists: true, existing: entry.isDirectory() ? canonical : rules.dirname(canonical) };
  } catch (error) {
    if (!isMissing(error)) throw error instanceof HostError ? error : unresolved();
  }
  const entry = await operations.lstat(lexical).catch((error: unknown) => (isMissing(error) ? undefined : 'unknown'));
  if (entry !== undefined) throw unresolved();
  const found = await deepestExistingReal(rules.dirname(lexical), { ...operations, dirname: rules.dirname, isMissing });
  if (!found.ok) throw unresolved();
  return { canonical: rules.join(found.real, rules.relative(found.at, lexical)), exists: false, existing: found.real };
}

async function refuseChangedArea(
  given: string,
  area: Area,
  path: { readonly lexical: string; readonly canonical: string; readonly existing: string },
  { scratch, workspace, operations, rules }: PolicyState,
): Promise<void> {
  const isOpen =
    scratch !== undefined && area === scratch.root
      ? await isScratchOpen(scratch, path, operations, rules)
      : await isStillPinned(area === 'anywhere' ? workspace : area, operations);
  if (!isOpen) throw pathDenied(given, 'the folder that gave access is no longer the one that it was', 'pinned root');
}

function outside(given: string, { tier }: PolicyState): Error {
  const remedy = `tools:\n  fs_scope: project\n# and run with --tier project --root <the folder>`;
  const what = tier === 'sandboxed' ? 'the workspace' : 'the workspace and the folders given with --root';
  return pathDenied(given, `the path is outside ${what}`, `${tier} tier`, remedy);
}

function refusedForOperation(path: string, operation: PathOperation): string | undefined {
  if (operation === 'write') return /[\\/]\.?$/u.test(path) ? 'the path names a folder, and what is written is a file' : undefined;
  if (operation !== 'save') return undefined;
  if (/^[\\/]/u.test(path) || /^[A-Za-z]:/u.test(path)) return 'save_to takes a path relative to the workspace';
  if (path.split(/[\\/]/u).includes('..')) return 'save_to takes no step upwards';
  if (/[\\/]\.?$/u.test(path) || path === '.') return 'save_to names a file, not a folder';
  return undefined;
}

function displayed(lexical: string, canonical: string, { workspace, rules }: PolicyState): string {
  const relative = rules.relative(workspace.lexical, lexical);
  if (rules.isAbsolute(relative)) return canonical;
  const path = relative === '' ? '.' : relative;
  return rules.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
