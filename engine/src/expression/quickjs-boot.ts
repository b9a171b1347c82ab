import { MAX_VALUE_DEPTH } from '../json-limits.js';

/**
 * The first code that runs in the VM: a function that takes the way to ask the host and gives the function that runs one expression.
 * It takes away every global that is not on the list, and keeps for itself what it uses, so that an expression that changes built-ins
 * spoils nothing but its own result. Replies begin with a letter: `v` JSON text of the value and of what belongs where in it, `u` undefined, else a failure and its
 * message: `r` runtime, `s` stack, `t` result_type, `m` memory.
 */
export function bootSource(globals: Iterable<string>): string {
  return `(${BOOT})(${JSON.stringify([...globals])},${MAX_RESULT_LENGTH},${MAX_VALUE_DEPTH})`;
}

/** 4 MiB. The VM counts characters while it writes, the host counts the bytes of what came out. */
export const MAX_RESULT_LENGTH: number = 4 * 1024 * 1024;

const BOOT = String.raw`function (globals, maxLength, maxDepth) {
  'use strict';
  const { apply, ownKeys, getPrototypeOf, get: reflectGet, set: reflectSet, has: reflectHas } = Reflect;
  const { defineProperty: reflectDefine, deleteProperty: reflectDelete, preventExtensions: reflectPrevent } = Reflect;
  const { getOwnPropertyDescriptor: reflectOwn } = Reflect;
  const { getOwnPropertyDescriptor: objectOwn, getOwnPropertyDescriptors: objectOwns, hasOwn, keys: objectKeys } = Object;
  const { getOwnPropertySymbols: symbolsOf } = Object;
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { propertyIsEnumerable } = Object.prototype;
  const { exec } = RegExp.prototype;
  const { has: setHas, add: setAdd, delete: setDelete } = Set.prototype;
  const { get: mapGet, set: mapSet } = WeakMap.prototype;
  const ObjectPrototype = Object.prototype, RangeErrorPrototype = RangeError.prototype;
  const NewArray = Array, NewSet = Set, NewProxy = Proxy, NewTypeError = TypeError;
  const data = (value) => ({ __proto__: null, value, writable: true, enumerable: true, configurable: true });

  // --- values that stay with the host -------------------------------------------------------------------------------------------

  let ask;
  const lazyOf = new WeakMap();
  const question = (kind, id, a, b) => parse(ask('["' + kind + '",' + id + (a === undefined ? '' : ',' + stringify(a)) + (b === undefined ? '' : ',' + b) + ']'));

  // known: keys whose state on the target is final, whether they are there, deleted or were never there.
  const lazy = (id, length, parent) => {
    const target = length < 0 ? {} : new NewArray(length);
    const state = { __proto__: traps, target, id, length, known: { __proto__: null }, all: false, order: undefined, listed: undefined, cursor: 0, step: 1, parent, pristine: true };
    const proxy = new NewProxy(target, state);
    apply(mapSet, lazyOf, [proxy, state]);
    return proxy;
  };

  const valueOf = (piece, parent) => {
    const kind = piece[0];
    if (kind === 1) return piece[1];
    if (kind === 2) return lazy(piece[1], -1, parent);
    if (kind === 3) return lazy(piece[1], piece[2], parent);
    throw new NewTypeError('this value cannot be read here');
  };

  // From here on the host's value can no longer stand for this one, nor for those that it was read from.
  const taint = (state) => {
    for (let at = state; at !== undefined && at.pristine; at = at.parent) at.pristine = false;
  };

  const put = (state, key, piece) => {
    if (piece[0] === 5 || state.known[key] === true) return;
    if (piece[0] !== 0) {
      const value = valueOf(piece, state);
      // An object that was sent is changed without a trap.
      if (piece[0] === 1 && typeof value === 'object' && value !== null) taint(state);
      reflectDefine(state.target, key, data(value));
    }
    state.known[key] = true;
  };

  const indexOf = (state, key) => {
    const index = +key;
    return index >= 0 && index < state.length && '' + index === key && index % 1 === 0 ? index : -1;
  };

  // A question has to fit into the host's mailbox.
  const isOpen = (state, key) => !state.all && typeof key === 'string' && key.length < 100000 && state.known[key] !== true && (state.length < 0 || indexOf(state, key) >= 0);

  // Reading on in order brings ever more with each question, so that going through a long list costs few of them.
  const runFrom = (state, from, keyAt) => {
    const pieces = question('r', state.id, from, state.step);
    for (let i = 0; i < pieces.length; i++) put(state, keyAt(from + i), pieces[i]);
    state.cursor = from + pieces.length;
    if (state.step < 4096) state.step *= 2;
  };

  const settle = (state, key) => {
    if (!isOpen(state, key)) return;
    if (state.length >= 0 && indexOf(state, key) === state.cursor) runFrom(state, state.cursor, (i) => '' + i);
    else if (state.order !== undefined && state.order[state.cursor] === key) runFrom(state, state.cursor, (i) => state.order[i]);
    if (!isOpen(state, key)) return;
    put(state, key, question('g', state.id, key));
    if (state.length >= 0) { state.cursor = indexOf(state, key) + 1; state.step = 1; }
  };

  const exists = (state, key) => {
    if (state.length >= 0) return true;
    if (state.listed !== undefined) return state.listed[key] === true;
    return question('h', state.id, key);
  };

  const list = (state) => {
    if (state.order !== undefined) return;
    state.order = question('k', state.id);
    state.listed = { __proto__: null };
    for (let i = 0; i < state.order.length; i++) state.listed[state.order[i]] = true;
  };

  const settleAll = (state) => {
    if (state.all) return;
    if (state.length < 0) list(state);
    const count = state.length < 0 ? state.order.length : state.length;
    for (let i = 0; i < count; i++) settle(state, state.length < 0 ? state.order[i] : '' + i);
    state.all = true;
  };

  const change = (state, key) => {
    taint(state);
    // A list that gets shorter must not bring back what it lost.
    if (key === 'length' && state.length >= 0) settleAll(state);
    settle(state, key);
  };

  const traps = {
    __proto__: null,
    get(target, key, receiver) { settle(this, key); return reflectGet(target, key, receiver); },
    set(target, key, value, receiver) {
      change(this, key);
      return reflectSet(target, key, value, apply(mapGet, lazyOf, [receiver]) === this ? target : receiver);
    },
    has(target, key) { return (isOpen(this, key) && exists(this, key)) || reflectHas(target, key); },
    deleteProperty(target, key) { taint(this); if (typeof key === 'string') this.known[key] = true; return reflectDelete(target, key); },
    defineProperty(target, key, descriptor) { change(this, key); return reflectDefine(target, key, descriptor); },
    preventExtensions(target) { taint(this); settleAll(this); return reflectPrevent(target); },
    getOwnPropertyDescriptor(target, key) {
      if (!isOpen(this, key)) return reflectOwn(target, key);
      if (!exists(this, key)) return undefined;
      // Listing the keys of an object asks for their descriptors too, and must not bring their values in.
      return { __proto__: null, get: () => { settle(this, key); return target[key]; }, set: undefined, enumerable: true, configurable: true };
    },
    ownKeys(target) {
      if (this.all) return ownKeys(target);
      const seen = { __proto__: null }, found = [];
      const add = (key) => { if (seen[key] !== true) { seen[key] = true; reflectDefine(found, found.length, data(key)); } };
      if (this.length >= 0) for (let i = 0; i < this.length; i++) { const key = '' + i; if (isOpen(this, key) || hasOwn(target, key)) add(key); }
      else {
        list(this);
        for (let i = 0; i < this.order.length; i++) { const key = this.order[i]; if (isOpen(this, key) || hasOwn(target, key)) add(key); }
      }
      const own = ownKeys(target);
      for (let i = 0; i < own.length; i++) {
        if (typeof own[i] === 'symbol') reflectDefine(found, found.length, data(own[i]));
        else add(own[i]);
      }
      return found;
    },
  };

  const settled = (object) => { const state = apply(mapGet, lazyOf, [object]); if (state !== undefined) settleAll(state); return object; };
  const settledAt = (object, key) => { const state = apply(mapGet, lazyOf, [object]); if (state !== undefined) settle(state, typeof key === 'symbol' ? key : '' + key); };
  const method = (on, name, value) => reflectDefine(on, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  method(Object, 'getOwnPropertyDescriptor', { getOwnPropertyDescriptor(object, key) { settledAt(object, key); return objectOwn(object, key); } }.getOwnPropertyDescriptor);
  method(Reflect, 'getOwnPropertyDescriptor', { getOwnPropertyDescriptor(object, key) { settledAt(object, key); return reflectOwn(object, key); } }.getOwnPropertyDescriptor);
  method(Object, 'getOwnPropertyDescriptors', { getOwnPropertyDescriptors(object) { return objectOwns(settled(object)); } }.getOwnPropertyDescriptors);

  // --- the result, as strict JSON text ------------------------------------------------------------------------------------------

  const refuse = (letter, message) => ({ __proto__: null, refusal: letter + message });

  const pathOf = (frame) => {
    let path = '', steps = 0;
    for (let at = frame; at !== undefined; at = at.up) {
      const key = at.keys === undefined ? '[' + at.index + ']' : keyText(at.keys[at.index]);
      path = key + path;
      if (++steps === 20 && at.up !== undefined) return 'result…' + path;
    }
    return path === '' ? 'the result' : 'result' + path;
  };
  const identifier = /^[A-Za-z_$][\w$]*$/;
  const keyText = (key) => (apply(exec, identifier, [key]) === null ? '[' + stringify(key) + ']' : '.' + key);

  const nameOf = (value) => {
    const constructor = value.constructor;
    const name = typeof constructor === 'function' ? constructor.name : undefined;
    return typeof name === 'string' && name !== '' && name !== 'Object' ? name : 'object with a prototype of its own';
  };
  const article = (name) => (apply(exec, /^[AEIOUaeiou]/, [name]) === null ? 'a ' : 'an ') + name;

  const placeOf = (frame, id) => {
    let path = '';
    for (let at = frame; at !== undefined; at = at.up) path = (at.keys === undefined ? '' + at.index : stringify(at.keys[at.index])) + (path === '' ? '' : ',' + path);
    return '[[' + path + '],' + id + ']';
  };

  // Gives the text '[value, places]', or a failure. A value of the host that comes back as it was stays with the host: its place is named.
  const serialise = (root) => {
    const open = new NewSet();
    let places = '', text = '', frame, value = root, depth = 0;
    for (;;) {
      // One value: a scalar is written, a container is opened.
      switch (typeof value) {
        case 'string': text += stringify(value); break;
        case 'boolean': text += value ? 'true' : 'false'; break;
        case 'number':
          if (value !== value || value === Infinity || value === -Infinity) return refuse('t', pathOf(frame) + ' is ' + value + ', which JSON cannot hold');
          text += value;
          break;
        case 'undefined': return refuse('t', pathOf(frame) + ' is undefined or a hole: a list in a result needs a value or null in every place');
        case 'object': {
          if (value === null) { text += 'null'; break; }
          const state = apply(mapGet, lazyOf, [value]);
          if (state !== undefined && state.pristine) {
            text += 'null';
            places += (places === '' ? '' : ',') + placeOf(frame, state.id);
            break;
          }
          if (apply(setHas, open, [value])) return refuse('t', pathOf(frame) + ' contains itself');
          if (depth === maxDepth) return refuse('t', 'the result is nested more than ' + maxDepth + ' levels deep');
          const list = isArray(value);
          if (state !== undefined) settleAll(state);
          if (list) {
            if (ownKeys(value).length !== value.length + 1) {
              for (let i = 0; i < value.length; i++) if (!hasOwn(value, i)) return refuse('t', pathOf({ up: frame, keys: undefined, index: i }) + ' is undefined or a hole: a list in a result needs a value or null in every place');
              return refuse('t', pathOf(frame) + ' is a list with named properties, which JSON would lose; copy it with [...list]');
            }
          } else {
            const prototype = getPrototypeOf(value);
            if (prototype !== ObjectPrototype && prototype !== null) return refuse('t', pathOf(frame) + ' is ' + article(nameOf(value)) + ', which JSON cannot hold');
            const symbols = symbolsOf(value);
            for (let i = 0; i < symbols.length; i++) if (apply(propertyIsEnumerable, value, [symbols[i]])) return refuse('t', pathOf(frame) + ' has a symbol as a key, which JSON would lose');
          }
          apply(setAdd, open, [value]);
          depth++;
          frame = { __proto__: null, up: frame, self: value, value: state === undefined ? value : state.target, keys: list ? undefined : objectKeys(value), length: list ? value.length : 0, index: -1, written: false };
          text += list ? '[' : '{';
          break;
        }
        default: return refuse('t', pathOf(frame) + ' is a ' + typeof value + ', which JSON cannot hold');
      }
      if (text.length > maxLength) return refuse('m', 'the result is larger than ' + maxLength + ' bytes');
      // Onwards to the next value, closing what has come to its end.
      for (;;) {
        if (frame === undefined) return '[' + text + ',[' + places + ']]';
        if (++frame.index < (frame.keys === undefined ? frame.length : frame.keys.length)) {
          const key = frame.keys === undefined ? frame.index : frame.keys[frame.index];
          value = frame.value[key];
          if (frame.keys !== undefined && value === undefined) continue;
          if (frame.written) text += ',';
          frame.written = true;
          if (frame.keys !== undefined) text += stringify(key) + ':';
          break;
        }
        text += frame.keys === undefined ? ']' : '}';
        apply(setDelete, open, [frame.self]);
        depth--;
        frame = frame.up;
      }
    }
  };

  // --- one evaluation -------------------------------------------------------------------------------------------------------------

  const describe = (error) => {
    if (typeof error !== 'object' || error === null) return typeof error === 'symbol' || typeof error === 'function' ? 'a ' + typeof error + ' was thrown' : '' + error;
    const message = error.message;
    return typeof message === 'string' ? message : 'an object without a message was thrown';
  };

  const failure = (error) => {
    try {
      const message = describe(error);
      const overflow = typeof error === 'object' && error !== null && getPrototypeOf(error) === RangeErrorPrototype && message === 'Maximum call stack size exceeded';
      return (overflow ? 's' : 'r') + (message.length > 1000 ? apply(slice, message, [0, 1000]) : message);
    } catch {
      return 'ran object whose message cannot be read was thrown';
    }
  };
  const { slice } = String.prototype;

  const place = (args, path, value) => {
    let at = args;
    for (let i = 0; i < path.length - 1; i++) at = at[path[i]];
    reflectDefine(at, path[path.length - 1], data(value));
  };

  const run = (expression, text) => {
    try {
      const [args, places] = parse(text);
      for (let i = 0; i < places.length; i++) place(args, places[i][0], lazy(places[i][1], places[i][2], undefined));
      const value = apply(expression, undefined, args);
      if (value === undefined) return 'u';
      const result = serialise(value);
      return typeof result === 'string' ? 'v' + result : result.refusal;
    } catch (error) {
      return failure(error);
    }
  };

  // --- what is left for expressions -----------------------------------------------------------------------------------------------

  for (const compiler of [function () {}, function* () {}]) {
    reflectDefine(getPrototypeOf(compiler), 'constructor', { __proto__: null, value: undefined, writable: false, enumerable: false, configurable: false });
  }
  delete Math.random;
  delete Array.fromAsync;
  for (const name of ['stackTraceLimit', 'prepareStackTrace', 'captureStackTrace']) delete Error[name];
  const kept = new NewSet(globals);
  for (const key of ownKeys(globalThis)) if (typeof key === 'string' && !kept.has(key)) delete globalThis[key];
  return (askHost) => { ask = askHost; return run; };
}`;
