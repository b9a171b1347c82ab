import type { Json } from '../json.js';

/**
 * Whether reading `key` from a value that has no such property of its own gives something inherited, in the virtual machine. A plain
 * path that meets such a name is left to the VM: a function, or what `constructor` leads to, has no counterpart in JSON.
 */
export function isInherited(value: Exclude<Json, null>, key: string): boolean {
  return OF_OBJECT.has(key) || ofKind(value).has(key);
}

/** Whether some JSON value inherits this name. */
export function mayBeInherited(key: string): boolean {
  return OF_OBJECT.has(key) || OF_ARRAY.has(key) || OF_STRING.has(key) || OF_NUMBER.has(key);
}

function ofKind(value: Exclude<Json, null>): ReadonlySet<string> {
  switch (typeof value) {
    case 'string':
      return OF_STRING;
    case 'number':
      return OF_NUMBER;
    case 'boolean':
      return OF_OBJECT;
    default:
      return Array.isArray(value) ? OF_ARRAY : OF_OBJECT;
  }
}

/** Own names of the prototypes in the VM; `length` is an own property of the lists and texts themselves, and absent elsewhere. */
const OF_OBJECT: ReadonlySet<string> = names(`
  toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable __proto__ __defineGetter__
  __defineSetter__ __lookupGetter__ __lookupSetter__ constructor
`);

const OF_ARRAY: ReadonlySet<string> = names(`
  at with concat every some forEach map filter reduce reduceRight fill find findIndex findLast findLastIndex indexOf
  lastIndexOf includes join pop push shift unshift reverse toReversed sort toSorted slice splice toSpliced copyWithin
  flatMap flat values keys entries
`);

const OF_STRING: ReadonlySet<string> = names(`
  at charCodeAt charAt concat codePointAt isWellFormed toWellFormed indexOf lastIndexOf includes endsWith startsWith match
  matchAll search split substring substr slice repeat replace replaceAll padEnd padStart trim trimEnd trimRight trimStart
  trimLeft localeCompare normalize toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase anchor big blink bold fixed
  fontcolor fontsize italics link small strike sub sup
`);

const OF_NUMBER: ReadonlySet<string> = names(`
  toExponential toFixed toPrecision
`);

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
