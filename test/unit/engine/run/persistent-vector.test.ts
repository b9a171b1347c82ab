import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PersistentVector } from '../../../../engine/src/run/persistent-vector.js';

type Operation = { readonly kind: 'push'; readonly value: number } | { readonly kind: 'set'; readonly at: number; readonly value: number };

const operations = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('push' as const), value: fc.integer() }),
    fc.record({ kind: fc.constant('set' as const), at: fc.nat(), value: fc.integer() }),
  ),
  { maxLength: 200 },
);

describe('a persistent vector', () => {
  it('behaves as an array does, whatever its length', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2_200 }), operations, (length, steps) => {
        const model = Array.from({ length }, (_, i) => i);
        let vector = PersistentVector.from(model);
        for (const step of steps) vector = applied(vector, model, step);
        expect(vector.toArray()).toEqual(model);
      }),
    );
  });

  it('leaves the vector it came from as it was', () => {
    const before = PersistentVector.from([1, 2, 3]);
    before.set(1, 9).push(4);
    expect(before.toArray()).toEqual([1, 2, 3]);
  });

  it('set by one owner again and again is what it would be, and leaves what others hold as it was', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_200 }),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 })), { maxLength: 100 }),
        (length, steps) => {
          const owners = [{}, {}, {}];
          const model = Array.from({ length }, (_, i) => i);
          let vector = PersistentVector.from(model);
          let current = 0;
          steps.forEach(([at, owner], step) => {
            const index = at % length;
            if (owner !== current) owners[current] = {};
            current = owner;
            const before = vector;
            const held = before.toArray();
            vector = vector.set(index, -step, owners[owner]);
            model[index] = -step;
            if (vector !== before) expect(before.toArray()).toEqual(held);
          });
          expect(vector.toArray()).toEqual(model);
        },
      ),
    );
  });

  it('grows past each full level', () => {
    let vector = PersistentVector.from<number>([]);
    for (let i = 0; i < 33_000; i++) vector = vector.push(i);
    expect([vector.length, vector.get(0), vector.get(31), vector.get(32), vector.get(1_024), vector.get(32_768)]).toEqual([
      33_000, 0, 31, 32, 1_024, 32_768,
    ]);
  });
});

function applied(vector: PersistentVector<number>, model: number[], step: Operation): PersistentVector<number> {
  if (step.kind === 'push') {
    model.push(step.value);
    return vector.push(step.value);
  }
  if (model.length === 0) return vector;
  const at = step.at % model.length;
  model[at] = step.value;
  return vector.set(at, step.value);
}
