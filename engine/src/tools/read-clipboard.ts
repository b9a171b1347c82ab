import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const readClipboard: ToolDef = builtin('read_clipboard', {
  description: 'Gives the text that is on the clipboard.',
  policy: 'os',
  effect: 'none',
  capability: 'os',
  target: () => ({ kind: 'none' }),
  call: (_args, os, call) => os.readClipboard(call),
});
