import { type Json, showControls } from '@relavium/engine';
import type { Paint } from './paint.js';

export interface DenialContext {
  readonly paint: Paint;
  /** What a person calls the workflow whose policy was asked. */
  readonly workflow: string;
}

/** The rule that said no, where it stands, what broke it, and the lines that would allow it. Lines without their line ends. */
export function denialLines(details: { readonly [name: string]: Json }, { paint, workflow }: DenialContext): readonly string[] {
  const { rule, source, value, remedy } = details;
  return [
    ...(rule === undefined ? [] : [`  rule:  ${showControls(shown(rule), 'log_line')}`]),
    ...(typeof source === 'string' ? [`  from:  ${showControls(placeOf(source, workflow))}`] : []),
    ...(value === undefined ? [] : [`  value: ${showControls(shown(value), 'log_line')}`]),
    ...(typeof remedy === 'string' && remedy !== ''
      ? ['  these lines would allow it:', ...remedy.split('\n').map((line) => `  ${paint.dim('│')} ${showControls(line)}`.trimEnd())]
      : []),
  ];
}

function placeOf(source: string, workflow: string): string {
  switch (source) {
    case 'workflow':
      return workflow;
    case 'calling_workflow':
      return 'the workflow that calls this one';
    case 'agent':
      return 'the agent file, or the node that narrows it';
    case 'node':
      return 'the node';
    case 'invocation':
      return '--tier and --root of this command, and tools.fs_scope of the workflow';
    case 'person':
      return 'a person';
    default:
      return 'built in, and nothing turns it off';
  }
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
