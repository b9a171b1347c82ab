import type { Denial } from './tool-error.js';

/**
 * Judges what an author adds to a look at the repository. A mapping can fill it with data, so it is held to what only looks: no option
 * that writes a file, starts a program or leaves the repository, and no path outside the workspace.
 */
export function judgeGit(args: readonly string[]): Denial | undefined {
  const split = args.indexOf('--');
  const before = split < 0 ? args : args.slice(0, split);
  const paths = split < 0 ? [] : args.slice(split + 1);
  for (const arg of before) {
    if (arg.startsWith('-')) {
      if (!isLooking(arg)) return denial(arg, 'the option is not among those that only look', 'options that only look');
    } else if (leavesWorkspace(arg) || BLOB.test(arg)) return denial(arg, 'this is no revision of the repository', 'revisions before "--"');
  }
  const path = paths.find((each) => leavesWorkspace(pathOf(each)));
  return path === undefined ? undefined : denial(path, 'the path leads out of the workspace', 'paths of the workspace behind "--"');
}

/** `git diff` compares any two files of the system when one of its arguments lies outside the repository. */
function leavesWorkspace(path: string): boolean {
  return path.startsWith('/') || path.includes('\0') || path.split(/[\\/]/u).includes('..') || /^[A-Za-z]:[\\/]/u.test(path);
}

/** A file at a revision, which paths behind `--` say nothing of: `HEAD:a.txt`, `:0:a.txt`; not a search, `:/words`. */
const BLOB = /^(?!:\/)[^{]*:/su;

/** The path of a pathspec; what its magic words leave no path of is given back as one that leads out. */
function pathOf(pathspec: string): string {
  if (!pathspec.startsWith(':')) return pathspec;
  const long = /^:\(([a-z,]*)\)(.*)$/su.exec(pathspec);
  const magic = long === null ? (/^:([!^]+)(.*)$/su.exec(pathspec) ?? undefined) : long;
  if (magic === undefined) return '/';
  return long !== null && !long[1]!.split(',').every((word) => WITHIN.has(word)) ? '/' : magic[2]!;
}

/** Words of pathspecs that do not leave the folder they are said in, as `top` does. */
const WITHIN: ReadonlySet<string> = new Set(['exclude', 'glob', 'icase', 'literal']);

function isLooking(option: string): boolean {
  if (!option.startsWith('--')) return SHORT.test(option);
  const equals = option.indexOf('=');
  const name = equals < 0 ? option.slice(2) : option.slice(2, equals);
  return LONG.has(name) && (name !== 'diff-merges' || MERGES.test(option.slice(equals + 1)));
}

function denial(value: string, message: string, rule: string): Denial {
  return { reason: 'command_not_allowed', message, rule, source: 'built_in', value: value.slice(0, 200) };
}

/** The forms that show merges as they are; `remerge` makes them anew, with the programs that the repository names for it. */
const MERGES = /^(?:off|none|on|m|first-parent|1|separate|c|combined|cc|dense-combined)$/u;

/** One option, not several in one word. Those that take a value hold it. */
const SHORT = /^-(?:[abDEFgimprRstuwWz]|u(?:no|normal|all)|\d+|n\d*|U\d+|[BMC]\d*%?|[SG].+)$/su;

/**
 * Options of `status`, `diff` and `log` that change what is shown and how. Not among them: what names a file (`-L`), what writes (`--output`), starts programs of the
 * repository's choice (`--ext-diff`, `--textconv`, `--submodule`, `--ignore-submodules`, `--show-signature`), reads other files
 * (`--no-index`, `--full-diff`) or standard input (`--stdin`). Whole names only, since git would take the beginning of a name for it.
 */
const LONG: ReadonlySet<string> = new Set(
  `
  patch no-patch unified raw patch-with-raw patch-with-stat minimal patience histogram diff-algorithm anchored indent-heuristic
  no-indent-heuristic stat compact-summary numstat shortstat dirstat cumulative dirstat-by-file summary name-only name-status renames
  no-renames rename-empty no-rename-empty find-renames find-copies find-copies-harder find-object break-rewrites irreversible-delete
  diff-filter pickaxe-all pickaxe-regex relative no-relative text ignore-cr-at-eol ignore-space-at-eol ignore-space-change
  ignore-all-space ignore-blank-lines ignore-matching-lines inter-hunk-context function-context word-diff word-diff-regex color-words
  color no-color color-moved no-color-moved color-moved-ws check full-index binary abbrev no-abbrev no-prefix src-prefix dst-prefix
  default-prefix line-prefix output-indicator-new output-indicator-old output-indicator-context exit-code quiet cached staged merge-base
  base ours theirs rotate-to skip-to no-ext-diff no-textconv
  max-count skip since since-as-filter after until before author committer grep grep-reflog all-match invert-grep regexp-ignore-case
  basic-regexp extended-regexp fixed-strings perl-regexp remove-empty merges no-merges min-parents max-parents no-min-parents
  no-max-parents first-parent exclude-first-parent-only all branches tags remotes glob exclude reflog walk-reflogs merge boundary
  simplify-by-decoration full-history dense sparse simplify-merges ancestry-path cherry-pick cherry-mark cherry left-right left-only
  right-only topo-order date-order author-date-order reverse no-walk do-walk not pretty format oneline abbrev-commit no-abbrev-commit
  encoding expand-tabs no-expand-tabs notes no-notes relative-date date parents children graph show-linear-break follow decorate
  no-decorate decorate-refs decorate-refs-exclude clear-decorations source mailmap no-mailmap use-mailmap log-size diff-merges
  no-diff-merges cc combined-all-paths no-show-signature
  short branch show-stash long verbose ahead-behind no-ahead-behind untracked-files ignored porcelain
  `
    .trim()
    .split(/\s+/u),
);
