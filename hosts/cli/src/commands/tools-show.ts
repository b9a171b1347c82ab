import { builtinTools, type Json, nearName, type ToolDef } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { problem, refuse } from '../problem.js';
import { wrapText } from '../render/wrap-text.js';

/** What a tool takes, which of it only an author may set, and which rule governs it. */
export function showTool(cli: Cli, id: string): number {
  const tool = builtinTools.find((candidate) => candidate.id === id);
  if (tool === undefined) {
    const near = nearName(
      id,
      builtinTools.map((candidate) => candidate.id),
    );
    return refuse(
      cli,
      problem(`there is no tool "${id}"`, `${near === undefined ? '' : `Did you mean "${near}"? `}"relavium tools list" names them all.`)
        .problem,
    );
  }
  cli.out.write(cli.json ? `${JSON.stringify(recordOf(tool))}\n` : pageOf(tool, cli));
  return exitCode.done;
}

function recordOf({ id, source, description, policy, effect, configOnly, parameters }: ToolDef): object {
  return {
    id,
    source,
    description,
    policy,
    effect: typeof effect === 'function' ? 'depends on the arguments' : effect,
    configOnly,
    parameters,
  };
}

function pageOf(tool: ToolDef, cli: Cli): string {
  const { paint } = cli.out;
  const properties = Object.entries((tool.parameters.properties ?? {}) as Readonly<Record<string, Property>>);
  const required = new Set((tool.parameters.required ?? []) as readonly string[]);
  const lines = [
    paint.bold(tool.id),
    '',
    ...wrapText(tool.description, cli.out.columns),
    '',
    `Governed by: ${policyText[tool.policy]}`,
    `Repeating a call: ${typeof tool.effect === 'function' ? 'depends on its arguments' : effectText[tool.effect]}`,
    '',
    'Arguments:',
    ...properties.flatMap(([name, property]) => [
      `  ${paint.bold(name)} ${paint.dim([typeOf(property), required.has(name) ? 'required' : '', tool.configOnly.includes(name) ? 'set by the author, never by a model' : ''].filter((note) => note !== '').join(', '))}`,
      ...(property.description === undefined ? [] : wrapText(property.description, cli.out.columns, '      ')),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

interface Property {
  readonly type?: Json;
  readonly enum?: readonly Json[];
  readonly description?: string;
}

function typeOf({ type, enum: values }: Property): string {
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  return type === undefined ? 'any' : [type].flat().join(' | ');
}

const policyText: Readonly<Record<ToolDef['policy'], string>> = {
  fs_read: 'the file policy (tools.fs_scope, --tier, --root)',
  fs_write: 'the file policy (tools.fs_scope, --tier, --root)',
  process: 'tools.allowedCommands and tools.allowedCommandGlobs',
  egress: 'tools.allowedDomains, https only',
  search: 'the endpoint that the author pins',
  git: 'read-only git commands with flags that the author pins',
  gate: 'a human gate that approves this very node',
  os: 'whether this host has a desktop',
  mcp: 'the MCP servers and tools that the workflow declares',
  engine: 'the invokes list of the node',
  media: 'what this run may see',
};

const effectText: Readonly<Record<Extract<ToolDef['effect'], string>, string>> = {
  none: 'changes nothing',
  receipt: 'can be checked: the result shows whether it happened',
  once: 'would do it a second time',
  benign: 'would do it a second time, which harms nothing',
};
