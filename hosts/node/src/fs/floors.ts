import type { PathRules } from './path-rules.js';

/**
 * Names that no tool reaches in any tier: the floor of reads protects credentials, the floor of writes also what is executed without being
 * asked. `exempt` is the position of one component that does not count, for a scratch folder inside the state directory.
 */
export function protectedForReading(path: string, rules: PathRules, exempt = -1): string | undefined {
  const names = namesOf(path, rules, exempt);
  return (
    names.find((name) => READ_NAMES.has(name) || name.startsWith('.env.')) ??
    protectedPair(names) ??
    gitConfig(names) ??
    kernelFolder(path, rules, names)
  );
}

export function protectedForWriting(path: string, rules: PathRules, exempt = -1): string | undefined {
  const names = namesOf(path, rules, exempt);
  return (
    protectedForReading(path, rules, exempt) ??
    names.find((name) => WRITE_NAMES.has(name) || name.endsWith('_profile.ps1')) ??
    repositoryHooks(names) ??
    repositoryHead(names) ??
    shellConfig(names)
  );
}

/** Of what a run stores for people, `.relavium/runs` is open to trusted persistence; everything else is as for tools. */
export function protectedForSaving(path: string, rules: PathRules): string | undefined {
  const names = rules.components(path).map(rules.fold);
  const state = names.indexOf('.relavium');
  return protectedForWriting(path, rules, state >= 0 && names[state + 1] === 'runs' && state + 2 < names.length ? state : -1);
}

/** Can an entry of a readable folder be protected from reading for its own name? Nearly all names say no, at a small part of the cost. */
export function mayBeProtected(name: string, rules: PathRules): boolean {
  const folded = rules.fold(name);
  return READ_NAMES.has(folded) || folded.startsWith('.env.') || PAIRED_NAMES.has(folded);
}

/** Protected in certain folders. */
const PAIRED_NAMES: ReadonlySet<string> = new Set([
  'config.json',
  'credentials',
  'credentials.toml',
  'hosts.yml',
  'config',
  'config.worktree',
  'proc',
  'sys',
]);

const READ_NAMES: ReadonlySet<string> = new Set([
  // Folders, and what has the same name.
  '.ssh',
  '.relavium',
  '.aws',
  '.env',
  '.kube',
  '.azure',
  '.terraform.d',
  'gcloud',
  'legacy_credentials',
  '.gnupg',
  '.password-store',
  // Files.
  '.gitconfig',
  '.git-credentials',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.envrc',
  '.dockercfg',
  'application_default_credentials.json',
  'credentials.tfrc.json',
  '.terraformrc',
  'terraform.rc',
  '.vault-token',
]);

const PROTECTED_PAIRS: readonly (readonly [folder: string, file: string])[] = [
  ['.docker', 'config.json'],
  ['git', 'credentials'],
  ['.cargo', 'credentials'],
  ['.cargo', 'credentials.toml'],
  ['gh', 'hosts.yml'],
];

/** The floor of reads as patterns of paths, for a program that lists files by itself. */
export const PROTECTED_NAMES: readonly string[] = [...READ_NAMES, '.env.*', ...PROTECTED_PAIRS.map((pair) => pair.join('/'))];

const WRITE_NAMES: ReadonlySet<string> = new Set([
  '.git',
  '.profile',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.mkshrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  '.logout',
  '.inputrc',
  '.xprofile',
  '.xinitrc',
  '.xsession',
  '.xsessionrc',
  '.xonshrc',
  'bash.bashrc',
  'profile.ps1',
]);

function namesOf(path: string, rules: PathRules, exempt: number): readonly string[] {
  return rules
    .components(path)
    .filter((_name, index) => index !== exempt)
    .map(rules.fold);
}

function protectedPair(names: readonly string[]): string | undefined {
  for (const [folder, file] of PROTECTED_PAIRS) {
    if (names.some((name, index) => name === folder && names[index + 1] === file)) return `${folder}/${file}`;
  }
  return undefined;
}

/** What the kernel shows of processes, this one's environment and memory among it, is no file of anybody. */
function kernelFolder(path: string, rules: PathRules, names: readonly string[]): string | undefined {
  return rules.platform === 'posix' && path.startsWith('/') && (names[0] === 'proc' || names[0] === 'sys') ? `/${names[0]}` : undefined;
}

/** Of a repository, a bare one, a linked worktree or a submodule: these files name programs that git runs and may hold credentials. */
function gitConfig(names: readonly string[]): string | undefined {
  const last = names.at(-1);
  if (last !== 'config' && last !== 'config.worktree') return undefined;
  const isOwn = names.some((name, repository) => {
    if (!isRepository(name)) return false;
    const between = names.slice(repository + 1, -1);
    return between.length === 0 || between[0] === 'modules' || (between[0] === 'worktrees' && between.length === 2);
  });
  return isOwn ? `.git/${last}` : undefined;
}

/** Of a bare repository, whose folder has no name of its own: programs that git runs. */
function repositoryHooks(names: readonly string[]): string | undefined {
  return names.some((name, index) => isRepository(name) && names[index + 1] === 'hooks') ? '.git/hooks' : undefined;
}

/** A folder with a file of this name can be a repository to git, which then obeys the configuration that lies beside it. */
function repositoryHead(names: readonly string[]): string | undefined {
  return names.at(-1) === 'head' ? 'HEAD' : undefined;
}

/** Of a bare repository by whatever name: the folder which it is if this file is one that decides what git starts. */
export function suspectedRepository(path: string, rules: PathRules): string | undefined {
  const folder = rules.dirname(path);
  if (CONFIGURATION.has(rules.fold(rules.basename(path)))) return folder;
  return rules.fold(rules.basename(folder)) === 'hooks' ? rules.dirname(folder) : undefined;
}

const CONFIGURATION: ReadonlySet<string> = new Set(['config', 'config.worktree', 'commondir']);

/** By name: the folder of a repository, or a bare one. */
function isRepository(name: string): boolean {
  return name.endsWith('.git');
}

/** Files of shells that are told by their folder: those of the whole system, and those below `.config`. */
function shellConfig(names: readonly string[]): string | undefined {
  if (names[0] === 'etc' && SYSTEM_SHELL_FILES.has(names[1] ?? '')) return `/etc/${names[1]}`;
  const shell = names.find((_, index) => names[index - 1] === '.config' && SHELL_FOLDERS.has(names[index]!));
  return shell === undefined ? undefined : `.config/${shell}`;
}

const SYSTEM_SHELL_FILES: ReadonlySet<string> = new Set(
  'profile profile.d bashrc bash.bashrc zsh zshrc zshenv zprofile zlogin zlogout csh.login csh.cshrc csh.logout ksh.kshrc mkshrc fish environment'.split(
    ' ',
  ),
);
const SHELL_FOLDERS: ReadonlySet<string> = new Set(['fish', 'nushell', 'zsh', 'xonsh']);
