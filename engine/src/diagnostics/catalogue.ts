import * as graph from './catalogue/graph.js';
import * as reading from './catalogue/reading.js';
import * as reference from './catalogue/reference.js';
import * as schema from './catalogue/schema.js';
import * as suppressing from './catalogue/suppressing.js';
import * as tools from './catalogue/tools.js';
import type { Entry } from './entry.js';

/** A group of the catalogue, by the stage that finds it. */
export interface CatalogueGroup {
  readonly title: string;
  readonly entries: readonly Entry<never>[];
}

/** Every finding that the engine can make, in the order of the stages. */
export const catalogue: readonly CatalogueGroup[] = [
  { title: 'Reading the text', entries: Object.values(reading) as readonly Entry<never>[] },
  { title: 'Shape and values', entries: Object.values(schema) as readonly Entry<never>[] },
  { title: 'Nodes and edges', entries: Object.values(graph) as readonly Entry<never>[] },
  { title: 'Expressions, templates and names', entries: Object.values(reference) as readonly Entry<never>[] },
  { title: 'Tools, agents and policy', entries: Object.values(tools) as readonly Entry<never>[] },
  { title: 'Suppressions', entries: Object.values(suppressing) as readonly Entry<never>[] },
];

export function catalogueEntry(code: string): Entry<never> | undefined {
  for (const group of catalogue) {
    const found = group.entries.find((entry) => entry.code === code);
    if (found !== undefined) return found;
  }
  return undefined;
}
