import { describe, expect, it } from 'vitest';
import { validateAgent } from '../../../schemas/src/agent.js';

const agent = { schema_version: '1.0', id: 'a', model: 'm', system_prompt: 'p' };

describe('an agent file', () => {
  it('may have each of its keys', () => {
    const full = {
      ...agent,
      name: 'A',
      description: 'd',
      provider: 'openai-compatible',
      base_url: 'http://127.0.0.1:11434/v1',
      temperature: 2,
      max_tokens: 1,
      reasoning_effort: 'max',
      input_schema: { type: 'object' },
      output_schema: false,
      tools: ['read_file'],
      mcp_servers: [
        { ref: 'docs', tools_allowlist: ['search'] },
        { id: 'own', transport: 'stdio', command: 'x' },
      ],
      retry: { max: 2 },
      fallback_chain: [{ provider: 'openai', model: 'm', max_attempts: 2 }],
    };
    expect(validateAgent(full)).toEqual({ ok: true, value: full });
  });

  it('needs a version, an id, a model and a prompt', () => {
    const result = validateAgent({});
    expect(result.ok ? [] : result.issues.map((issue) => issue.params.missingProperty)).toEqual([
      'schema_version',
      'id',
      'model',
      'system_prompt',
    ]);
  });

  it('gives one issue for a server that mixes a reference with a definition', () => {
    const result = validateAgent({ ...agent, mcp_servers: [{ ref: 'docs', command: 'x' }] });
    expect(result.ok ? [] : result.issues.map((issue) => `${issue.instancePath} ${issue.keyword}`)).toEqual([
      '/mcp_servers/0 additionalProperties',
    ]);
  });
});
