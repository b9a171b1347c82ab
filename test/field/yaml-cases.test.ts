import { describe, expect, it } from 'vitest';
import { folderWith, relavium } from '../cli/relavium.js';
import { filledPrompt } from './filled-prompt.js';
import { openProject } from './project.js';

describe('F01: bare words that an older YAML took for booleans', () => {
  const workflow = `schema_version: '1.0'
workflow:
  id: words
  inputs:
    - { name: reply, type: string, default: No, validation: { enum: [Yes, No, on, off] } }
  nodes:
    - { id: say, type: tool, tool: write_file, tool_config: { path: out.txt }, input_mapping: { content: inputs.reply } }
`;

  it('are text, as a default and as allowed values', async () => {
    const project = openProject();
    expect(project.compile(workflow).diagnostics).toEqual([]);
    expect((await project.run(workflow)).status).toBe('succeeded');
    expect(project.file('out.txt')).toBe('No');
    expect((await project.run(workflow, { inputs: { reply: 'off' } })).status).toBe('succeeded');
    expect(project.file('out.txt')).toBe('off');
    await expect(project.run(workflow, { inputs: { reply: 'maybe' } })).rejects.toThrow(/Yes.*No.*on.*off/);
    project.close();
  });

  it('are not booleans, and only unquoted true and false are', async () => {
    const flag = (value: string) => `schema_version: '1.0'
workflow:
  id: flag
  inputs: [{ name: flag, type: boolean, default: ${value} }]
  nodes: [{ id: kind, type: transform, transform: 'typeof inputs.flag' }]
`;
    const project = openProject();
    expect((await project.run(flag('true'))).outputs).toEqual({ kind: 'boolean' });
    for (const word of ['on', 'yes', 'No', "'true'"]) {
      expect(project.compile(flag(word)).plan, word).toBeUndefined();
    }
    project.close();
  });
});

describe('F02: one key twice in a mapping', () => {
  const workflow = `schema_version: '1.0'
workflow:
  id: twice
  tools: { allowedCommands: [echo rehearsal, echo for-real] }
  nodes:
    - id: ship
      type: tool
      tool: run_command
      tool_config: { command: echo }
      input_mapping: { args: '["rehearsal"]' }
      input_mapping: { args: '["for-real"]' }
`;

  it('is refused by lint and by run before anything starts, at the second one, by name', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': workflow });
    for (const command of ['lint', 'run']) {
      const { code, stdout, stderr } = await relavium([command, 'w.relavium.yaml'], { cwd });
      expect(code, command).toBeGreaterThan(0);
      expect(stdout + stderr).toContain('duplicate_key');
      expect(stdout + stderr).toContain('input_mapping');
      expect(stdout + stderr).toMatch(/w\.relavium\.yaml:11:7\b/);
      expect(stdout).not.toMatch(/^(rehearsal|for-real)$/m);
    }
  });
});

describe('F03: an anchor that holds itself', () => {
  const workflow = (body: string) => `schema_version: '1.0'
workflow:
  id: anchors
${body}  nodes:
    - { id: one, type: tool, tool: list_directory, tool_config: { path: . } }
`;

  it('is an ordinary mistake of the file that names the anchor, within a second', async () => {
    const cwd = folderWith({ 'w.relavium.yaml': workflow('  metadata: &loop\n    name: demo\n    again: *loop\n') });
    for (const command of ['lint', 'run']) {
      const begun = performance.now();
      const { code, stdout, stderr } = await relavium([command, 'w.relavium.yaml'], { cwd });
      expect(performance.now() - begun, command).toBeLessThan(1_500);
      const invalid = await relavium([command, 'w2.relavium.yaml'], { cwd: folderWith({ 'w2.relavium.yaml': 'a: b\n' }) });
      expect(code, command).toBe(invalid.code);
      expect(stdout + stderr).toContain('recursive_alias');
      expect(stdout + stderr).toMatch(/\bloop\b/);
      expect(stdout + stderr).not.toMatch(/^ +at .*:\d+:\d+\)?$/m);
    }
  });

  it('may be used twice as long as it does not hold itself', async () => {
    const project = openProject();
    const text = workflow('  metadata:\n    first: &some { name: demo }\n    second: *some\n');
    expect(project.compile(text).diagnostics).toEqual([]);
    expect((await project.run(text)).status).toBe('succeeded');
    project.close();
  });
});

const plan = ['goal: one', '  - two: 2', '# three', 'model: other', "'"].join('\n');

describe('F04: a value that looks like YAML', () => {
  const workflow = `schema_version: '1.0'
workflow:
  id: plan
  inputs: [{ name: plan, type: string, required: true }, { name: send, type: boolean, default: false }]
  agents: [{ id: helper, provider: openai, model: stub-small, system_prompt: Helps. }]
  context:
    - key: prompt
      value: |
        Carry out this plan:
        {{inputs.plan}}
        Then stop.
  nodes:
    - { id: keep, type: tool, tool: write_file, tool_config: { path: prompt.txt }, input_mapping: { content: ctx.prompt } }
    - id: ask
      type: agent
      needs: [keep]
      if: inputs.send
      agent_ref: helper
      prompt_template: |
        Carry out this plan:
        {{inputs.plan}}
        Then stop.
`;

  it('is put into a text after the file has been read, and changes nothing else', async () => {
    const project = openProject();
    const before = project.compile(workflow);
    expect(before.diagnostics).toEqual([]);
    const { status } = await project.run(workflow, { inputs: { plan } });
    expect(status).toBe('succeeded');
    expect(project.file('prompt.txt')).toBe(`Carry out this plan:\n${plan}\nThen stop.\n`);
    expect(project.compile(workflow).plan).toEqual(before.plan);
    project.close();
  });

  it('reaches the prompt of an agent unchanged', async () => {
    expect(await filledPrompt(workflow, 'ask', { plan })).toBe(`Carry out this plan:\n${plan}\nThen stop.\n`);
  });
});

describe('F05: braces in a prompt', () => {
  const text = (input: string) => `schema_version: '1.0'
workflow:
  id: braces
  inputs: [{ name: topic, type: string, required: true }]
  agents: [{ id: helper, provider: openai, model: stub-small, system_prompt: Helps. }]
  nodes:
    - id: ask
      type: agent
      agent_ref: helper
      prompt_template: |
        Reply like {"name": "x", "tags": ["a", "b"]}.
        Shell text such as \${HOME} and an empty { } stay as they are.
        Topic: {{inputs.${input}}}
`;

  it('stay as they are; only the template is filled in', async () => {
    expect(await filledPrompt(text('topic'), 'ask', { topic: 'tea' })).toBe(
      `Reply like {"name": "x", "tags": ["a", "b"]}.\nShell text such as \${HOME} and an empty { } stay as they are.\nTopic: tea\n`,
    );
  });

  it('give no finding, and a misspelt name does', () => {
    const project = openProject();
    expect(project.compile(text('topic')).diagnostics).toEqual([]);
    const [problem, ...others] = project.compile(text('topik')).diagnostics;
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'unresolved_reference', severity: 'error' });
    expect(problem?.message).toContain('topik');
    project.close();
  });
});
