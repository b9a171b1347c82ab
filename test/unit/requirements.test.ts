import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { requirements } from '../requirements.js';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** `requirement('AB-01', …)` and `requirements(['AB-01', 'AB-02'], …)`. */
const citation = /\brequirements?\(\s*(?:'([^']+)'|\[([^\]]*)\])/g;

describe('the list of requirements', () => {
  it('names each requirement once, by two letters and two digits', () => {
    const ids = requirements.map((entry) => entry.id);
    expect(ids.length).toBeGreaterThan(150);
    expect(ids.filter((id) => !/^[A-Z]{2}-\d{2}$/.test(id))).toEqual([]);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it('says each behaviour once', () => {
    const texts = requirements.map((entry) => entry.behaviour);
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  });

  it('points only at tests that exist and cite the requirement', () => {
    const wrong = requirements
      .filter((entry) => entry.test !== 'pending')
      .filter((entry) => !existsSync(join(repository, entry.test)) || !cites(join(repository, entry.test)).includes(entry.id))
      .map((entry) => `${entry.id}: ${entry.test}`);
    expect(wrong).toEqual([]);
  });

  it('knows every requirement that a test cites, and in which file', () => {
    const files = testFiles();
    expect(files.length).toBeGreaterThan(2);
    const byId = new Map(requirements.map((entry) => [entry.id, entry]));
    const wrong = files.flatMap((file) => {
      const here = relative(repository, file);
      return cites(file)
        .filter((id) => byId.get(id) === undefined || byId.get(id)?.test === 'pending')
        .map((id) => `${here} cites ${id}, which ${byId.has(id) ? 'the list calls pending' : 'is not in the list'}`);
    });
    expect(wrong).toEqual([]);
  });
});

function cites(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(citation)].flatMap(([, one, several = '']) =>
    one === undefined ? [...several.matchAll(/'([^']+)'/g)].map(([, id]) => id ?? '') : [one],
  );
}

function testFiles(): string[] {
  const root = join(repository, 'test');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .filter((name) => name !== join('unit', 'requirements.test.ts'))
    .map((name) => join(root, name));
}
