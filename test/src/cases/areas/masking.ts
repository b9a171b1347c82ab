import { clip, mask } from '@relavium/engine';
import { type Judge, show, verdict } from '../case.js';
import { generate } from '../generator.js';

/** Diagnostic text as previews and summaries show it: masked, then clipped. */
export const judge: Judge = ({ input, context, expect }) => {
  const text = (input === 'generator' ? generate(context.generator) : input) as string;
  const hide = (context.must_hide ?? []) as readonly string[];
  const keep = (context.must_keep ?? []) as readonly string[];
  const masked = mask(text);
  const previews = [masked, ...clipLimits(context.clip).map((limit) => clip(masked, limit))];
  const seen = hide.filter((secret) => previews.some((preview) => preview.includes(secret)));
  const lost = keep.filter((words) => !folded(masked).includes(folded(words)));
  const isMeant = expect === 'mask' ? seen.length === 0 : masked === text;
  return verdict(isMeant && lost.length === 0, `${show(expect)}: hide ${show(hide)}, keep ${show(keep)}`, masked);
};

function clipLimits(clip: unknown): readonly number[] {
  return Array.isArray(clip) ? clip : typeof clip === 'number' ? [clip] : [];
}

/** Line breaks may come through as spaces. */
function folded(text: string): string {
  return text.replace(/\s+/g, ' ');
}
