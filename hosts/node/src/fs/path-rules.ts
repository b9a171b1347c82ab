import { posix, win32 } from 'node:path';

export type Platform = 'posix' | 'win32';

/** How a platform reads paths. Pure: nothing here looks at a disk, so the rules of one platform can be tried on another. */
export interface PathRules {
  readonly platform: Platform;
  /** Absolute and without `.` and `..`. */
  resolve(base: string, path: string): string;
  join(folder: string, rest: string): string;
  dirname(path: string): string;
  basename(path: string): string;
  relative(from: string, to: string): string;
  isAbsolute(path: string): boolean;
  /** Is the path the folder itself or below it? */
  isInside(folder: string, path: string): boolean;
  /** Names below the root of the file system or drive. */
  components(path: string): readonly string[];
  /** A name as protected names are compared: see `foldedName`. */
  fold(name: string): string;
  /** Why a path is refused for how it is written, before anything is looked up. */
  refusedSpelling(path: string): string | undefined;
}

export function pathRules(platform: Platform): PathRules {
  const paths = platform === 'win32' ? win32 : posix;
  return {
    platform,
    resolve: (base, path) => paths.resolve(base, path),
    join: paths.join,
    dirname: paths.dirname,
    basename: paths.basename,
    relative: paths.relative,
    isAbsolute: paths.isAbsolute,
    isInside(folder, path) {
      const rest = paths.relative(folder, path);
      return rest === '' || !(rest === '..' || rest.startsWith(`..${paths.sep}`) || paths.isAbsolute(rest));
    },
    components: (path) =>
      path
        .slice(paths.parse(path).root.length)
        .split(paths.sep)
        .filter((name) => name !== ''),
    fold: (name) => foldedName(name, platform),
    refusedSpelling: (path) => refusedSpelling(path, platform),
  };
}

export function nativePlatform(): Platform {
  return process.platform === 'win32' ? 'win32' : 'posix';
}

/**
 * Case is folded everywhere, since macOS and Windows ignore it and no harm comes of protecting `.ENV` elsewhere; so are the invisible
 * characters that HFS+ ignores. Windows also drops what stands behind a colon, and trailing dots and blanks.
 */
function foldedName(name: string, platform: Platform): string {
  if (/^[a-z0-9._-]*[a-z0-9_-]$/u.test(name)) return name;
  const visible = name.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '').normalize('NFC');
  const real = platform === 'win32' ? visible.replace(/:.*$/su, '').replace(/[. ]+$/u, '') : visible;
  return real.toLowerCase();
}

function refusedSpelling(path: string, platform: Platform): string | undefined {
  if (path === '') return 'the path is empty';
  if (path.includes('\0')) return 'the path holds a NUL character';
  if (path.startsWith('\\\\')) return 'network and device paths are refused';
  return platform === 'win32' ? refusedWindowsSpelling(path) : undefined;
}

function refusedWindowsSpelling(path: string): string | undefined {
  if (/^[\\/]{2}/u.test(path) || /^[\\/]\?\?[\\/]/u.test(path)) return 'network and device paths are refused';
  if (/^[A-Za-z]:(?![\\/])/u.test(path)) return 'a drive without a root depends on that drive’s current folder';
  const names = path.replace(/^[A-Za-z]:/u, '').split(/[\\/]/u);
  if (names.some((name) => name.includes(':'))) return 'alternate data streams are refused';
  if (names.some(isDevice)) return 'the names of devices are refused';
  return undefined;
}

/** Windows finds the device also with an extension, trailing blanks, or superscript digits. */
function isDevice(name: string): boolean {
  return /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/iu.test(name.replace(/\..*$/su, '').trimEnd());
}
