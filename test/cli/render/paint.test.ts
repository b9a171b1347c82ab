import { describe, expect, it } from 'vitest';
import { wantsColour } from '../../../hosts/cli/src/render/paint.js';

describe('wantsColour', () => {
  it('follows the terminal when nobody says anything', () => {
    expect(wantsColour(undefined, {}, true)).toBe(true);
    expect(wantsColour(undefined, {}, false)).toBe(false);
    expect(wantsColour(undefined, { TERM: 'dumb' }, true)).toBe(false);
  });

  it('lets NO_COLOR beat FORCE_COLOR, and a flag beat both', () => {
    expect(wantsColour(undefined, { NO_COLOR: '1', FORCE_COLOR: '1' }, true)).toBe(false);
    expect(wantsColour(undefined, { FORCE_COLOR: '1' }, false)).toBe(true);
    expect(wantsColour(undefined, { FORCE_COLOR: '0' }, true)).toBe(false);
    expect(wantsColour(true, { NO_COLOR: '1' }, false)).toBe(true);
    expect(wantsColour(false, { FORCE_COLOR: '1' }, true)).toBe(false);
  });

  it('ignores an empty NO_COLOR', () => {
    expect(wantsColour(undefined, { NO_COLOR: '' }, true)).toBe(true);
  });
});
