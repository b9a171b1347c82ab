import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeGit } from '../../../../engine/src/registry/git-policy.js';

const isAllowed = (...args: string[]) => judgeGit(args) === undefined;

describe('what may be added to a look at the repository', () => {
  it.each([
    ['--stat'],
    ['--diff-merges=first-parent', '--cc'],
    ['--max-count=5'],
    ['-n', '5'],
    ['-5'],
    ['--cached', '--name-only'],
    ['-p', '-U3', '-w'],
    ['--format=%h %s', 'v1.0..HEAD'],
    ['main...feature/x', '--', 'src', 'docs/*.md'],
    ['--since=2.weeks', '--author=Test Person'],
    ['HEAD~3', 'HEAD^2', 'HEAD@{1}', ':/first'],
    ['--untracked-files=no', '--branch'],
    ['--', ':!vendor', ':(exclude,glob)**/x', ':(icase)readme'],
    ['-SaKey', '--diff-filter=AM', 'HEAD^{/fix: it}'],
  ])('takes %j', (...args) => {
    expect(isAllowed(...args)).toBe(true);
  });

  it.each([
    ['--output=/tmp/x'],
    ['--output', 'x'],
    ['--diff-merges=remerge'],
    ['--diff-merges=r'],
    ['--diff-merges'],
    ['--outpu=x'],
    ['--no-index', '/etc/hostname', '/dev/null'],
    ['--no-ind'],
    ['--ext-diff'],
    ['--textconv'],
    ['--textc'],
    ['--show-signature'],
    ['--submodule=diff'],
    ['--ignore-submodules=none'],
    ['--stdin'],
    ['-c', 'core.fsmonitor=id'],
    ['-pO/tmp/x'],
    ['-O/tmp/x'],
    ['-L1,5:a.txt'],
    ['--full-diff'],
    ['HEAD:.env', 'HEAD~1:.env'],
    [':0:.env'],
    ['-'],
    ['/etc/hostname'],
    ['a/../../x'],
    ['--', '/etc/hostname', 'a.txt'],
    ['--', '../x', 'a.txt'],
    ['--', ':/'],
    ['--', ':(top)x'],
    ['--', ':(exclude,top)x'],
    ['--', ':(exclude)../x'],
    ['--', ':!/x'],
    ['--', 'a\\..\\..\\x'],
    ['a\0b'],
  ])('refuses %j', (...args) => {
    expect(isAllowed(...args)).toBe(false);
  });

  it('takes no part of the name of an option that does more than look, with or without a value', () => {
    const names = ['output', 'no-index', 'ext-diff', 'textconv', 'show-signature', 'submodule', 'ignore-submodules', 'stdin'];
    const alone = new Set(['text']);
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(20), fc.constantFrom('', '=x'), (name, cut, value) => {
        const part = name.slice(0, Math.max(1, cut));
        expect(alone.has(part) || !isAllowed(`--${part}${value}`)).toBe(true);
      }),
    );
  });

  it('says what it refuses, where the rule comes from, and that nothing allows it', () => {
    expect(judgeGit(['--stat', '--output=x'])).toEqual({
      reason: 'command_not_allowed',
      message: 'the option is not among those that only look',
      rule: 'options that only look',
      source: 'built_in',
      value: '--output=x',
    });
  });
});
