import type { GitCommitArguments, GitStatusArguments } from '@relavium/schemas/tools';
import { PROTECTED_NAMES } from '../fs/floors.js';

const COMMITS = 100;

/**
 * The command line of a look at the repository, behind the pinned options. What an author adds comes first, so that it cannot undo the
 * form in which the answer is read; author's paths stand behind `--`. `prefix` is the workspace's place in the repository: a workspace
 * that is only a part of it is shown that part.
 */
export function inspectArguments({ subcommand, args = [] }: GitStatusArguments, prefix: string): readonly string[] {
  const split = args.indexOf('--');
  const options = split < 0 ? args : args.slice(0, split);
  const named = split < 0 ? [] : args.slice(split + 1);
  // Paths that only leave something out are taken from the whole repository.
  const isNarrowed = prefix === '' || named.some((path) => !/^:(?:[!^]|\([a-z,]*exclude)/u.test(path));
  const paths = isNarrowed ? named : ['.', ...named];
  const quiet = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=dirty'];
  switch (subcommand) {
    case 'status':
      return ['status', ...options, '--ignore-submodules=dirty', '--no-column', '--porcelain=v2', '-z', '--', ...paths];
    case 'diff':
      return ['diff', ...quiet, ...options, '--', ...paths, ...UNSHOWN];
    case 'log':
      return [
        'log',
        ...quiet,
        '--no-show-signature',
        `--max-count=${COMMITS}`,
        ...options,
        '--',
        ...paths,
        ...(options.some(showsContent) ? UNSHOWN : []),
      ];
    default:
      return subcommand satisfies never;
  }
}

/** Whoever may not read a file is not shown what has changed in it either. */
const UNSHOWN: readonly string[] = PROTECTED_NAMES.flatMap((name) => [
  `:(top,exclude,icase,glob)**/${name}`,
  `:(top,exclude,icase,glob)**/${name}/**`,
]);

/** Of `log`, which shows no content by itself. Paths would also leave out commits. */
function showsContent(option: string): boolean {
  return /^-(?:[puUWm]|-(?:patch|unified|word-diff|color-words|cc|function-context|diff-merges|binary|check))/u.test(option);
}

/** The command line that finds what pathspecs mean. They stand behind `--`, so that none of them is read as an option. */
export function pathspecArguments({ pathspecs = [] }: GitCommitArguments, hasHead: boolean): readonly string[] {
  return ['ls-files', '-z', '--cached', ...(hasHead ? ['--with-tree=HEAD'] : []), '--error-unmatch', '--', ...pathspecs];
}

/** The command line that makes the commit. The message comes by standard input and is never an argument. */
export function commitArguments(tree: string, parent: string | undefined): readonly string[] {
  return ['commit-tree', tree, ...(parent === undefined ? [] : ['-p', parent]), '-F', '-'];
}
