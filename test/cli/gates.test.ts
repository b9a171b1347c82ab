import { expect, it } from 'vitest';
import { pseudoTerminal } from './pseudo-terminal.js';
import { folderWith, relavium } from './relavium.js';

const flow = `schema_version: '1.0'
workflow:
  id: g
  nodes:
    - { id: ask, type: human_gate, gate_type: approval, message_template: 'Ship it?' }
    - { id: name, type: human_gate, gate_type: input, message_template: 'Its name?', needs: [ask], input_schema: { type: string, minLength: 2 } }
    - { id: out, type: output, needs: [name], value: 'run.outputs["name"].payload' }
`;

it('without a terminal a workflow with a gate is refused before anything runs', async () => {
  const cwd = folderWith({ 'g.relavium.yaml': flow });
  const { code, stdout, stderr } = await relavium(['run', 'g.relavium.yaml', '--json'], { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('"ask" asks a person');
  expect(stderr).toContain('--gates reject');
});

it('--gates reject rejects by itself', async () => {
  const cwd = folderWith({ 'g.relavium.yaml': flow });
  const { code, stderr } = await relavium(['run', 'g.relavium.yaml', '--gates', 'reject'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain('failed: ask [gate_rejected]');
});

it('in a terminal each gate asks, and an answer that does not meet its schema is asked for again', async () => {
  const cwd = folderWith({ 'g.relavium.yaml': flow });
  const screen = pseudoTerminal(['run', 'g.relavium.yaml'], cwd);
  try {
    await screen.shows('ask: Ship it?');
    screen.type('maybe');
    await screen.shows('Answer y or n.');
    screen.type('y');
    await screen.shows('name: Its name?');
    screen.type('x');
    await screen.shows('fewer than 2 characters');
    screen.type('boat');
    await screen.shows('succeeded in');
    expect(screen.text()).toMatch(/^boat$/m);
  } finally {
    screen.close();
  }
});

it('in a terminal a rejection keeps its reason', async () => {
  const cwd = folderWith({ 'g.relavium.yaml': flow });
  const screen = pseudoTerminal(['run', 'g.relavium.yaml'], cwd);
  try {
    await screen.shows('ask: Ship it?');
    screen.type('n not today');
    await screen.shows('not today');
    await screen.shows('[gate_rejected]');
  } finally {
    screen.close();
  }
});

it('in a terminal nobody is asked any more about a node that has ended, and the run ends', async () => {
  const gate = (id: string) => `{ id: ${id}, type: human_gate, gate_type: approval, message_template: '${id}?' }`;
  const cwd = folderWith({
    'two.relavium.yaml': `schema_version: '1.0'\nworkflow:\n  id: two\n  nodes: [${gate('one')}, ${gate('other')}]\n`,
  });
  const screen = pseudoTerminal(['run', 'two.relavium.yaml'], cwd);
  try {
    await screen.shows('one: one?');
    screen.type('n');
    await screen.shows('failed: one [gate_rejected]');
    expect(await screen.ended).toBe(1);
    expect(screen.text()).not.toContain('other: other?');
  } finally {
    screen.close();
  }
});

it('in a terminal a question of an agent goes with the agent: the next one is asked', async () => {
  const agent = (id: string, more: string) =>
    `{ id: ${id}, type: agent, agent_ref: writer-${id}, prompt_template: Go, approve: [write_file]${more} }`;
  const writer = (id: string) => `{ id: writer-${id}, provider: scripted, model: s, system_prompt: Write., tools: [write_file] }`;
  const cwd = folderWith({
    'w.relavium.yaml': `schema_version: '1.0'\nworkflow:\n  id: w\n  on_failure: continue\n  agents: [${writer('a')}, ${writer('b')}]\n  nodes: [${agent('a', ', timeout_ms: 1500')}, ${agent('b', '')}]\n`,
    's.yaml': `agents: { '*': [{ tool_calls: [{ name: write_file, arguments: { path: x.txt, content: x } }] }, { text: done }] }\n`,
  });
  const screen = pseudoTerminal(['run', 'w.relavium.yaml', '--model', 'scripted:s.yaml'], cwd);
  try {
    await screen.shows('a/call[1]: "a" wants to use write_file');
    await screen.shows('b/call[1]: "b" wants to use write_file');
    screen.type('y');
    await screen.shows('failed: a [timeout]');
    expect(await screen.ended).toBe(1);
  } finally {
    screen.close();
  }
});
