import { expect, it } from 'vitest';
import { unusedAgents } from '../../../../engine/src/link/unused-agents.js';

it('agent files that no workflow reads are told at their id', () => {
  const agent = (id: string): { path: string; text: string } => ({
    path: `${id}.agent.yaml`,
    text: `schema_version: '1.0'\nid: ${id}\nmodel: m\nsystem_prompt: x\n`,
  });
  const broken = { path: 'broken.agent.yaml', text: 'id: [\n' };
  const found = unusedAgents([agent('one'), agent('two'), broken], [agent('one'), { path: 'w.yaml', text: '' }]);
  expect(found.map((one) => [one.code, one.source.path, one.source.text.slice(one.range.start, one.range.end)])).toEqual([
    ['unused_agent', 'two.agent.yaml', 'two'],
  ]);
});
