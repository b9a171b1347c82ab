import { describe, expect, it } from 'vitest';
import { refusedVariable } from '../../../../engine/src/registry/environment.js';
import { requirement } from '../../requirement.js';

describe('variables that an author may declare', () => {
  it.each([
    'NODE_ENV',
    'CI',
    'DEBUG',
    'LANG',
    'TZ',
    'AWS_ACCESS_KEY_ID',
    'GITHUB_TOKEN',
    'PGPASSWORD',
    '_x',
    'PYTHONUNBUFFERED',
    'CC',
    'GITHUB_SHA',
  ])('%s may', (name) => {
    expect(refusedVariable(name)).toBeUndefined();
  });

  it.each([
    'PATH',
    'Path',
    'HOME',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'node_options',
    'GIT_SSH_COMMAND',
    'GIT_DIR',
    'BASH_ENV',
    'ENV',
    'BASH_FUNC_x',
    'PYTHONPATH',
    'PERL5OPT',
    'RUBYOPT',
    'JAVA_TOOL_OPTIONS',
    'npm_config_registry',
    'PIP_INDEX_URL',
    'KUBECONFIG',
    'AWS_CONFIG_FILE',
    'AWS_ENDPOINT_URL_S3',
    'DOCKER_CONFIG',
    'SSH_ASKPASS',
    'HTTPS_PROXY',
    'https_proxy',
    'SSL_CERT_FILE',
    'RELAVIUM_SECRET_X',
    'XDG_CONFIG_HOME',
    'GLIBC_TUNABLES',
  ])(requirement('EN-09', '%s may not'), (name) => {
    expect(refusedVariable(name)).toEqual(expect.any(String));
  });

  it.each(['', '1A', 'A-B', 'A=B', 'A\0', 'A B', 'BASH_FUNC_x%%', 'é'])('%j is no name', (name) => {
    expect(refusedVariable(name)).toBe('is no variable name');
  });
});
