import { expect, it } from 'vitest';
import type { Json } from '../../../../engine/src/json.js';
import { templatesIn } from '../../../../engine/src/template/templates-in.js';

it('finds the texts with a hole, with the way to them, in order', () => {
  const value = { b: ['{{ x }}', 'plain', { c: 'a {{ y }}' }], '{{ key }}': 1, a: '{{ z }}' };
  expect(templatesIn(value)).toEqual([
    { path: ['b', 0], text: '{{ x }}' },
    { path: ['b', 2, 'c'], text: 'a {{ y }}' },
    { path: ['a'], text: '{{ z }}' },
  ]);
  expect(templatesIn('{{ x }}')).toEqual([{ path: [], text: '{{ x }}' }]);
  expect(templatesIn([1, null, true, '}}'])).toEqual([]);
});

it('goes as deep as the value', () => {
  let deep: Json = '{{ x }}';
  for (let i = 0; i < 3000; i++) deep = [deep];
  expect(templatesIn(deep)[0]?.path.length).toBe(3000);
});
