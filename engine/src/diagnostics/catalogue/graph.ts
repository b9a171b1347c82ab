import { withArticle } from '../article.js';
import type { Entry } from '../entry.js';

/** Findings about nodes and the edges between them. */

export const duplicateId: Entry<{ readonly kind: string; readonly id: string; readonly other: string; readonly line: number }> = {
  code: 'duplicate_id',
  severity: 'error',
  title: 'two things with one name',
  message: ({ kind, id, other, line }) =>
    id === other
      ? `the ${kind} "${id}" is already there, on line ${line}`
      : `the ${kind} "${id}" differs only in case from "${other}" on line ${line}`,
  explanation:
    'Ids are unique in their scope, and two ids that differ only in upper and lower case are refused as well, since people and some file systems read them as one.',
  wrong: "nodes:\n  - { id: scan, type: transform, transform: '1' }\n  - { id: Scan, type: transform, transform: '2', needs: [scan] }",
  right: "nodes:\n  - { id: scan, type: transform, transform: '1' }\n  - { id: rescan, type: transform, transform: '2', needs: [scan] }",
  fixable: false,
};

export const unknownNode: Entry<{ readonly id: string; readonly elsewhere: string }> = {
  code: 'unknown_node',
  severity: 'error',
  title: 'a node that does not exist',
  message: ({ id, elsewhere }) =>
    elsewhere === '' ? `there is no node "${id}"` : `there is no node "${id}" in this scope; it is ${elsewhere}`,
  explanation:
    'Edges, needs, branches and parallel_of name nodes of the same scope: the workflow, or the body of one loop. No edge leads into or out of a body.',
  wrong: "nodes:\n  - { id: scan, type: transform, transform: '1' }\n  - { id: out, type: output, needs: [scann] }",
  right: "nodes:\n  - { id: scan, type: transform, transform: '1' }\n  - { id: out, type: output, needs: [scan] }",
  fixable: true,
};

export const unknownHandle: Entry<{ readonly node: string; readonly handle: string; readonly handles: readonly string[] }> = {
  code: 'unknown_handle',
  severity: 'error',
  title: 'a branch that does not exist',
  message: ({ node, handle, handles }) =>
    handles.length === 0
      ? `"${node}" is no condition, so it has no branch "${handle}"`
      : `"${node}" has no branch "${handle}"; its branches: ${handles.join(', ')}`,
  explanation:
    'node:handle names a branch of a condition node: the text of its `when`, or default. An error or always edge belongs to the node as a whole and has no handle.',
  wrong:
    "nodes:\n  - id: big\n    type: condition\n    expression: 'true'\n    branches: [{ when: true, target_node: a }, { when: false, target_node: b }]\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: '2' }\n  - { id: c, type: transform, transform: '3', needs: ['big:yes'] }",
  right:
    "nodes:\n  - id: big\n    type: condition\n    expression: 'true'\n    branches: [{ when: true, target_node: a }, { when: false, target_node: b }]\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: '2' }\n  - { id: c, type: transform, transform: '3', needs: ['big:true'] }",
  fixable: true,
};

export const missingHandle: Entry<{ readonly node: string; readonly handles: readonly string[] }> = {
  code: 'missing_handle',
  severity: 'error',
  title: 'an edge out of a condition that names no branch',
  message: ({ node, handles }) =>
    `an edge out of the condition "${node}" has to say which branch: ${handles.map((handle) => `${node}:${handle}`).join(' or ')}`,
  explanation:
    'A condition selects one of its branches. An edge without a branch would be taken whatever was selected, which is hardly ever meant. To run something in any case, put the edge on the node before the condition.',
  wrong:
    "nodes:\n  - id: big\n    type: condition\n    expression: 'true'\n    branches: [{ when: true, target_node: a }]\n    default: b\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: '2' }\n  - { id: c, type: transform, transform: '3' }\nedges:\n  - { from: big, to: c }",
  right:
    "nodes:\n  - id: big\n    type: condition\n    expression: 'true'\n    branches: [{ when: true, target_node: a }]\n    default: b\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: '2' }\n  - { id: c, type: transform, transform: '3' }\nedges:\n  - { from: 'big:true', to: c }",
  fixable: false,
};

export const cycle: Entry<{ readonly chain: readonly string[] }> = {
  code: 'cycle',
  severity: 'error',
  title: 'nodes that wait for each other in a circle',
  message: ({ chain }) => `these nodes wait for each other in a circle: ${chain.join(' -> ')}`,
  explanation:
    'A node runs when what leads to it has ended, so nodes in a circle never start. To repeat work, use a loop node with while, until or for_each.',
  wrong:
    "nodes:\n  - { id: draft, type: transform, transform: '1', needs: [review] }\n  - { id: review, type: transform, transform: '2', needs: [draft] }",
  right: "nodes:\n  - { id: draft, type: transform, transform: '1' }\n  - { id: review, type: transform, transform: '2', needs: [draft] }",
  fixable: false,
};

export const unreachableNode: Entry<{ readonly id: string; readonly why: string }> = {
  code: 'unreachable_node',
  severity: 'warning',
  title: 'a node that can never run',
  message: ({ id, why }) => `"${id}" can never run: ${why}`,
  explanation:
    'Every way to the node is closed before the run begins: a constant condition, a success edge out of a fail node, a join that can never be satisfied. It will always be skipped.',
  wrong:
    "nodes:\n  - { id: stop, type: fail, code: stop, message: Stop }\n  - { id: after, type: transform, transform: '1', needs: [stop] }",
  right:
    "nodes:\n  - { id: stop, type: fail, code: stop, message: Stop }\n  - { id: after, type: transform, transform: '1' }\nedges:\n  - { from: stop, to: after, on: error }",
  fixable: false,
};

export const duplicateEdge: Entry<{ readonly from: string; readonly to: string; readonly line: number }> = {
  code: 'duplicate_edge',
  severity: 'warning',
  title: 'an edge that is written twice',
  message: ({ from, to, line }) => `the edge from "${from}" to "${to}" is already there, on line ${line}`,
  explanation: 'The second of two equal edges changes nothing. If they were meant to differ, give them different conditions or codes.',
  wrong:
    "nodes:\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: output }\nedges:\n  - { from: a, to: b }\n  - { from: a, to: b }",
  right: "nodes:\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: output }\nedges:\n  - { from: a, to: b }",
  fixable: false,
};

export const parallelMismatch: Entry<{ readonly node: string; readonly target: string }> = {
  code: 'parallel_mismatch',
  severity: 'error',
  title: 'an edge that parallel_of does not agree with',
  message: ({ node, target }) => `an edge leads from "${node}" to "${target}", which is not in its parallel_of`,
  explanation:
    'parallel_of makes the edges of the fan-out by itself. Where they are written as well, they must say the same: add the node to parallel_of, or take the edge out.',
  wrong:
    "nodes:\n  - { id: fan, type: parallel, parallel_of: [a] }\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: '2' }\nedges:\n  - { from: fan, to: b }",
  right:
    "nodes:\n  - { id: fan, type: parallel, parallel_of: [a, b] }\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: '2' }",
  fixable: false,
};

export const duplicateBranch: Entry<{ readonly handle: string; readonly line: number }> = {
  code: 'duplicate_branch',
  severity: 'error',
  title: 'two branches with one name',
  message: ({ handle, line }) => `a branch "${handle}" is already there, on line ${line}; edges could not tell them apart`,
  explanation: 'A branch is named by the text of its `when`, so true and "true", or 1 and "1", collide; "default" belongs to the default.',
  wrong:
    "nodes:\n  - id: pick\n    type: condition\n    expression: '1'\n    branches: [{ when: 1, target_node: a }, { when: '1', target_node: b }]\n    default: a\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: '2' }",
  right:
    "nodes:\n  - id: pick\n    type: condition\n    expression: '1'\n    branches: [{ when: 1, target_node: a }]\n    default: b\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: '2' }",
  fixable: false,
};

export const branchCoverage: Entry<{ readonly node: string; readonly missing: string }> = {
  code: 'branch_coverage',
  severity: 'warning',
  title: 'a condition that may match no branch',
  message: ({ node, missing }) => `the condition "${node}" has no default and no branch for ${missing}`,
  explanation:
    'When no branch matches and there is no default, the node fails with no_branch_matched. Add the missing branch, or a default.',
  wrong:
    "nodes:\n  - id: big\n    type: condition\n    expression: '1 > 2'\n    branches: [{ when: true, target_node: a }]\n  - { id: a, type: transform, transform: '1' }",
  right:
    "nodes:\n  - id: big\n    type: condition\n    expression: '1 > 2'\n    branches: [{ when: true, target_node: a }, { when: false, target_node: b }]\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: '2' }",
  fixable: false,
};

export const noEdges: Entry<{ readonly count: number }> = {
  code: 'no_edges',
  severity: 'warning',
  title: 'several nodes and no edges',
  message: ({ count }) => `${count} nodes and no edge between them: all start at once`,
  explanation:
    'The order in the file means nothing for the nodes of a workflow; only needs, edges, parallel_of and branches order them. (The body of a loop is different: without edges it runs in the order listed.)',
  wrong: "nodes:\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: '2' }",
  right: "nodes:\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: '2', needs: [a] }",
  fixable: false,
};

export const waitNUnsatisfiable: Entry<{ readonly node: string; readonly wanted: number; readonly edges: number }> = {
  code: 'wait_n_unsatisfiable',
  severity: 'error',
  title: 'a merge that waits for more branches than lead to it',
  message: ({ node, wanted, edges }) =>
    `"${node}" waits for ${wanted} branches, but ${edges === 1 ? 'only 1 edge leads' : `${edges} edges lead`} to it`,
  explanation: 'wait_n counts edges whose source succeeded. With fewer edges than that the merge can only fail with join_unsatisfiable.',
  wrong:
    "nodes:\n  - { id: a, type: transform, transform: '1' }\n  - { id: join, type: merge, merge_strategy: concat, join_strategy: wait_n, wait_n: 2, needs: [a] }",
  right:
    "nodes:\n  - { id: a, type: transform, transform: '1' }\n  - { id: b, type: transform, transform: '2' }\n  - { id: join, type: merge, merge_strategy: concat, join_strategy: wait_n, wait_n: 2, needs: [a, b] }",
  fixable: false,
};

export const lockWithoutEffect: Entry<{ readonly lock: string; readonly caller: string }> = {
  code: 'lock_without_effect',
  severity: 'warning',
  title: 'a lock on an agent that others invoke',
  message: ({ lock, caller }) => `"${caller}" can invoke this node, and then the lock "${lock}" is not taken`,
  explanation:
    'An invoked agent runs inside the node that invokes it. A lock belongs on that node, or on an agent that only the workflow starts.',
  wrong:
    'agents:\n  - { id: lead, provider: anthropic, model: claude-sonnet-4-5, system_prompt: Lead. }\n  - { id: helper, provider: anthropic, model: claude-sonnet-4-5, system_prompt: Help. }\nnodes:\n  - { id: lead, type: agent, agent_ref: lead, prompt_template: Go, invokes: [helper] }\n  - { id: helper, type: agent, agent_ref: helper, invoke_only: true, lock: db }',
  right:
    'agents:\n  - { id: lead, provider: anthropic, model: claude-sonnet-4-5, system_prompt: Lead. }\n  - { id: helper, provider: anthropic, model: claude-sonnet-4-5, system_prompt: Help. }\nnodes:\n  - { id: lead, type: agent, agent_ref: lead, prompt_template: Go, invokes: [helper], lock: db }\n  - { id: helper, type: agent, agent_ref: helper, invoke_only: true }',
  fixable: false,
};

export const lockConflict: Entry<{ readonly lock: string; readonly outer: string }> = {
  code: 'lock_conflict',
  severity: 'error',
  title: 'a lock inside its own scope',
  message: ({ lock, outer }) => `the lock "${lock}" is already held by "${outer}", which this node runs inside`,
  explanation:
    'A lock has one holder at a time in a run. A loop or subworkflow that holds it would wait for its own inside, which waits for the lock, for ever.',
  wrong:
    "nodes:\n  - id: each\n    type: loop\n    for_each: '[1]'\n    lock: db\n    body:\n      nodes: [{ id: read, type: tool, tool: read_file, tool_config: { path: a.txt }, lock: db }]",
  right:
    "nodes:\n  - id: each\n    type: loop\n    for_each: '[1]'\n    lock: db\n    body:\n      nodes: [{ id: read, type: tool, tool: read_file, tool_config: { path: a.txt } }]",
  fixable: false,
};

export const lockOrder: Entry<{ readonly held: string; readonly wanted: string }> = {
  code: 'lock_order',
  severity: 'error',
  title: 'locks that are taken in different orders',
  message: ({ held, wanted }) =>
    `this holds the lock "${held}" while it waits for "${wanted}", and something else does it the other way round`,
  explanation:
    'A loop or subworkflow holds its lock while its inside runs. If one holds x and wants y inside, and another holds y and wants x, both can wait for each other for ever. Take locks in one order everywhere.',
  wrong:
    "nodes:\n  - { id: fan, type: parallel, parallel_of: [a, b] }\n  - id: a\n    type: loop\n    for_each: '[1]'\n    lock: x\n    body:\n      nodes: [{ id: one, type: tool, tool: read_file, tool_config: { path: a.txt }, lock: y }]\n  - id: b\n    type: loop\n    for_each: '[1]'\n    lock: y\n    body:\n      nodes: [{ id: two, type: tool, tool: read_file, tool_config: { path: a.txt }, lock: x }]",
  right:
    "nodes:\n  - { id: fan, type: parallel, parallel_of: [a, b] }\n  - id: a\n    type: loop\n    for_each: '[1]'\n    lock: x\n    body:\n      nodes: [{ id: one, type: tool, tool: read_file, tool_config: { path: a.txt }, lock: y }]\n  - id: b\n    type: loop\n    for_each: '[1]'\n    lock: x\n    body:\n      nodes: [{ id: two, type: tool, tool: read_file, tool_config: { path: a.txt }, lock: y }]",
  fixable: false,
};

export const parallelLoop: Entry<{ readonly what: string }> = {
  code: 'parallel_loop',
  severity: 'error',
  title: 'a parallel loop that needs an order',
  message: ({ what }) => `${what} needs iterations that follow each other, but max_parallel lets several run at once`,
  explanation:
    'until, while and prev look at the iteration before. With max_parallel above 1 there is none, so they are for loops that run one iteration at a time.',
  wrong:
    "nodes:\n  - id: each\n    type: loop\n    for_each: '[1, 2]'\n    until: 'run.outputs[\"step\"] > 1'\n    max_parallel: 2\n    body:\n      nodes: [{ id: step, type: transform, transform: item }]",
  right:
    "nodes:\n  - id: each\n    type: loop\n    for_each: '[1, 2]'\n    until: 'run.outputs[\"step\"] > 1'\n    body:\n      nodes: [{ id: step, type: transform, transform: item }]",
  fixable: false,
};

export const invokeCycle: Entry<{ readonly chain: readonly string[] }> = {
  code: 'invoke_cycle',
  severity: 'warning',
  title: 'agents that can invoke each other in a circle',
  message: ({ chain }) => `these agents can invoke each other in a circle: ${chain.join(' -> ')}`,
  explanation:
    'Nothing stops two agents from handing a task back and forth but the depth limit of 8, where the call fails with recursion_limit. Take one of the invokes out unless you mean it.',
  wrong:
    'agents:\n  - { id: helper, model: m, system_prompt: Help. }\nnodes:\n  - { id: a, type: agent, agent_ref: helper, prompt_template: Hi, invokes: [b] }\n  - { id: b, type: agent, agent_ref: helper, invoke_only: true, invokes: [b] }',
  right:
    'agents:\n  - { id: helper, model: m, system_prompt: Help. }\nnodes:\n  - { id: a, type: agent, agent_ref: helper, prompt_template: Hi, invokes: [b] }\n  - { id: b, type: agent, agent_ref: helper, invoke_only: true }',
  fixable: false,
};

export const invokeOnlyEdge: Entry<{ readonly id: string }> = {
  code: 'invoke_only_edge',
  severity: 'error',
  title: 'an edge of a node that only runs when it is invoked',
  message: ({ id }) => `"${id}" is invoke_only, so it is not part of the schedule and has no edges`,
  explanation:
    'An agent that is invoke_only runs inside the agents that invoke it, as often as they do, and each answer goes to whoever asked. Nothing can wait for it. Take the edge out, or take invoke_only out and let the node run in its turn as well.',
  wrong:
    'agents:\n  - { id: helper, model: m, system_prompt: Help. }\nnodes:\n  - { id: lead, type: agent, agent_ref: helper, prompt_template: Hi, invokes: [aide] }\n  - { id: aide, type: agent, agent_ref: helper, invoke_only: true, needs: [lead] }',
  right:
    'agents:\n  - { id: helper, model: m, system_prompt: Help. }\nnodes:\n  - { id: lead, type: agent, agent_ref: helper, prompt_template: Hi, invokes: [aide] }\n  - { id: aide, type: agent, agent_ref: helper, invoke_only: true }',
  fixable: false,
};

export const retryOnPure: Entry<{ readonly type: string }> = {
  code: 'retry_on_pure',
  severity: 'warning',
  title: 'a retry that cannot help',
  message: ({ type }) => `${withArticle(type)} node gives the same answer each time, so retry cannot help`,
  explanation: 'Nodes that only compute fail the same way on every attempt. Put retry on the tool or agent node whose result they use.',
  wrong: "nodes:\n  - { id: sum, type: transform, transform: '1 + 1', retry: { max: 3 } }",
  right: "nodes:\n  - { id: sum, type: transform, transform: '1 + 1' }",
  fixable: true,
};
