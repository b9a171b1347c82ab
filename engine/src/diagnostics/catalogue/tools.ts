import type { Entry } from '../entry.js';

/** Findings about tools, agents and what the policy lets them do. */

export const unknownTool: Entry<{ readonly id: string }> = {
  code: 'unknown_tool',
  severity: 'error',
  title: 'a tool that does not exist',
  message: ({ id }) => `there is no tool "${id}"`,
  explanation:
    'Tools are named by their exact id: a built-in one, one that tools.declarations declares, or mcp_{server}_{tool} of a declared server.',
  wrong: 'nodes:\n  - { id: read, type: tool, tool: file_read, tool_config: { path: a.txt } }',
  right: 'nodes:\n  - { id: read, type: tool, tool: read_file, tool_config: { path: a.txt } }',
  fixable: true,
};

export const unknownServer: Entry<{ readonly id: string }> = {
  code: 'unknown_server',
  severity: 'error',
  title: 'an MCP server that is not declared',
  message: ({ id }) => `there is no MCP server "${id}" in this workflow`,
  explanation:
    'A declaration of type mcp and an agent that refers to a server name one of tools.mcp_servers. Declaring is granting, so an undeclared server is never used.',
  wrong:
    'tools:\n  declarations: [{ id: docs_search, type: mcp, server: docs, tool: search }]\nnodes:\n  - { id: find, type: tool, tool: docs_search }',
  right:
    'tools:\n  mcp_servers: [{ id: docs, transport: stdio, command: docs-server }]\n  declarations: [{ id: docs_search, type: mcp, server: docs, tool: search }]\nnodes:\n  - { id: find, type: tool, tool: docs_search }',
  fixable: true,
};

export const unknownAgent: Entry<{ readonly id: string }> = {
  code: 'unknown_agent',
  severity: 'error',
  title: 'an agent that does not exist',
  message: ({ id }) => `there is no agent "${id}" in this workflow or in .relavium/agents`,
  explanation: "agent_ref is looked up in agents: of the workflow first, then among the project's agent files by their id.",
  wrong:
    'agents:\n  - { id: writer, model: m, system_prompt: Write. }\nnodes:\n  - { id: a, type: agent, agent_ref: writter, prompt_template: Hi }',
  right:
    'agents:\n  - { id: writer, model: m, system_prompt: Write. }\nnodes:\n  - { id: a, type: agent, agent_ref: writer, prompt_template: Hi }',
  fixable: true,
};

export const missingFile: Entry<{ readonly path: string; readonly problem: string }> = {
  code: 'missing_file',
  severity: 'error',
  title: 'a file that cannot be read',
  message: ({ path, problem }) => `${path} ${problem}`,
  explanation:
    'Subworkflows and agent files are read when the workflow is loaded. A path is relative to the file that names it and stays inside the project; a bare name is the id of a file in .relavium.',
  wrong: 'nodes:\n  - { id: child, type: subworkflow, workflow: ./missing.relavium.yaml }',
  right: 'nodes:\n  - { id: child, type: subworkflow, workflow: ./child.relavium.yaml }',
  fixable: true,
};

export const missingPrompt: Entry<{ readonly node: string }> = {
  code: 'missing_prompt',
  severity: 'error',
  title: 'an agent node without a prompt',
  message: ({ node }) => `"${node}" is started by the workflow, so it needs a prompt_template`,
  explanation:
    'An agent that another agent invokes gets its input as the prompt. One that the workflow starts has nothing to answer without prompt_template.',
  wrong: 'agents:\n  - { id: writer, model: m, system_prompt: Write. }\nnodes:\n  - { id: a, type: agent, agent_ref: writer }',
  right:
    'agents:\n  - { id: writer, model: m, system_prompt: Write. }\nnodes:\n  - { id: a, type: agent, agent_ref: writer, prompt_template: Write a line. }',
  fixable: false,
};

export const unusedAgent: Entry<{ readonly id: string }> = {
  code: 'unused_agent',
  severity: 'warning',
  title: 'an agent file that no one uses',
  message: ({ id }) => `no workflow of this project uses the agent "${id}"`,
  explanation:
    'Found only when the whole project is checked. An agent that is left over can be deleted; one that is meant to be used may be named wrongly in agent_ref.',
  wrong: '# .relavium/agents/old.agent.yaml, named by no workflow',
  right: '# deleted',
  fixable: false,
};

export const unknownArgument: Entry<{ readonly tool: string; readonly argument: string }> = {
  code: 'unknown_argument',
  severity: 'error',
  title: 'an argument that the tool does not have',
  message: ({ tool, argument }) => `${tool} has no argument "${argument}"`,
  explanation: 'A tool refuses arguments that it does not know, so the call could only fail. `relavium tools show ID` lists them.',
  wrong: 'nodes:\n  - { id: read, type: tool, tool: read_file, tool_config: { file: a.txt } }',
  right: 'nodes:\n  - { id: read, type: tool, tool: read_file, tool_config: { path: a.txt } }',
  fixable: true,
};

export const missingArgument: Entry<{ readonly what: string }> = {
  code: 'missing_argument',
  severity: 'error',
  title: 'an argument that the tool or the subworkflow needs',
  message: ({ what }) => what,
  explanation:
    'A tool node supplies all arguments itself: tool_config holds literals, input_mapping expressions. A subworkflow sees only what input_mapping hands over, so each input that it requires must be there.',
  wrong: 'nodes:\n  - { id: save, type: tool, tool: write_file, tool_config: { path: a.txt } }',
  right: 'nodes:\n  - { id: save, type: tool, tool: write_file, tool_config: { path: a.txt, content: text } }',
  fixable: false,
};

export const invalidArgument: Entry<{ readonly tool: string; readonly what: string }> = {
  code: 'invalid_argument',
  severity: 'error',
  title: 'an argument that the tool would refuse',
  message: ({ tool, what }) => `${tool} would refuse this: ${what}`,
  explanation:
    'Literals are checked when the file is read, by the same rules as at the call: the type and form of each argument, and the names of environment variables, of which those that redirect programs are refused.',
  wrong: 'nodes:\n  - { id: read, type: tool, tool: read_file, tool_config: { path: [a.txt] } }',
  right: 'nodes:\n  - { id: read, type: tool, tool: read_file, tool_config: { path: a.txt } }',
  fixable: false,
};

export const literalOnly: Entry<{ readonly argument: string; readonly isForNames?: boolean }> = {
  code: 'literal_only',
  severity: 'error',
  title: 'an argument that must be written literally',
  message: ({ argument, isForNames }) =>
    isForNames === true
      ? `the names in "${argument}" decide what the program does, so they are written out: '{ NAME: expression }'`
      : `"${argument}" decides what the call may reach, so it is written under tool_config and never computed`,
  explanation:
    'Roots, endpoints, providers, credentials and the names of environment variables carry authority. As literals they can be read and checked before anything runs.',
  wrong: 'nodes:\n  - { id: read, type: tool, tool: read_file, tool_config: { path: a.txt }, input_mapping: { root: \'"/srv"\' } }',
  right: 'nodes:\n  - { id: read, type: tool, tool: read_file, tool_config: { path: a.txt, root: /srv } }',
  fixable: false,
};

export const looksLikeCode: Entry<{ readonly argument: string; readonly mapping: string }> = {
  code: 'looks_like_code',
  severity: 'warning',
  title: 'a literal that looks like an expression or a template',
  message: ({ argument, mapping }) =>
    `tool_config holds literals, so "${argument}" would be passed as these very characters; expressions belong in ${mapping}`,
  explanation:
    'tool_config is never evaluated, and input_mapping always is. That way a literal is never mistaken for code and code never for a literal.',
  wrong:
    'inputs:\n  - { name: file, type: file_path }\nnodes:\n  - { id: read, type: tool, tool: read_file, tool_config: { path: "{{ inputs.file }}" } }',
  right:
    'inputs:\n  - { name: file, type: file_path }\nnodes:\n  - { id: read, type: tool, tool: read_file, input_mapping: { path: inputs.file } }',
  fixable: false,
};

export const widenedGrant: Entry<{ readonly tool: string; readonly agent: string }> = {
  code: 'widened_grant',
  severity: 'error',
  title: 'a tool that the agent does not have',
  message: ({ tool, agent }) => `the agent "${agent}" has no tool "${tool}", and a node can only narrow what its agent may use`,
  explanation:
    'What an agent may use stands in its own file, in one place. A node picks from it. Add the tool to the agent if it is meant to have it.',
  wrong:
    'agents:\n  - { id: writer, model: m, system_prompt: Write., tools: [read_file] }\nnodes:\n  - { id: a, type: agent, agent_ref: writer, prompt_template: Hi, tools: [read_file, write_file] }',
  right:
    'agents:\n  - { id: writer, model: m, system_prompt: Write., tools: [read_file, write_file] }\nnodes:\n  - { id: a, type: agent, agent_ref: writer, prompt_template: Hi, tools: [read_file, write_file] }',
  fixable: false,
};

export const toolNotGranted: Entry<{ readonly tool: string; readonly node: string }> = {
  code: 'tool_not_granted',
  severity: 'warning',
  title: 'settings for a tool that is not granted',
  message: ({ tool, node }) => `"${node}" is not granted the tool "${tool}", so this has no effect`,
  explanation: 'agent_config and approve speak about tools that the agent holds. Add the tool to the agent, or take the entry out.',
  wrong:
    'agents:\n  - { id: writer, model: m, system_prompt: Write., tools: [read_file] }\nnodes:\n  - { id: a, type: agent, agent_ref: writer, prompt_template: Hi, approve: [write_file] }',
  right:
    'agents:\n  - { id: writer, model: m, system_prompt: Write., tools: [write_file] }\nnodes:\n  - { id: a, type: agent, agent_ref: writer, prompt_template: Hi, approve: [write_file] }',
  fixable: false,
};

export const gateRequired: Entry<{ readonly node: string }> = {
  code: 'gate_required',
  severity: 'error',
  title: 'a commit that no person approves',
  message: ({ node }) => `git_commit runs only behind a human_gate that names "${node}" in approves and lies on every path to it`,
  explanation:
    'A commit is made only after a person saw it in this run. The gate has to be on every way to the node, or the commit could run without it.',
  wrong: 'nodes:\n  - { id: commit, type: tool, tool: git_commit, tool_config: { message: Update } }',
  right:
    'nodes:\n  - { id: ok, type: human_gate, gate_type: approval, message_template: Commit?, approves: [commit] }\n  - { id: commit, type: tool, tool: git_commit, tool_config: { message: Update }, needs: [ok] }',
  fixable: false,
};

export const commandsOff: Entry<object> = {
  code: 'commands_off',
  severity: 'warning',
  title: 'run_command is used and nothing is allowed',
  message: () => 'run_command is off here: tools.allowedCommands is empty',
  explanation: 'A workflow lists the commands that it may run, argument by argument. Without a list each call is denied.',
  wrong: 'nodes:\n  - { id: test, type: tool, tool: run_command, tool_config: { command: npm, args: [test] } }',
  right:
    "tools: { allowedCommands: ['npm test'] }\nnodes:\n  - { id: test, type: tool, tool: run_command, tool_config: { command: npm, args: [test] } }",
  fixable: false,
};

export const commandNotAllowed: Entry<{ readonly command: string }> = {
  code: 'command_not_allowed',
  severity: 'warning',
  title: 'a literal command that no entry allows',
  message: ({ command }) => `no entry of tools.allowedCommands allows ${command}`,
  explanation: 'An entry is compared with the whole argument vector: one word more or less is another command. The call would be denied.',
  wrong:
    "tools: { allowedCommands: ['npm test'] }\nnodes:\n  - { id: test, type: tool, tool: run_command, tool_config: { command: npm, args: [test, --silent] } }",
  right:
    "tools: { allowedCommands: ['npm test --silent'] }\nnodes:\n  - { id: test, type: tool, tool: run_command, tool_config: { command: npm, args: [test, --silent] } }",
  fixable: false,
};

export const gitArgumentNotAllowed: Entry<{ readonly argument: string; readonly why: string }> = {
  code: 'git_argument_not_allowed',
  severity: 'warning',
  title: 'a literal argument of git_status that it refuses',
  message: ({ argument, why }) => `${argument} is refused: ${why}`,
  explanation:
    'git_status only looks at the repository of the workspace. Options that write a file, start a program or read elsewhere are refused, also by an author, and so are paths that lead out. What needs them is a command, which tools.allowedCommands can allow.',
  wrong: "nodes:\n  - { id: changes, type: tool, tool: git_status, tool_config: { subcommand: diff, args: ['--output=changes.txt'] } }",
  right: 'nodes:\n  - { id: changes, type: tool, tool: git_status, tool_config: { subcommand: diff, args: [--stat] } }',
  fixable: false,
};

export const approvalWithoutEffect: Entry<{ readonly tool: string }> = {
  code: 'approval_without_effect',
  severity: 'warning',
  title: 'an approval of a tool that asks nobody',
  message: ({ tool }) => `${tool} only reads, so nobody is asked before it is called`,
  explanation:
    'A person is asked before calls that change something, reach the network or use the desktop. What an agent may read is decided by its tools and by the file policy.',
  wrong:
    'agents:\n  - { id: editor, provider: anthropic, model: claude-sonnet-4-5, system_prompt: Edit., tools: [read_file, write_file] }\nnodes:\n  - { id: edit, type: agent, agent_ref: editor, prompt_template: Edit a.txt, approve: [read_file, write_file] }',
  right:
    'agents:\n  - { id: editor, provider: anthropic, model: claude-sonnet-4-5, system_prompt: Edit., tools: [read_file, write_file] }\nnodes:\n  - { id: edit, type: agent, agent_ref: editor, prompt_template: Edit a.txt, approve: [write_file] }',
  fixable: false,
};

export const modelAddress: Entry<{ readonly provider: string; readonly hasAddress: boolean }> = {
  code: 'model_address',
  severity: 'warning',
  title: 'a server of models without its address, or an address that is not used',
  message: ({ provider, hasAddress }) =>
    hasAddress
      ? `the provider ${provider} has an address of its own, so base_url has no effect`
      : `the provider ${provider} is a server of your own and needs a base_url such as http://127.0.0.1:11434/v1`,
  explanation:
    'openai-compatible and local are servers that somebody runs: the file says where. Keys of a vendor are only ever sent to that vendor, so its address cannot be changed.',
  wrong:
    'agents:\n  - { id: helper, provider: openai-compatible, model: qwen3, system_prompt: Help. }\nnodes:\n  - { id: ask, type: agent, agent_ref: helper, prompt_template: Go }',
  right:
    "agents:\n  - { id: helper, provider: openai-compatible, base_url: 'http://127.0.0.1:11434/v1', model: qwen3, system_prompt: Help. }\nnodes:\n  - { id: ask, type: agent, agent_ref: helper, prompt_template: Go }",
  fixable: false,
};

export const domainsOff: Entry<object> = {
  code: 'domains_off',
  severity: 'warning',
  title: 'http_request is used and no host is allowed',
  message: () => 'requests are off here: tools.allowedDomains is empty',
  explanation: 'A workflow lists the hosts that it may reach. Without a list each request is denied.',
  wrong: "nodes:\n  - { id: get, type: tool, tool: http_request, tool_config: { method: GET, url: 'https://api.example.com/v1' } }",
  right:
    "tools: { allowedDomains: [api.example.com] }\nnodes:\n  - { id: get, type: tool, tool: http_request, tool_config: { method: GET, url: 'https://api.example.com/v1' } }",
  fixable: false,
};

export const domainNotAllowed: Entry<{ readonly host: string }> = {
  code: 'domain_not_allowed',
  severity: 'warning',
  title: 'a literal host that no entry allows',
  message: ({ host }) => `the host ${host} is not in tools.allowedDomains`,
  explanation: 'Hosts are compared as a whole: example.com does not allow api.example.com. The request would be denied.',
  wrong:
    "tools: { allowedDomains: [example.com] }\nnodes:\n  - { id: get, type: tool, tool: http_request, tool_config: { method: GET, url: 'https://api.example.com/v1' } }",
  right:
    "tools: { allowedDomains: [api.example.com] }\nnodes:\n  - { id: get, type: tool, tool: http_request, tool_config: { method: GET, url: 'https://api.example.com/v1' } }",
  fixable: false,
};

export const insecureUrl: Entry<{ readonly scheme: string }> = {
  code: 'insecure_url',
  severity: 'warning',
  title: 'an address that is not https',
  message: ({ scheme }) => `only https addresses are reached, and this one is ${scheme}`,
  explanation: 'Requests go over https. A local server can be opened by a person on the command line, never by a workflow.',
  wrong:
    "tools: { allowedDomains: [api.example.com] }\nnodes:\n  - { id: get, type: tool, tool: http_request, tool_config: { method: GET, url: 'http://api.example.com/v1' } }",
  right:
    "tools: { allowedDomains: [api.example.com] }\nnodes:\n  - { id: get, type: tool, tool: http_request, tool_config: { method: GET, url: 'https://api.example.com/v1' } }",
  fixable: true,
};

export const saveToNotRelative: Entry<{ readonly problem: string }> = {
  code: 'save_to_not_relative',
  severity: 'error',
  title: 'save_to leaves the workspace',
  message: ({ problem }) => `save_to is a path inside the workspace: ${problem}`,
  explanation:
    'Outputs are written below the workspace. Absolute paths, drive letters, a leading ~ and .. are refused, whatever the templates in them give.',
  wrong: 'nodes:\n  - { id: out, type: output, value: "1", save_to: ../report.md }',
  right: 'nodes:\n  - { id: out, type: output, value: "1", save_to: out/report.md }',
  fixable: false,
};
