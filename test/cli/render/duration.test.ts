import { expect, it } from 'vitest';
import { duration } from '../../../hosts/cli/src/render/duration.js';

it.each([
  [0, '0 ms'],
  [-3, '0 ms'],
  [839.6, '840 ms'],
  [1000, '1.0 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min 00 s'],
  [185_000, '3 min 05 s'],
  [7_620_000, '2 h 07 min'],
  [359_999_000, '99 h 59 min'],
])('%d ms is shown as %s', (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});
