/** Words that other runners use, and the key that says it here. */
const MEANING: readonly (readonly [words: readonly string[], key: string, advice: string])[] = [
  [
    ['with', 'input', 'inputs', 'args', 'arguments', 'params', 'parameters', 'config'],
    'tool_config',
    'arguments stand in tool_config (values) or input_mapping (expressions)',
  ],
  [
    ['with', 'input', 'inputs', 'vars', 'params', 'parameters'],
    'input_mapping',
    'what is handed over stands in input_mapping (expressions)',
  ],
  [
    ['run', 'command', 'cmd', 'script', 'shell', 'exec'],
    'tool_config',
    'a command is tool: run_command with tool_config: { command: …, args: […] }',
  ],
  [['prompt', 'message', 'task', 'ask'], 'prompt_template', 'what an agent is asked stands in prompt_template'],
  [['with', 'input', 'inputs', 'vars'], 'prompt_template', 'what an agent is handed stands in prompt_template, as {{ expressions }}'],
  [
    ['system', 'instructions', 'role', 'persona', 'prompt', 'system_message'],
    'system_prompt',
    'the instructions of an agent stand in system_prompt',
  ],
  [['agent', 'uses'], 'agent_ref', 'the agent is named by agent_ref'],
  [['depends_on', 'dependsOn', 'depends', 'after', 'requires', 'deps', 'upstream'], 'needs', 'what must end first stands in needs: [id]'],
  [['when', 'condition', 'only_if', 'run_if'], 'if', 'a condition of a node stands in if'],
  [['timeout', 'timeout_s', 'timeout_seconds', 'timeoutMs'], 'timeout_ms', 'a limit of time stands in timeout_ms, in milliseconds'],
  [['retries', 'retry_policy', 'max_attempts', 'attempts'], 'retry', 'attempts stand in retry: { max: 3 }'],
  [['output', 'outputs', 'result', 'save', 'register'], 'output_mapping', 'what is kept of a result stands in output_mapping'],
  [['steps', 'tasks', 'jobs', 'stages'], 'nodes', 'the steps of a workflow are its nodes'],
  [['foreach', 'forEach', 'each', 'items', 'with_items', 'for', 'map'], 'for_each', 'the list of a loop stands in for_each'],
  [['expression', 'expr', 'value', 'code', 'script'], 'transform', 'the expression of a transform stands in transform'],
];

/** What somebody meant who wrote a key that does not exist here but elsewhere; `free` are the keys that could stand there. */
export function otherWord(key: string, free: readonly string[]): string | undefined {
  return MEANING.find(([words, meant]) => words.includes(key) && free.includes(meant))?.[2];
}
