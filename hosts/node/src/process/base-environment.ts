import { posix, win32 } from 'node:path';

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The few variables that every program gets, taken from the host's own. All else, and with it every secret of the host, stays out. `PATH`
 * keeps absolute folders only: a relative one would find programs in whatever folder the command runs in.
 */
export function baseEnvironment(from: Variables, platform: 'posix' | 'win32'): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && isBase(name, platform)) environment[platform === 'win32' ? name.toUpperCase() : name] = value;
  }
  const paths = platform === 'win32' ? win32 : posix;
  environment.PATH = (environment.PATH ?? DEFAULT_PATH)
    .split(paths.delimiter)
    .filter((folder) => paths.isAbsolute(folder))
    .join(paths.delimiter);
  return environment;
}

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

const POSIX: ReadonlySet<string> = new Set(['PATH', 'HOME', 'USER', 'LANG', 'TZ', 'TMPDIR']);

/** Without these, Windows programs cannot load system libraries or find a profile. */
const WINDOWS: ReadonlySet<string> = new Set(
  'PATH PATHEXT SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC TEMP TMP USERNAME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE LANG TZ'.split(
    ' ',
  ),
);

function isBase(name: string, platform: 'posix' | 'win32'): boolean {
  return platform === 'win32' ? WINDOWS.has(name.toUpperCase()) : POSIX.has(name) || name.startsWith('LC_');
}
