/** A chain of transforms in the usual layout, each reading the one before by a plain path. */
export function chainText(length: number): string {
  const nodes = Array.from({ length }, (_, n) => {
    const value = n === 0 ? "'1'" : `'run.outputs["node-${n - 1}"]'`;
    return `    - id: node-${n}\n      type: transform\n      transform: ${value}\n`;
  });
  const edges = Array.from({ length: length - 1 }, (_, n) => `    - from: node-${n}\n      to: node-${n + 1}\n`);
  return `${head(length)}${nodes.join('')}${length > 1 ? `  edges:\n${edges.join('')}` : ''}`;
}

/** One node that feeds all others but the last, which merges them. */
export function fanText(width: number): string {
  const leaves = Array.from({ length: width - 2 }, (_, n) => n);
  const nodes = leaves.map((n) => `    - { id: leaf-${n}, type: transform, transform: 'run.outputs["start"]', needs: [start] }\n`);
  const end = `    - { id: end, type: merge, merge_strategy: concat, needs: [${leaves.map((n) => `leaf-${n}`).join(', ')}] }\n`;
  return `${head(width)}    - { id: start, type: transform, transform: '1' }\n${nodes.join('')}${end}`;
}

/** A fan of calls of a tool that does nothing. */
export function toolFanText(width: number): string {
  const nodes = Array.from(
    { length: width },
    (_, n) => `    - { id: call-${n}, type: tool, tool: run_command, tool_config: { command: 'true' } }\n`,
  );
  return `schema_version: '1.0'\nworkflow:\n  id: tool-fan\n  max_parallel: 64\n  tools: { allowedCommands: ['true'] }\n  nodes:\n${nodes.join('')}`;
}

/** A loop of that many items. */
export function loopText(items: number): string {
  const each = `    - id: each\n      type: loop\n      for_each: 'Array.from({ length: ${items} }, (_, n) => n)'\n      max_iterations: ${items}\n      collect: 'null'\n`;
  return `schema_version: '1.0'\nworkflow:\n  id: many-items\n  nodes:\n${each}      body:\n        nodes:\n          - { id: step, type: transform, transform: 'index' }\n`;
}

/** What a batch runs for each item: calls in a row, and one value. */
export function itemStepsText(calls: number): string {
  const nodes = Array.from({ length: calls }, (_, n) => {
    const needs = n === 0 ? '' : `, needs: [call-${n - 1}]`;
    return `    - { id: call-${n}, type: tool, tool: run_command, tool_config: { command: 'true' }${needs} }\n`;
  });
  const needs = calls === 0 ? '' : `, needs: [call-${calls - 1}]`;
  const start = `schema_version: '1.0'\nworkflow:\n  id: item-steps\n  inputs: [{ name: n, type: number }]\n  tools: { allowedCommands: ['true'] }\n`;
  return `${start}  nodes:\n${nodes.join('')}    - { id: out, type: output, value: inputs.n${needs} }\n`;
}

function head(size: number): string {
  return `schema_version: '1.0'\nworkflow:\n  id: bench-${size}\n  nodes:\n`;
}
