import { withArticle } from '../diagnostics/article.js';
import { missingKey, tooMany, unknownKey, validation, valueNotAllowed, wrongType } from '../diagnostics/catalogue/schema.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import { didYouMean, nearName, onlyNearName } from '../diagnostics/near-name.js';
import { shown } from '../diagnostics/shown.js';
import type { Json } from '../json.js';
import type { Path, YamlDocument } from '../parse/yaml-document.js';
import { otherWord } from './other-words.js';
import { knownKeys, ruleWords, type SchemaNode, schemaAt } from './schema-walk.js';

/** An issue as the precompiled validators give it. */
export interface SchemaIssue {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface LocatedIssue {
  readonly issue: SchemaIssue;
  readonly path: Path;
}

interface Located extends LocatedIssue {
  readonly value: Json | undefined;
}

/** The path of each issue; segments that look like numbers are indexes only where a list is. */
export function locatedIssues(document: YamlDocument, issues: readonly SchemaIssue[]): readonly LocatedIssue[] {
  return issues.map((issue) => ({ issue, path: pathOf(issue.instancePath, document.value) }));
}

/** Schema issues as findings at the right place. A misspelt key is one finding, not a surplus key and a missing one. */
export function schemaDiagnostics(document: YamlDocument, schema: SchemaNode, issues: readonly LocatedIssue[]): readonly Diagnostic[] {
  const located = issues.map(({ issue, path }) => ({ issue, path, value: valueAt(document.value, path) }));
  const misspelt = misspeltKeys(document, schema, located);
  return located
    .filter(({ issue }) => issue.keyword !== 'required' || !misspelt.has(`${issue.instancePath} ${issue.params.missingProperty}`))
    .map((one) => diagnosticOf(document, schema, one));
}

function diagnosticOf(document: YamlDocument, schema: SchemaNode, located: Located): Diagnostic {
  const { issue, path, value } = located;
  switch (issue.keyword) {
    case 'additionalProperties':
      return unknownKeyAt(document, schema, located);
    case 'required':
    case 'anyOf': {
      const data = { key: missingNames(issue), owner: ownerName(schema, document.value, path) };
      return diagnose(missingKey, document.source, document.rangeOf(path, 'key'), data);
    }
    case 'type': {
      const data = { expected: typeNames(issue.params.type), found: described(value) };
      const advice = { suggestion: quoteAdvice(issue.params.type, value) };
      return diagnose(wrongType, document.source, document.rangeOf(path, 'value'), data, advice);
    }
    case 'enum':
    case 'const':
      return notAllowedAt(document, located);
    case 'maxItems':
      if (isCeiling(path)) {
        const data = { what: String(path.at(-1)), count: (value as readonly Json[]).length, limit: Number(issue.params.limit) };
        return diagnose(tooMany, document.source, document.rangeOf(path, 'key'), data);
      }
      return diagnose(validation, document.source, document.rangeOf(path, 'value'), { what: sentence(located, schema, document) });
    case 'propertyNames': {
      const key = String(issue.params.propertyName);
      const what = `${shown(key)} is no usable name here`;
      return diagnose(validation, document.source, document.rangeOf([...path, key], 'key'), { what });
    }
    case 'false schema':
      return diagnose(validation, document.source, document.rangeOf(path, 'key'), { what: sentence(located, schema, document) });
    default:
      return diagnose(validation, document.source, document.rangeOf(path, 'value'), { what: sentence(located, schema, document) });
  }
}

function unknownKeyAt(document: YamlDocument, schema: SchemaNode, { issue, path, value }: Located): Diagnostic {
  const key = String(issue.params.additionalProperty);
  const free = freeKeys(document, schema, path, value);
  const range = document.rangeOf([...path, key], 'key');
  const meant = otherWord(key, free);
  const only = meant === undefined ? onlyNearName(key, free) : undefined;
  const suggestion =
    meant ??
    didYouMean(nearName(key, free)) ??
    (free.length > 0 && free.length <= 12 ? `keys that can stand here: ${free.join(', ')}` : undefined);
  const fix = only === undefined ? undefined : { range, text: only };
  return diagnose(unknownKey, document.source, range, { key, owner: ownerName(schema, document.value, path) }, { suggestion, fix });
}

function notAllowedAt(document: YamlDocument, { issue, path, value }: Located): Diagnostic {
  const values = (issue.keyword === 'const' ? [issue.params.allowedValue] : issue.params.allowedValues) as readonly Json[];
  const range = document.rangeOf(path, 'value');
  const words = values.filter((one) => typeof one === 'string');
  const near = typeof value === 'string' ? nearName(value, words) : words.find((word) => word === String(value));
  const only = typeof value === 'string' ? onlyNearName(value, words) : undefined;
  const data = { value: shown(value), allowed: values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) };
  const fix = only !== undefined && isPlainWord(document, range) ? { range, text: only } : undefined;
  return diagnose(valueNotAllowed, document.source, range, data, { suggestion: didYouMean(near), fix });
}

/** Only a bare word may be replaced by a bare word; inside quotes the range holds the quotes too. */
function isPlainWord(document: YamlDocument, range: { start: number; end: number }): boolean {
  return /^[A-Za-z][\w-]*$/.test(document.source.text.slice(range.start, range.end));
}

/** Known keys of the object that it does not have yet. */
function freeKeys(document: YamlDocument, schema: SchemaNode, path: Path, value: Json | undefined): readonly string[] {
  const keys = knownKeys(schemaAt(schema, document.value, path));
  return keys.filter((key) => typeof value !== 'object' || value === null || !Object.hasOwn(value, key));
}

function misspeltKeys(document: YamlDocument, schema: SchemaNode, located: readonly Located[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { issue, path, value } of located) {
    if (issue.keyword !== 'additionalProperties') continue;
    const near = nearName(String(issue.params.additionalProperty), freeKeys(document, schema, path, value));
    if (near !== undefined) found.add(`${issue.instancePath} ${near}`);
  }
  return found;
}

function missingNames(issue: SchemaIssue): string {
  const alternatives = issue.params.missingAlternatives;
  return Array.isArray(alternatives) ? alternatives.join('" or "') : String(issue.params.missingProperty);
}

function ownerName(schema: SchemaNode, root: Json, path: Path): string {
  const title = schemaAt(schema, root, path)?.title;
  if (typeof title !== 'string') return path.length === 0 ? 'the file' : `"${path.at(-1)}"`;
  const lower = /^[A-Z]{2}/.test(title) ? title : title[0]?.toLowerCase() + title.slice(1);
  return withArticle(lower);
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'a map',
  array: 'a list',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'nothing',
};

function typeNames(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  return types.map((one) => TYPES[String(one)] ?? String(one)).join(' or ');
}

function described(value: Json | undefined): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string' ? `the text ${shown(value)}` : `the ${typeof value} ${shown(value)}`;
}

function quoteAdvice(type: unknown, value: Json | undefined): string | undefined {
  if (type !== 'string' || (typeof value !== 'number' && typeof value !== 'boolean')) return undefined;
  return `write it with quotes: '${String(value)}'`;
}

function isCeiling(path: Path): boolean {
  const last = path.at(-1);
  return last === 'nodes' || last === 'edges' || last === 'parallel_of';
}

function sentence({ issue, path, value }: Located, schema: SchemaNode, document: YamlDocument): string {
  const limit = String(issue.params.limit);
  const key = path.at(-1);
  const name = typeof key === 'string' ? `"${key}"` : 'this item';
  switch (issue.keyword) {
    case 'false schema':
      return `${name} cannot stand together with the keys beside it`;
    case 'minItems':
      return `${name} needs at least ${limit} ${limit === '1' ? 'item' : 'items'}`;
    case 'maxItems':
      return `${name} has more than ${limit} items`;
    case 'minLength':
      return limit === '1' ? `${name} must not be empty` : `${name} needs at least ${limit} characters`;
    case 'maxLength':
      return `${name} has more than ${limit} characters`;
    case 'minimum':
      return `${shown(value)} is below the smallest allowed value, ${limit}`;
    case 'maximum':
      return `${shown(value)} is above the largest allowed value, ${limit}`;
    case 'exclusiveMinimum':
      return `${shown(value)} must be above ${limit}`;
    case 'uniqueItems':
      return `${name} holds the same item twice`;
    case 'pattern': {
      const words = ruleWords(schemaAt(schema, document.value, path));
      return `${shown(value)} is not allowed here${words === undefined ? '' : `; expected: ${words}`}`;
    }
    default:
      return `${name} does not meet the rule "${issue.keyword}"`;
  }
}

function pathOf(pointer: string, root: Json): Path {
  const path: (string | number)[] = [];
  let value: Json | undefined = root;
  for (const segment of pointer.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(value) ? Number(key) : key;
    path.push(step);
    value = valueAt(value ?? null, [step]);
  }
  return path;
}

function valueAt(root: Json, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, Json>)[step];
  }
  return value;
}
