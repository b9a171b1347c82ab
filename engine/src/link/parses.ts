import { parseExpression } from '../expression/parse.js';
import { parseTemplate } from '../template/parse.js';

export type ParsedExpression = ReturnType<typeof parseExpression>;
export type ParsedTemplate = ReturnType<typeof parseTemplate>;

/** Parses each text once a compile, however often it is written or asked for. */
export interface Parses {
  expression(text: string): ParsedExpression;
  template(text: string): ParsedTemplate;
}

export function newParses(): Parses {
  const expressions = new Map<string, ParsedExpression>();
  const templates = new Map<string, ParsedTemplate>();
  return {
    expression: (text) => once(expressions, text, parseExpression),
    template: (text) => once(templates, text, parseTemplate),
  };
}

function once<T>(known: Map<string, T>, text: string, parse: (text: string) => T): T {
  const found = known.get(text);
  if (found !== undefined) return found;
  const made = parse(text);
  known.set(text, made);
  return made;
}
