import { bootQuickJs, type QuickJsExports, type QuickJsImports } from '../expression/quickjs.js';
import { decodeUtf8, encodeUtf8 } from '../expression/utf8.js';
import type { ExpressionVm } from '../ports/expression-vm.js';

/**
 * An expression VM on the calling thread, from the bytes of `quickjs.wasm`. It has every limit of the real one but the wall-clock net:
 * a native that runs for long is not cut short.
 */
export async function createInProcessVm(wasm: Uint8Array): Promise<ExpressionVm> {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
  const module = await WebAssembly.compile(wasm);
  const quickJs = bootQuickJs((imports) => new WebAssembly.Instance(module, imports).exports);
  return {
    evaluate: ({ source, data, ask }) => {
      const answer = (question: Uint8Array): Uint8Array => encodeUtf8(ask(decodeUtf8(question)));
      const reply = quickJs.evaluate(encodeUtf8(source), encodeUtf8(data), answer);
      if (!reply.ok) return reply;
      return reply.text === undefined ? { ok: true } : { ok: true, text: decodeUtf8(reply.text) };
    },
  };
}

/** What is used of WebAssembly, which is in no library of the language itself. */
interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<object>;
  readonly Instance: new (module: object, imports: QuickJsImports) => { readonly exports: QuickJsExports };
}
