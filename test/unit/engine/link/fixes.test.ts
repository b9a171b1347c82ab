import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../../engine/src/compile.js';
import { memorySourceReader } from '../../../../engine/src/testing/memory-source-reader.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';

const ERR = fileURLToPath(new URL('../../../cases/err/', import.meta.url));
const files = readdirSync(ERR, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.relavium.yaml') && !name.includes('/files/') && !name.startsWith('encoding'),
);

const ports = {
  reader: memorySourceReader({ 'child.relavium.yaml': readFileSync(join(ERR, 'unresolved_reference/files/child.relavium.yaml'), 'utf8') }),
  tools: builtinTools,
};

function findings(text: string): ReturnType<typeof compile>['diagnostics'] {
  return compile({ path: 'f.yaml', text }, ports).diagnostics;
}

describe('a fix', () => {
  it.each(files)('of %s takes its finding away', (file) => {
    const text = readFileSync(join(ERR, file), 'utf8');
    for (const { fix, code, message } of findings(text)) {
      if (fix === undefined) continue;
      const mended = text.slice(0, fix.range.start) + fix.text + text.slice(fix.range.end);
      const after = findings(mended);
      expect(after.filter((found) => found.code === code && found.message === message).length, message).toBeLessThan(
        findings(text).filter((found) => found.code === code && found.message === message).length,
      );
      expect(after.map((found) => found.code)).not.toContain('yaml_syntax');
    }
  });
});
