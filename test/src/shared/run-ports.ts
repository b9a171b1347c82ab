import {
  builtinTools,
  type Clock,
  compile,
  createRegistry,
  type EventStore,
  type Plan,
  type RunPorts,
  type ToolDef,
  type ToolHost,
} from '@relavium/engine';
import { memorySourceReader } from '@relavium/engine/testing';
import { expressionVm } from './expression-vm.js';

/** What a run is given here: anything but the VM and the way to cancel may be a stand-in. */
export interface Parts {
  readonly clock?: Clock;
  readonly store?: EventStore;
  readonly tools?: readonly ToolDef[];
  readonly host?: ToolHost;
}

export function runPorts({ clock = wallClock, store = { append: () => {} }, tools = builtinTools, host = {} }: Parts): RunPorts {
  return { clock, store, vm: expressionVm(), newCancel, registry: (policy) => createRegistry({ tools, host, policy }) };
}

/** What a run without inputs begins with. */
export const noInputs = { runId: 'run', workflowHash: 'none', inputs: {}, context: {}, trigger: { type: 'manual' } } as const;

export function planOf(text: string): Plan {
  const { plan, diagnostics } = compile({ path: 'sample.relavium.yaml', text }, { reader: memorySourceReader({}), tools: builtinTools });
  if (plan === undefined)
    throw new Error(`a sample does not compile: ${diagnostics.map(({ code, message }) => `${code}: ${message}`).join('; ')}`);
  return plan;
}

function newCancel(): ReturnType<RunPorts['newCancel']> {
  const controller = new AbortController();
  return { signal: controller.signal, cancel: () => controller.abort() };
}

const wallClock: Clock = {
  now: () => Date.now(),
  at: (instant, fire) => {
    const timer = setTimeout(fire, Math.max(0, instant - Date.now()));
    return () => clearTimeout(timer);
  },
  soon: (fire) => void setImmediate(fire),
};
