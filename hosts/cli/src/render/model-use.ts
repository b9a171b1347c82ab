import { type RunEvent, showControls } from '@relavium/engine';
import { duration } from './duration.js';
import type { Paint } from './paint.js';

/** What models did in a run, for its last words. */
export interface ModelUse {
  event(event: RunEvent): void;
  /** Which models answered, and what was used, also by answers that broke off; empty where nothing was. */
  summary(): string;
  /** Who invoked whom, a line an invocation, under the node that began it; empty where nobody did. */
  delegation(paint: Paint): readonly string[];
}

interface Invoked {
  readonly path: string;
  how: string;
}

export function modelUse(): ModelUse {
  const models = new Set<string>();
  const invoked = new Map<string, Invoked>();
  let tokens = 0;
  let microcents = 0;
  let unpriced: readonly string[] = [];
  return {
    event(event) {
      switch (event.type) {
        case 'agent:turn_completed':
          models.add(`${event.provider}:${event.model}`);
          return;
        case 'cost:updated':
          tokens = event.usage.inputTokens + event.usage.outputTokens;
          microcents = event.cost.microcents;
          unpriced = event.cost.unpriced ?? [];
          return;
        case 'node:started':
          if (event.parent !== undefined) invoked.set(event.node, { path: event.node, how: '' });
          return;
        case 'node:succeeded':
        case 'node:failed': {
          const found = invoked.get(event.node);
          if (found !== undefined) found.how = event.type === 'node:succeeded' ? duration(event.durationMs) : event.error.code;
          return;
        }
        default:
          return;
      }
    },
    summary() {
      if (models.size === 0 && tokens === 0) return '';
      const cost = microcents > 0 ? `$${(microcents / 1e8).toFixed(4)}` : '';
      const unknown = unpriced.length > 0 ? `no price known for ${unpriced.join(', ')}` : '';
      return [...models, `${tokens.toLocaleString('en')} tokens`, cost, unknown]
        .filter((part) => part !== '')
        .map((part) => showControls(part))
        .join(', ');
    },
    delegation(paint) {
      const lines: string[] = [];
      let root = '';
      for (const { path, how } of invoked.values()) {
        const parts = path.split(/\/call\[\d+\]\//);
        if (parts[0] !== root) {
          root = parts[0] as string;
          lines.push(showControls(root));
        }
        lines.push(`${'   '.repeat(parts.length - 2)}└─ ${showControls(parts.at(-1) as string)}  ${paint.dim(how)}`);
      }
      return lines;
    },
  };
}
