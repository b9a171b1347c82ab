import type { Node } from '@relavium/schemas';
import type { Path } from '../parse/yaml-document.js';
import type { LinkedEdge, LinkedNode } from './model.js';

/** A scope while it is made: its nodes are there before its edges. */
export interface OpenScope {
  readonly at: Path;
  readonly owner?: LinkedNode;
  readonly nodes: OpenNode[];
  readonly byId: Map<string, OpenNode>;
  edges: readonly LinkedEdge[];
  order: readonly number[];
}

export interface OpenNode {
  readonly scope: OpenScope;
  readonly index: number;
  readonly id: string;
  readonly at: Path;
  readonly syntax: Node;
  readonly in: number[];
  readonly out: number[];
  body?: OpenScope;
}
