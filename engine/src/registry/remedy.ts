import type { PolicyTarget } from './tool-def.js';

/** The YAML lines of a workflow that would allow a target, for a person to copy. */
export function remedyFor(target: Extract<PolicyTarget, { kind: 'command' }> | { readonly kind: 'domain'; readonly host: string }): string {
  if (target.kind === 'domain') return `tools:\n  allowedDomains:\n    - ${quoted(target.host)}`;
  const splits = target.vector.every((word) => word !== '' && !/\s/u.test(word));
  const entry = splits ? quoted(target.vector.join(' ')) : `[${target.vector.map(quoted).join(', ')}]`;
  return `tools:\n  allowedCommands:\n    - ${entry}`;
}

/** Single quotes hold everything but control characters, which only double quotes can spell. */
function quoted(text: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : `'${text.replaceAll("'", "''")}'`;
}
