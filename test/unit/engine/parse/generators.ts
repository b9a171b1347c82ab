type Generator = Readonly<Record<string, unknown>>;

/** The bytes of a corpus case: its text, or what its generator makes. */
export function bytesOf(input: string, generator: Generator | undefined): Uint8Array {
  if (generator?.kind === 'base64_bytes') return Uint8Array.from(Buffer.from(String(generator.data), 'base64'));
  return new TextEncoder().encode(generator === undefined ? input : textOf(generator));
}

function textOf(generator: Generator): string {
  const count = Number(generator.count);
  switch (generator.kind) {
    case 'repeat':
      return String(generator.unit).repeat(count);
    case 'concat':
      return (generator.parts as readonly (string | { repeat: string; count: number })[])
        .map((part) => (typeof part === 'string' ? part : part.repeat.repeat(part.count)))
        .join('');
    case 'yaml_merge_repeat':
      return ['base: &b {x: 1}', ...Array.from({ length: count }, (_, index) => `m${index}: {<<: *b}`)].join('\n');
    case 'yaml_nested_map':
      return `${Array.from({ length: Number(generator.depth) }, (_, index) => `${' '.repeat(index)}${generator.key}:\n`).join('')}${' '.repeat(Number(generator.depth))}1`;
    case 'schema_allof_doubling':
      return allOfDoubling(Number(generator.levels));
    default:
      throw new Error(`no generator ${String(generator.kind)}`);
  }
}

function allOfDoubling(levels: number): string {
  const lines = ['schema:', "  $ref: '#/$defs/d0'", '  $defs:'];
  for (let index = 0; index < levels; index += 1) {
    const next = `{ $ref: '#/$defs/d${index + 1}' }`;
    lines.push(`    d${index}: { allOf: [${next}, ${next}] }`);
  }
  lines.push(`    d${levels}: true`, 'instance: 1');
  return lines.join('\n');
}
