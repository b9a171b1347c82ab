import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { binary, environment, folderWith, repository, stable } from './cli/relavium.js';

/**
 * Guides are run, not read. What a fenced block is for stands in its first line:
 *
 * - `yaml` begins with `# file: <path>` and is that file for the blocks below it.
 * - `console` holds commands behind `$ ` and what they print; `…` stands for any text within a line, or for any lines on one of its own.
 * - `sh` holds commands for the reader's own machine. Those that are not ours must be known here.
 */
const pages = ['README.md', ...readdirSync(join(repository, 'docs/guides')).map((name) => `docs/guides/${name}`)];

/** Commands of a clone. What they start is run by other tests; here it is made sure that they exist. */
const cloneCommands = new Map([
  ['npm ci && npm start', ['start', 'build']],
  ['npm ci && npm test', ['test', 'build', 'check']],
  ['npm ci && npm run build', ['build']],
]);

describe.each(pages)('%s', (page) => {
  const blocks = fencedBlocks(readFileSync(join(repository, page), 'utf8'));
  const folder = workplace();

  it('has only blocks that something checks', () => {
    for (const { language, line } of blocks) expect(`${page}:${line} ${language}`).toMatch(/ (yaml|console|sh|text|json)$/);
  });

  it.each(blocks.filter(({ language }) => language !== 'text'))('line $line: $language', (block) => {
    switch (block.language) {
      case 'yaml':
        return writeBlock(folder, block.text);
      case 'json':
        return void JSON.parse(block.text);
      case 'sh':
        return checkCommands(block.text);
      default:
        return runConsole(folder, block.text);
    }
  });

  it('links to files that exist', () => {
    const text = readFileSync(join(repository, page), 'utf8');
    for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)) {
      expect({ page, target, exists: existsSync(join(repository, dirname(page), target as string)) }).toEqual({
        page,
        target,
        exists: true,
      });
    }
  });
});

describe('docs/architecture.md', () => {
  const text = readFileSync(join(repository, 'docs/architecture.md'), 'utf8');
  const invariants = text.split('\n').filter((line) => line.includes('**Invariant:**'));

  it('names, for each invariant, tests that exist', () => {
    expect(invariants.length).toBeGreaterThan(10);
    for (const invariant of invariants) {
      const tests = [...invariant.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, path]) => path as string);
      expect({ invariant, tests: tests.length > 0, missing: tests.filter((path) => !existsSync(join(repository, path))) }).toEqual({
        invariant,
        tests: true,
        missing: [],
      });
    }
  });

  it('names folders that exist in its map', () => {
    for (const [, cell] of text.matchAll(/^\| (`[^|]+`) \|/gm)) {
      let base = '';
      for (const [, path] of (cell as string).matchAll(/`([^`]+)`/g)) {
        // `engine/src/source`, `parse` are two folders side by side.
        const full = (path as string).includes('/') ? (path as string) : join(base, path as string);
        base = dirname(full);
        expect({ full, exists: existsSync(join(repository, full)) }).toEqual({ full, exists: true });
      }
    }
  });
});

interface Block {
  readonly language: string;
  readonly text: string;
  /** Of the opening fence. */
  readonly line: number;
}

function fencedBlocks(markdown: string): readonly Block[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(({ 1: language = '', 2: text = '', index }) => ({
    language,
    text,
    line: markdown.slice(0, index).split('\n').length,
  }));
}

/** A folder like a fresh clone as far as the guides use it, with `relavium` and `npx relavium` on the path. */
function workplace(): string {
  const folder = folderWith();
  cpSync(join(repository, 'workflows'), join(folder, 'workflows'), { recursive: true });
  const commands = join(folder, '..', `${folder.split('/').at(-1)}-bin`);
  mkdirSync(commands);
  writeFileSync(join(commands, 'relavium'), `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(binary)} "$@"\n`);
  writeFileSync(join(commands, 'npx'), '#!/bin/sh\nexec "$@"\n');
  for (const name of readdirSync(commands)) chmodSync(join(commands, name), 0o755);
  return folder;
}

function writeBlock(folder: string, text: string): void {
  const path = /^# file: (\S+)\n/.exec(text)?.[1];
  if (path === undefined) throw new Error('a yaml block begins with "# file: <path>"');
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  // The line that names the file stays, so that the lines are those that the page shows.
  writeFileSync(join(folder, path), text);
}

function checkCommands(text: string): void {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  for (const command of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
    const names = cloneCommands.get(command);
    expect({ command, known: names !== undefined }).toEqual({ command, known: true });
    for (const name of names ?? []) expect({ name, script: scripts[name] }).toEqual({ name, script: expect.any(String) });
  }
}

function runConsole(folder: string, text: string): void {
  for (const { command, output } of transcript(text)) {
    const { PATH = '' } = environment();
    const env = { ...environment(), PATH: `${folder}-bin${delimiter}${PATH}` };
    const { stdout } = spawnSync('sh', ['-c', `{ ${command}\n} 2>&1`], { cwd: folder, env, encoding: 'utf8' });
    expect(`$ ${command}\n${matched(stdout, output)}`).toBe(`$ ${command}\n${output}`);
  }
}

function transcript(text: string): readonly { readonly command: string; readonly output: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { command: part.slice(0, end), output: part.slice(end + 1).trimEnd() };
    });
}

/** What was expected, if the output is that but for times and what an ellipsis stands for; else the output, for the difference to be shown. */
function matched(output: string, expected: string): string {
  const actual = output.replaceAll(/[ \t]+$/gm, '').trimEnd();
  const escaped = stable(expected)
    .split('\n')
    .map((line) => (line === '…' ? '[\\s\\S]*' : line.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')));
  return new RegExp(`^${escaped.join('\n')}$`).test(stable(actual)) ? expected : actual;
}
