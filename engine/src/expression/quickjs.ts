import type { ExpressionVmFailure } from '../ports/expression-vm.js';
import { VM_GLOBALS } from './globals.js';
import { bootSource, MAX_RESULT_LENGTH } from './quickjs-boot.js';
import { decodeUtf8, encodeUtf8 } from './utf8.js';

/**
 * One QuickJS virtual machine in WebAssembly. It speaks the C interface of the `quickjs-wasi` binary directly: taking the memory
 * image back between evaluations has to be synchronous, and nothing of the platform (clock, console, random source) may be in reach.
 */
export interface QuickJs {
  /**
   * Runs one expression. Source, data and questions are UTF-8 and mean what they mean in `ExpressionVmRequest`. Bytes in the reply
   * and in questions are a view into the VM: read them before the next call.
   */
  evaluate(source: Uint8Array, data: Uint8Array, ask: (question: Uint8Array) => Uint8Array): QuickJsReply;
  /** Puts the VM back to how it was after boot. `evaluate` does so itself where this was not called; here it can be done while idle. */
  reset(): void;
}

export type QuickJsReply =
  | { readonly ok: true; readonly text?: Uint8Array }
  | { readonly ok: false; readonly reason: ExpressionVmFailure; readonly message: string };

/** Instantiates `quickjs.wasm` of the `quickjs-wasi` package with these imports, synchronously. */
export type InstantiateQuickJs = (imports: QuickJsImports) => QuickJsExports;

export type QuickJsImports = Readonly<Record<'env' | 'wasi_snapshot_preview1', Readonly<Record<string, (...args: number[]) => number>>>>;

/** What of the binary's interface is used. A `Value` is the address of a boxed JavaScript value. */
export interface QuickJsExports {
  readonly memory: { readonly buffer: ArrayBufferLike; grow(pages: number): number };
  readonly __stack_pointer: { value: number };
  _initialize(): void;
  qjs_init2(intrinsics: number): number;
  qjs_set_memory_limit(bytes: number): void;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_set_interrupt_handler(on: number): void;
  qjs_set_runtime_and_context(runtime: number, context: number): void;
  qjs_get_runtime_ptr(): number;
  qjs_get_context_ptr(): number;
  qjs_eval(source: number, length: number, fileName: number, flags: number): Value;
  qjs_call(callee: Value, self: Value, count: number, args: number): Value;
  qjs_new_string(text: number, length: number): Value;
  qjs_new_host_function(name: number, length: number, flags: number): Value;
  qjs_get_undefined(): Value;
  qjs_get_string_len(value: Value, lengthAddress: number): number;
  qjs_is_exception(value: Value): number;
  qjs_get_exception(): Value;
  qjs_is_uncatchable_error(value: Value): number;
  wasm_malloc(bytes: number): number;
  wasm_free(address: number): void;
}

type Value = number;

/** Boots a VM. Throws when the binary is not the one this was written for. */
export function bootQuickJs(instantiate: InstantiateQuickJs): QuickJs {
  let machine = bootMachine(instantiate);
  const image = takeImage(machine);
  let clean = true;

  const reset = (): void => {
    // WebAssembly memory never shrinks: after an evaluation that needed more than the reserve, a new instance is cheaper than its pages.
    if (machine.exports.memory.buffer.byteLength !== image.bytes) machine = { ...machine, ...instanceOf(instantiate) };
    restoreImage(machine, image);
    clean = true;
  };
  const evaluate: QuickJs['evaluate'] = (source, data, ask) => {
    if (!clean) reset();
    clean = false;
    machine.host.ticks = 0;
    machine.host.ask = ask;
    try {
      return evaluateOn(machine, source, data);
    } catch (error) {
      return trapped(error);
    }
  };
  return { evaluate, reset };
}

/** Interrupts, which the VM raises every 10 000 loop turns and calls: the same number on every machine. */
const STEP_BUDGET_TICKS = 5000;
const HEAP_BYTES = 64 * 1024 * 1024;
const STACK_BYTES = 256 * 1024;
/** Free memory that the image leaves behind its end, so that ordinary evaluations need not grow the memory. Untouched pages cost nothing. */
const RESERVE_BYTES = 16 * 1024 * 1024;

/** EVAL (the host's own evaluation), REGEXP, JSON, PROXY, MAP_SET and BIG_INT, of the binary's bit mask. */
const INTRINSICS = 2 | 4 | 8 | 16 | 32 | 256;

/** What the imports of one VM refer to; outlives a replaced instance. */
interface HostSide {
  ticks: number;
  ask: (question: Uint8Array) => Uint8Array;
}

interface Machine {
  readonly exports: QuickJsExports;
  readonly host: HostSide;
  readonly addresses: Addresses;
}

/** Addresses in the boot image of what every evaluation uses. */
interface Addresses {
  readonly run: Value;
  readonly undefined: Value;
  readonly fileName: number;
  readonly args: number;
  readonly length: number;
}

function bootMachine(instantiate: InstantiateQuickJs): Machine {
  const { exports, host } = instanceOf(instantiate);
  exports._initialize();
  if (exports.qjs_init2(INTRINSICS) !== 0) throw new Error('QuickJS did not initialise');
  exports.qjs_set_memory_limit(HEAP_BYTES);
  exports.qjs_set_max_stack_size(STACK_BYTES);
  exports.qjs_set_interrupt_handler(1);

  const fileName = writeText(exports, encodeUtf8('expression')).address;
  const args = exports.wasm_malloc(8);
  const length = exports.wasm_malloc(4);
  const undefinedValue = exports.qjs_get_undefined();
  const boot = writeText(exports, encodeUtf8(bootSource(VM_GLOBALS)));
  const start = checked(exports, exports.qjs_eval(boot.address, boot.length, fileName, 0), length);
  exports.wasm_free(boot.address);
  const name = writeText(exports, encodeUtf8('ask'));
  view(exports).setUint32(args, checked(exports, exports.qjs_new_host_function(name.address, name.length, 0), length), true);
  const run = checked(exports, exports.qjs_call(start, undefinedValue, 1, args), length);
  return { exports, host, addresses: { run, undefined: undefinedValue, fileName, args, length } };
}

function checked(exports: QuickJsExports, value: Value, length: number): Value {
  if (exports.qjs_is_exception(value) === 0) return value;
  throw new Error(`QuickJS did not boot: ${decodeUtf8(readText(exports, exports.qjs_get_exception(), length))}`);
}

interface Instance {
  readonly exports: QuickJsExports;
  readonly host: HostSide;
}

function instanceOf(instantiate: InstantiateQuickJs): Instance {
  const host: HostSide = { ticks: 0, ask: () => new Uint8Array() };
  const nothing = (): number => 0;
  const unsupported = (): number => 52;
  const exports: QuickJsExports = instantiate({
    env: {
      host_interrupt: () => (++host.ticks > STEP_BUDGET_TICKS ? 1 : 0),
      host_call: (_name, _nameLength, _self, count, args) => answer(exports, host, count as number, args as number),
      host_promise_rejection: nothing,
      host_module_normalize: nothing,
      host_module_load: nothing,
      host_get_timezone_offset: nothing,
    },
    wasi_snapshot_preview1: {
      // The clock stands still and the random source gives zeros: no global that reads either is left, and hashing seeds stay the same.
      clock_time_get: (_clock, _precision, address) => {
        view(exports).setBigUint64(address as number, 0n, true);
        return 0;
      },
      random_get: (address, length) => {
        new Uint8Array(exports.memory.buffer, address as number, length as number).fill(0);
        return 0;
      },
      fd_write: unsupported,
      fd_close: unsupported,
      fd_fdstat_get: unsupported,
      fd_seek: unsupported,
    },
  });
  return { exports, host };
}

/** The VM calls its only host function: the first argument is a question, the value given back is the answer, a new string. */
function answer(exports: QuickJsExports, host: HostSide, count: number, args: number): Value {
  const length = exports.wasm_malloc(4);
  const question = count > 0 ? readText(exports, view(exports).getUint32(args, true), length) : new Uint8Array();
  const text = writeText(exports, host.ask(question));
  const value = exports.qjs_new_string(text.address, text.length);
  exports.wasm_free(text.address);
  exports.wasm_free(length);
  return value;
}

/**
 * The part of the memory that the boot has written: from the first byte that is not zero to where the allocator's free space begins.
 * What lies beyond is never read before it is written again. `tail` is the allocator's mark at the end of the memory.
 */
interface Image {
  readonly bytes: number;
  readonly from: number;
  readonly used: Uint8Array;
  readonly tail: Uint8Array;
  readonly stackPointer: number;
  readonly runtime: number;
  readonly context: number;
}

const TAIL_BYTES = 4096;

function takeImage({ exports }: Machine): Image {
  const reserve = exports.wasm_malloc(RESERVE_BYTES);
  exports.wasm_free(reserve);
  const memory = new Uint8Array(exports.memory.buffer);
  let from = 0;
  while (memory[from] === 0) from++;
  return {
    bytes: memory.length,
    from,
    // The header of the free space stands just before the reserve and belongs to the image.
    used: memory.slice(from, reserve + 64),
    tail: memory.slice(memory.length - TAIL_BYTES),
    stackPointer: exports.__stack_pointer.value,
    runtime: exports.qjs_get_runtime_ptr(),
    context: exports.qjs_get_context_ptr(),
  };
}

const PAGE_BYTES = 65_536;

function restoreImage({ exports }: Machine, image: Image): void {
  const missing = (image.bytes - exports.memory.buffer.byteLength) / PAGE_BYTES;
  if (missing > 0) exports.memory.grow(missing);
  const memory = new Uint8Array(exports.memory.buffer);
  memory.set(image.used, image.from);
  if (missing > 0) memory.set(image.tail, image.bytes - TAIL_BYTES);
  exports.__stack_pointer.value = image.stackPointer;
  if (missing > 0) exports.qjs_set_runtime_and_context(image.runtime, image.context);
}

/** Nothing is freed here: the image comes back. */
function evaluateOn({ exports, host, addresses }: Machine, source: Uint8Array, data: Uint8Array): QuickJsReply {
  if (source.length + data.length > HEAP_BYTES) return memoryFailure();
  const code = writeText(exports, source);
  const expression = exports.qjs_eval(code.address, code.length, addresses.fileName, 0);
  if (exports.qjs_is_exception(expression) !== 0) return compileFailure(exports, host, addresses);
  const text = writeText(exports, data);
  const argument = exports.qjs_new_string(text.address, text.length);
  exports.wasm_free(text.address);
  if (exports.qjs_is_exception(argument) !== 0) return memoryFailure();
  const memory = view(exports);
  memory.setUint32(addresses.args, expression, true);
  memory.setUint32(addresses.args + 4, argument, true);
  const result = exports.qjs_call(addresses.run, addresses.undefined, 2, addresses.args);
  // The boot code catches everything that can be caught; what is left is a limit of the VM.
  if (exports.qjs_is_exception(result) !== 0) return host.ticks > STEP_BUDGET_TICKS ? budgetFailure() : memoryFailure();
  const reply = readText(exports, result, addresses.length);
  return interpret(reply);
}

const REASONS: Readonly<Record<string, ExpressionVmFailure>> = { r: 'runtime', s: 'stack', t: 'result_type', m: 'memory' };

function interpret(reply: Uint8Array): QuickJsReply {
  const letter = String.fromCharCode(reply[0] as number);
  const rest = reply.subarray(1);
  if (letter === 'u') return { ok: true };
  if (letter === 'v') {
    if (rest.length <= MAX_RESULT_LENGTH) return { ok: true, text: rest };
    return { ok: false, reason: 'memory', message: `the result is larger than ${MAX_RESULT_LENGTH} bytes` };
  }
  return { ok: false, reason: REASONS[letter] as ExpressionVmFailure, message: decodeUtf8(rest) };
}

function compileFailure(exports: QuickJsExports, host: HostSide, addresses: Addresses): QuickJsReply {
  if (host.ticks > STEP_BUDGET_TICKS) return budgetFailure();
  const error = exports.qjs_get_exception();
  if (exports.qjs_is_uncatchable_error(error) !== 0) return memoryFailure();
  const message = decodeUtf8(readText(exports, error, addresses.length)).replace(/^SyntaxError: /, '');
  return message.startsWith('RangeError') ? stackFailure() : { ok: false, reason: 'syntax', message };
}

/** A trap or an overflow of the host's own stack: the VM is in an unknown state, and the image makes it good again. */
function trapped(error: unknown): QuickJsReply {
  if (error instanceof RangeError) return stackFailure();
  if (error instanceof Error && error.name === 'RuntimeError') return memoryFailure();
  throw error;
}

function memoryFailure(): QuickJsReply {
  return { ok: false, reason: 'memory', message: `the expression needs more than ${HEAP_BYTES / 1024 / 1024} MiB of memory` };
}

function stackFailure(): QuickJsReply {
  return { ok: false, reason: 'stack', message: 'the expression calls itself or nests too deeply' };
}

function budgetFailure(): QuickJsReply {
  return { ok: false, reason: 'budget', message: 'the expression was stopped after its budget of steps' };
}

function view(exports: QuickJsExports): DataView {
  return new DataView(exports.memory.buffer);
}

function writeText(exports: QuickJsExports, text: Uint8Array): { readonly address: number; readonly length: number } {
  const address = exports.wasm_malloc(text.length + 1);
  if (address === 0) throw new RangeError('the VM has no memory left for its input');
  const memory = new Uint8Array(exports.memory.buffer);
  memory.set(text, address);
  memory[address + text.length] = 0;
  return { address, length: text.length };
}

/** The text of a string value, or of an error as the VM prints it. `lengthAddress` is four bytes of scratch space. */
function readText(exports: QuickJsExports, value: Value, lengthAddress: number): Uint8Array {
  const address = exports.qjs_get_string_len(value, lengthAddress);
  if (address === 0) throw new RangeError('the VM has no memory left for its output');
  return new Uint8Array(exports.memory.buffer, address, view(exports).getUint32(lengthAddress, true));
}
