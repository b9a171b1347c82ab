import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const readMedia: ToolDef = builtin('read_media', {
  description: 'Describes a stored media object by its whole handle, so that a model that can see or hear it is shown it.',
  policy: 'media',
  effect: 'none',
  capability: 'media',
  target: () => ({ kind: 'none' }),
  call: async ({ handle }, media, call) => ({ ...(await media.describe(handle, call)) }),
});
