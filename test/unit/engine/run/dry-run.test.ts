import { describe, expect, it } from 'vitest';
import { compile } from '../../../../engine/src/compile.js';
import type { Json } from '../../../../engine/src/json.js';
import { createRegistry } from '../../../../engine/src/registry/create-registry.js';
import { dryRun } from '../../../../engine/src/run/dry-run.js';
import { memoryProcess } from '../../../../engine/src/testing/memory-process.js';
import { memorySourceReader } from '../../../../engine/src/testing/memory-source-reader.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';
import { sharedVm } from './run-yaml.js';

const flow = `
schema_version: '1.0'
workflow:
  id: dry
  inputs: [{ name: deep, type: boolean, default: false }]
  tools: { allowedCommands: [scan] }
  nodes:
    - { id: base, type: transform, transform: '1 + 1' }
    - { id: scan, type: tool, tool: run_command, needs: [base], tool_config: { command: scan } }
    - { id: rank, type: transform, needs: [scan], transform: 'run.outputs["scan"].length' }
    - { id: more, type: tool, tool: run_command, needs: [rank], tool_config: { command: rm } }
    - { id: extra, type: transform, if: inputs.deep, transform: '2' }
    - { id: each, type: loop, for_each: '["a", "b"]', body: { nodes: [{ id: step, type: transform, transform: item }] } }
    - { id: nap, type: wait, duration_ms: 90000 }
    - { id: after, type: transform, needs: [nap], transform: '3' }
`.trim();

async function dry(mocks: Record<string, Json> = {}) {
  const { plan } = compile({ path: 'dry.relavium.yaml', text: flow }, { reader: memorySourceReader({}), tools: builtinTools });
  const registry = createRegistry({ tools: builtinTools, policy: plan!.policy, host: { process: memoryProcess({}) } });
  const begin = { runId: 'r', workflowHash: 'h', inputs: { deep: false }, context: {}, trigger: { type: 'manual' } };
  const { lines, denied } = await dryRun(plan!, begin, { vm: await sharedVm(), now: 0, registry }, new Map(Object.entries(mocks)));
  const told = Object.fromEntries(
    lines.map(({ node, decision, policy }) => [node, policy === undefined ? decision : `${decision}, ${policy.decision}`]),
  );
  return { lines, denied, told };
}

describe('a dry run', () => {
  it('evaluates what is pure, judges every call that it can, and defers what hangs on a result', async () => {
    const { told, denied } = await dry();
    expect(told).toEqual({
      base: 'done',
      scan: 'execute, allow',
      rank: 'deferred',
      more: 'deferred, deny',
      extra: 'skip',
      each: 'done',
      'each[0].step': 'done',
      nap: 'done',
      after: 'done',
    });
    expect(denied).toBe(true);
  });

  it('goes on past a result that is mocked', async () => {
    expect((await dry({ scan: 'found' })).told).toMatchObject({ scan: 'done, allow', rank: 'done', more: 'execute, deny' });
  });

  it('gives its reasons', async () => {
    const { lines } = await dry();
    expect(lines.find(({ node }) => node === 'extra')?.reason).toBe('condition_false (inputs.deep; inputs.deep is false)');
  });
});
