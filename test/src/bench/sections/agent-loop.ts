import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { builtinTools, type Models, type Plan, startRun } from '@relavium/engine';
import { stubTools } from '@relavium/engine/testing';
import { createModels, createSourceReader, environmentSecrets, nodeClock } from '@relavium/host-node';
import { noInputs, planOf, runPorts } from '../../shared/run-ports.js';
import { judged } from '../figure.js';
import { callByCall, sideBySide } from '../measure.js';
import type { Section } from '../sections.js';

const TURNS = 16;
const ORIGIN = 'http://127.0.0.1:9';
const LISTING = { entries: [{ name: 'a.txt', type: 'file', sizeBytes: 1, lastModified: '2030-01-01T00:00:00.000Z' }] };

/** Neither side talks to a network: both read the same streams, which are made beforehand. */
export const parts: Readonly<Record<string, Section>> = {
  async turn(report) {
    const plan = planOf(workflow());
    const measured = await callByCall({ ours: () => runAgent(plan, TURNS), bare: () => askPackage(TURNS) }, 31, 60);
    const ours = (measured.ours.ms * 1000) / TURNS;
    const bare = (measured.bare.ms * 1000) / TURNS;
    const figure = { section: 'agent-loop', unit: 'µs', spread: measured.ours.spread } as const;
    report({ ...figure, name: 'a turn with a tool call', value: ours, against: "the provider's package alone", ratio: ours / bare });
    report(judged({ ...figure, name: 'a turn, above the package', value: ours - bare }, { atMost: 300 }));
  },
  async 'first token'(report) {
    const plan = planOf(workflow());
    const measured = await sideBySide({ ours: () => runAgent(plan, 1), bare: () => askPackage(1) }, { passes: 9, passMs: 100 });
    const first = await callByCall({ ours: () => firstToken(plan), bare: packageFirstToken }, 31, 10);
    report(
      judged(
        {
          section: 'agent-loop',
          name: 'first token, above the package',
          value: first.ours.ms - first.bare.ms,
          unit: 'ms',
          spread: first.ours.spread,
        },
        { atMost: 5 },
      ),
    );
    report({ section: 'agent-loop', name: 'a run of one turn', value: measured.ours.ms, unit: 'ms', spread: measured.ours.spread });
  },
};

function workflow(): string {
  return `schema_version: '1.0'
workflow:
  id: bench
  agents:
    - { id: a, provider: openai-compatible, model: m, base_url: '${ORIGIN}/v1', system_prompt: Help., tools: [list_directory] }
  nodes:
    - { id: ask, type: agent, agent_ref: a, prompt_template: Go }
`;
}

async function runAgent(plan: Plan, turns: number, onText?: () => void): Promise<void> {
  const { tools } = stubTools(builtinTools, new Map([['ask', [{ result: LISTING }]]]), nodeClock());
  const ports = { ...runPorts({ tools, host: { fs: NO_FILES } }), models: models(turns) };
  const result = await startRun(plan, noInputs, ports, onText === undefined ? {} : { onText }).done;
  if (result.status !== 'succeeded') throw new Error(`the run ${result.status}: ${result.error?.message}`);
}

/** The tools are stand-ins, so only the policy for files is ever asked. */
const NO_FILES = { within: () => NO_FILES, check: async () => undefined } as never;

function models(turns: number): Models {
  return createModels({
    secrets: environmentSecrets({}),
    egress: { fetch: streams(turns) },
    clock: nodeClock(),
    reader: createSourceReader({ root: process.cwd(), cwd: process.cwd() }),
    workspace: process.cwd(),
  });
}

/** Answers with calls, each another one, and at the end with words. */
function streams(turns: number): typeof fetch {
  let turn = 0;
  return async () => {
    turn++;
    return new Response(turn < turns ? CALLS[turn] : WORDS, { headers: { 'content-type': 'text/event-stream' } });
  };
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const USAGE = `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [], usage: { prompt_tokens: 9, completion_tokens: 3 } })}\n\ndata: [DONE]\n\n`;
const WORDS = ['One ', 'two ', 'three ', 'four.'].map((content) => chunk({ content })).join('') + chunk({}, 'stop') + USAGE;
const CALLS = Array.from({ length: TURNS }, (_, turn) => {
  const call = (part: object) => chunk({ tool_calls: [{ index: 0, ...part }] });
  const head = call({ id: `call-${turn}`, function: { name: 'list_directory', arguments: '' } });
  return `${chunk({ content: 'Looking. ' })}${head}${call({ function: { arguments: '{"path":' } })}${call({ function: { arguments: `"d${turn}"}` } })}${chunk({}, 'tool_calls')}${USAGE}`;
});

type Prompt = Parameters<ReturnType<ReturnType<typeof createOpenAICompatible>>['doStream']>[0]['prompt'];

/** What the package costs by itself: the same requests, each stream read to its end. */
async function askPackage(turns: number): Promise<void> {
  const model = createOpenAICompatible({ name: 'bench', baseURL: `${ORIGIN}/v1`, fetch: streams(turns), includeUsage: true }).languageModel(
    'm',
  );
  const prompt: Prompt = [
    { role: 'system', content: 'Help.' },
    { role: 'user', content: [{ type: 'text', text: 'Go' }] },
  ];
  const listing = JSON.stringify(LISTING);
  for (let turn = 1; turn <= turns; turn++) {
    const { stream } = await model.doStream({ prompt: [...prompt], tools: [TOOL], maxOutputTokens: 8192 });
    for await (const _ of stream as unknown as AsyncIterable<unknown>);
    const id = `call-${turn}`;
    prompt.push({
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: id, toolName: 'list_directory', input: { path: `d${turn}` } }],
    });
    prompt.push({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName: 'list_directory', output: { type: 'text', value: listing } }],
    });
  }
}

const TOOL = {
  type: 'function' as const,
  name: 'list_directory',
  description: 'Lists a folder.',
  inputSchema: { type: 'object' as const, properties: { path: { type: 'string' as const } } },
};

async function firstToken(plan: Plan): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    runAgent(plan, 1, resolve).catch(reject);
  });
}

async function packageFirstToken(): Promise<void> {
  const model = createOpenAICompatible({ name: 'bench', baseURL: `${ORIGIN}/v1`, fetch: streams(1) }).languageModel('m');
  const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }] });
  for await (const part of stream as unknown as AsyncIterable<{ readonly type: string }>) if (part.type === 'text-delta') return;
}
