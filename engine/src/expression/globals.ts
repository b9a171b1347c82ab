/**
 * The names that the virtual machine offers to every expression: pure built-ins only. No clock, randomness, timer, promise, code
 * from text, proxy or typed array. `quickjs-boot.ts` deletes every other global.
 */
export const VM_GLOBALS: ReadonlySet<string> = new Set([
  'AggregateError',
  'Array',
  'BigInt',
  'Boolean',
  'Error',
  'EvalError',
  'Infinity',
  'Iterator',
  'JSON',
  'Map',
  'Math',
  'NaN',
  'Number',
  'Object',
  'RangeError',
  'ReferenceError',
  'Reflect',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'SyntaxError',
  'TypeError',
  'URIError',
  'WeakMap',
  'WeakSet',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'globalThis',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
  'undefined',
]);

/** Globals that a name of the scope never replaces: they are read as constants. */
export const CONSTANT_GLOBALS: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity']);
