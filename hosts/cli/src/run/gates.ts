import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { checkValue, type GateDecision, type Json, type Plan, type RunEvent, type ScopePlan, showControls } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';
import type { View } from '../render/view.js';

export type GateMode = 'prompt' | 'reject';

/** Whether the gates of a plan can be decided here. Nothing approves in silence, and nothing waits for nobody. */
export function gateMode(cli: Cli, plan: Plan, asked: GateMode | undefined): Outcome<GateMode> {
  if (asked === 'reject') return done('reject');
  const gate = firstGate(plan);
  if (gate === undefined || canAsk(cli)) return done('prompt');
  return problem(
    `"${gate}" asks a person, and here is no terminal to ask in`,
    'Run it in a terminal, or have every gate rejected with --gates reject.',
  );
}

function canAsk(cli: Cli): boolean {
  return cli.stdin.isTTY === true && cli.err.isTerminal && !cli.json;
}

function firstGate(plan: Plan): string | undefined {
  for (const workflow of [plan, ...Object.values(plan.children)]) {
    const found = gateIn(workflow.root);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** JSON Schema that the answer to an input gate is to meet. Paths lead through loops and children. */
export function inputSchemaOf(plan: Plan, path: string): Json | undefined {
  let workflow = plan;
  let scope = plan.root;
  for (const id of path.split(/[./]/).map((part) => part.replace(/\[\d+\]$/, ''))) {
    const node = scope.nodes.find((candidate) => candidate.id === id);
    if (node?.type === 'human_gate') return node.inputSchema;
    if (node?.type === 'loop') scope = node.body;
    if (node?.type !== 'subworkflow') continue;
    workflow = plan.children[node.child] ?? workflow;
    scope = workflow.root;
  }
  return undefined;
}

function gateIn(scope: ScopePlan): string | undefined {
  for (const node of scope.nodes) {
    if (node.type === 'human_gate') return node.id;
    const inner = node.type === 'loop' ? gateIn(node.body) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

export interface GateKeeper {
  /** Rejects if asking breaks: a fault of ours, not an answer. */
  readonly broken: Promise<never>;
  event(event: RunEvent): void;
  close(): void;
}

export interface GateKeeperParts {
  readonly mode: GateMode;
  readonly view: View;
  readonly decide: (node: string, decision: GateDecision) => void;
  /** JSON Schema that the answer to an input gate is to meet, by the gate's path. */
  readonly schemaOf: (node: string) => Json | undefined;
}

type Opened = Extract<RunEvent, { type: 'gate:opened' }>;

/** Decides the gates of a run: asks one question after the other, or says no to all. */
export function keepGates(cli: Cli, { mode, view, decide, schemaOf }: GateKeeperParts): GateKeeper {
  const open: Opened[] = [];
  let breakDown: (fault: unknown) => void = () => {};
  const broken = new Promise<never>((_, reject) => {
    breakDown = reject;
  });
  // It is looked at while the run goes on; afterwards nobody does.
  broken.catch(() => {});
  let asking: AbortController | undefined;

  const next = async (): Promise<void> => {
    const gate = open[0];
    if (gate === undefined || asking !== undefined) return;
    asking = new AbortController();
    const resume = view.hold();
    const decision = await askAbout(cli, gate, schemaOf(gate.node), asking.signal);
    asking = undefined;
    resume();
    if (open[0] === gate) open.shift();
    if (decision !== undefined) decide(gate.node, decision);
    next().catch(breakDown);
  };

  return {
    broken,
    event(event) {
      if (event.type === 'gate:opened' && mode === 'reject') {
        // After the run has gone on to its own next step: a decision is an input of its own.
        setImmediate(() => decide(event.node, { decision: 'rejected', by: '--gates reject' }));
      } else if (event.type === 'gate:opened') {
        open.push(event);
        next().catch(breakDown);
      } else if (event.type === 'gate:decided') {
        const at = open.findIndex(({ node }) => node === event.node);
        if (at === 0) asking?.abort();
        if (at >= 0) open.splice(at, 1);
      }
    },
    close() {
      asking?.abort();
    },
  };
}

/** Undefined: somebody or something else has decided meanwhile. */
async function askAbout(cli: Cli, gate: Opened, schema: Json | undefined, signal: AbortSignal): Promise<GateDecision | undefined> {
  const { paint } = cli.err;
  const lines = createInterface({ input: cli.stdin, output: process.stderr });
  // Ctrl-C belongs to the run, not to the question.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  const question = (text: string): Promise<string | undefined> =>
    Promise.race([lines.question(`${text} `, { signal }).catch(() => undefined), closed]);
  const by = userInfo().username;
  try {
    cli.err.line('');
    cli.err.line(`${paint.bold(showControls(gate.node))}: ${showControls(gate.message)}`);
    if (gate.deadline !== undefined) cli.err.line(`  until ${gate.deadline}`);
    for (;;) {
      const said = await question(
        gate.gateType === 'input' ? 'Your answer as JSON or text, or "reject":' : 'Approve? [y/n, or n and a reason]',
      );
      if (signal.aborted) return undefined;
      if (said === undefined) return { decision: 'rejected', by: 'end of input' };
      const decision = gate.gateType === 'input' ? await inputDecision(said, by, schema) : plainDecision(said, by);
      if (typeof decision !== 'string') return decision;
      cli.err.line(`  ${showControls(decision)}`);
    }
  } finally {
    lines.close();
  }
}

function plainDecision(said: string, by: string): GateDecision | string {
  const [word = '', ...rest] = said.trim().split(/\s+/);
  const comment = rest.length === 0 ? {} : { comment: rest.join(' ') };
  if (/^(y|yes|approve)$/i.test(word)) return { decision: 'approved', by, ...comment };
  if (/^(n|no|reject)$/i.test(word)) return { decision: 'rejected', by, ...comment };
  return 'Answer y or n.';
}

async function inputDecision(said: string, by: string, schema: Json | undefined): Promise<GateDecision | string> {
  if (/^reject\b/i.test(said.trim())) return { decision: 'rejected', by };
  const payload = jsonOrText(said);
  const problems = schema === undefined ? [] : await checkValue(schema, payload);
  return problems.length === 0 ? { decision: 'input_provided', by, payload } : problems.join('\n  ');
}

function jsonOrText(said: string): Json {
  try {
    return JSON.parse(said) as Json;
  } catch {
    return said;
  }
}
