import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const scripts = new URL('../../../schemas/scripts/', import.meta.url);
const generated = new URL('../../../schemas/src/generated/', import.meta.url);

const { exampleFailures }: { exampleFailures(schema: unknown): readonly string[] } = await import(
  new URL('example-failures.mjs', scripts).href
);
const { loadFileSchema, loadToolSchemas }: { loadFileSchema(kind: string): Schema; loadToolSchemas(): Map<string, Schema> } = await import(
  new URL('source-schemas.mjs', scripts).href
);

interface Schema {
  readonly $defs?: Readonly<
    Record<
      string,
      {
        readonly properties?: Readonly<Record<string, unknown>>;
        readonly examples?: readonly unknown[];
        readonly additionalProperties?: unknown;
      }
    >
  >;
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly examples?: readonly unknown[];
  readonly additionalProperties?: unknown;
}

describe('what is generated', () => {
  it('is what the schemas give today', () => {
    const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL('generate.mjs', scripts)), '--check'], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('loads nothing but a type when a validator is used', () => {
    const names = readdirSync(generated).filter((name) => name.startsWith('validate-'));
    expect(names).toHaveLength(7);
    for (const name of names) {
      const text = readFileSync(new URL(name, generated), 'utf8');
      const imports = text.split('\n').filter((line) => /^import\b/.test(line));
      expect(imports).toEqual(["import type { CompiledValidator } from '../validation.js';"]);
      expect(text).not.toMatch(/__require\(|\bimport\(|new Function/);
      // Joining lists of errors by copying them would take quadratic time on a document full of mistakes.
      expect(text).not.toContain('.concat(');
    }
  });
});

describe('the examples and defaults in the schemas', () => {
  for (const kind of ['workflow', 'agent', 'config', 'event', 'script']) {
    it(`meet the ${kind} schema, and every object of it has one`, () => {
      const schema = loadFileSchema(kind);
      expect(exampleFailures(schema)).toEqual([]);
      const bare = Object.entries(schema.$defs ?? {}).filter(
        ([, def]) => def.properties !== undefined && !('oneOf' in def) && def.examples === undefined,
      );
      expect(bare.map(([name]) => name)).toEqual([]);
    });
  }

  it('meet the schemas of the thirteen tools', () => {
    const tools = loadToolSchemas();
    expect(tools.size).toBe(13);
    expect([...tools.values()].flatMap(exampleFailures)).toEqual([]);
  });

  it('are found wrong when they are', () => {
    const schema = {
      $id: 'https://example.com/s',
      type: 'object',
      properties: { n: { type: 'integer', default: 'x', examples: [1, 1.5] } },
    };
    expect(exampleFailures(schema)).toHaveLength(2);
  });
});

describe('every object that a schema describes', () => {
  it('refuses keys that it does not know', () => {
    const roots = [...['workflow', 'agent', 'config', 'event', 'script'].map(loadFileSchema), ...loadToolSchemas().values()];
    const objects = roots.flatMap((root) => [['root', root] as const, ...Object.entries(root.$defs ?? {})]);
    const lax = objects.filter(([, def]) => def.properties !== undefined && !('oneOf' in def) && def.additionalProperties !== false);
    expect(objects.length).toBeGreaterThan(100);
    expect(lax.map(([name]) => name)).toEqual([]);
  });
});

describe('an agent file', () => {
  it('has the keys of an inline agent and a schema version before them', () => {
    const inline = Object.keys(loadFileSchema('workflow').$defs?.Agent?.properties ?? {});
    expect(Object.keys(loadFileSchema('agent').properties ?? {})).toEqual(['schema_version', ...inline]);
  });
});
