import { type AnyNode, type Options, Parser, type TokenType, tokTypes } from 'acorn';
import { MAX_EXPRESSION_LENGTH } from './expression.js';

/** A syntax error: offsets in the text, in UTF-16 units. */
export interface SyntaxProblem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

export type Syntax = { readonly node: AnyNode } | { readonly error: SyntaxProblem };

/** Node offsets count from the parenthesis that is put before the text: subtract this to get offsets in the text. */
export const SYNTAX_OFFSET = 1;

/**
 * Reads a text as one strict JavaScript expression, as if it stood in parentheses. Never throws, whatever the text: nesting is
 * bounded here and not by the stack that happens to be left.
 */
export function readSyntax(text: string): Syntax {
  if (text.length > MAX_EXPRESSION_LENGTH) {
    const message = `the expression has ${text.length} characters, the limit is ${MAX_EXPRESSION_LENGTH}`;
    return { error: { message, start: 0, end: text.length } };
  }
  const half = text.search(LONE_SURROGATE);
  if (half >= 0) return { error: at(text, half, half + 1, 'half of a surrogate pair stands alone') };
  let foreignComment = -1;
  const options: Options = {
    ecmaVersion: 2024,
    sourceType: 'script',
    strict: true,
    allowHashBang: false,
    // Read as such, so that it can be refused by its name.
    allowAwaitOutsideFunction: true,
    onComment: (_block, _text, start) => {
      // Scripts read `<!--` and `-->` as comments, modules do not: a text that means two things is refused.
      if (foreignComment < 0 && source[start] !== '/') foreignComment = start - SYNTAX_OFFSET;
    },
  };
  const source = `(${text}\n)`;
  try {
    const node = new ExpressionParser(options, source).parseOnly();
    if (foreignComment >= 0) return { error: at(text, foreignComment, foreignComment + 3, 'an HTML comment is not allowed here') };
    return { node };
  } catch (error) {
    return { error: problemFrom(error, text) };
  }
}

/** Nested expressions, statements, patterns and groups; the VM and acorn both manage more than this on the stacks they have. */
const MAX_NESTING = 200;
/** Operators in one chain that acorn reads by recursion (`a + a + …`, `!!!…`). */
const MAX_CHAIN = 1000;

/** Text crosses to the VM as UTF-8, which has no form for half of a pair. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** The part of acorn's parser that is not in its types. All of it is there for plugins. */
interface ParserInternals {
  readonly type: TokenType;
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  readonly input: string;
  nextToken(): void;
  next(): void;
  unexpected(): never;
  raise(position: number, message: string): never;
  parseExpression(...rest: unknown[]): AnyNode;
  parseMaybeAssign(...rest: unknown[]): AnyNode;
  parseMaybeUnary(...rest: unknown[]): AnyNode;
  parseExprOp(...rest: unknown[]): AnyNode;
  parseNew(...rest: unknown[]): AnyNode;
  parseStatement(...rest: unknown[]): AnyNode;
  parseBindingAtom(...rest: unknown[]): AnyNode;
  regexp_disjunction(...rest: unknown[]): void;
}

const AcornParser = Parser as unknown as new (options: Options, input: string) => ParserInternals;

/** Invariant: `nesting` and `chain` are the depths of the calls that are on the stack; an error ends the parse, so they need no unwinding. */
class ExpressionParser extends AcornParser {
  private nesting = 0;
  private chain = 0;

  /** The expression between the first and the last character, which must be the parentheses that `readSyntax` put there. */
  parseOnly(): AnyNode {
    this.nextToken();
    this.next();
    const node = this.parseExpression();
    if (this.type !== tokTypes.parenR || this.end !== this.input.length) this.unexpected();
    return node;
  }

  override parseMaybeAssign(...rest: unknown[]): AnyNode {
    this.deeper();
    const node = super.parseMaybeAssign(...rest);
    this.nesting--;
    return node;
  }

  override parseStatement(...rest: unknown[]): AnyNode {
    this.deeper();
    const node = super.parseStatement(...rest);
    this.nesting--;
    return node;
  }

  override parseBindingAtom(...rest: unknown[]): AnyNode {
    this.deeper();
    const node = super.parseBindingAtom(...rest);
    this.nesting--;
    return node;
  }

  override parseNew(...rest: unknown[]): AnyNode {
    this.deeper();
    const node = super.parseNew(...rest);
    this.nesting--;
    return node;
  }

  override regexp_disjunction(...rest: unknown[]): void {
    this.deeper();
    super.regexp_disjunction(...rest);
    this.nesting--;
  }

  override parseMaybeUnary(...rest: unknown[]): AnyNode {
    this.longer();
    const node = super.parseMaybeUnary(...rest);
    this.chain--;
    return node;
  }

  override parseExprOp(...rest: unknown[]): AnyNode {
    this.longer();
    const node = super.parseExprOp(...rest);
    this.chain--;
    return node;
  }

  private deeper(): void {
    if (++this.nesting > MAX_NESTING) this.raise(this.start, `nested more than ${MAX_NESTING} levels deep`);
  }

  private longer(): void {
    if (++this.chain > MAX_CHAIN) this.raise(this.start, `more than ${MAX_CHAIN} operators in one chain`);
  }
}

function problemFrom(error: unknown, text: string): SyntaxProblem {
  const raised = error as { readonly pos?: unknown; readonly raisedAt?: unknown; readonly message: string };
  // Acorn turns an overflow inside an expression into an error with a position; one in a regular expression comes through as it is.
  if (error instanceof RangeError) return { message: 'nested too deeply', start: 0, end: text.length };
  if (!(error instanceof SyntaxError) || typeof raised.pos !== 'number') throw error;
  const start = raised.pos - SYNTAX_OFFSET;
  if (start >= text.length) {
    const last = Math.max(0, text.trimEnd().length);
    return { message: text.trim() === '' ? 'the expression is empty' : 'the expression ends too early', start: last, end: last };
  }
  const end = typeof raised.raisedAt === 'number' ? raised.raisedAt - SYNTAX_OFFSET : start + 1;
  return at(text, start, end, lowerFirst(raised.message.replace(/ \(\d+:\d+\)$/, '')));
}

function at(text: string, start: number, end: number, message: string): SyntaxProblem {
  const first = Math.max(0, Math.min(start, text.length));
  return { message, start: first, end: Math.max(first, Math.min(Math.max(end, first + 1), text.length)) };
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
