import { HostError, type Json } from '@relavium/engine';

/** The refusal of a path. `rule` says which part of the policy it is; nothing is said about what lies at the path. */
export function pathDenied(value: string, message: string, rule: string, remedy?: string): HostError {
  // Only the tier is anybody's choice, and a folder that the author has set as root.
  const source = rule.endsWith(' tier') ? 'invocation' : rule === 'root' ? 'node' : 'built_in';
  const details: Record<string, Json> = { rule, source, value: value.slice(0, 500), ...(remedy === undefined ? {} : { remedy }) };
  return new HostError('tool_denied', 'path_denied', message, details);
}
