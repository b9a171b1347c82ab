import type { CallContext } from './call-context.js';

/** Stored media, by handle. A handle outside the caller's scopes is `tool_denied media_scope_denied`. */
export interface MediaAccess {
  describe(handle: string, call: CallContext): Promise<MediaDescriptor>;
}

export interface MediaDescriptor {
  readonly handle: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
}
