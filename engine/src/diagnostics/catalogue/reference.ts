import type { Entry } from '../entry.js';

/** Findings about expressions, templates and the names they read. */

export const expressionSyntax: Entry<{ readonly what: string }> = {
  code: 'expression_syntax',
  severity: 'error',
  title: 'an expression that cannot be read',
  message: ({ what }) => `this expression cannot be read: ${what}`,
  explanation:
    'An expression is one JavaScript expression, without statements and without {{ }} around it. Text inside it needs quotes of its own.',
  wrong: "nodes:\n  - { id: a, type: transform, transform: 'inputs.count +' }",
  right: "nodes:\n  - { id: a, type: transform, transform: '1 + 1' }",
  fixable: false,
};

export const templateSyntax: Entry<{ readonly what: string }> = {
  code: 'template_syntax',
  severity: 'error',
  title: 'a template that cannot be read',
  message: ({ what }) => `this template cannot be read: ${what}`,
  explanation:
    "{{ expression | filter }} opens with {{ and ends with }}. Only {{ is special; to write the braces themselves, use {{ '{{' }}.",
  wrong: 'nodes:\n  - { id: ok, type: human_gate, gate_type: approval, message_template: "Release {{ run.id | uper }}?" }',
  right: 'nodes:\n  - { id: ok, type: human_gate, gate_type: approval, message_template: "Release {{ run.id | upper }}?" }',
  fixable: false,
};

export const unresolvedReference: Entry<{ readonly what: string; readonly name: string }> = {
  code: 'unresolved_reference',
  severity: 'error',
  title: 'a name that does not exist',
  message: ({ what, name }) => `there is no ${what} "${name}"`,
  explanation:
    'What an expression reads must exist: an input, a context key, a node, a loop variable. Text inside an expression needs quotes, or it is read as a name.',
  wrong: 'inputs:\n  - { name: topic, type: string }\nnodes:\n  - { id: out, type: output, value: inputs.topik }',
  right: 'inputs:\n  - { name: topic, type: string }\nnodes:\n  - { id: out, type: output, value: inputs.topic }',
  fixable: true,
};

export const unorderedReference: Entry<{ readonly what: string }> = {
  code: 'unordered_reference',
  severity: 'error',
  title: 'a read of something that need not be there yet',
  message: ({ what }) => what,
  explanation:
    'Reading a value makes no edge. Only what lies upstream is sure to have ended. Add an edge or a needs entry from the node that is read.',
  wrong:
    "nodes:\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: 'run.outputs[\"c\"]', needs: [a] }\n  - { id: c, type: transform, transform: '2', needs: [a] }",
  right:
    "nodes:\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: 'run.outputs[\"c\"]', needs: [c] }\n  - { id: c, type: transform, transform: '2', needs: [a] }",
  fixable: false,
};

export const scopeViolation: Entry<{ readonly what: string }> = {
  code: 'scope_violation',
  severity: 'error',
  title: 'a read from another scope',
  message: ({ what }) => what,
  explanation:
    'The outputs of a loop body are private to it: read run.outputs["loop"].results outside. Some names exist in one place only: result in output_mapping, branches in merge_fn, error in the condition of an error edge, loop names inside their loop. Context values and save_to read no outputs.',
  wrong:
    "nodes:\n  - id: each\n    type: loop\n    for_each: '[1]'\n    body:\n      nodes: [{ id: step, type: transform, transform: item }]\n  - { id: out, type: output, needs: [each], value: 'run.outputs[\"step\"]' }",
  right:
    "nodes:\n  - id: each\n    type: loop\n    for_each: '[1]'\n    body:\n      nodes: [{ id: step, type: transform, transform: item }]\n  - { id: out, type: output, needs: [each], value: 'run.outputs[\"each\"].last' }",
  fixable: false,
};

export const shadowedName: Entry<{ readonly name: string; readonly by: string }> = {
  code: 'shadowed_name',
  severity: 'error',
  title: 'a loop variable that hides another name',
  message: ({ name, by }) => `"${name}" would hide ${by}`,
  explanation:
    'A loop variable may not have a name that expressions already know, nor the name of a variable of a loop around it: readers could not tell which is meant.',
  wrong:
    "nodes:\n  - id: each\n    type: loop\n    for_each: '[1]'\n    as: inputs\n    body:\n      nodes: [{ id: step, type: transform, transform: '1' }]",
  right:
    "nodes:\n  - id: each\n    type: loop\n    for_each: '[1]'\n    as: row\n    body:\n      nodes: [{ id: step, type: transform, transform: '1' }]",
  fixable: false,
};

export const reservedName: Entry<{ readonly name: string }> = {
  code: 'reserved_name',
  severity: 'error',
  title: 'a name that is reserved',
  message: ({ name }) => `"${name}" is reserved and cannot be a name`,
  explanation:
    'Words of JavaScript cannot be read as names in an expression, and __proto__, prototype and constructor mean something to every object.',
  wrong: 'inputs:\n  - { name: constructor, type: string }\nnodes:\n  - { id: out, type: output, value: "1" }',
  right: 'inputs:\n  - { name: builder, type: string }\nnodes:\n  - { id: out, type: output, value: "1" }',
  fixable: false,
};

export const secretLeak: Entry<{ readonly input: string; readonly route: readonly string[] }> = {
  code: 'secret_leak',
  severity: 'error',
  title: 'a secret where it could be seen',
  message: ({ input, route }) => `the secret "${input}" would reach ${route.join(' -> ')}`,
  explanation:
    'A secret is never a value that expressions or templates see: it would end up in prompts, command lines, files and logs. It goes only where a credential belongs: credentials, credential_ref or secret_env of a tool or an MCP server.',
  wrong:
    "inputs:\n  - { name: token, type: secret }\ntools: { allowedCommandGlobs: ['deploy *'] }\nnodes:\n  - { id: deploy, type: tool, tool: run_command, tool_config: { command: deploy }, input_mapping: { args: '[inputs.token]' } }",
  right:
    'inputs:\n  - { name: token, type: secret }\ntools: { allowedCommands: [deploy] }\nnodes:\n  - { id: deploy, type: tool, tool: run_command, tool_config: { command: deploy, secret_env: { DEPLOY_TOKEN: { input: token } } } }',
  fixable: false,
};
