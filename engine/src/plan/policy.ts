import type { Workflow } from '@relavium/schemas';
import type { Policy } from './plan.js';

/** What a workflow's `tools:` allow. An entry that is one text is split at single spaces. */
export function policyOf({ tools }: Workflow): Policy {
  return {
    allowedCommands: (tools?.allowedCommands ?? []).map((entry) => (typeof entry === 'string' ? entry.split(' ') : entry)),
    allowedCommandGlobs: tools?.allowedCommandGlobs ?? [],
    allowedDomains: tools?.allowedDomains ?? [],
    fsScope: tools?.fs_scope ?? 'sandboxed',
  };
}
