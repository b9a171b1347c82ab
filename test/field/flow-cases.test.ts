import { describe, expect, it } from 'vitest';
import { caseFiles } from './case-files.js';
import { openProject, type Ran } from './project.js';

describe('F06: the output of a skipped node', () => {
  const workflow = (content: string) => `schema_version: '1.0'
workflow:
  id: skipped
  context: [{ key: go, value: false }]
  nodes:
    - id: check
      type: condition
      expression: ctx.go
      branches: [{ when: true, target_node: maybe }, { when: false, target_node: final }]
    - { id: maybe, type: tool, tool: read_file, tool_config: { path: a.txt }, output_mapping: { note: result.content } }
    - id: final
      type: tool
      tool: write_file
      needs: [maybe]
      tool_config: { path: out.txt }
      input_mapping: { content: '${content}' }
`;

  it('reads as undefined, for which an expression can have a default', async () => {
    const project = openProject({ 'a.txt': 'text' });
    const { status, nodes, tookMs } = await project.run(workflow('"note=[" + (run.outputs["maybe"]?.note ?? "") + "]"'));
    expect({ status, maybe: nodes.maybe }).toEqual({ status: 'succeeded', maybe: 'skipped' });
    expect(project.file('out.txt')).toBe('note=[]');
    expect(tookMs).toBeLessThan(2_000);
    project.close();
  });

  it('without a default fails the node that reads it, and says what was undefined', async () => {
    const project = openProject({ 'a.txt': 'text' });
    const { status, error, tookMs } = await project.run(workflow('run.outputs["maybe"].note'));
    expect({ status, error: error?.code, path: error?.path }).toEqual({ status: 'failed', error: 'expression_error', path: 'final' });
    expect(error?.message).toContain("'note' of undefined");
    expect(project.file('out.txt')).toBeNull();
    expect(tookMs).toBeLessThan(2_000);
    project.close();
  });
});

describe('F07: a branch that is not taken, in front of a merge', () => {
  const workflow = `schema_version: '1.0'
workflow:
  id: mirror
  inputs: [{ name: n, type: number, required: true }]
  tools: { allowedCommands: [echo big, echo small] }
  nodes:
    - id: check
      type: condition
      expression: inputs.n > 3
      branches: [{ when: true, target_node: left }, { when: false, target_node: right }]
    - { id: left, type: tool, tool: run_command, tool_config: { command: echo, args: [big] }, output_mapping: { word: result.stdout } }
    - { id: right, type: tool, tool: run_command, tool_config: { command: echo, args: [small] }, output_mapping: { word: result.stdout } }
    - { id: join, type: merge, merge_strategy: first, needs: [left, right] }
    - id: report
      type: tool
      tool: write_file
      needs: [join]
      tool_config: { path: out.txt }
      input_mapping: { content: 'run.outputs["join"].word' }
`;

  it.each([
    { n: 4, taken: 'left', skipped: 'right', word: 'big' },
    { n: 1, taken: 'right', skipped: 'left', word: 'small' },
  ])('does not keep the merge from running once with the other ($word)', async ({ n, taken, skipped, word }) => {
    const project = openProject();
    const ran = await project.run(workflow, { inputs: { n } });
    expect(ran.status).toBe('succeeded');
    expect(ran.nodes).toMatchObject({ [taken]: 'succeeded', [skipped]: 'skipped', join: 'succeeded', report: 'succeeded' });
    expect(startsOf(ran, 'join')).toBe(1);
    expect(startsOf(ran, 'report')).toBe(1);
    expect(project.file('out.txt')).toMatch(new RegExp(`^${word}`));
    project.close();
  });
});

describe('F08: a fan-in of branches of unequal length', () => {
  const command = (id: string, run: string, needs = '') =>
    `    - { id: ${id}, type: tool, tool: run_command${needs}, tool_config: { command: ${run} } }`;
  const workflow = `schema_version: '1.0'
workflow:
  id: fan-in
  tools: { allowedCommands: ['true', 'sleep 0.3'] }
  nodes:
    - { id: start, type: parallel, parallel_of: [a, b1] }
${command('a', "'true'")}
${command('b1', "'true'")}
${command('b2', "'true'", ', needs: [b1]')}
${command('b3', "sleep, args: ['0.3']", ', needs: [b2]')}
    - { id: join, type: merge, merge_strategy: concat, needs: [a, b3] }
    - { id: mark, type: tool, tool: write_file, needs: [join], tool_config: { path: log.txt, content: "x\\n", append: true } }
`;

  it('starts once, when the last branch has ended', async () => {
    const project = openProject();
    const ran = await project.run(workflow);
    expect(ran.status).toBe('succeeded');
    expect(startsOf(ran, 'join')).toBe(1);
    expect(startsOf(ran, 'mark')).toBe(1);
    expect(project.file('log.txt')).toBe('x\n');
    const at = (type: string, node: string) =>
      ran.events.findIndex((event) => event.type === type && 'node' in event && event.node === node);
    expect(at('node:started', 'join')).toBeGreaterThan(at('node:succeeded', 'a'));
    expect(at('node:started', 'join')).toBeGreaterThan(at('node:succeeded', 'b3'));
    project.close();
  });
});

describe('F09: the text "false" where a boolean is meant', () => {
  const probe = `schema_version: '1.0'
workflow:
  id: probe
  inputs: [{ name: script, type: string, default: files/F09_says_false.sh }]
  tools: { allowedCommandGlobs: ['sh *'] }
  nodes:
    - id: probe
      type: tool
      tool: run_command
      tool_config: { command: sh }
      input_mapping: { args: '[inputs.script]' }
      output_mapping: { flag: result.stdout }
    - { id: safe, type: tool, tool: write_file, tool_config: { path: safe.txt, content: ran } }
    - { id: danger, type: tool, tool: write_file, tool_config: { path: danger.txt, content: ran }`;
  const flag = 'run.outputs["probe"].flag';
  const ways = {
    'a condition': `${probe} }
    - id: check
      type: condition
      needs: [probe]
      expression: ${flag}
      branches: [{ when: true, target_node: danger }, { when: false, target_node: safe }]
`,
    'an if': `${probe}, needs: [probe], if: '${flag}' }\n`,
    'the condition of an edge': `${probe} }
  edges: [{ from: probe, to: danger, condition: '${flag}' }]
`,
    'a while': `${probe}, needs: [each] }
    - { id: each, type: loop, needs: [probe], while: '${flag}', body: { nodes: [{ id: one, type: transform, transform: '1' }] } }
`,
  };
  const files = { ...caseFiles(), 'zero.sh': "printf '0'\n", 'nothing.sh': '' };
  const scripts = { 'files/F09_says_false.sh': '"false"', 'zero.sh': '"0"', 'nothing.sh': '""' };

  for (const [way, workflow] of Object.entries(ways)) {
    it.each(Object.entries(scripts))(
      `in ${way} is neither true nor false: the run stops and shows value and type (%s)`,
      async (script, shown) => {
        const project = openProject(files);
        const { status, error } = await project.run(workflow, { inputs: { script } });
        expect(status).toBe('failed');
        expect(project.file('danger.txt')).toBeNull();
        expect(error?.message).toContain(shown);
        expect(error?.message).toMatch(/\btext\b/);
        project.close();
      },
    );
  }
});

function startsOf({ events }: Ran, node: string): number {
  return events.filter((event) => event.type === 'node:started' && event.node === node).length;
}
