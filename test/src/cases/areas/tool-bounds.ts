import { builtinTools, createRegistry, type JsonObject, type ToolDef } from '@relavium/engine';
import { type Case, failed, type Judge, show, type Verdict, verdict } from '../case.js';
import { generate } from '../generator.js';

/** Arguments as the registry validates them, and results as it bounds them for a model. */
export const judge: Judge = (testCase) => {
  const input = testCase.input as Input;
  const value = input.generator === undefined ? input.value : generate(input.generator);
  return input.result ? judgeResult(testCase, value as string) : judgeArgument(testCase, input, value);
};

interface Input {
  readonly tool: string;
  readonly arg: string;
  readonly generator?: unknown;
  readonly value?: unknown;
  readonly result?: true;
}

/** Good values for what a case does not speak of. */
const others: Readonly<Record<string, JsonObject>> = {
  write_file: { path: 'a.txt', content: '' },
  http_request: { method: 'POST', url: 'https://api.example.com/' },
  git_commit: { message: 'a message' },
  run_command: { command: 'make' },
};

const context = { node: 'case', attempt: 1, signal: new AbortController().signal };
const policy = { allowedCommands: [], allowedCommandGlobs: [], allowedDomains: [], fsScope: 'sandboxed' } as const;

/** The validator alone: what a later step says about a good argument does not count. */
async function judgeArgument({ expect }: Case, { tool, arg }: Input, value: unknown): Promise<Verdict> {
  const { [arg]: _, ...rest } = others[tool] ?? {};
  const config = { ...rest, ...(value === undefined ? {} : { [arg]: value }) } as JsonObject;
  const registry = createRegistry({ tools: builtinTools, host: {}, policy });
  const decision = await registry.check({ tool, caller: 'node', granted: [tool], modelArgs: {}, mapped: {}, config, context });
  const isRefused = decision.code === 'invalid_args';
  return verdict(isRefused === (expect === 'deny' || expect === 'error'), show(expect), { ...decision, details: undefined });
}

async function judgeResult({ expect }: Case, result: string): Promise<Verdict> {
  const expected = expect as { readonly model_copy?: 'whole' | 'preview'; readonly state_value?: 'whole' };
  const tool: ToolDef = {
    ...builtinTools.find(({ id }) => id === 'read_clipboard')!,
    policyTarget: () => ({ kind: 'none' }),
    dispatch: async () => result,
  };
  const host = { [tool.capability]: {} };
  const registry = createRegistry({ tools: [tool], host, policy });
  const outcome = await registry.dispatch({
    tool: tool.id,
    caller: 'agent',
    granted: [tool.id],
    modelArgs: {},
    mapped: {},
    config: {},
    context,
  });
  if (!outcome.ok) return failed(show(expected), outcome.error);
  const copy = outcome.modelCopy === result ? 'whole' : 'preview';
  const state = outcome.output === result ? 'whole' : 'changed';
  const isMet =
    (expected.model_copy ?? copy) === copy &&
    (expected.state_value ?? state) === state &&
    (copy === 'whole' || outcome.modelCopy!.length < result.length);
  return verdict(isMet, show(expected), { model_copy: copy, state_value: state });
}
