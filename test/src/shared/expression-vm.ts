import { createExpressionVm, type NodeExpressionVm } from '@relavium/host-node';

let shared: NodeExpressionVm | undefined;

/** The VM of the product, one thread for all that ask; no evaluation leaves anything behind for the next. */
export function expressionVm(): NodeExpressionVm {
  shared ??= createExpressionVm();
  return shared;
}
