import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ExpressionVm } from '@relavium/engine';
import { createInProcessVm } from '../../engine/src/testing/in-process-vm.js';

let shared: Promise<ExpressionVm> | undefined;

/** The VM of the product without its thread, which is there only once the product is built. */
export function expressionVm(): Promise<ExpressionVm> {
  const engine = createRequire(new URL('../../hosts/node/package.json', import.meta.url));
  shared ??= createInProcessVm(readFileSync(engine.resolve('quickjs-wasi/quickjs.wasm')));
  return shared;
}
