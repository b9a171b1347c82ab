import { type RunEvent, type StreamedEvent, showControls } from '@relavium/engine';
import type { Paint } from './paint.js';

/** Cuts what programs print and models say into whole lines under the name of the node that it comes from. */
export interface OutputLines {
  add(event: Streamed, paint: Paint): readonly string[];
  /** What a node has said last without ending its line, where this event says that nothing more comes. */
  restBefore(event: RunEvent | StreamedEvent, paint: Paint): readonly string[];
  /** What never got its line end. */
  rest(paint: Paint): readonly string[];
}

type Streamed = Extract<StreamedEvent, { readonly type: 'tool:output' | 'agent:text' }>;

const ENDS: ReadonlySet<string> = new Set([
  'agent:turn_completed',
  'agent:failover',
  'node:succeeded',
  'node:failed',
  'node:cancelled',
  'node:retrying',
]);

/** A line that does not end is shown in pieces of this length rather than kept for ever. */
const longest = 8_192;

export function createOutputLines(): OutputLines {
  const open = new Map<string, { readonly node: string; text: string }>();
  const shown = (node: string, line: string, paint: Paint): string =>
    `${paint.dim(`${showControls(node)} │`)} ${showControls(line.replace(/\r$/, ''))}`;
  return {
    add(event, paint) {
      const key = `${event.type === 'tool:output' ? event.stream : 'text'} ${event.node}`;
      const lines = ((open.get(key)?.text ?? '') + event.text).split('\n');
      let text = lines.pop() ?? '';
      if (text.length > longest) {
        lines.push(text);
        text = '';
      }
      if (text === '') open.delete(key);
      else open.set(key, { node: event.node, text });
      return lines.map((line) => shown(event.node, line, paint));
    },
    restBefore(event, paint) {
      if (open.size === 0 || !ENDS.has(event.type) || !('node' in event)) return [];
      const ended = [...open].filter(([, { node }]) => node === event.node);
      for (const [key] of ended) open.delete(key);
      return ended.map(([, { node, text }]) => shown(node, text, paint));
    },
    rest(paint) {
      const lines = [...open.values()].map(({ node, text }) => shown(node, text, paint));
      open.clear();
      return lines;
    },
  };
}
