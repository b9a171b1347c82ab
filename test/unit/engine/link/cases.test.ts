import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compile, compileAgentFile } from '../../../../engine/src/compile.js';
import { catalogue } from '../../../../engine/src/diagnostics/catalogue.js';
import type { Diagnostic } from '../../../../engine/src/diagnostics/diagnostic.js';
import { lineIndex, positionAt } from '../../../../engine/src/source/positions.js';
import { sourceFromBytes } from '../../../../engine/src/source/source-from-bytes.js';
import { memorySourceReader } from '../../../../engine/src/testing/memory-source-reader.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';
import { decodeUtf8 } from '../parse/decode.js';

const CASES = fileURLToPath(new URL('../../../cases/', import.meta.url));

/** Too large for a file in the repository, or found by whoever sees the whole project; unit tests show them. */
const WITHOUT_CASE = new Set(['too_large', 'too_many', 'unused_agent']);

function casesIn(folder: string): readonly string[] {
  return readdirSync(join(CASES, folder)).filter((name) => /\.(relavium|agent)\.yaml$/.test(name));
}

/** Files beside a case that it may name. */
function readerOf(folder: string): ReturnType<typeof memorySourceReader> {
  const files = join(CASES, folder, 'files');
  const names = existsSync(files) ? readdirSync(files, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml')) : [];
  return memorySourceReader(Object.fromEntries(names.map((name) => [name, readFileSync(join(files, name), 'utf8')])));
}

function findingsOf(folder: string, name: string): readonly Diagnostic[] {
  const read = sourceFromBytes(name, readFileSync(join(CASES, folder, name)), decodeUtf8);
  if ('diagnostic' in read) return [read.diagnostic];
  const ports = { reader: readerOf(folder), tools: builtinTools };
  return (name.endsWith('.agent.yaml') ? compileAgentFile : compile)(read.source, ports).diagnostics;
}

function rendered(name: string, found: Diagnostic): string {
  const index = lineIndex(found.source.text);
  const [start, end] = [positionAt(index, found.range.start), positionAt(index, found.range.end)];
  const file = found.source.path === name ? '' : `${found.source.path}:`;
  const lines = [`${file}${start.line}:${start.column}-${end.line}:${end.column} ${found.severity} ${found.code} ${found.message}`];
  if (found.suggestion !== undefined) lines.push(...found.suggestion.split('\n').map((line) => `    ${line}`));
  if (found.fix !== undefined)
    lines.push(
      `    fix: ${JSON.stringify(found.source.text.slice(found.fix.range.start, found.fix.range.end))} -> ${JSON.stringify(found.fix.text)}`,
    );
  return lines.join('\n');
}

const codes = catalogue.flatMap((group) => group.entries.map((entry) => entry.code));
const folders = readdirSync(join(CASES, 'err')).sort();

describe('cases with findings', () => {
  it('exist for each code of the catalogue', () => {
    expect(codes.filter((code) => !WITHOUT_CASE.has(code) && !folders.includes(code))).toEqual([]);
    expect(folders.filter((folder) => !codes.includes(folder))).toEqual([]);
  });

  it('have a fix only where the catalogue says so, and everywhere it does', () => {
    const all = folders.flatMap((folder) => casesIn(join('err', folder)).flatMap((name) => findingsOf(join('err', folder), name)));
    const fixed = new Set(all.filter((found) => found.fix !== undefined).map((found) => found.code));
    const fixable = catalogue.flatMap((group) => group.entries.filter((entry) => entry.fixable).map((entry) => entry.code));
    expect([...fixed].sort()).toEqual(fixable.sort());
  });

  for (const folder of folders) {
    for (const name of casesIn(join('err', folder))) {
      it(`${folder}/${name} gives what its .out says, and the finding of its folder`, async () => {
        const findings = findingsOf(join('err', folder), name);
        expect(findings.map((found) => found.code)).toContain(folder);
        const out = findings.map((found) => `${rendered(name, found)}\n`).join('');
        await expect(out).toMatchFileSnapshot(join(CASES, 'err', folder, name.replace(/\.yaml$/, '.out')));
      });
    }
  }
});

describe('cases without findings', () => {
  it.each(casesIn('ok'))('%s compiles without any', (name) => {
    expect(findingsOf('ok', name).map((found) => rendered(name, found))).toEqual([]);
  });
});
