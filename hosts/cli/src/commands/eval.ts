import { resolve } from 'node:path';
import {
  type ExpressionVm,
  evaluate,
  type Json,
  type JsonObject,
  jsonScope,
  parseExpression,
  parseTemplate,
  renderTemplate,
  type SourceText,
  showControls,
} from '@relavium/engine';
import { createExpressionVm } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { parseJson } from '../inputs/parse-json.js';
import { done, type Outcome, problem, refuse } from '../problem.js';
import { readText } from '../project/read-text.js';
import { jsonText } from '../render/outputs.js';
import { snippet } from '../render/snippet.js';
import { writeData, writeRecord } from '../render/write-data.js';
import { answerLines } from './answer-lines.js';

export interface EvalOptions {
  readonly scope?: string;
  readonly template?: boolean;
  readonly jsonl?: boolean;
}

/** One expression or template against a scope whose keys are the names that it can read. */
export async function evaluateText(cli: Cli, text: string | undefined, options: EvalOptions): Promise<number> {
  const vm = createExpressionVm();
  if (options.jsonl === true) return answerLines(cli, (request) => recordOf(answer(request, vm)));
  if (text === undefined)
    return refuse(
      cli,
      problem('there is nothing to evaluate', 'Give the text as an argument, or requests on standard input with --jsonl.').problem,
    );
  const scope = scopeFrom(cli, options.scope);
  if (!scope.ok) return refuse(cli, scope.problem);
  const result = options.template === true ? renderText(text, scope.value, vm) : evaluateExpression(text, scope.value, vm);
  if (cli.json) writeRecord(cli.out, recordOf(result));
  else if (result.ok) writeData(cli.out, shownValue(result.value, options.template === true));
  else tellFailure(cli, text, result);
  return result.ok ? exitCode.done : exitCode.failed;
}

type Failure = {
  readonly ok: false;
  readonly code: string;
  readonly reason?: string;
  readonly message: string /** in the text */;
  readonly range?: { readonly start: number; readonly end: number };
};
type Result = { readonly ok: true; readonly value: Json | undefined } | Failure;

function evaluateExpression(text: string, scope: JsonObject, vm: ExpressionVm): Result {
  const parsed = parseExpression(text);
  if ('error' in parsed) return syntaxFailure(parsed.error);
  return resultOf(evaluate(parsed.expression, jsonScope(scope), vm));
}

function renderText(text: string, scope: JsonObject, vm: ExpressionVm): Result {
  const parsed = parseTemplate(text);
  if ('error' in parsed) return syntaxFailure(parsed.error);
  return resultOf(renderTemplate(parsed.template, jsonScope(scope), vm));
}

function syntaxFailure({ message, start, end }: { readonly message: string; readonly start: number; readonly end: number }): Failure {
  return { ok: false, code: 'expression_error', reason: 'syntax', message, range: { start, end } };
}

function resultOf(
  evaluated:
    | { readonly ok: true; readonly value: Json | undefined }
    | { readonly ok: false; readonly reason: string; readonly message: string },
): Result {
  if (evaluated.ok) return evaluated;
  const { reason, message } = evaluated;
  return reason === 'unresolved_reference'
    ? { ok: false, code: reason, message }
    : { ok: false, code: 'expression_error', reason, message };
}

/** As `--json` gives it; a value that is `undefined` has no key. */
function recordOf(result: Result): object {
  if (result.ok) return result.value === undefined ? { ok: true } : { ok: true, value: result.value };
  const { code, reason, message } = result;
  return { ok: false, code, ...(reason === undefined ? {} : { reason }), message };
}

function answer({ expr, template, scope = {} }: JsonObject, vm: ExpressionVm): Result {
  if (!isObject(scope)) return invalid('scope must be an object');
  if (typeof expr === 'string') return evaluateExpression(expr, scope, vm);
  if (typeof template === 'string') return renderText(template, scope, vm);
  return invalid('a request needs expr or template, as text');
}

function invalid(message: string): Failure {
  return { ok: false, code: 'invalid_request', message };
}

function isObject(value: Json): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** JSON text if it begins like an object, else the name of a JSON file. */
function scopeFrom(cli: Cli, named: string | undefined): Outcome<JsonObject> {
  if (named === undefined) return done({});
  const isText = named.trimStart().startsWith('{');
  const text = isText ? done(named) : readText(resolve(cli.cwd, named), named);
  if (!text.ok) return text;
  const parsed = parseJson(text.value, isText ? '--scope' : named);
  if (!parsed.ok) return parsed;
  return isObject(parsed.value) ? done(parsed.value) : problem('--scope must be an object: name → value');
}

function shownValue(value: Json | undefined, isTemplate: boolean): string {
  if (value === undefined) return 'undefined\n';
  if (!isTemplate || typeof value !== 'string') return jsonText(value);
  return value.endsWith('\n') ? value : `${value}\n`;
}

function tellFailure(cli: Cli, text: string, { code, reason, message, range }: Failure): void {
  const { paint } = cli.err;
  cli.err.line(`${paint.red('error')} ${paint.dim(`[${code}${reason === undefined ? '' : `, ${reason}`}]`)}: ${showControls(message)}`);
  if (range === undefined) return;
  const source: SourceText = { path: 'expression', text };
  for (const line of snippet(source, range, paint, cli.err.columns)) cli.err.line(line);
}
