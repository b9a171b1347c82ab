import { emitYaml } from './emit-yaml.mjs';
import { describe, mapSubschemas, resolveRef } from './source-schemas.mjs';

const introduction = `# Format reference

Every key of every file that Relavium reads or writes. This page is made from the JSON Schemas in \`schemas/\` by \`npm run generate\`;
\`relavium schema KIND\` prints the schemas themselves.

A key that is not listed is an error. A key without a default may be left out unless it is marked as required.
`;

const envelope = ['seq', 'ts', 'type', 'runId'];

/** The reference page: a section for each file kind, with a table for each object in it. */
export function emitReference(files, tools) {
  const seen = new Set();
  const scalars = new Map();
  const sections = [...files].map(([kind, root]) => fileSection(kind, root, seen, scalars));
  const toolSection = [
    '## Built-in tools',
    'Arguments that are marked *author* are set in `tool_config`, `input_mapping` or `agent_config`; a model neither sees nor sets them.',
  ];
  for (const [id, root] of tools) toolSection.push(objectSection(id, root, root, scalars), ...definitionSections(root, seen, scalars));
  const body = [...sections, toolSection.join('\n\n')].join('\n\n');
  return `${introduction}\n${smallTypes(scalars)}\n\n${body}\n`;
}

function fileSection(kind, root, seen, scalars) {
  const title = `## ${root.title}`;
  if (kind === 'event')
    return [title, root.description, envelopeTable(root, scalars), ...definitionSections(root, seen, scalars)].join('\n\n');
  return [objectSection(root.title, root, root, scalars, '##'), ...definitionSections(root, seen, scalars)].join('\n\n');
}

function envelopeTable(root, scalars) {
  const first = resolveRef(root, root.oneOf[0].$ref);
  const properties = Object.fromEntries(
    envelope.map((key) => [
      key,
      key === 'type' ? { description: 'What happened: one of the types below.', type: 'string' } : first.properties[key],
    ]),
  );
  const note = 'All events have these keys. Events that are streamed but not stored have no `seq`.';
  return `${note}\n\n${table(properties, envelope, root, scalars)}`;
}

/** Sections of what the root refers to, each under the one that mentions it first, and once on the page. */
function definitionSections(root, seen, scalars) {
  const sections = [];
  const visit = (schema) => {
    for (const ref of references(schema)) {
      const target = resolveRef(root, ref);
      if (seen.has(ref)) continue;
      seen.add(ref);
      if (hasTable(target)) sections.push(objectSection(target.title, target, root, scalars));
      else if (target.oneOf !== undefined) sections.push(unionSection(target, root));
      visit(target);
    }
  };
  visit(root);
  return sections;
}

function references(schema) {
  const found = [];
  const { $defs, ...own } = schema;
  mapSubschemas(own, (sub) => {
    if (sub.$ref !== undefined) found.push(sub.$ref);
    return sub;
  });
  return found;
}

function hasTable(schema) {
  return schema.properties !== undefined && schema.oneOf === undefined;
}

function objectSection(title, schema, root, scalars, level = '###') {
  const parts = [`${level} ${title}`];
  if (schema.description !== undefined) parts.push(schema.description);
  const properties = shownProperties(schema);
  if (Object.keys(properties).length > 0) parts.push(table(properties, schema.required, root, scalars));
  const rules = ruleSentences(schema);
  if (rules.length > 0) parts.push(rules.join(' '));
  const examples = (schema.examples ?? []).filter((example) => Object.keys(example).length > 0);
  if (examples.length > 0 && !isEvent(schema))
    parts.push(`\`\`\`yaml\n${examples.map((example) => emitYaml(example).trimStart()).join('\n---\n')}\n\`\`\``);
  return parts.join('\n\n');
}

function unionSection(schema, root) {
  const branches = schema.oneOf.map((branch) => {
    const target = resolveRef(root, branch.$ref);
    const tag = target.properties[schema.discriminator.propertyName];
    const values = (tag.enum ?? [tag.const]).map((value) => `\`${value}\``).join(', ');
    return `- ${values}: [${target.title}](#${anchor(target.title)})`;
  });
  return `### ${schema.title}\n\n${schema.description} \`${schema.discriminator.propertyName}\` says which one:\n\n${branches.join('\n')}`;
}

function isEvent(schema) {
  return schema.properties.runId !== undefined;
}

/** The envelope of events is shown once, not in each table. */
function shownProperties(schema) {
  return Object.fromEntries(Object.entries(schema.properties).filter(([key]) => !(isEvent(schema) && envelope.includes(key))));
}

function table(properties, requiredKeys, root, scalars) {
  const required = new Set(requiredKeys);
  const rows = Object.entries(properties).map(([key, property]) => {
    const cells = [
      `\`${key}\`${property.configOnly ? ' *author*' : ''}`,
      typeText(property, root, scalars),
      required.has(key) ? 'yes' : '',
      defaultText(property, root),
      describe(property, root) ?? '',
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  });
  return ['| key | type | required | default | description |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

function defaultText(property, root) {
  const value = 'default' in property ? property.default : property.$ref && resolveRef(root, property.$ref).default;
  return value === undefined ? '' : `\`${emitYaml(value)}\``;
}

function typeText(schema, root, scalars) {
  if (schema.$ref !== undefined) return refText(schema, root, scalars);
  if ('const' in schema) return `\`${schema.const}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText(branchOf(schema, type, root), root, scalars)).join(' or ');
  if (isChoice(schema)) return [schema.then, schema.else].map((branch) => typeText(branch, root, scalars)).join(' or ');
  switch (schema.type) {
    case undefined:
      return 'any value';
    case 'array':
      return `list of ${typeText(schema.items ?? {}, root, scalars)}`;
    case 'object':
      return typeof schema.additionalProperties === 'object' ? `map of ${typeText(schema.additionalProperties, root, scalars)}` : 'map';
    case 'integer':
    case 'number':
      return `${schema.type}${rangeText(schema)}`;
    default:
      return schema.type;
  }
}

function refText(schema, root, scalars) {
  const target = resolveRef(root, schema.$ref);
  if (hasTable(target) || target.oneOf !== undefined) return `[${target.title}](#${anchor(target.title)})`;
  if (isSmallType(target)) {
    scalars.set(target.title, target);
    return `[${target.title}](#small-types)`;
  }
  return typeText(target, root, scalars);
}

/** Scalars with a rule of their own are explained once; enumerations, lists and choices are written out where they are used. */
function isSmallType(schema) {
  return (
    typeof schema.type === 'string' &&
    !['array', 'object'].includes(schema.type) &&
    schema.enum === undefined &&
    !('const' in schema) &&
    schema.title !== undefined
  );
}

function isChoice(schema) {
  return schema.type === 'object' && schema.if !== undefined && schema.properties === undefined;
}

function branchOf(schema, type, root) {
  const branches = [schema.then, schema.else].filter((branch) => branch !== undefined);
  const match = branches.find((branch) => (branch.$ref ? resolveRef(root, branch.$ref).type : typeof branch.const) === type);
  return match ?? { type, items: schema.items };
}

function rangeText({ minimum, maximum }) {
  const top = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum === undefined && top === undefined) return '';
  if (top === undefined) return `, from ${minimum}`;
  return minimum === undefined ? `, up to ${top}` : `, ${minimum} to ${top}`;
}

/** Rules about several keys of one object, as sentences. */
function ruleSentences(schema) {
  const sentences = [];
  if (schema.anyOf !== undefined) sentences.push(`One of ${codes(schema.anyOf.flatMap((branch) => branch.required))} is needed.`);
  for (const [key, rule] of Object.entries(schema.dependentSchemas ?? {})) {
    sentences.push(`With \`${key}\` there can be no ${codes(Object.keys(rule.properties), 'or')}.`);
  }
  for (const rule of [...(schema.allOf ?? []), ...(schema.if === undefined ? [] : [schema])]) sentences.push(conditionalSentence(rule));
  return sentences;
}

function conditionalSentence(rule) {
  const [condition] = Object.entries(rule.if.properties ?? {});
  if (condition !== undefined)
    return `${codes(rule.then.required)} is needed with \`${condition[0]}: ${condition[1].const}\`, and can stand only there.`;
  const [[key, { const: value }]] = Object.entries(rule.then.properties);
  return `${codes(rule.if.required)} can stand only with \`${key}: ${value}\`.`;
}

function codes(names, word = 'or') {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${word} ${quoted.at(-1)}`;
}

function smallTypes(scalars) {
  const rows = [...scalars]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([title, schema]) => {
      const rules = [
        schema.else?.enum && `One of ${schema.else.enum.map((value) => `\`${value}\``).join(', ')}; or \`user.<code>\`.`,
        schema.pattern && `Pattern \`${schema.pattern}\`.`,
      ];
      const text = [schema.description, ...rules].filter(Boolean).join(' ').replaceAll('|', '\\|');
      return `| ${title} | ${schema.type}${rangeText(schema)} | ${text} |`;
    });
  return ['## Small types', '', '| name | written as | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The anchor that Markdown renderers give to a heading. */
function anchor(title) {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');
}
