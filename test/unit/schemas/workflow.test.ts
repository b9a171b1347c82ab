import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ValidationIssue } from '../../../schemas/src/validation.js';
import { validateWorkflow } from '../../../schemas/src/workflow.js';
import { requirements } from '../requirement.js';

type Fields = Readonly<Record<string, unknown>>;

/** A node of each type with every key that it can have, and one mistake with the issue that it must give. */
const cases: Readonly<Record<string, { readonly good: Fields; readonly bad: Fields; readonly issue: string }>> = {
  input: { good: {}, bad: { retry: { max: 2 } }, issue: ' additionalProperties retry' },
  tool: {
    good: {
      tool: 'http_request',
      tool_config: { url: 'https://example.com', nested: [1, { a: null }] },
      input_mapping: { body: 'inputs.body' },
      output_mapping: { status: 'result.status' },
      output_schema: { type: 'object' },
      effect: 'idempotent',
      cache: { files: ['a'], outputs: ['b'], env: ['C'], ttl_ms: 5 },
      retry: { max: 3, backoff: 'linear', backoff_ms: 0, max_backoff_ms: 10, jitter: 0.5, retry_on: ['tool_failed', 'user.flaky'] },
      timeout_ms: 1,
      continue_on_error: true,
      lock: 'db',
    },
    bad: { tool: 'notify', input_mapping: { title: 3 } },
    issue: '/input_mapping/title type string',
  },
  agent: {
    good: {
      agent_ref: 'writer',
      prompt_template: 'Write {{ inputs.topic }}',
      system_prompt_append: 'Be brief.',
      tools: ['read_file'],
      agent_config: {
        read_file: { tool_config: { max_bytes: 10 }, input_mapping: {}, output_mapping: { text: 'result.content' }, effect: 'idempotent' },
      },
      invokes: ['reviewer'],
      invoke_only: false,
      provider: 'scripted',
      model: 'demo',
      temperature: 0,
      max_tokens: 1,
      reasoning_effort: 'off',
      output_schema: true,
      output_modalities: ['text', 'image'],
      max_turns: 1,
      approve: ['write_file'],
      cache: true,
      lock: 'model',
    },
    bad: { agent_ref: 'writer', temperature: 3 },
    issue: '/temperature maximum 2',
  },
  condition: {
    good: {
      expression: 'inputs.x',
      branches: [
        { when: true, target_node: 'a' },
        { when: 'red', target_node: 'b' },
        { when: 2, target_node: 'c' },
      ],
      default: 'd',
    },
    bad: { expression: 'x', branches: [{ when: null, target_node: 'a' }] },
    issue: '/branches/0/when type boolean,string,number',
  },
  transform: { good: { transform: '1', output_schema: {} }, bad: { transform: '' }, issue: '/transform minLength 1' },
  parallel: { good: { parallel_of: ['a', 'b'] }, bad: { parallel_of: [] }, issue: '/parallel_of minItems 1' },
  merge: {
    good: { merge_strategy: 'custom', merge_fn: 'branches.length', join_strategy: 'wait_n', wait_n: 2, losers: 'finish' },
    bad: { merge_strategy: 'concat', wait_n: 2 },
    issue: '/wait_n false schema ',
  },
  human_gate: {
    good: {
      gate_type: 'input',
      assignee: 'release team',
      message_template: 'Which version?',
      input_schema: { type: 'string' },
      timeout_action: 'approve',
      timeout_ms: 86_400_000,
      approves: ['commit'],
    },
    bad: { gate_type: 'approve' },
    issue: '/gate_type enum approval,input,review',
  },
  loop: {
    good: {
      for_each: 'inputs.list',
      until: 'prev > 3',
      as: 'file',
      index_as: 'i',
      initial: '0',
      max_iterations: 5,
      max_parallel: 64,
      on_item_error: 'continue',
      body: { nodes: [{ id: 'inner', type: 'transform', transform: 'file' }], edges: [] },
      collect: 'run.outputs["inner"]',
      cache: false,
    },
    bad: { while: 'true', max_parallel: 65, body: { nodes: [{ id: 'inner', type: 'transform', transform: '1' }] } },
    issue: '/max_parallel maximum 64',
  },
  subworkflow: {
    good: { workflow: './child.relavium.yaml', input_mapping: { a: '1' }, output_mapping: { b: 'result.out' } },
    bad: {},
    issue: ' required workflow',
  },
  wait: { good: { duration_ms: 3_000_000_000 }, bad: {}, issue: ' anyOf duration_ms,until' },
  fail: {
    good: { code: 'no_changes', message: 'Nothing to do' },
    bad: { code: 'user.x', message: '' },
    issue: '/code pattern ^[A-Za-z][A-Za-z0-9_-]*$',
  },
  output: {
    good: { value: 'inputs.x', output_format: 'json', save_to: 'out/{{ run.id }}.json' },
    bad: { output_format: 'yaml' },
    issue: '/output_format enum text,markdown,json,media',
  },
};

describe('a node', () => {
  for (const [type, { good, bad, issue }] of Object.entries(cases)) {
    it(`of type ${type} may have each of its keys`, () => {
      const common = { name: 'N', description: 'D', needs: ['a', 'gate:true'], if: 'true', join_strategy: 'require_all' };
      expect(issuesOf(withNodes({ id: 'n', type, ...common, ...good }))).toEqual([]);
    });

    it(`of type ${type} with one mistake gives one issue`, () => {
      expect(issuesOf(withNodes({ id: 'n', type, ...bad }))).toEqual([`/workflow/nodes/0${issue}`]);
    });

    it(`of type ${type} may have no key of its own invention`, () => {
      expect(issuesOf(withNodes({ id: 'n', type, ...good, tranform: 1 }))).toEqual(['/workflow/nodes/0 additionalProperties tranform']);
    });
  }

  it('of no type or of an unknown one gives one issue that names the types', () => {
    const known = Object.keys(cases).join();
    expect(issuesOf(withNodes({ id: 'n' }))).toEqual(['/workflow/nodes/0 required type']);
    expect(issuesOf(withNodes({ id: 'n', type: 'transfrom' }))).toEqual([`/workflow/nodes/0/type enum ${known}`]);
    expect(issuesOf(withNodes({ id: 'n', type: ['tool'] }))).toEqual([`/workflow/nodes/0/type enum ${known}`]);
    expect(issuesOf(withNodes('tool'))).toEqual(['/workflow/nodes/0 type object']);
  });

  it('is checked at any depth of loops', () => {
    const loop = (inner: unknown) => ({ id: 'l', type: 'loop', for_each: '[]', body: { nodes: [inner] } });
    const node = withNodes(loop(loop({ id: 'deep', type: 'tool' })));
    expect(issuesOf(node)).toEqual(['/workflow/nodes/0/body/nodes/0/body/nodes/0 required tool']);
  });

  it('has an id of ASCII letters, digits, - and _ within 64 characters', () => {
    const idOk = (id: unknown) => issuesOf(withNodes({ id, type: 'input' })).length === 0;
    expect(['a', '7', 'A-b_9', 'x'.repeat(64)].filter((id) => !idOk(id))).toEqual([]);
    expect(['', '-a', '_a', 'a b', 'a.b', 'ä', 'a\n', 'a\u200bb', 'x'.repeat(65), 7, null].filter(idOk)).toEqual([]);
  });
});

describe('a loop', () => {
  const body = { nodes: [{ id: 'inner', type: 'transform', transform: '1' }] };

  it('needs one of for_each, while and until', () => {
    expect(issuesOf(withNodes({ id: 'l', type: 'loop', body }))).toEqual(['/workflow/nodes/0 anyOf for_each,while,until']);
  });

  it('cannot have while beside another of them', () => {
    const loop = { id: 'l', type: 'loop', while: 'true', until: 'true', for_each: '[]', body };
    expect(issuesOf(withNodes(loop))).toEqual(['/workflow/nodes/0/for_each false schema ', '/workflow/nodes/0/until false schema ']);
  });
});

describe('a value of several shapes', () => {
  it('gives one issue when it has none of them', () => {
    const tool = (fields: Fields) => withNodes({ id: 't', type: 'tool', tool: 'notify', ...fields });
    expect(issuesOf(tool({ effect: 3 }))).toEqual(['/workflow/nodes/0/effect type string,object']);
    expect(issuesOf(tool({ effect: 'never' }))).toEqual(['/workflow/nodes/0/effect const idempotent']);
    expect(issuesOf(tool({ effect: { check: { tool: 'read_file' } } }))).toEqual(['/workflow/nodes/0/effect/check required happened']);
    expect(issuesOf(tool({ cache: 'yes' }))).toEqual(['/workflow/nodes/0/cache type boolean,object']);
    expect(issuesOf(tool({ cache: { ttl: 1 } }))).toEqual(['/workflow/nodes/0/cache additionalProperties ttl']);
  });
});

describe('the parts of a workflow', () => {
  it('may all be there', () => {
    const workflow = {
      id: 'all',
      version: '1.2.0-rc.1+5',
      name: 'All',
      description: 'Everything',
      tags: ['a'],
      metadata: { any: [1] },
      trigger: { type: 'file_change', file_change: { glob: ['*.md'], ignore: ['x'], debounce_ms: 0, overlap: 'skip' } },
      inputs: [
        {
          name: 'a-b',
          type: 'string',
          required: true,
          default: 'x',
          description: 'd',
          validation: { format: 'uri', pattern: '.', enum: ['x'], min_length: 0, max_length: 3 },
        },
        { name: 'n', type: 'number', default: 1, validation: { min: 0, max: 2, enum: [1] } },
        { name: 'b', type: 'boolean', default: false },
        { name: 'f', type: 'file_path' },
        { name: 'd', type: 'code_diff' },
        { name: 's', type: 'secret', validation: { min_length: 4 } },
        { name: 'j', type: 'json', default: null, validation: { schema: { type: 'null' } } },
      ],
      context: [
        { key: 'k', value: { list: [1, '{{ inputs.n }}'] } },
        { key: 'none', value: null },
      ],
      agents: [
        { $ref: './agents/x.agent.yaml' },
        {
          id: 'inline',
          model: 'm',
          system_prompt: 'p',
          mcp_servers: [{ ref: 'docs' }, { id: 'own', transport: 'sse', url: 'https://example.com' }],
        },
      ],
      tools: {
        allowedCommands: ['npm test', ['printf', 'two words']],
        allowedCommandGlobs: ['git *'],
        allowedDomains: ['api.github.com', 'example.com:8443'],
        fs_scope: 'project',
        declarations: [
          { id: 'read_file', type: 'builtin' },
          { id: 'docs_search', type: 'mcp', server: 'docs', tool: 'search' },
          { id: 'md_lint', type: 'plugin', package: '@acme/markdown', tool: 'lint' },
          {
            id: 'get_issue',
            type: 'http',
            description: 'd',
            method: 'GET',
            url: 'https://example.com/{n}',
            parameters: { type: 'object' },
            query: { q: 'q' },
            body: 'rest',
            headers: { accept: 'text/plain' },
            credentials: [
              { from: 'token', as: { header: 'Authorization', scheme: 'Bearer' } },
              { from: { input: 's' }, as: { query: 'key' } },
            ],
          },
        ],
        mcp_servers: [
          {
            id: 'docs',
            transport: 'stdio',
            command: 'docs',
            args: ['-x'],
            env: { A: 'b' },
            secret_env: { T: 'token', U: { input: 's' } },
            cwd: '.',
            effect: { search: 'idempotent' },
          },
          {
            id: 'web',
            transport: 'http',
            url: 'https://example.com',
            credential_ref: 'token',
            tools_allowlist: ['x'],
            connect_timeout_ms: 1,
            call_timeout_ms: 1,
          },
        ],
      },
      budget: { max_cost_microcents: 0, max_tokens: 1, on_exceed: 'warn', strict_cost_cap: true },
      timeout_ms: 1,
      max_parallel: 64,
      on_failure: 'continue',
      cleanup_timeout_ms: 1,
      defaults: { retry: { max: 10 }, timeout_ms: 1, provider: 'local', model: 'm' },
      nodes: [{ id: 'a', type: 'input' }],
      edges: [{ from: 'a:true', to: 'b', label: 'l', condition: '1', on: 'error', codes: ['timeout', 'user.mine'] }],
    };
    expect(issuesOf({ schema_version: '1.0', workflow })).toEqual([]);
  });

  const mistakes: readonly (readonly [string, Fields, readonly string[]])[] = [
    ['a trigger without its settings', { trigger: { type: 'schedule' } }, ['/trigger required schedule']],
    ['a cron line of four fields', { trigger: { type: 'schedule', schedule: { cron: '* * * *' } } }, ['/trigger/schedule/cron pattern']],
    ['a default of a secret', { inputs: [{ name: 's', type: 'secret', default: 'x' }] }, ['/inputs/0 additionalProperties default']],
    ['a default of the wrong type', { inputs: [{ name: 'n', type: 'number', default: '1' }] }, ['/inputs/0/default type number']],
    [
      'a validation of another type',
      { inputs: [{ name: 'n', type: 'number', validation: { pattern: '1' } }] },
      ['/inputs/0/validation additionalProperties pattern'],
    ],
    [
      'a validation of a boolean',
      { inputs: [{ name: 'b', type: 'boolean', validation: {} }] },
      ['/inputs/0 additionalProperties validation'],
    ],
    ['a context entry without a value', { context: [{ key: 'k' }] }, ['/context/0 required value']],
    ['a key beside $ref', { agents: [{ $ref: 'x', model: 'm' }] }, ['/agents/0 additionalProperties model']],
    [
      'an inline agent with a schema version',
      { agents: [{ schema_version: '1.0', id: 'x', model: 'm', system_prompt: '' }] },
      ['/agents/0 additionalProperties schema_version'],
    ],
    [
      'a sixth fallback',
      { agents: [{ id: 'x', model: 'm', system_prompt: '', fallback_chain: Array(6).fill({ provider: 'local', model: 'm' }) }] },
      ['/agents/0/fallback_chain maxItems 5'],
    ],
    ['a domain with a scheme', { tools: { allowedDomains: ['https://example.com'] } }, ['/tools/allowedDomains/0 pattern']],
    [
      'an http tool without an address',
      { tools: { declarations: [{ id: 'x', type: 'http', method: 'GET' }] } },
      ['/tools/declarations/0 required url'],
    ],
    [
      'a server over HTTP with a command',
      { tools: { mcp_servers: [{ id: 'x', transport: 'http', url: 'https://e.com', command: 'x' }] } },
      ['/tools/mcp_servers/0 additionalProperties command'],
    ],
    [
      'a variable with a dash',
      { tools: { mcp_servers: [{ id: 'x', transport: 'stdio', command: 'x', env: { 'A-B': '' } }] } },
      ['/tools/mcp_servers/0/env propertyNames A-B'],
    ],
    ['an eleventh attempt', { defaults: { retry: { max: 11 } } }, ['/defaults/retry/max maximum 10']],
    ['codes on an edge that is no error edge', { edges: [{ from: 'a', to: 'b', codes: ['timeout'] }] }, ['/edges/0 required on']],
    ['an error code that cannot occur', { edges: [{ from: 'a', to: 'b', on: 'error', codes: ['timeot'] }] }, ['/edges/0/codes/0 enum']],
    ['a fractional limit', { max_parallel: 1.5 }, ['/max_parallel type integer']],
    ['an amount that a number cannot hold exactly', { budget: { max_cost_microcents: 2 ** 53 } }, ['/budget/max_cost_microcents maximum']],
  ];
  for (const [what, fields, expected] of mistakes) {
    it(`refuse ${what} with one issue`, () => {
      const found = issuesOf({ schema_version: '1.0', workflow: { id: 'w', nodes: [{ id: 'a', type: 'input' }], ...fields } });
      expect(found).toHaveLength(expected.length);
      expect(found.filter((issue, at) => !issue.startsWith(`/workflow${expected[at]}`))).toEqual([]);
    });
  }

  it('are all reported in one pass', () => {
    const document = {
      schema_version: 1,
      workflow: { id: 'a b', nodes: [{ type: 'tool' }, { id: 'x', type: 'wait', duration_ms: 1, until: 'x' }] },
      extra: 1,
    };
    expect(issuesOf(document).sort()).toEqual(
      [
        ' additionalProperties extra',
        '/schema_version const 1.0',
        '/schema_version type string',
        '/workflow/id pattern ^[A-Za-z0-9][A-Za-z0-9_-]*$',
        '/workflow/nodes/0 required id',
        '/workflow/nodes/0 required tool',
        '/workflow/nodes/1/until false schema ',
      ].sort(),
    );
  });
});

describe('any value', () => {
  it('is either accepted or refused with an issue, without an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const results = [validateWorkflow(value), validateWorkflow({ schema_version: '1.0', workflow: { id: 'w', nodes: [value] } })];
        expect(results.filter((result) => !result.ok && result.issues.length === 0)).toEqual([]);
      }),
    );
  });
});

function withNodes(...nodes: readonly unknown[]): unknown {
  return { schema_version: '1.0', workflow: { id: 'w', nodes } };
}

/** The issues as `path keyword value`, the value being what the rule names. */
function issuesOf(value: unknown): readonly string[] {
  const result = validateWorkflow(value);
  return result.ok ? [] : result.issues.map(summary);
}

function summary({ instancePath, keyword, params }: ValidationIssue): string {
  const named = [
    'missingProperty',
    'missingAlternatives',
    'additionalProperty',
    'allowedValues',
    'allowedValue',
    'limit',
    'type',
    'pattern',
    'propertyName',
  ];
  const key = named.find((name) => name in params);
  return `${instancePath} ${keyword} ${key === undefined ? '' : String(params[key])}`;
}

describe('declarations of tools', () => {
  const declare = (declaration: Fields) =>
    validateWorkflow({
      schema_version: '1.0',
      workflow: { id: 'w', tools: { declarations: [declaration] }, nodes: [{ id: 'a', type: 'input' }] },
    });
  const kinds: Readonly<Record<string, Fields>> = {
    builtin: { id: 'read_file', type: 'builtin' },
    mcp: { id: 'docs_search', type: 'mcp', server: 'docs', tool: 'search' },
    plugin: { id: 'md_lint', type: 'plugin', package: '@acme/markdown', tool: 'lint' },
    http: {
      id: 'get_issue',
      type: 'http',
      description: 'x',
      method: 'GET',
      url: 'https://api.example.com/{n}',
      parameters: { type: 'object' },
    },
  };

  it(
    requirements(['TK-02', 'TK-03', 'TK-04', 'TK-05', 'TK-06'], 'say by their type where a tool comes from, each with what its kind needs'),
    () => {
      for (const declaration of Object.values(kinds)) {
        expect(declare(declaration).ok).toBe(true);
        const { type: _, ...untyped } = declaration;
        expect(declare(untyped).ok).toBe(false);
        expect(declare({ ...declaration, type: 'other' }).ok).toBe(false);
      }
      expect(declare({ id: 'no_builtin', type: 'builtin' }).ok).toBe(false);
      for (const [kind, key] of [
        ['mcp', 'server'],
        ['mcp', 'tool'],
        ['plugin', 'package'],
        ['http', 'url'],
      ] as const) {
        const { [key]: _, ...less } = kinds[kind] as Record<string, unknown>;
        expect(declare(less).ok).toBe(false);
      }
    },
  );
});
