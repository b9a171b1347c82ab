import { describe, expect, it } from 'vitest';
import { itemId } from '../../../../hosts/node/src/batch/item-id.js';

describe('the id of an item', () => {
  it('is the same for the same item at the same position, in whatever order its keys are written', () => {
    const id = itemId(3, { a: [1, { c: null, d: 'x' }], b: true });
    expect(id).toBe(itemId(3, { b: true, a: [1, { d: 'x', c: null }] }));
    expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('differs by position and by value', () => {
    const ids = [itemId(0, { a: 1 }), itemId(1, { a: 1 }), itemId(0, { a: '1' }), itemId(0, { a: [1] }), itemId(0, 'a')];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('stays what it is from version to version, since a later batch looks for it', () => {
    expect(itemId(0, { id: '1', topic: 'tea' })).toBe('f93031dfb5a5b073a7c0caa69a2b051a');
  });
});
