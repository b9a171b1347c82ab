import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayBeProtected, protectedForReading, protectedForSaving, protectedForWriting } from '../../../../hosts/node/src/fs/floors.js';
import { pathRules } from '../../../../hosts/node/src/fs/path-rules.js';
import { requirements } from '../../requirement.js';

const posix = pathRules('posix');
const windows = pathRules('win32');

describe('the floor of reads', () => {
  it.each([
    '.ssh/id',
    '.relavium/config.toml',
    '.aws/credentials',
    '.env/x',
    '.kube/config',
    '.azure/x',
    '.terraform.d/x',
    'gcloud/x',
    'a/legacy_credentials/b',
    '.env',
    '.env.local',
    '.docker/config.json',
    '.git/config',
    '.git/config.worktree',
    'main.git/config',
    '.git/worktrees/w/config.worktree',
    '.git/modules/m/config',
    '.config/git/credentials',
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
    '.ENV',
    '.Ssh/x',
    '.s\u200bsh/x',
    '.gnupg/private-keys-v1.d/k',
    '.password-store/x.gpg',
    '.vault-token',
    '.cargo/credentials',
    '.cargo/credentials.toml',
    '.config/gh/hosts.yml',
  ])(
    requirements(
      [
        'FR-01',
        'FR-02',
        'FR-03',
        'FR-04',
        'FR-05',
        'FR-06',
        'FR-07',
        'FR-08',
        'FR-09',
        'FR-10',
        'FR-11',
        'FR-12',
        'FR-13',
        'FR-14',
        'FR-15',
        'FR-16',
        'FR-17',
        'FR-18',
        'FR-19',
        'FW-01',
      ],
      'protects %s, for writes as well',
    ),
    (path) => {
      expect(protectedForReading(`/ws/${path}`, posix)).toBeDefined();
      expect(protectedForWriting(`/ws/${path}`, posix)).toBeDefined();
      expect(protectedForSaving(`/ws/${path}`, posix)).toBeDefined();
      expect(protectedForReading(`C:\\ws\\${path.replaceAll('/', '\\')}`, windows)).toBeDefined();
    },
  );

  it.each(['/proc/self/environ', '/proc/1/mem', '/sys/kernel/x', '/ws.git/.git/config', '/ws.git/a.git/.git/modules/m/config'])(
    'protects %s',
    (path) => {
      expect(protectedForReading(path, posix)).toBeDefined();
    },
  );

  it.each([
    '.git/HEAD',
    'proc/self/environ',
    '.gitignore',
    '.docker/daemon.json',
    'config',
    'env',
    'aws/x',
    '.environment',
    'x.env',
    'src/config',
    'foo.git/src/config',
    'credentials',
  ])('leaves %s alone', (path) => {
    expect(protectedForReading(`/ws/${path}`, posix)).toBeUndefined();
  });

  it.each(['.env.', '.env ', '.env::$DATA', '.ssh. .\\x', '.Env.:x'])(
    requirements(['FR-20', 'FR-21', 'FR-22'], 'knows the Windows alias %s'),
    (path) => {
      expect(protectedForReading(`C:\\ws\\${path}`, windows)).toBeDefined();
    },
  );

  it('never lets the quick look at a name pass what the whole look protects', () => {
    const name = fc.constantFrom(
      '.env',
      '.ENV.x',
      'config',
      'Config.json',
      '.docker',
      'git',
      'a.git',
      '.git',
      'credentials',
      'src',
      '.ssh',
      'modules',
      'x',
      '.npmrc ',
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
        const parent = `/${names.slice(0, -1).join('/')}`;
        fc.pre(protectedForReading(parent, posix) === undefined);
        return mayBeProtected(names.at(-1)!, posix) || protectedForReading(`/${names.join('/')}`, posix) === undefined;
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the floor of writes', () => {
  it.each([
    '.git',
    '.git/hooks/x',
    'main.git/hooks/post-receive',
    'HEAD',
    'vendor/Head',
    '.config/nushell/config.nu',
    '.profile',
    '.bashrc',
    '.zshrc',
    '.zshenv',
    '.config/fish/config.fish',
    'x/Microsoft.PowerShell_profile.ps1',
    'profile.ps1',
  ])(requirements(['FW-02', 'FW-03'], 'protects %s'), (path) => {
    expect(protectedForWriting(`/ws/${path}`, posix)).toBeDefined();
  });

  it.each(['notes.git', 'notes.git/a.txt', 'git/x', '.gitignore', '.github/workflows/ci.yml', 'x.gitlab/y', 'etc/profile'])(
    'leaves %s alone',
    (path) => {
      expect(protectedForWriting(`/ws/${path}`, posix)).toBeUndefined();
    },
  );

  it.each(['/etc/profile', '/etc/profile.d/x.sh', '/etc/zsh/zshrc', '/etc/csh.login', '/etc/environment'])('protects %s', (path) => {
    expect(protectedForWriting(path, posix)).toBeDefined();
    expect(protectedForReading(path, posix)).toBeUndefined();
  });

  it('opens what runs store to trusted persistence alone', () => {
    expect(protectedForSaving('/ws/.relavium/runs/r1/out.md', posix)).toBeUndefined();
    expect(protectedForWriting('/ws/.relavium/runs/r1/out.md', posix)).toBeDefined();
    for (const path of ['.relavium/runs', '.relavium/runs.db', '.relavium/x/runs/y', '.relavium/runs/.env', '.relavium/runs/a/.relavium/b'])
      expect(protectedForSaving(`/ws/${path}`, posix)).toBeDefined();
  });
});
