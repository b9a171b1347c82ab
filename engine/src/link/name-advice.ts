import type { Advice, Fix } from '../diagnostics/diagnostic.js';
import { didYouMean, nearName, onlyNearName } from '../diagnostics/near-name.js';
import type { Path, YamlDocument } from '../parse/yaml-document.js';
import type { LinkContext } from './link-context.js';

export interface NameAdviceOptions {
  /** Writes the one near name in place of the wrong one. */
  readonly fix?: (near: string) => Fix | undefined;
  /** What to say where no name is near. */
  readonly otherwise?: (names: readonly string[]) => string | undefined;
}

/**
 * What to write instead of a name that does not exist. Looking for near names costs as much as there are names, so one file has a budget
 * for it: thousands of wrong names are not all compared with thousands of right ones.
 */
export function nameAdvice(context: LinkContext, name: string, known: () => Iterable<string>, options: NameAdviceOptions = {}): Advice {
  if (context.budget.comparisons <= 0) return {};
  const names = [...known()];
  context.budget.comparisons -= names.length + 1;
  const only = options.fix === undefined ? undefined : onlyNearName(name, names);
  return {
    suggestion: didYouMean(nearName(name, names)) ?? options.otherwise?.(names),
    fix: only === undefined ? undefined : options.fix?.(only),
  };
}

/** A fix that replaces a value or a key as a whole. */
export function replacing(document: YamlDocument, path: Path, what: 'key' | 'value'): (near: string) => Fix {
  return (near) => ({ range: document.rangeOf(path, what), text: near });
}

/** A short list of what there is. */
export function listed(words: string): (names: readonly string[]) => string | undefined {
  return (names) => (names.length > 0 && names.length <= 12 ? `${words}: ${names.join(', ')}` : undefined);
}
