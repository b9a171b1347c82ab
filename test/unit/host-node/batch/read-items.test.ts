import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ItemText } from '../../../../hosts/node/src/batch/item-text.js';
import { type ItemFormat, readItems } from '../../../../hosts/node/src/batch/read-items.js';

/** The bytes in pieces of this length, so that every boundary falls everywhere once. */
async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function read(text: string | Uint8Array, format?: ItemFormat, length = 7): Promise<ItemText[]> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const found: ItemText[] = [];
  for await (const item of (await readItems(inPieces(bytes, length), format)).items) found.push(item);
  return found;
}

const bare = (items: readonly ItemText[]): unknown[] =>
  items.map((item) => (item.kind === 'cells' ? item.cells : item.kind === 'json' ? item.text : `broken: ${item.message}`));

describe('items from CSV', () => {
  it('keep line breaks, commas and doubled quotes inside quotes, and spaces everywhere', async () => {
    const text = 'id,text\r\n1," a ""b"", c\r\nd"\r\n2, e \r\n';
    for (const length of [1, 2, 3, 1000]) {
      expect(bare(await read(text, 'csv', length)), `pieces of ${length}`).toEqual([
        ['id', 'text'],
        ['1', ' a "b", c\r\nd'],
        ['2', ' e '],
      ]);
    }
  });

  it('end at either kind of line end, mixed or not', async () => {
    expect(bare(await read('a,b\n1,2\r\n3,4\n5,6', 'csv', 3))).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ]);
  });

  it('begin behind a byte order mark, and an empty end is none', async () => {
    expect(bare(await read('\ufeffid,topic\r\n1,tea\r\n\r\n', 'csv', 1))).toEqual([
      ['id', 'topic'],
      ['1', 'tea'],
    ]);
  });

  it('come as wide as they are, for the reader to judge', async () => {
    expect(bare(await read('a,b\n1\n1,2,3\n', 'csv'))).toEqual([['a', 'b'], ['1'], ['1', '2', '3']]);
  });

  it('know the line that they begin in', async () => {
    expect((await read('a\n"1\n2"\n3\n', 'csv')).map((item) => item.kind === 'cells' && item.line)).toEqual([1, 2, 4]);
    expect((await read('a\r\n"1\r\n2\r\n"\r\n3\r\n4', 'csv', 1)).map((item) => item.kind === 'cells' && item.line)).toEqual([1, 2, 5, 6]);
  });

  it('that stand before a broken place are given, in one piece or in many', async () => {
    for (const length of [1, 1000]) {
      expect(bare(await read('a\n1\n2\n"3\n4', 'csv', length))).toEqual([
        ['a'],
        ['1'],
        ['2'],
        'broken: line 4: a quote is opened and never closed',
      ]);
      expect((await read('a\nx"y\n', 'csv', length)).at(-1)?.kind).toBe('broken');
    }
  });

  it('survive the way through text', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r\n', 'é', '😀') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (rows, length) => {
          const text = rows.map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(',')).join('\n');
          expect(bare(await read(text, 'csv', length))).toEqual(rows);
        },
      ),
    );
  });
});

describe('items from JSON Lines', () => {
  it('are the lines that are not blank, whatever ends them', async () => {
    expect(bare(await read('{"a": 1}\r\n\n  \n{"a": "ü"}', 'jsonl', 1))).toEqual(['{"a": 1}', '{"a": "ü"}']);
  });

  it('know their line', async () => {
    expect((await read('\n{}\n\n{}', 'jsonl')).map((item) => item.kind === 'json' && item.line)).toEqual([2, 4]);
  });
});

describe('items from a JSON array', () => {
  it('are cut at its commas and at no others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.json()), fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 1, 2), async (elements, length, indent) => {
        const text = indent === 0 ? `[${elements.join(',')}]` : `\n[ ${elements.join('\n , ')}\n]\n`;
        expect(bare(await read(text, 'json', length)).map((each) => JSON.parse(each as string))).toEqual(
          elements.map((each) => JSON.parse(each)),
        );
      }),
    );
  });

  it.each([
    ['', 'here is nothing'],
    ['{"a": 1}', 'begins with ['],
    ['[1, 2', 'ends before'],
    ['[1', 'ends before'],
    ['["a', 'ends before'],
    ['[1,, 2]', 'missing'],
    ['[1,]', 'missing'],
    ['[1] 2', 'behind the end'],
  ])('say what is wrong with %j', async (text, message) => {
    expect((await read(text, 'json', 2)).at(-1)).toMatchObject({ kind: 'broken', message: expect.stringContaining(message) });
  });
});

describe('items of any kind', () => {
  it.each([
    ['  [{"a": 1}]', 'json'],
    ['\n{"a": 1}\n', 'jsonl'],
    ['a,b\n1,2\n', 'csv'],
    ['', 'jsonl'],
  ])('tell their format by the first character where nobody says it: %j', async (text, format) => {
    const found = await readItems(inPieces(new TextEncoder().encode(text), 1));
    expect(found.format).toBe(format);
  });

  it('end where the bytes are no UTF-8, with what stood before', async () => {
    const bytes = Buffer.concat([Buffer.from('{"a": 1}\n'), Buffer.from([0xff, 0x0a])]);
    expect(bare(await read(bytes, 'jsonl', 9))).toEqual(['{"a": 1}', 'broken: the text is not UTF-8']);
    expect(bare(await read(Buffer.from([0xff, 0xfe, 0x41, 0x00]), undefined))).toEqual(['broken: the text is not UTF-8']);
  });

  it('are bounded, so that a text without end does not fill the memory', async () => {
    async function* endless(start: string): AsyncGenerator<Uint8Array> {
      yield Buffer.from(start);
      for (;;) yield Buffer.alloc(1 << 20, 'x');
    }
    for (const [format, start] of [
      ['csv', 'a\n"'],
      ['jsonl', ''],
      ['json', '["'],
    ] as const) {
      const found: ItemText[] = [];
      for await (const item of (await readItems(endless(start), format)).items) found.push(item);
      expect(found.at(-1), format).toMatchObject({ kind: 'broken', message: expect.stringContaining('longer than 8 MiB') });
    }
  });

  it('tell how far they lie in the source', async () => {
    const lines = '{"n": 1}\n{"n": 2}\n';
    expect((await read(lines, 'jsonl', 1000)).map((item) => item.kind === 'json' && item.bytes)).toEqual([9, 18]);
    expect((await read('a\n1\n2\n', 'csv')).map((item) => item.kind === 'cells' && item.bytes)).toEqual([2, 4, 6]);
  });
});
