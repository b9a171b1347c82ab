import type { AnyNode, Function as FunctionNode, Literal, MemberExpression } from 'acorn';
import type { FreeName, ProjectedKey, Projection, Read, Root } from './expression.js';
import { VM_GLOBALS } from './globals.js';
import { SYNTAX_OFFSET, type SyntaxProblem } from './syntax.js';

export interface Analysis {
  readonly reads: readonly Read[];
  readonly free: readonly FreeName[];
  readonly roots: readonly Root[];
  /** The first construct that the language of expressions leaves out. */
  readonly problem?: SyntaxProblem;
}

/**
 * Finds what an expression reads from outside itself: which names are bound inside it, which are free, and how far the chain behind
 * each free name is static. Walks with a list of its own, so the depth of the tree does not matter.
 */
export function analyse(root: AnyNode): Analysis {
  const walk: Walk = { todo: [{ node: root, bindings: { names: new Set(), isFunctionBody: true } }], references: [], problems: [] };
  for (let next = walk.todo.pop(); next !== undefined; next = walk.todo.pop()) visit(next.node, next.bindings, walk);

  const free = walk.references.filter((reference) => !isBound(reference)).sort((a, b) => a.start - b.start);
  for (const reference of free) {
    const { start, nameEnd: end } = reference;
    if (reference.name === 'arguments') refuse(walk, { start, end }, '`arguments` belongs to a function; there is none around it');
  }
  const ofScope = free.filter((reference) => !VM_GLOBALS.has(reference.name));
  const problem = walk.problems.sort((a, b) => a.start - b.start)[0];
  return {
    reads: ofScope.map(readOf),
    free: ofScope.map(({ name, start, nameEnd }) => ({ name, start: start - SYNTAX_OFFSET, end: nameEnd - SYNTAX_OFFSET })),
    roots: rootsOf(free),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** The key of a member access when the text fixes it. */
export function literalKey(member: MemberExpression): string | number | undefined {
  const { property } = member;
  if (!member.computed) return property.type === 'Identifier' ? property.name : undefined;
  if (property.type === 'TemplateLiteral' && property.expressions.length === 0) return property.quasis[0]?.value.cooked ?? undefined;
  if (property.type !== 'Literal') return undefined;
  if (typeof property.value === 'string') return property.value;
  if (typeof property.value !== 'number') return undefined;
  return Number.isSafeInteger(property.value) ? property.value : String(property.value);
}

interface Walk {
  readonly todo: { readonly node: AnyNode; readonly bindings: Bindings }[];
  readonly references: Reference[];
  readonly problems: SyntaxProblem[];
}

/** The names that one scope of the text binds. `var` goes to the nearest function body. */
interface Bindings {
  readonly names: Set<string>;
  readonly parent?: Bindings;
  readonly isFunctionBody: boolean;
}

interface Reference {
  readonly name: string;
  readonly path: readonly (string | number)[];
  readonly computed: boolean;
  /** The chain goes on with a key that is not a literal. */
  readonly keyed: boolean;
  readonly start: number;
  readonly nameEnd: number;
  readonly end: number;
  readonly bindings: Bindings;
}

/** What is done with a member: its value is taken, it is called as a method, or it is written to or deleted. */
type Use = 'value' | 'method' | 'target';

function visit(node: AnyNode, bindings: Bindings, walk: Walk): void {
  const push = (child: AnyNode | null | undefined, inside: Bindings = bindings): void => {
    if (child) walk.todo.push({ node: child, bindings: inside });
  };
  switch (node.type) {
    case 'Identifier':
      refer(node, bindings, walk);
      return;
    case 'MemberExpression':
      member(node, 'value', bindings, walk);
      return;
    case 'CallExpression':
      callee(node.callee, bindings, walk);
      for (const argument of node.arguments) push(argument);
      return;
    case 'TaggedTemplateExpression':
      callee(node.tag, bindings, walk);
      push(node.quasi);
      return;
    case 'AssignmentExpression':
      target(node.left, bindings, walk);
      push(node.right);
      return;
    case 'UpdateExpression':
      target(node.argument, bindings, walk);
      return;
    case 'UnaryExpression':
      if (node.operator === 'delete') target(node.argument, bindings, walk);
      else push(node.argument);
      return;
    case 'Literal':
      checkInteger(node, walk);
      return;
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      functionNode(node, bindings, walk);
      return;
    case 'ClassExpression':
    case 'ClassDeclaration': {
      if (node.type === 'ClassDeclaration' && node.id) bindings.names.add(node.id.name);
      const inside = inner(bindings);
      if (node.id) inside.names.add(node.id.name);
      push(node.superClass, inside);
      push(node.body, inside);
      return;
    }
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      if (node.computed) push(node.key);
      push(node.value);
      return;
    case 'StaticBlock': {
      const inside = inner(bindings, true);
      for (const statement of node.body) push(statement, inside);
      return;
    }
    case 'BlockStatement':
    case 'SwitchStatement':
    case 'ForStatement': {
      const inside = inner(bindings);
      for (const child of children(node)) push(child, inside);
      return;
    }
    case 'ForInStatement':
    case 'ForOfStatement': {
      if (node.type === 'ForOfStatement' && node.await) refuse(walk, node, '`for await` is not allowed in an expression');
      const inside = inner(bindings);
      if (node.left.type === 'VariableDeclaration') push(node.left, inside);
      else target(node.left, inside, walk);
      push(node.right, inside);
      push(node.body, inside);
      return;
    }
    case 'VariableDeclaration':
      for (const declarator of node.declarations) {
        declare(declarator.id, node.kind === 'var' ? functionBody(bindings) : bindings, bindings, walk);
        push(declarator.init);
      }
      return;
    case 'CatchClause': {
      const inside = inner(bindings);
      if (node.param) declare(node.param, inside, inside, walk);
      push(node.body, inside);
      return;
    }
    case 'LabeledStatement':
      push(node.body);
      return;
    case 'BreakStatement':
    case 'ContinueStatement':
      return;
    case 'AwaitExpression':
      refuse(walk, { start: node.start, end: node.start + 'await'.length }, '`await` is not allowed in an expression');
      return;
    case 'YieldExpression':
      refuse(walk, { start: node.start, end: node.start + 'yield'.length }, '`yield` is not allowed in an expression');
      return;
    case 'ImportExpression':
      refuse(walk, { start: node.start, end: node.start + 'import'.length }, '`import` is not allowed in an expression');
      return;
    case 'MetaProperty':
      refuse(walk, node, `\`${node.meta.name}.${node.property.name}\` is not allowed in an expression`);
      return;
    default:
      for (const child of children(node)) push(child);
      return;
  }
}

function refer(node: { readonly name: string; readonly start: number; readonly end: number }, bindings: Bindings, walk: Walk): void {
  if (node.name === 'await') refuse(walk, node, '`await` is not allowed in an expression');
  const { name, start, end } = node;
  walk.references.push({ name, path: [], computed: false, keyed: false, start, nameEnd: end, end, bindings });
}

/** Takes in a whole chain of members at once: `a.b[k].c` is one reference to `a` with path `['b']`, and a visit of `k`. */
function member(outermost: MemberExpression, use: Use, bindings: Bindings, walk: Walk): void {
  const chain: MemberExpression[] = [];
  let base: AnyNode = outermost;
  while (base.type === 'MemberExpression' || base.type === 'ChainExpression') {
    if (base.type === 'ChainExpression') {
      base = base.expression;
      continue;
    }
    chain.push(base);
    if (base.computed) walk.todo.push({ node: base.property, bindings });
    base = base.object;
  }
  if (base.type !== 'Identifier') {
    if (base.type !== 'Super') walk.todo.push({ node: base, bindings });
    return;
  }
  const path: (string | number)[] = [];
  let end = base.end;
  let computed = false;
  let keyed = false;
  for (let i = chain.length - 1; i >= 0 && !computed; i--) {
    const link = chain[i] as MemberExpression;
    const isUsed = i === 0 && use !== 'value';
    const key = isUsed ? undefined : literalKey(link);
    if (key === undefined) {
      computed = true;
      keyed = !isUsed;
    } else {
      path.push(key);
      end = link.end;
    }
  }
  walk.references.push({ name: base.name, path, computed, keyed, start: base.start, nameEnd: base.end, end, bindings });
}

function callee(node: AnyNode, bindings: Bindings, walk: Walk): void {
  const called = node.type === 'ChainExpression' ? node.expression : node;
  if (called.type === 'MemberExpression') member(called, 'method', bindings, walk);
  else walk.todo.push({ node: called, bindings });
}

/** Something that is assigned to: a name, a member or a pattern of these. */
function target(node: AnyNode, bindings: Bindings, walk: Walk): void {
  switch (node.type) {
    case 'MemberExpression':
      member(node, 'target', bindings, walk);
      return;
    case 'ChainExpression':
      target(node.expression, bindings, walk);
      return;
    case 'AssignmentPattern':
      walk.todo.push({ node: node.right, bindings });
      target(node.left, bindings, walk);
      return;
    case 'RestElement':
      target(node.argument, bindings, walk);
      return;
    case 'ArrayPattern':
      for (const element of node.elements) {
        if (element) target(element, bindings, walk);
      }
      return;
    case 'ObjectPattern':
      for (const property of node.properties) {
        if (property.type === 'RestElement') {
          target(property.argument, bindings, walk);
          continue;
        }
        if (property.computed) walk.todo.push({ node: property.key, bindings });
        target(property.value, bindings, walk);
      }
      return;
    default:
      walk.todo.push({ node, bindings });
  }
}

/** Adds the names of a pattern to `into`; default values and computed keys are read in `bindings`. */
function declare(pattern: AnyNode, into: Bindings, bindings: Bindings, walk: Walk): void {
  switch (pattern.type) {
    case 'Identifier':
      if (pattern.name === 'await') refuse(walk, pattern, '`await` is not allowed in an expression');
      into.names.add(pattern.name);
      return;
    case 'AssignmentPattern':
      walk.todo.push({ node: pattern.right, bindings });
      declare(pattern.left, into, bindings, walk);
      return;
    case 'RestElement':
      declare(pattern.argument, into, bindings, walk);
      return;
    case 'ArrayPattern':
      for (const element of pattern.elements) {
        if (element) declare(element, into, bindings, walk);
      }
      return;
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') {
          declare(property.argument, into, bindings, walk);
          continue;
        }
        if (property.computed) walk.todo.push({ node: property.key, bindings });
        declare(property.value, into, bindings, walk);
      }
      return;
    default:
      walk.todo.push({ node: pattern, bindings });
  }
}

function functionNode(node: FunctionNode & { readonly type: string }, bindings: Bindings, walk: Walk): void {
  if (node.async) {
    refuse(walk, { start: node.start, end: node.start + 'async'.length }, '`async` is not allowed in an expression');
  }
  if (node.type === 'FunctionDeclaration' && node.id) bindings.names.add(node.id.name);
  const named = inner(bindings);
  if (node.type === 'FunctionExpression' && node.id) named.names.add(node.id.name);
  const parameters = inner(named);
  if (node.type !== 'ArrowFunctionExpression') parameters.names.add('arguments');
  for (const parameter of node.params) declare(parameter, parameters, parameters, walk);
  const body = inner(parameters, true);
  if (node.body.type !== 'BlockStatement') walk.todo.push({ node: node.body, bindings: body });
  else for (const statement of node.body.body) walk.todo.push({ node: statement, bindings: body });
}

function inner(parent: Bindings, isFunctionBody = false): Bindings {
  return { names: new Set(), parent, isFunctionBody };
}

function functionBody(bindings: Bindings): Bindings {
  let at = bindings;
  while (!at.isFunctionBody && at.parent !== undefined) at = at.parent;
  return at;
}

function isBound({ name, bindings }: Reference): boolean {
  for (let at: Bindings | undefined = bindings; at !== undefined; at = at.parent) if (at.names.has(name)) return true;
  return false;
}

/** 2^53 is the last integer below which every integer has a number of its own. */
const LARGEST_EXACT_INTEGER = 2n ** 53n;

function checkInteger(node: Literal, walk: Walk): void {
  if (typeof node.value !== 'number' || node.value < Number.MAX_SAFE_INTEGER || !/^(?:\d[\d_]*|0[xob][\da-f_]+)$/i.test(node.raw ?? ''))
    return;
  if (BigInt((node.raw ?? '').replaceAll('_', '')) <= LARGEST_EXACT_INTEGER) return;
  refuse(walk, node, 'an integer beyond 2^53 cannot be kept exactly; write it as text, or with an `n` behind it inside a calculation');
}

function refuse(walk: Walk, span: { readonly start: number; readonly end: number }, message: string): void {
  walk.problems.push({ message, start: span.start - SYNTAX_OFFSET, end: span.end - SYNTAX_OFFSET });
}

/** The child nodes of a node that needs no rule of its own. */
function children(node: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  for (const value of Object.values(node) as unknown[]) {
    if (Array.isArray(value)) found.push(...value.filter(isNode));
    else if (isNode(value)) found.push(value);
  }
  return found;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && typeof (value as { readonly type?: unknown }).type === 'string';
}

/** The maps of `run`: using one as a whole says nothing about which of its entries is read. */
const RUN_MAPS: ReadonlySet<string | number> = new Set(['outputs', 'errors', 'captured']);

function readOf({ name, path, computed, start, end }: Reference): Read {
  const isMap = path.length === 0 || (name === 'run' && path.length === 1 && RUN_MAPS.has(path[0] as string | number));
  return { root: name, path, computed: computed || isMap, start: start - SYNTAX_OFFSET, end: end - SYNTAX_OFFSET };
}

interface Growing {
  whole: boolean;
  keyed: boolean;
  readonly keys: Map<string, Growing>;
}

/** Deeper than this, the value is sent as a whole: chains that long have little below them. */
const MAX_PROJECTED_DEPTH = 64;

function rootsOf(free: readonly Reference[]): Root[] {
  const roots = new Map<string, Growing>();
  for (const { name, path, keyed } of free) {
    let at = grow(roots, name);
    for (const key of path.slice(0, MAX_PROJECTED_DEPTH)) at = grow(at.keys, String(key));
    if (keyed && path.length <= MAX_PROJECTED_DEPTH) at.keyed = true;
    else at.whole = true;
  }
  return [...roots].map(([name, growing]) => ({ name, projection: projectionOf(growing) }));
}

function grow(into: Map<string, Growing>, key: string): Growing {
  const there = into.get(key);
  if (there !== undefined) return there;
  const made: Growing = { whole: false, keyed: false, keys: new Map() };
  into.set(key, made);
  return made;
}

function projectionOf({ whole, keyed, keys }: Growing): Projection {
  if (whole || keyed) return { whole, keyed, keys: [] };
  return { whole, keyed, keys: [...keys].map(([key, below]): ProjectedKey => ({ key, projection: projectionOf(below) })) };
}
