import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const notify: ToolDef = builtin('notify', {
  description: 'Shows a desktop notification and goes on at once.',
  policy: 'os',
  effect: 'benign',
  capability: 'os',
  target: () => ({ kind: 'none' }),
  async call(args, os, call) {
    await os.notify(args, call);
    return null;
  },
});
