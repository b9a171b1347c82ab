import type { Json, JsonObject } from '../json.js';
import { clip } from '../masking/clip.js';
import { type KnownSecrets, knownSecrets } from '../masking/known-secrets.js';
import { mask } from '../masking/mask.js';
import { maskJson } from '../masking/mask-json.js';
import { maskedStream } from '../masking/masked-stream.js';
import { preview } from '../masking/preview.js';
import type { TextStream } from '../masking/text-stream.js';
import type { CallContext } from '../ports/call-context.js';
import { HostError } from '../ports/host-error.js';
import type { ToolHost } from '../ports/tool-host.js';
import { checkApproval } from './approval.js';
import { checkArguments } from './arguments.js';
import { assembleArguments } from './assemble.js';
import { copyForModel } from './bound-result.js';
import { type EffectJournal, type EffectOutcome, needsJournal } from './effect-journal.js';
import type { EffectivePolicy } from './effective-policy.js';
import { findTool } from './find-tool.js';
import { checkGrant, checkProviderExecuted } from './grant.js';
import { fromHostError } from './host-failure.js';
import { lastLines } from './last-lines.js';
import { checkPath, checkPolicy } from './policy.js';
import type { Registry, ToolCall, ToolDecision, ToolOutcome } from './registry.js';
import { secretReader } from './secret-reader.js';
import type { Spill } from './spill.js';
import type { PolicyTarget, ToolDef } from './tool-def.js';
import { type ToolError, toolError } from './tool-error.js';

export interface RegistryOptions {
  readonly tools: readonly ToolDef[];
  readonly host: ToolHost;
  readonly policy: EffectivePolicy;
  readonly effects?: EffectJournal;
  readonly spill?: Spill;
  /** What the run has read of secrets: replaced in results themselves, errors and output. Absent: what this registry alone reads. */
  readonly secrets?: KnownSecrets;
}

/**
 * The one door to tools. The order of the steps is a promise: none runs before those above it have passed.
 *
 * 1 provider-executed · 2 exact id · 3 grant · 4 assemble · 5 sizes · 6 schema and secrets · 7 policy · 8 approval · 9 effect prepared ·
 * 10 the host's one call · 11 effect settled · 12 known secrets replaced, `output_mapping` · 13 the model's copy · 14 summary
 */
export function createRegistry(options: RegistryOptions): Registry {
  const { tools, policy, host: wholeHost, secrets = knownSecrets() } = options;
  const host: ToolHost = wholeHost.fs === undefined ? wholeHost : { ...wholeHost, fs: wholeHost.fs.within(policy.fsScope) };
  const door: Door = { ...options, host, secrets, byId: toolsById(tools) };
  return {
    tools,
    find: (id) => door.byId.get(id),
    dispatch: (call) => dispatch(call, door),
    check: (call) => check(call, door),
    propose: (call) => propose(call, door),
    shownName: (name) => clip(mask(secrets.redact(name)), NAME_LENGTH),
    preview: ({ modelArgs, mapped, config }) => preview(secrets.redactJson({ ...mapped, ...config, ...modelArgs }), PREVIEW_LENGTH),
  };
}

const indexes = new WeakMap<readonly ToolDef[], ReadonlyMap<string, ToolDef>>();

/** The tools are the same for all runs. */
function toolsById(tools: readonly ToolDef[]): ReadonlyMap<string, ToolDef> {
  const found = indexes.get(tools) ?? new Map(tools.map((tool) => [tool.id, tool]));
  indexes.set(tools, found);
  return found;
}

const NAME_LENGTH = 100;
const PREVIEW_LENGTH = 2_048;
const SUMMARY_LENGTH = 500;

interface Door extends RegistryOptions {
  readonly secrets: KnownSecrets;
  readonly byId: ReadonlyMap<string, ToolDef>;
}

interface Admitted {
  readonly tool: ToolDef;
  readonly args: JsonObject;
  readonly target: PolicyTarget;
}

/** Agents belong to the run, not to the host. */
function withAgents(door: Door, { agents }: Pick<ToolCall, 'agents'>): Door {
  return agents === undefined ? door : { ...door, host: { ...door.host, agents } };
}

async function check(call: Omit<ToolCall, 'mapOutput'>, opened: Door): Promise<ToolDecision> {
  const door = withAgents(opened, call);
  const admitted = admit(call, door);
  const target = 'target' in admitted ? { target: admitted.target } : {};
  const error =
    'error' in admitted
      ? admitted.error
      : ((await checkPath(admitted.tool, admitted.target, door.host)).error ?? checkCapability(admitted.tool, door.host));
  if (error === undefined) return { decision: 'allow', ...target };
  const { code, message, details } = masked(error, door);
  const reason = typeof details.reason === 'string' ? { reason: details.reason } : {};
  return { decision: code === 'tool_denied' ? 'deny' : 'error', code, ...reason, message, details, ...target };
}

async function propose(call: Omit<ToolCall, 'mapOutput'>, door: Door): ReturnType<Registry['propose']> {
  const admitted = admit({ ...call, gateApproved: true }, door);
  if ('error' in admitted) return failed(admitted.error, door);
  const { tool, args } = admitted;
  if (tool.propose === undefined) return undefined;
  const unavailable = checkCapability(tool, door.host);
  if (unavailable !== undefined) return failed(unavailable, door);
  try {
    const { seal, text } = await tool.propose(args, door.host, call.context);
    return { ok: true, proposal: { seal, text: mask(door.secrets.redact(text)) } };
  } catch (error) {
    if (error instanceof HostError) return failed(fromHostError(tool.id, error), door);
    throw error;
  }
}

async function dispatch(call: ToolCall, opened: Door): Promise<ToolOutcome> {
  const door = withAgents(opened, call);
  const admitted = admit(call, door);
  if ('error' in admitted) return failed(admitted.error, door);
  const { tool, target } = admitted;
  // A read is judged once more by the host when it is done, and nothing stands between the two; a write waits for a person and a journal.
  const checked = tool.policy === 'fs_write' ? await checkPath(tool, target, door.host) : {};
  const shown = () => approvalText(checked.path ?? touched(target), door.secrets);
  const objection = checked.error ?? checkCapability(tool, door.host) ?? (await checkApproval(tool, shown, call.context, call.approval));
  if (call.context.signal.aborted) return failed(cancelled(tool), door);
  if (objection !== undefined) return failed(objection, door);
  const answer = await perform(admitted, call, door);
  return 'error' in answer ? failed(answer.error, door) : finish(admitted, answer.result, call, door);
}

/** Steps 1 to 7 but for paths, which only the host can judge. */
function admit(call: Omit<ToolCall, 'mapOutput'>, { byId, policy }: Door): Admitted | { readonly error: ToolError } {
  const refused = checkProviderExecuted(call);
  if (refused !== undefined) return { error: refused };
  const tool = findTool(call.tool, byId);
  if ('code' in tool) return { error: tool };
  const notGranted = checkGrant(call);
  if (notGranted !== undefined) return { error: notGranted };
  const assembled = assembleArguments(tool, call);
  if ('error' in assembled) return assembled;
  const { args } = assembled;
  const invalid = checkArguments(tool, args);
  if (invalid !== undefined) return { error: invalid };
  const target = tool.policyTarget(args);
  const denied = checkPolicy(tool, target, call, policy);
  return denied === undefined ? { tool, args, target: target! } : { error: denied };
}

function checkCapability(tool: ToolDef, host: ToolHost): ToolError | undefined {
  if (host[tool.capability] !== undefined) return undefined;
  return toolError('tool_unavailable', tool.id, `this host has no ${tool.capability} capability`, {
    reason: 'no_capability',
    capability: tool.capability,
  });
}

type Answer = { readonly result: Json } | { readonly error: ToolError };

/** Steps 9 to 11, and known secrets of 12: before anything is cut out of a result, and before it is judged or kept. */
async function perform(admitted: Admitted, call: ToolCall, door: Door): Promise<Answer> {
  const { tool, args } = admitted;
  const effect = typeof tool.effect === 'function' ? tool.effect(args) : tool.effect;
  if (door.effects === undefined || !needsJournal(effect)) return callHost(admitted, call, door);
  const decision = await door.effects.prepare({ tool: tool.id, effect, args, context: call.context });
  if (decision.kind === 'done') return judged(tool, args, decision.result, call);
  if (decision.kind === 'attention') return { error: toolError('effect_needs_attention', tool.id, decision.message) };
  let outcome: EffectOutcome = { kind: 'ambiguous' };
  try {
    const answer = await callHost(admitted, call, door);
    outcome = 'error' in answer ? { kind: 'failed', error: answer.error } : { kind: 'committed', result: answer.result };
    return answer;
  } finally {
    await decision.settle(outcome);
  }
}

async function callHost({ tool, args }: Admitted, call: ToolCall, { host, secrets }: Door): Promise<Answer> {
  const readSecret = secretReader(call.context, host.secrets, secrets);
  const { context, end } = withMaskedOutput({ ...call.context, readSecret }, secrets);
  try {
    return judged(tool, args, secrets.redactJson(await tool.dispatch(args, host, context)), call);
  } catch (error) {
    if (error instanceof HostError) return { error: fromHostError(tool.id, error) };
    throw error;
  } finally {
    end();
  }
}

/** A tool node fails on answers that a model is left to judge for itself. */
function judged(tool: ToolDef, args: JsonObject, result: Json, { caller }: ToolCall): Answer {
  const failure = caller === 'node' ? tool.failure?.(result, args) : undefined;
  return failure === undefined ? { result } : { error: toolError('tool_failed', tool.id, failure.message, failure.details) };
}

/** Output is shown to people while it comes, so it is masked like everything that is shown. */
function withMaskedOutput(context: CallContext, secrets: KnownSecrets): { readonly context: CallContext; end(): void } {
  const { onOutput } = context;
  if (onOutput === undefined) return { context, end: () => undefined };
  const maskedTo = (name: 'stdout' | 'stderr'): TextStream => maskedStream(secrets, (text) => onOutput(name, text));
  const streams = { stdout: maskedTo('stdout'), stderr: maskedTo('stderr') };
  return {
    context: { ...context, onOutput: (stream, text) => streams[stream].push(text) },
    end() {
      streams.stdout.end();
      streams.stderr.end();
    },
  };
}

/** The rest of step 12, and the steps after it. */
async function finish({ tool, target }: Admitted, result: Json, call: ToolCall, door: Door): Promise<ToolOutcome> {
  const mapped = call.mapOutput?.(result) ?? { ok: true, value: result };
  if (!mapped.ok) {
    return failed(toolError('expression_error', tool.id, `output_mapping: ${mapped.message}`, { reason: mapped.reason }), door);
  }
  const output = mapped.value ?? null;
  const summary = preview(output, SUMMARY_LENGTH);
  if (call.caller === 'node') return { ok: true, output, summary };
  const copy = copyForModel(result);
  const modelCopy = copy.kind === 'whole' ? copy.text : copy.preview(await placeOf(copy.whole, target, call, door));
  return { ok: true, output, summary, modelCopy };
}

function placeOf(
  text: string,
  target: PolicyTarget,
  { context }: ToolCall,
  { spill }: Door,
): string | undefined | Promise<string | undefined> {
  if (target.kind === 'path' && spill?.holds(target.path) === true) return target.path;
  return spill?.keep(text, context);
}

/** What would be touched, and no content. */
function touched(target: PolicyTarget): Json {
  switch (target.kind) {
    case 'command':
      return target.vector;
    case 'path':
      return target.path;
    case 'url':
      return target.url;
    case 'git':
      return target.args;
    case 'mcp':
      return `${target.server} ${target.tool}`;
    case 'node':
      return target.id;
    case 'none':
      return '';
  }
}

const APPROVAL_LENGTH = 4_000;

/** Masked, and whole: a person approves nothing that is not seen. What is too long for that says how much is not shown, and shows its end too. */
function approvalText(value: Json, secrets: KnownSecrets): string {
  const text = JSON.stringify(maskJson(secrets.redactJson(value)));
  if (text.length <= APPROVAL_LENGTH) return text;
  const half = APPROVAL_LENGTH / 2;
  return `${clip(text, half)} (${text.length - APPROVAL_LENGTH} characters are not shown here) ${text.slice(-half).replace(/^[\udc00-\udfff]/u, '')}`;
}

function masked({ code, message, details }: ToolError, { secrets }: Door): ToolError {
  return { code, message: mask(secrets.redact(message)), details: withLastLines(maskJson(secrets.redactJson(details)) as JsonObject) };
}

/** What a program said last, once nothing can be cut in two any more that has to be masked. */
function withLastLines(details: JsonObject): JsonObject {
  const tails = ['stdoutTail', 'stderrTail'].filter((name) => typeof details[name] === 'string');
  return tails.length === 0
    ? details
    : { ...details, ...Object.fromEntries(tails.map((name) => [name, lastLines(details[name] as string)])) };
}

function cancelled(tool: ToolDef): ToolError {
  return toolError('cancelled', tool.id, 'the call was cancelled before it began', { reason: 'cancelled' });
}

function failed(error: ToolError, door: Door): Extract<ToolOutcome, { ok: false }> {
  return { ok: false, error: masked(error, door) };
}
