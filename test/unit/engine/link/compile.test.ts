import { describe, expect, it } from 'vitest';
import { compile, compileAgentFile } from '../../../../engine/src/compile.js';
import { compileCache } from '../../../../engine/src/compile-cache.js';
import type { SourceReader } from '../../../../engine/src/ports/source-reader.js';
import { memorySourceReader } from '../../../../engine/src/testing/memory-source-reader.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';

const child = (value: string): string =>
  `schema_version: '1.0'\nworkflow:\n  id: c\n  nodes: [{ id: out, type: output, value: '${value}' }]\n`;
const parent = "schema_version: '1.0'\nworkflow:\n  id: p\n  nodes: [{ id: c, type: subworkflow, workflow: ./c.yaml }]\n";
const source = { path: 'p.yaml', text: parent };

describe('a compile cache', () => {
  it('gives the same compilation for the same texts', () => {
    const cache = compileCache();
    const ports = { reader: memorySourceReader({ 'c.yaml': child('1') }), tools: builtinTools };
    expect(cache.compile({ ...source }, ports)).toBe(cache.compile(source, ports));
  });

  it('compiles again when the file or one that it names has changed', () => {
    const cache = compileCache();
    let text = child('1');
    const reader: SourceReader = {
      relative: (from, path) => memorySourceReader({ 'c.yaml': text }).relative(from, path),
      byId: (kind, id) => memorySourceReader({}).byId(kind, id),
      ids: () => [],
    };
    const ports = { reader, tools: builtinTools };
    const first = cache.compile(source, ports);
    expect(first.plan).toBeDefined();
    text = child('inputs.x');
    expect(cache.compile(source, ports).plan).toBeUndefined();
    text = child('1');
    expect(cache.compile(source, ports).plan).toBeDefined();
    expect(cache.compile({ ...source, text: `${parent}# more\n` }, ports)).not.toBe(first);
  });

  it('notices a file that was missing and is there now', () => {
    const cache = compileCache();
    const tools = builtinTools;
    expect(cache.compile(source, { reader: memorySourceReader({}), tools }).plan).toBeUndefined();
    expect(cache.compile(source, { reader: memorySourceReader({ 'c.yaml': child('1') }), tools }).plan).toBeDefined();
  });
});

describe('compile', () => {
  const text = "schema_version: '1.0'\nworkflow:\n  id: w\n  nodes: [{ id: a, type: agent, agent_ref: writer, prompt_template: Hi }]\n";
  const agent = (prompt: string): string => `schema_version: '1.0'\nid: writer\nmodel: m\nsystem_prompt: '${prompt}'\n`;

  it('finds agents of the project, and their mistakes in their own file', () => {
    const reader = memorySourceReader({ '.relavium/agents/writer.agent.yaml': agent('About {{ inputs.topic }}') });
    const { diagnostics, sources } = compile({ path: 'w.yaml', text }, { reader, tools: builtinTools });
    expect(diagnostics.map((found) => `${found.source.path} ${found.code}`)).toEqual([
      '.relavium/agents/writer.agent.yaml unresolved_reference',
    ]);
    expect(sources).toHaveLength(2);
  });

  it('reads each file once, however often it is named', () => {
    const twice = text.replace('nodes: [', 'nodes: [{ id: b, type: agent, agent_ref: writer, prompt_template: Hi, needs: [a] }, ');
    const reader = memorySourceReader({ '.relavium/agents/writer.agent.yaml': agent('{{ nope }}') });
    const { diagnostics } = compile({ path: 'w.yaml', text: twice }, { reader, tools: builtinTools });
    expect(diagnostics.map((found) => found.code)).toEqual(['unresolved_reference']);
  });

  it('hides suppressed warnings and keeps errors', () => {
    const noisy =
      "schema_version: '1.0'\nworkflow:\n  id: w\n  nodes:\n    # relavium-ignore[retry_on_pure]: wanted\n    - { id: a, type: transform, transform: '1', retry: { max: 2 } }\n";
    expect(compile({ path: 'w.yaml', text: noisy }, { reader: memorySourceReader({}), tools: [] }).diagnostics).toEqual([]);
  });

  it('never echoes what looks like a credential', () => {
    const token = `ghp_${'0123456789abcdefghij'.repeat(2)}`.slice(0, 40);
    const secret = text.replace("schema_version: '1.0'", `schema_version: '${token}'`);
    const { diagnostics } = compile({ path: 'w.yaml', text: secret }, { reader: memorySourceReader({}), tools: [] });
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(JSON.stringify(diagnostics.map((found) => [found.message, found.suggestion]))).not.toContain(token);
  });
});

describe('an agent file by itself', () => {
  const ports = { reader: memorySourceReader({}), tools: builtinTools };

  it('is checked for what is wrong in every workflow', () => {
    const text =
      "schema_version: '1.0'\nid: a\nmodel: m\ntools: [read_fil, declared_elsewhere, mcp_docs_search]\nsystem_prompt: '{{ inputs.x }} {{ inpts.y }} {{ run.outputs[\"n\"] }}'\noutput_schema: { type: txt }\n";
    const { diagnostics } = compileAgentFile({ path: 'a.agent.yaml', text }, ports);
    expect(diagnostics.map((found) => found.code)).toEqual(['unknown_tool', 'unresolved_reference', 'scope_violation', 'invalid_schema']);
  });

  it('that is good has no findings', () => {
    const text = "schema_version: '1.0'\nid: a\nmodel: m\nsystem_prompt: 'Be brief about {{ ctx.topic }}.'\n";
    expect(compileAgentFile({ path: 'a.agent.yaml', text }, ports).diagnostics).toEqual([]);
  });
});
