import { describe, expect, it } from 'vitest';
import { homeOnlyConfigKeys, validateConfig } from '../../../schemas/src/config.js';

describe('a config file', () => {
  it('may be empty or have each of its keys', () => {
    const full = {
      mcp_servers: [{ id: 'docs', transport: 'http', url: 'https://example.com' }],
      plugins: [{ package: '@acme/markdown', options: { strict: true } }],
      lint: { levels: { unused_agent: 'off' } },
      retention: { runs_days: 1, max_runs: 2, events_days: 0.5, spills_days: 0 },
      cache: { max_bytes: 0, max_age_days: 1 },
      defaults: { provider: 'local', model: 'm', timeout_ms: 1, max_parallel: 2, retry: { max: 1 } },
      prices: { 'openai:gpt-5-mini': { input: 1, output: 2, cached_input: 0 } },
      egress: { local: ['http://127.0.0.1:11434', 'http://[::1]:8080'] },
      secrets: { backend: 'file' },
      durability: { sync: 'full' },
    };
    expect(validateConfig({}).ok).toBe(true);
    expect(validateConfig(full)).toEqual({ ok: true, value: full });
    expect(homeOnlyConfigKeys.filter((key) => !(key in full))).toEqual([]);
  });

  it('allows local origins only, not addresses with a path', () => {
    expect(validateConfig({ egress: { local: ['http://127.0.0.1:11434/v1'] } }).ok).toBe(false);
  });

  it('has no place for roots', () => {
    expect(validateConfig({ roots: ['/'] }).ok).toBe(false);
  });
});
