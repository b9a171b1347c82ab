import type { AnyNode, MemberExpression } from 'acorn';
import { analyse, literalKey } from './analyse.js';
import type { Expression, PlainPath, PlainStep } from './expression.js';
import { VM_GLOBALS } from './globals.js';
import { mayBeInherited } from './inherited-names.js';
import { isShownWhole } from './plain-path.js';
import { readSyntax, type SyntaxProblem } from './syntax.js';

export type ParsedExpression = { readonly expression: Expression } | { readonly error: SyntaxProblem };

/**
 * Parses a text as one expression. Never throws. Error offsets count UTF-16 units in the text.
 */
export function parseExpression(text: string): ParsedExpression {
  const syntax = readSyntax(text);
  if ('error' in syntax) return syntax;
  const { reads, free, roots, problem } = analyse(syntax.node);
  if (problem !== undefined) return { error: problem };
  const plain = plainPathOf(syntax.node);
  const needsVm = plain === undefined || plainPathNeedsVm(plain);
  return { expression: { kind: 'expression', text, ...(plain === undefined ? {} : { plain }), reads, free, roots, needsVm } };
}

function plainPathOf(node: AnyNode): PlainPath | undefined {
  switch (node.type) {
    case 'Literal':
      return isScalar(node.value) ? { kind: 'literal', value: node.value } : undefined;
    case 'TemplateLiteral': {
      const text = node.expressions.length === 0 ? node.quasis[0]?.value.cooked : undefined;
      return typeof text === 'string' ? { kind: 'literal', value: text } : undefined;
    }
    case 'UnaryExpression': {
      if (node.operator !== '-' || node.argument.type !== 'Literal') return undefined;
      const { value } = node.argument;
      if (typeof value !== 'number' || !isScalar(value)) return undefined;
      // JSON text has no negative zero, so there is none in a value that crossed from the VM either.
      return { kind: 'literal', value: value === 0 ? 0 : -value };
    }
    case 'ChainExpression':
      return memberPath(node.expression);
    case 'Identifier':
      return node.name === 'undefined' ? { kind: 'literal' } : memberPath(node);
    default:
      return memberPath(node);
  }
}

/** Infinity is what an overlong literal such as `1e999` is read as; the VM refuses it as a result. */
function isScalar(value: unknown): value is null | boolean | number | string {
  return value === null || typeof value === 'boolean' || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}

function memberPath(outermost: AnyNode): PlainPath | undefined {
  const steps: PlainStep[] = [];
  let node = outermost;
  while (node.type === 'MemberExpression') {
    const key = literalKey(node as MemberExpression);
    if (key === undefined || steps.length === MAX_STEPS) return undefined;
    steps.push({ key: String(key), optional: (node as MemberExpression).optional === true });
    node = (node as MemberExpression).object;
  }
  if (node.type !== 'Identifier' || VM_GLOBALS.has(node.name)) return undefined;
  const root = node.name;
  // `run` and its maps are no values of their own: only what stands in them is.
  if (root === 'run' && steps.length < 2 && !isRunText(steps[0]?.key)) return undefined;
  return { kind: 'path', root, steps: steps.reverse() };
}

const MAX_STEPS = 64;

function isRunText(key: string | undefined): boolean {
  return key === 'id' || key === 'started_at';
}

function plainPathNeedsVm(plain: PlainPath): boolean {
  if (plain.kind === 'literal') return false;
  return !isShownWhole(plain.root) || plain.steps.some(({ key }) => !isShownWhole(key) || mayBeInherited(key));
}
