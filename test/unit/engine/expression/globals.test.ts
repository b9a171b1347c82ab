import { expect, it } from 'vitest';
import { VM_GLOBALS } from '../../../../engine/src/expression/globals.js';
import { resultOf } from './vm.js';

it('lists exactly the globals of the VM', () => {
  expect(resultOf('Object.getOwnPropertyNames(globalThis).sort()')).toEqual([...VM_GLOBALS].sort());
});
