import { schemaDocuments } from '@relavium/schemas/documents';
import { expect, it } from 'vitest';
import { MAX_EDGES, MAX_FAN_OUT, MAX_NODES, MAX_PARALLEL } from '../../../../engine/src/plan/ceilings.js';

it('the ceilings are those that the schema already refuses where it can', () => {
  const { $defs } = schemaDocuments.workflow as {
    readonly $defs: Readonly<Record<string, { readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>> }>>;
  };
  const rule = (owner: string, key: string): Readonly<Record<string, unknown>> | undefined => $defs[owner]?.properties[key];
  expect(rule('Workflow', 'nodes')?.maxItems).toBe(MAX_NODES);
  expect(rule('LoopBody', 'nodes')?.maxItems).toBe(MAX_NODES);
  expect(rule('Workflow', 'edges')?.maxItems).toBe(MAX_EDGES);
  expect(rule('ParallelNode', 'parallel_of')?.maxItems).toBe(MAX_FAN_OUT);
  expect(rule('Workflow', 'max_parallel')?.maximum).toBe(MAX_PARALLEL);
  expect(rule('LoopNode', 'max_parallel')?.maximum).toBe(MAX_PARALLEL);
});
