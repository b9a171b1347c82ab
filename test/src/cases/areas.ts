import type { Judge } from './case.js';

/**
 * Who judges an area. Loaded when asked for, so that a broken part of the product does not take the others' cases with it.
 * An area that stands in a corpus and not here is reported as unknown.
 */
const judges: Readonly<Record<string, () => Promise<{ readonly judge: Judge }>>> = {
  conformance: () => import('./areas/conformance.js'),
  'security/expressions': () => import('./areas/expressions.js'),
  'security/fs_paths': () => import('./areas/fs-paths.js'),
  'security/git_flags': () => import('./areas/git-flags.js'),
  'security/ids_unicode': () => import('./areas/ids-unicode.js'),
  'security/masking': () => import('./areas/masking.js'),
  'security/run_command': () => import('./areas/run-command.js'),
  'security/save_to': () => import('./areas/save-to.js'),
  'security/terminal_escape': () => import('./areas/terminal-escape.js'),
  'security/tool_bounds': () => import('./areas/tool-bounds.js'),
  'security/yaml_inputs': () => import('./areas/yaml-inputs.js'),
};

export function isKnown(area: string): boolean {
  return Object.hasOwn(judges, area);
}

export async function judgeOf(area: string): Promise<Judge> {
  const load = judges[area];
  if (load === undefined) throw new Error(`no such area yet: ${area}`);
  return (await load()).judge;
}
