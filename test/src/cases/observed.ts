import type { RunEvent } from '@relavium/engine';

/** What a run's events tell about each node. */
export interface ObservedNode {
  readonly state: NodeStatus;
  readonly type?: string;
  readonly attempts: number;
  /** `seq` of the first start and of the end. */
  readonly startedAt?: number;
  readonly endedAt?: number;
}

export type NodeStatus = 'pending' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'skipped' | 'cancelled';

export interface Observed {
  readonly nodes: ReadonlyMap<string, ObservedNode>;
  /** By node path, as the person deciding sees them. */
  readonly gateMessages: ReadonlyMap<string, string>;
  /** Most tool nodes ever running at once. */
  readonly maxRunning: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function observe(events: readonly RunEvent[]): Observed {
  const nodes = new Map<string, Mutable<ObservedNode>>();
  const gateMessages = new Map<string, string>();
  const running = new Set<string>();
  let maxRunning = 0;
  const at = (path: string): Mutable<ObservedNode> => {
    const known = nodes.get(path);
    if (known !== undefined) return known;
    const node: Mutable<ObservedNode> = { state: 'pending', attempts: 0 };
    nodes.set(path, node);
    return node;
  };
  const end = (path: string, state: NodeStatus, seq: number): void => {
    const node = at(path);
    node.state = state;
    node.endedAt = seq;
    running.delete(path);
  };

  for (const event of events) {
    switch (event.type) {
      case 'node:started': {
        const node = at(event.node);
        node.state = 'running';
        node.type = event.nodeType;
        node.attempts = event.attempt;
        node.startedAt ??= event.seq;
        if (event.nodeType === 'tool') running.add(event.node);
        maxRunning = Math.max(maxRunning, running.size);
        break;
      }
      case 'node:retrying':
      case 'node:waiting':
        at(event.node).state = 'waiting';
        running.delete(event.node);
        break;
      case 'node:succeeded':
        end(event.node, 'succeeded', event.seq);
        break;
      case 'node:failed':
        end(event.node, 'failed', event.seq);
        break;
      case 'node:skipped':
        end(event.node, 'skipped', event.seq);
        break;
      case 'node:cancelled':
        end(event.node, 'cancelled', event.seq);
        break;
      case 'gate:opened':
        gateMessages.set(event.node, event.message);
        break;
    }
  }
  return { nodes, gateMessages, maxRunning };
}
