import type { AnyNode } from 'acorn';
import { readSyntax } from './syntax.js';

/** The keys of an expression that is an object with its keys written out, whatever their values. Undefined: it is something else. */
export function writtenNames(text: string): readonly string[] | undefined {
  const syntax = readSyntax(text);
  if ('error' in syntax || syntax.node.type !== 'ObjectExpression') return undefined;
  const names = (syntax.node.properties as readonly AnyNode[]).map(writtenName);
  return names.every((name) => name !== undefined) ? names : undefined;
}

function writtenName(property: AnyNode): string | undefined {
  if (property.type !== 'Property' || property.computed) return undefined;
  const { key } = property;
  const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined;
  // Written so, it is no key but what the others are inherited from.
  return name === '__proto__' ? undefined : name;
}
