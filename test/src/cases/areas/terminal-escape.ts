import { showControls } from '@relavium/engine';
import { type Judge, show, verdict } from '../case.js';

/** Untrusted text as renderers print it. */
export const judge: Judge = ({ input, context, expect }) => {
  const { no_raw: forbidden, keep } = expect as { readonly no_raw: readonly string[]; readonly keep: readonly string[] };
  const printed = showControls(input as string, context.sink === 'log_line' ? 'log_line' : 'terminal');
  const raw = forbidden.filter((text) => printed.includes(text));
  const lost = keep.filter((text) => !printed.includes(text));
  return verdict(raw.length === 0 && lost.length === 0, `none of ${show(forbidden)} raw, all of ${show(keep)} kept`, printed);
};
