import type { GitCommitArguments, GitStatusArguments } from '@relavium/schemas/tools';

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
      return ['diff', ...quiet, ...options, '--', ...paths];
    case 'log':
      return ['log', ...quiet, '--no-show-signature', `--max-count=${COMMITS}`, ...options, '--', ...paths];
    default:
      return subcommand satisfies never;
  }
}

/** The command line that finds what pathspecs mean. They stand behind `--`, so that none of them is read as an option. */
export function pathspecArguments({ pathspecs = [] }: GitCommitArguments, hasHead: boolean): readonly string[] {
  return ['ls-files', '-z', '--cached', ...(hasHead ? ['--with-tree=HEAD'] : []), '--error-unmatch', '--', ...pathspecs];
}

/** The command line that makes the commit. The message comes by standard input and is never an argument. */
export function commitArguments(tree: string, parent: string | undefined): readonly string[] {
  return ['commit-tree', tree, ...(parent === undefined ? [] : ['-p', parent]), '-F', '-'];
}
