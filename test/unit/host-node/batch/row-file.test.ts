import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRowFile } from '../../../../hosts/node/src/batch/row-file.js';

const place = (): string => join(mkdtempSync(join(tmpdir(), 'relavium-rows-')), 'rows.jsonl');

describe('a file of rows', () => {
  it('holds each row as soon as it is written', () => {
    const path = place();
    const file = openRowFile(path);
    expect(file.write('{"a":1}\n')).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n');
    file.write('{"a":2}\n{"a":3}\n');
    file.close();
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"a":2}\n{"a":3}\n');
  });

  it('begins empty where there was one', () => {
    const path = place();
    for (const text of ['a long first text\n', 'short\n']) {
      const file = openRowFile(path);
      file.write(text);
      file.close();
    }
    expect(readFileSync(path, 'utf8')).toBe('short\n');
  });

  it('says what went wrong with a device that is full', ({ skip }) => {
    if (spawnSync('test', ['-e', '/dev/full']).status !== 0) skip('there is no /dev/full');
    const file = openRowFile('/dev/full');
    expect(file.write('row\n')).toBe('ENOSPC');
    file.close();
  });
});
