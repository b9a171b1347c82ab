import type { Agent, Edge, Input, Node, Workflow } from '@relavium/schemas';
import type { Expression } from '../expression/expression.js';
import type { Path, YamlDocument } from '../parse/yaml-document.js';
import type { Template } from '../template/template.js';

/** A workflow file whose names are resolved to nodes and indexes, still located. Rules read it and report. */
export interface LinkedWorkflow {
  readonly document: YamlDocument;
  readonly syntax: Workflow;
  readonly inputs: ReadonlyMap<string, Input>;
  /** Key → position in `context:`. */
  readonly context: ReadonlyMap<string, number>;
  readonly root: LinkedScope;
  /** The root first, then bodies of loops in the order of the file. */
  readonly scopes: readonly LinkedScope[];
  readonly sites: readonly Site[];
  /** Agents by the id by which nodes name them, as far as they were found. */
  readonly agents: ReadonlyMap<string, LinkedAgent>;
  /** Child workflows by the text of `workflow:`, as far as they were found. */
  readonly children: ReadonlyMap<string, LinkedWorkflow>;
}

export interface LinkedScope {
  /** Path to the object that holds `nodes` and `edges`. */
  readonly at: Path;
  /** The loop whose body this is. */
  readonly owner?: LinkedNode;
  readonly nodes: readonly LinkedNode[];
  readonly byId: ReadonlyMap<string, LinkedNode>;
  /** In the order of the file; those of `needs`, `parallel_of` and branches stand where their node does. */
  readonly edges: readonly LinkedEdge[];
  /** Indexes of nodes so that each edge leads forward. Nodes of a cycle are missing. */
  readonly order: readonly number[];
}

export interface LinkedNode {
  readonly scope: LinkedScope;
  readonly index: number;
  readonly id: string;
  readonly at: Path;
  readonly syntax: Node;
  /** Indexes of edges. */
  readonly in: readonly number[];
  readonly out: readonly number[];
  /** Of a loop. */
  readonly body?: LinkedScope;
}

export interface LinkedEdge {
  readonly from: number;
  readonly to: number;
  readonly on: 'success' | 'error' | 'always';
  readonly handle?: string;
  /** What `edges:` says beyond the ends: condition, codes, label. */
  readonly written?: Edge;
  /** Where the edge is written. */
  readonly at: Path;
}

export interface LinkedAgent {
  readonly syntax: Agent;
  /** The file that it stands in. */
  readonly document: YamlDocument;
  readonly at: Path;
}

/** One expression or template of the file, parsed, with what it may see. */
export interface Site {
  readonly document: YamlDocument;
  readonly at: Path;
  readonly text: string;
  readonly parsed: Expression | Template;
  readonly view: View;
  /** What the value is used for, in words: `the prompt of "ask"`. */
  readonly use: string;
  readonly sink: 'prompt' | 'command' | 'file' | 'tool' | 'message' | 'value';
  /** Node whose output depends on the value. */
  readonly feeds?: LinkedNode;
  /** Context key whose value it is. */
  readonly feedsContext?: string;
}

/** Names and outputs that an expression may read. */
export interface View {
  /** Absent: no outputs of nodes at all. */
  readonly reader?: Reader;
  /** Beside `inputs`, `ctx`, `run` and `trigger`. */
  readonly names: ReadonlySet<string>;
  /** Context entries that are worked out before; absent: all. */
  readonly contextBefore?: number;
  /** `prev` would stand here if the loop were not parallel. */
  readonly parallelLoop?: boolean;
}

/** From where outputs are read. What is upstream of it is visible, here and around enclosing loops. */
export type Reader =
  /** A node before it runs. */
  | { readonly kind: 'node'; readonly node: LinkedNode }
  /** After the node has ended: a condition of one of its edges. */
  | { readonly kind: 'ended'; readonly node: LinkedNode }
  /** After an iteration of the loop: all nodes of its body. */
  | { readonly kind: 'body'; readonly scope: LinkedScope };
