import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  builtinTools,
  type Compilation,
  compile,
  createRegistry,
  type GateDecision,
  type JsonObject,
  knownSecrets,
  type Models,
  prepareInputs,
  type RunEvent,
  type RunPorts,
  type RunResult,
  type StreamedEvent,
  startRun,
  type ToolHost,
} from '@relavium/engine';
import { createNodeHost } from '@relavium/host-node';
import { expressionVm } from './expression-vm.js';

/** A folder of its own with the host of this machine: what runs here reads real files and starts real processes. */
export interface Project {
  /** Absolute, with all links followed. */
  readonly folder: string;
  /** Text of a file, or null where there is none. */
  file(path: string): string | null;
  compile(workflow: string): Compilation;
  run(workflow: string, given?: Given): Promise<Ran>;
  close(): void;
}

export interface Given {
  readonly inputs?: JsonObject;
  /** Decisions by gate, taken as soon as it opens. A gate without one makes the run end `waiting`, unless it has a deadline. */
  readonly decisions?: Readonly<Record<string, GateDecision>>;
  /** Puts stand-ins in the place of what a test must not touch, the network above all, or takes a capability away. */
  readonly host?: (real: ToolHost) => ToolHost;
  /** Models, or the origins on the loopback where they are. */
  readonly models?: Models | readonly string[];
  /** Cancels the run as soon as this node has started. */
  readonly cancelAt?: string;
}

export interface Ran extends Omit<RunResult, 'state'> {
  readonly events: readonly RunEvent[];
  /** Output of commands, as it came. */
  readonly streamed: readonly Extract<StreamedEvent, { readonly type: 'tool:output' }>[];
  /** The last word about each node, by path. */
  readonly nodes: Readonly<Record<string, string>>;
  readonly tookMs: number;
}

export function openProject(files: Readonly<Record<string, string>> = {}): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'relavium-project-')));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { ...projectAt(folder), close: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A project in a folder that is there already; it may be reached through a link. */
export function projectAt(folder: string): Omit<Project, 'close'> {
  const host = createNodeHost({ workspace: folder, environment: process.env });
  const compiled = (text: string) => compile({ path: 'main.relavium.yaml', text }, { reader: host.reader, tools: builtinTools });
  return {
    folder,
    file: (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null),
    compile: compiled,
    async run(workflow, { inputs = {}, decisions = {}, host: change = unchanged, models, cancelAt } = {}) {
      const { plan, diagnostics } = compiled(workflow);
      if (plan === undefined) throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'));
      const events: RunEvent[] = [];
      const streamed: Ran['streamed'][number][] = [];
      const secrets = knownSecrets();
      const ports: RunPorts = {
        clock: host.clock,
        store: { append: (more) => void events.push(...more) },
        vm: await expressionVm(),
        newCancel: host.newCancel,
        registry: (policy) => createRegistry({ tools: builtinTools, host: change(host.tools), policy, secrets }),
        secrets,
        ...(models === undefined ? {} : { models: 'open' in models ? models : host.newModels({ allowLocal: models }, secrets) }),
      };
      const run = { id: 'run', startedAt: new Date().toISOString() };
      const prepared = await prepareInputs(plan, inputs, { ...ports, run });
      if (!prepared.ok) throw new Error(prepared.problems.map(({ input, message }) => `${input} ${message}`).join('\n'));
      const begin = {
        runId: run.id,
        workflowHash: 'none',
        inputs: prepared.inputs,
        context: prepared.context,
        trigger: { type: 'manual' },
      };
      const decided = new Set(Object.keys(decisions));
      const begun = performance.now();
      const handle = startRun(plan, begin, ports, {
        parks: (gates) => !gates.some((gate) => decided.has(gate)),
        onStream: (event) => {
          if (event.type === 'tool:output') streamed.push(event);
        },
        onEvent: (event) => {
          if (event.type === 'node:started' && event.node === cancelAt) host.clock.soon(() => handle.cancel());
          if (event.type !== 'gate:opened') return;
          if (event.deadline !== undefined) decided.add(event.node);
          const decision = decisions[event.node];
          if (decision !== undefined) host.clock.soon(() => handle.decide(event.node, decision));
        },
      });
      const { state: _, ...result } = await handle.done;
      return { ...result, events, streamed, nodes: lastWords(events), tookMs: performance.now() - begun };
    },
  };
}

const WORDS = ['started', 'waiting', 'succeeded', 'failed', 'skipped', 'cancelled'];

function lastWords(events: readonly RunEvent[]): Readonly<Record<string, string>> {
  const words: Record<string, string> = {};
  for (const event of events) {
    const word = event.type.startsWith('node:') ? event.type.slice('node:'.length) : '';
    if (WORDS.includes(word) && 'node' in event && typeof event.node === 'string') words[event.node] = word;
  }
  return words;
}

function unchanged(host: ToolHost): ToolHost {
  return host;
}
