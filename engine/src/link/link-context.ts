import type { Advice, Diagnostic } from '../diagnostics/diagnostic.js';
import { diagnose } from '../diagnostics/diagnostic.js';
import type { Entry } from '../diagnostics/entry.js';
import type { Path, YamlDocument } from '../parse/yaml-document.js';
import { type LineIndex, lineIndex, positionAt } from '../source/positions.js';
import type { Range } from '../source/source-text.js';
import type { Parses } from './parses.js';

/** What building and rules share while one file is linked: where it stands and where findings go. */
export interface LinkContext {
  readonly document: YamlDocument;
  readonly parses: Parses;
  report<Data>(entry: Entry<Data>, place: Place, data: Data, advice?: Advice): void;
  /** Names that may still be compared in search of near ones. */
  readonly budget: { comparisons: number };
  /** Line of a place, for messages that point to another one. */
  lineOf(path: Path, what: 'key' | 'value'): number;
  readonly diagnostics: readonly Diagnostic[];
}

export type Place =
  | { readonly path: Path; readonly what?: 'key' | 'value'; readonly document?: YamlDocument }
  | { readonly range: Range; readonly document?: YamlDocument };

export function linkContext(document: YamlDocument, parses: Parses): LinkContext {
  const diagnostics: Diagnostic[] = [];
  let lines: LineIndex | undefined;
  return {
    document,
    parses,
    diagnostics,
    budget: { comparisons: 200_000 },
    report: (entry, place, data, advice) => {
      const owner = place.document ?? document;
      const range = 'range' in place ? place.range : owner.rangeOf(place.path, place.what ?? 'value');
      diagnostics.push(diagnose(entry, owner.source, range, data, advice));
    },
    lineOf: (path, what) => {
      lines ??= lineIndex(document.source.text);
      return positionAt(lines, document.rangeOf(path, what).start).line;
    },
  };
}
