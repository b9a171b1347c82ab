/** One way in which a node or a run can fail. The codes are public: retry_on, codes of edges and scripts name them. */
export interface RunCode {
  readonly code: string;
  readonly title: string;
  readonly explanation: string;
  /** Whether `retry` repeats it when it does not say `retry_on`. */
  readonly retried: boolean;
  readonly wrong: string;
  readonly right: string;
}

/** The closed set of codes that errors of a run can have, beside `user.<code>` of fail nodes. */
export const runCodes: readonly RunCode[] = [
  {
    code: 'validation',
    title: 'a value that breaks a rule',
    explanation:
      'Something that a node was given does not have the form that it needs, such as a branch that is no object in an object_merge.',
    retried: false,
    wrong: 'object_merge over branches that give 1 and 2',
    right: 'object_merge over branches that give { a: 1 } and { b: 2 }',
  },
  {
    code: 'expression_error',
    title: 'an expression that failed',
    explanation:
      'Evaluating an expression threw, ran out of its budget of steps, memory or time, or gave something that is no JSON or no boolean where one is needed. The reason and the message say which.',
    retried: false,
    wrong: 'if: \'run.outputs["probe"].stdout\'',
    right: 'if: \'run.outputs["probe"].stdout === "yes"\'',
  },
  {
    code: 'unresolved_reference',
    title: 'a template met something undefined',
    explanation:
      'A {{ … }} inside text had no value: the node was skipped, or the key is not there. Say what to write instead with default.',
    retried: false,
    wrong: 'Notes: {{ run.outputs["notes"].text }}',
    right: 'Notes: {{ run.outputs["notes"].text | default("none") }}',
  },
  {
    code: 'tool_failed',
    title: 'a tool ran and failed',
    explanation:
      'The call was allowed and made, and it did not succeed: an exit code other than 0, an HTTP status of 400 and more, a file that is not there. details hold what the tool said. ok_exit_codes and ok_status let such answers count as results.',
    retried: true,
    wrong: 'tool_config: { command: grep, args: [TODO, notes.txt] }',
    right: 'tool_config: { command: grep, args: [TODO, notes.txt], ok_exit_codes: [0, 1] }',
  },
  {
    code: 'tool_denied',
    title: 'a call that the policy refused',
    explanation:
      'Nothing was done. details.reason names the rule (command_not_allowed, domain_not_allowed, path_denied, …), details.remedy the YAML lines that would allow the call.',
    retried: false,
    wrong: "tools: { allowedCommands: ['npm test'] }   # and the node runs: npm run build",
    right: "tools: { allowedCommands: ['npm test', 'npm run build'] }",
  },
  {
    code: 'tool_unavailable',
    title: 'the host cannot do this',
    explanation:
      'The tool exists, but the program that runs the workflow has not got what it needs: no clipboard on a server, no search provider, no MCP server of that name.',
    retried: false,
    wrong: 'read_clipboard on a machine without a desktop',
    right: 'an error edge with codes: [tool_unavailable] to a node that does without',
  },
  {
    code: 'unknown_tool',
    title: 'a tool that does not exist',
    explanation: 'A model or a computed call named a tool that is not registered. The message lists the tools that are.',
    retried: false,
    wrong: 'a model calls readfile',
    right: 'it calls read_file',
  },
  {
    code: 'invalid_args',
    title: 'arguments that the tool refuses',
    explanation:
      'The arguments of the call, all sources together, do not meet the schema or the size limits of the tool. Nothing was done.',
    retried: false,
    wrong: 'input_mapping: { args: \'"test"\' }',
    right: 'input_mapping: { args: \'["test"]\' }',
  },
  {
    code: 'timeout',
    title: 'a node took too long',
    explanation:
      'One attempt lasted longer than timeout_ms; on a loop or a subworkflow, the whole of it. What was running was stopped, process trees included.',
    retried: true,
    wrong: 'timeout_ms: 200 on a build',
    right: 'timeout_ms: 600000',
  },
  {
    code: 'run_timeout',
    title: 'the run took too long',
    explanation: 'The active time of the run exceeded its timeout_ms. Error edges are not taken, always edges are.',
    retried: false,
    wrong: 'workflow: { timeout_ms: 1000 } around a long build',
    right: 'workflow: { timeout_ms: 3600000 }',
  },
  {
    code: 'output_invalid',
    title: 'an output that does not meet its schema',
    explanation:
      'The node has an output_schema and its output does not meet it. It is not tried again: the same node gives the same answer.',
    retried: false,
    wrong: 'transform: \'"3"\'\noutput_schema: { type: number }',
    right: "transform: '3'\noutput_schema: { type: number }",
  },
  {
    code: 'no_branch_matched',
    title: 'a condition without a matching branch',
    explanation: 'The value of the condition equals no `when`, and there is no default. Values are compared with ===, so 1 is not "1".',
    retried: false,
    wrong: 'branches: [{ when: red, target_node: stop }]   # and the value is "blue"',
    right: 'branches: [{ when: red, target_node: stop }]\ndefault: go',
  },
  {
    code: 'join_unsatisfiable',
    title: 'a race that too few branches won',
    explanation: 'All branches of a wait_first or wait_n merge have ended, fewer succeeded than it waits for, and at least one failed.',
    retried: false,
    wrong: 'wait_n: 2 over three branches, two of which fail',
    right: 'an error edge with codes: [join_unsatisfiable]',
  },
  {
    code: 'loop_limit',
    title: 'a loop that did not end',
    explanation: 'max_iterations was reached (100 where it is not given) while the loop still wanted to go on.',
    retried: false,
    wrong: "while: 'true'",
    right: "while: 'prev < 20'\nmax_iterations: 1000",
  },
  {
    code: 'recursion_limit',
    title: 'calls nested too deeply',
    explanation: 'Subworkflows or agents called each other more than 8 deep.',
    retried: false,
    wrong: 'a workflow that always calls itself',
    right: "if: 'inputs.depth < 3' on the node that calls it",
  },
  {
    code: 'turn_limit',
    title: 'an agent that did not finish',
    explanation: 'An agent used up max_turns rounds of answers and tool calls, or its calls delivered more media than one answer may.',
    retried: false,
    wrong: 'max_turns: 1 for a task that needs two tool calls',
    right: 'max_turns: 8',
  },
  {
    code: 'gate_rejected',
    title: 'a person said no',
    explanation:
      'A human gate was rejected, or its time ran out and timeout_action is reject. details hold the decision. An error edge routes it; without one the run fails, so a rejection never passes by oversight.',
    retried: false,
    wrong: 'gate -> deploy, and nothing else',
    right: '{ from: gate, to: notify, on: error, codes: [gate_rejected] }',
  },
  {
    code: 'budget_exceeded',
    title: 'the budget would be exceeded',
    explanation: 'The next model call could cost more than budget leaves, and on_exceed is fail.',
    retried: false,
    wrong: 'budget: { max_tokens: 100 }',
    right: 'budget: { max_tokens: 200000, on_exceed: pause_for_approval }',
  },
  {
    code: 'provider_error',
    title: 'a model provider refused the request',
    explanation: 'The provider answered that the request itself is wrong. It is not tried again.',
    retried: false,
    wrong: 'model: a name that the provider does not have',
    right: 'model: one of `relavium models list`',
  },
  {
    code: 'provider_auth',
    title: 'a model provider refused the key',
    explanation: 'There is no key for the provider, or it is not accepted.',
    retried: false,
    wrong: 'no key in the environment or the secret store',
    right: 'relavium secrets set with the name of the provider',
  },
  {
    code: 'provider_rate_limit',
    title: 'a model provider asks for less',
    explanation: 'Too many requests. The wait that the provider asks for is kept, unless it is longer than max_backoff_ms.',
    retried: true,
    wrong: 'max_parallel: 64 on a small account',
    right: 'retry: { max: 5, backoff: exponential }',
  },
  {
    code: 'provider_unavailable',
    title: 'a model provider cannot be reached',
    explanation: 'The connection failed or the server answered with an error of its own. The fallback chain goes on to the next model.',
    retried: true,
    wrong: 'one provider and no fallback',
    right: 'fallback_chain: [{ provider: openai, model: gpt-5-mini }]',
  },
  {
    code: 'content_filter',
    title: 'a model provider withheld the answer',
    explanation: 'The provider stopped the answer because of its content rules.',
    retried: false,
    wrong: 'a prompt that trips the filter',
    right: 'another wording, or an error edge',
  },
  {
    code: 'context_overflow',
    title: 'more text than the model can take',
    explanation: 'Prompt, tools and history together are longer than the context of the model.',
    retried: false,
    wrong: 'a whole log file in a prompt',
    right: '{{ run.outputs["log"].text | truncate(20000) }}',
  },
  {
    code: 'effect_needs_attention',
    title: 'nobody knows whether it happened',
    explanation:
      'A call that changes something was under way when the process ended, and it is not known whether it was done. It is never repeated by itself: a person decides.',
    retried: false,
    wrong: 'a deploy command killed in the middle',
    right: 'effect: idempotent where repeating does no harm',
  },
  {
    code: 'cancelled',
    title: 'stopped from outside',
    explanation: 'The run was cancelled, or a race or loop did not need the node any more.',
    retried: false,
    wrong: '—',
    right: '—',
  },
  {
    code: 'internal',
    title: 'a fault of this program',
    explanation: 'Something went wrong that no workflow should be able to cause. Please report it.',
    retried: false,
    wrong: '—',
    right: '—',
  },
];
