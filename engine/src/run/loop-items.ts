import type { NodeView, Step } from './step.js';

/** Paths of the iterations of a loop that are under way, in order. */
export function itemsOf(step: Step, loop: NodeView): readonly string[] {
  const items: { readonly path: string; readonly index: number }[] = [];
  for (const scope of step.draft.current.scopes.values()) {
    if (scope.parent?.scope === loop.scope && scope.parent.node === loop.index && scope.item !== undefined) {
      items.push({ path: scope.path, index: scope.item.index });
    }
  }
  return items.sort((a, b) => a.index - b.index).map(({ path }) => path);
}
