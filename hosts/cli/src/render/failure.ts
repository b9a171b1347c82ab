import { type NodeError, type Plan, parseYaml, type SourceText, showControls } from '@relavium/engine';
import { locateNode } from '../project/locate-node.js';
import { denialLines } from './denial.js';
import type { Paint } from './paint.js';
import { snippet } from './snippet.js';
import { positionsOf } from './source-position.js';

export interface FailureContext {
  readonly plan: Plan;
  /** Texts of the workflow and of what it names. */
  readonly sources: readonly SourceText[];
  readonly paint: Paint;
  readonly columns: number | undefined;
}

/** Why a run failed: the node, its place in the YAML, what it last said, and what to do. Lines without their line ends. */
export function failureLines(error: NodeError, context: FailureContext): readonly string[] {
  const { paint } = context;
  // Only the first line stands at the margin, where our own words do: a message may hold what somebody else wrote.
  const [first = '', ...more] = error.message.split('\n');
  const head = `${paint.red('failed')}: ${error.path === '' ? '' : `${paint.bold(showControls(error.path))} `}${paint.dim(`[${error.code}]`)} ${showControls(first)}`;
  const attempts = error.attempt > 1 ? [`  after ${error.attempt} attempts`] : [];
  return [
    head,
    ...more.flatMap((line) => quoted(line, paint)),
    ...attempts,
    ...placeLines(error, context),
    ...lastLines(error, paint),
    ...ruleLines(error, context),
    ...nextLines(error),
  ];
}

function placeLines(error: NodeError, { plan, sources, paint, columns }: FailureContext): readonly string[] {
  const located = locateNode(plan, error.path);
  const source = sources.find((candidate) => candidate.path === located?.file);
  if (located === undefined || source === undefined) return [];
  const document = parseYaml(source).document;
  if (document === undefined) return [];
  const range = document.rangeOf([...located.node.at, 'id'], 'value');
  const { line, column } = positionsOf(source, range).start;
  return [`  ${paint.dim('at')} ${showControls(source.path)}:${line}:${column}`, ...snippet(source, range, paint, columns)];
}

/** What a command wrote before it failed. */
function lastLines(error: NodeError, paint: Paint): readonly string[] {
  for (const stream of ['stderrTail', 'stdoutTail'] as const) {
    const text = error.details[stream];
    if (typeof text === 'string' && text.trim() !== '') {
      return [`  last lines of ${stream === 'stderrTail' ? 'standard error' : 'standard output'}:`, ...quoted(text.trimEnd(), paint)];
    }
  }
  return [];
}

function ruleLines(error: NodeError, { plan, paint }: FailureContext): readonly string[] {
  return error.code === 'tool_denied' ? denialLines(error.details, { paint, workflow: plan.file }) : [];
}

function nextLines(error: NodeError): readonly string[] {
  return error.code.startsWith('user.') ? [] : [`  "relavium explain ${error.code}" tells what this means and what can be done.`];
}

function quoted(text: string, paint: Paint): readonly string[] {
  return text.split('\n').map((line) => `  ${paint.dim('│')} ${showControls(line)}`.trimEnd());
}
