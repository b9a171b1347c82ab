/** Builds the input that a case describes by a recipe; `undefined` means that the argument is left out. */
export function generate(recipe: unknown): unknown {
  const generator = recipe as Recipe;
  switch (generator.kind) {
    case 'repeat':
      return (generator.unit ?? '').repeat(size(generator));
    case 'concat':
      return (generator.parts ?? []).map((part) => (typeof part === 'string' ? part : part.repeat.repeat(part.count))).join('');
    case 'array':
      return (generator.items ?? []).flatMap((item) => Array.from({ length: item.times }, () => generate(item.of)));
    case 'lines':
      return Array.from({ length: size(generator) }, () => generator.line).join('\n');
    case 'omitted':
      return undefined;
    case 'base64_bytes':
      return new Uint8Array(Buffer.from(generator.data ?? '', 'base64'));
    case 'headers':
      return Object.fromEntries(Array.from({ length: size(generator) }, (_, index) => [`X-H${index}`, 'v']));
    case 'yaml_alias_doubling':
      return `a0: &a0 [leaf, leaf]\n${numbered(size(generator), (index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`)}`;
    case 'yaml_alias_repeat':
      return `list: &list [x, x, x, x, x, x, x, x, x, x]\n${numbered(size(generator), (index) => `k${index}: *list\n`)}`;
    case 'yaml_merge_repeat':
      return `base: &b {x: 1}\n${numbered(size(generator), (index) => `m${index}: {<<: *b}\n`)}`;
    case 'yaml_nested_map':
      return `${numbered(size(generator), (index) => `${' '.repeat(index)}${generator.key ?? 'a'}:\n`)}${' '.repeat(size(generator))}1\n`;
    case 'yaml_distinct_keys':
      return numbered(size(generator), (index) => `k${index}: ${index}\n`);
    case 'schema_allof_doubling':
      return allOfDoubling(size(generator));
    default:
      throw new Error(`unknown generator: ${JSON.stringify(recipe)}`);
  }
}

interface Recipe {
  readonly kind: string;
  readonly unit?: string;
  readonly parts?: readonly (string | { readonly repeat: string; readonly count: number })[];
  readonly items?: readonly { readonly times: number; readonly of: unknown }[];
  readonly line?: string;
  readonly data?: string;
  readonly key?: string;
  readonly count?: number;
  readonly levels?: number;
  readonly depth?: number;
}

function size(generator: Recipe): number {
  return generator.count ?? generator.levels ?? generator.depth ?? 0;
}

/** YAML of `{schema, instance}`: each definition asks twice for the next one, so that a naive validator does 2^levels steps. */
function allOfDoubling(levels: number): string {
  const definitions: Record<string, unknown> = {};
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    definitions[`d${level}`] = { allOf: [next, next] };
  }
  definitions[`d${levels}`] = {};
  return JSON.stringify({ schema: { $ref: '#/$defs/d0', $defs: definitions }, instance: 1 });
}

function numbered(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('');
}
