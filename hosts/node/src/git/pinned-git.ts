/** What was read from the configuration of the person and of the repository, and may be used. */
export interface GitSettings {
  /** Names of filter drivers that are configured. */
  readonly filters: readonly string[];
  /** Folders that the person's own configuration exempts from the check of ownership. */
  readonly safeFolders: readonly string[];
  /** Line ends as they are set. */
  readonly lineEnds: readonly (readonly [key: string, value: string])[];
  readonly name: string | undefined;
  readonly email: string | undefined;
}

/** Options before every subcommand. */
export const PINNED_OPTIONS: readonly string[] = ['--no-pager', '--no-optional-locks'];

/**
 * Variables under which git runs: no configuration but the repository's own, nothing that asks, pages or opens an editor, no network;
 * and settings of the highest rank that take away every program that the repository's own configuration could name. They are given
 * as variables and not by `-c`, which could not tell a driver whose name holds an equals sign.
 */
export function pinnedVariables(
  settings: Pick<GitSettings, 'filters' | 'safeFolders' | 'lineEnds'>,
  hooks = false,
): Record<string, string> {
  const pairs = pinnedSettings(settings, hooks);
  const counted = pairs.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { ...PINNED, GIT_CONFIG_COUNT: String(pairs.length), ...Object.fromEntries(counted) };
}

const PINNED: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  // A list without a protocol that exists: no object is fetched on demand.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
};

type Pair = readonly [key: string, value: string];

function pinnedSettings(
  { filters, safeFolders, lineEnds }: Pick<GitSettings, 'filters' | 'safeFolders' | 'lineEnds'>,
  hooks: boolean,
): readonly Pair[] {
  return [
    ['core.fsmonitor', 'false'],
    ['core.pager', 'cat'],
    ['core.sshCommand', 'false'],
    ['core.askPass', ''],
    ['core.alternateRefsCommand', ''],
    ['credential.helper', ''],
    ['diff.external', ''],
    // Another form starts a git in each submodule, under that one's configuration.
    ['diff.submodule', 'short'],
    ['gpg.program', 'false'],
    ['gpg.openpgp.program', 'false'],
    ['gpg.x509.program', 'false'],
    ['gpg.ssh.program', 'false'],
    ['gpg.ssh.defaultKeyCommand', 'false'],
    ['log.showSignature', 'false'],
    // Another form merges anew, with the drivers that the repository names.
    ['log.diffMerges', 'separate'],
    ['protocol.allow', 'never'],
    ['submodule.recurse', 'false'],
    ['color.ui', 'false'],
    // A folder of the workspace that looks like a bare repository is no repository.
    ['safe.bareRepository', 'explicit'],
    ...(hooks ? [] : [['core.hooksPath', '/dev/null'] as const]),
    ...lineEnds,
    ...safeFolders.map((folder): Pair => ['safe.directory', folder]),
    ...filters.flatMap((name): readonly Pair[] => [
      [`filter.${name}.clean`, ''],
      [`filter.${name}.smudge`, ''],
      [`filter.${name}.process`, ''],
      [`filter.${name}.required`, 'false'],
    ]),
  ];
}
