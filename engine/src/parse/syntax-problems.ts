import type { CST, Document, YAMLError } from 'yaml';
import { yamlSyntax, yamlTag } from '../diagnostics/catalogue/reading.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import type { Range, SourceText } from '../source/source-text.js';
import { unclosedAt } from './unclosed.js';

type YamlCode = YAMLError['code'];

/** After these the parser is still in step with the text. After any other error the rest is guesswork, so only the first is shown. */
const LOCAL: ReadonlySet<YamlCode> = new Set([
  'BAD_DQ_ESCAPE',
  'ALIAS_PROPS',
  'BAD_ALIAS',
  'MULTIPLE_ANCHORS',
  'MULTIPLE_TAGS',
  'BAD_SCALAR_START',
]);

const TAGS: ReadonlySet<YamlCode> = new Set(['TAG_RESOLVE_FAILED', 'BAD_COLLECTION_TYPE']);

const WORDS: Partial<Record<YamlCode, string>> = {
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag of its own',
  BAD_ALIAS: 'this is no usable name for an anchor or an alias',
  BAD_DIRECTIVE: 'this directive is not known',
  BAD_DQ_ESCAPE: 'no such escape sequence in text between double quotes; a backslash is written as \\\\',
  BAD_INDENT: 'the indentation does not fit the lines around it',
  BAD_PROP_ORDER: 'an anchor or a tag belongs right before its value',
  BAD_SCALAR_START: 'text that starts with this character needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second "key:" in one line; quote the text, or begin the inner map on a line of its own',
  BLOCK_IN_FLOW: 'an indented map or list cannot stand between [ ] or { }',
  KEY_OVER_1024_CHARS: 'a key has at most 1024 characters',
  MULTILINE_IMPLICIT_KEY: 'this looks like a key, but a key and its colon stand in one line',
  MULTIPLE_ANCHORS: 'a value has at most one anchor',
  MULTIPLE_TAGS: 'a value has at most one tag',
  TAB_AS_INDENT: 'a tab cannot indent; use spaces',
};

/** What the YAML library found, in our words, the cascade behind a broken line left out. */
export function syntaxProblems(source: SourceText, document: Document.Parsed, tokens: readonly CST.Token[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  const tags = [...document.errors, ...document.warnings].filter((problem) => TAGS.has(problem.code));
  for (const problem of tags) found.push(diagnose(yamlTag, source, rangeOf(problem, source), { tag: textAt(problem, source) }));
  const others = [...document.errors, ...document.warnings].filter((problem) => !TAGS.has(problem.code));
  others.sort((a, b) => a.pos[0] - b.pos[0]);
  let inStep = true;
  for (const problem of others) {
    const local = LOCAL.has(problem.code);
    if (inStep || local) {
      found.push(
        unclosed(problem, source, tokens) ?? diagnose(yamlSyntax, source, rangeOf(problem, source), { what: wordsFor(problem, source) }),
      );
    }
    if (!local) inStep = false;
  }
  if (document.directives.yaml.explicit && document.directives.yaml.version !== '1.2' && found.length === 0) {
    const start = Math.max(0, source.text.indexOf('%YAML'));
    found.push(diagnose(yamlSyntax, source, { start, end: start + 5 }, { what: 'files are read as YAML 1.2; take this directive out' }));
  }
  return found;
}

/** What is never closed is shown where it opens: the library only notices at its end, which may be the end of the file. */
function unclosed(problem: YAMLError, source: SourceText, tokens: readonly CST.Token[]): Diagnostic | undefined {
  const kind = problem.message.includes('closing') ? 'quote' : problem.message.includes('end with a') ? 'bracket' : undefined;
  const start = kind === undefined ? undefined : unclosedAt(tokens, kind);
  if (start === undefined) return undefined;
  const what = { '[': 'a list that starts with [ is never closed by ]', '{': 'a map that starts with { is never closed by }' }[
    source.text[start] as string
  ];
  return diagnose(yamlSyntax, source, { start, end: start + 1 }, { what: what ?? 'a quote is opened and never closed' });
}

function rangeOf(problem: YAMLError, source: SourceText): Range {
  const start = Math.min(problem.pos[0], source.text.length);
  const line = source.text.indexOf('\n', start);
  const lineEnd = line === -1 ? source.text.length : line;
  return { start, end: Math.max(start, Math.min(problem.pos[1], lineEnd)) };
}

function textAt(problem: YAMLError, source: SourceText): string {
  const { start, end } = rangeOf(problem, source);
  return source.text.slice(start, Math.min(end, start + 60));
}

/** A missing or surplus character has one code in the library; which one it is stands in its message only. */
function wordsFor(problem: YAMLError, source: SourceText): string {
  const known = WORDS[problem.code];
  if (known !== undefined) return known;
  if (problem.code === 'MISSING_CHAR') return missing(problem.message);
  const text = textAt(problem, source).trim();
  return text === '' ? 'something is missing or unfinished here' : `unexpected ${JSON.stringify(text)}`;
}

function missing(message: string): string {
  if (message.includes('Missing ,')) return 'a comma is missing between two items';
  if (message.includes('space after')) return 'a colon needs a space behind it';
  if (message.includes('map values')) return 'a key without a colon and a value';
  if (message.includes('doc')) return 'a line --- is missing';
  return 'a character is missing here';
}
