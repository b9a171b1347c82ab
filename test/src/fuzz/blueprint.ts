import fc from 'fast-check';

/** A random graph before it is written down: numbers that any graph can be read from, so that shrinking them shrinks the graph. */
export interface Blueprint {
  readonly nodes: readonly NodeBlueprint[];
  readonly onFailure: 'fail_fast' | 'continue';
  readonly maxParallel: number;
  readonly timeoutMs: number | undefined;
}

export interface NodeBlueprint {
  readonly kind: NodeKind;
  /** Edges to this node: how many nodes back the source is, and what the edge waits for. */
  readonly sources: readonly {
    readonly back: number;
    readonly on: 'success' | 'error' | 'always';
    readonly hasCondition: boolean;
    readonly hasCodes: boolean;
  }[];
  readonly requireAll: boolean;
  readonly hasIf: boolean;
  readonly continueOnError: boolean;
  readonly attempts: number;
  readonly timeoutMs: number | undefined;
  readonly lock: boolean;
  /** Free choices of each kind: strategies, widths, bodies. */
  readonly choice: number;
}

const nodeKinds = [
  'transform',
  'tool',
  'condition',
  'parallel',
  'merge',
  'race',
  'loop',
  'while',
  'child',
  'wait',
  'fail',
  'human_gate',
  'output',
] as const;
export type NodeKind = (typeof nodeKinds)[number];

export function blueprints(maxNodes: number): fc.Arbitrary<Blueprint> {
  const source = fc.record({
    back: fc.nat(4),
    on: fc.constantFrom('success', 'success', 'success', 'error', 'always'),
    hasCondition: rarely(),
    hasCodes: rarely(),
  });
  const node = fc.record({
    kind: fc.constantFrom(...nodeKinds, 'transform', 'tool', 'tool'),
    sources: fc.array(source, { maxLength: 3 }),
    requireAll: rarely(),
    hasIf: rarely(),
    continueOnError: rarely(),
    attempts: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 2, max: 3 }) }),
    timeoutMs: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(5, 50) }),
    lock: rarely(),
    choice: fc.nat(1000),
  });
  return fc.record({
    nodes: fc.array(node, { minLength: 1, maxLength: maxNodes }),
    onFailure: fc.constantFrom('fail_fast', 'continue'),
    maxParallel: fc.integer({ min: 1, max: 4 }),
    timeoutMs: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(40, 400) }),
  });
}

function rarely(): fc.Arbitrary<boolean> {
  return fc.nat(4).map((n) => n === 4);
}
