import { type RunEvent, type StreamedEvent, showControls } from '@relavium/engine';
import type { Paint } from './paint.js';

/** Cuts streamed output into whole lines under the name of the node that wrote them. */
export interface OutputLines {
  add(event: ToolOutput, paint: Paint): readonly string[];
  /** What never got its line end. */
  rest(paint: Paint): readonly string[];
}

type ToolOutput = Extract<RunEvent | StreamedEvent, { readonly type: 'tool:output' }>;

/** A line that does not end is shown in pieces of this length rather than kept for ever. */
const longest = 8_192;

export function createOutputLines(): OutputLines {
  const open = new Map<string, { readonly node: string; text: string }>();
  const shown = (node: string, line: string, paint: Paint): string =>
    `${paint.dim(`${showControls(node)} │`)} ${showControls(line.replace(/\r$/, ''))}`;
  return {
    add(event, paint) {
      const key = `${event.stream} ${event.node}`;
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
    rest(paint) {
      const lines = [...open.values()].map(({ node, text }) => shown(node, text, paint));
      open.clear();
      return lines;
    },
  };
}
