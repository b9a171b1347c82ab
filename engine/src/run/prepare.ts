import type { Input } from '@relavium/schemas';
import { nearName } from '../diagnostics/near-name.js';
import type { RunScope, Scope } from '../expression/evaluate.js';
import type { Json, JsonObject } from '../json.js';
import { mask } from '../masking/mask.js';
import type { Plan, TemplateTree } from '../plan/plan.js';
import type { ExpressionVm } from '../ports/expression-vm.js';

import { type ReadFile, renderTemplate, renderTemplateAsync } from '../template/render.js';
import { inputProblem } from '../validate/input-value.js';

export interface InputProblem {
  /** Name of the input or context key. */
  readonly input: string;
  readonly message: string;
}

export type Prepared =
  | {
      readonly ok: true;
      /** As expressions see them: a secret is `{"$secret": name}`. */
      readonly inputs: JsonObject;
      readonly context: JsonObject;
      readonly secrets: ReadonlyMap<string, string>;
    }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

export interface PrepareHost {
  readonly vm: ExpressionVm;
  readonly readFile?: ReadFile;
  readonly run: { readonly id: string; readonly startedAt: string };
}

/**
 * Judges what a run is given and resolves its context. All of it happens before there is a run: unknown names, missing and wrong values
 * and a context entry that fails are told together, and nothing has started.
 */
export async function prepareInputs(plan: Plan, given: JsonObject, host: PrepareHost): Promise<Prepared> {
  const problems: InputProblem[] = [];
  const inputs: [string, Json][] = [];
  const secrets = new Map<string, string>();
  for (const name of Object.keys(given))
    if (!plan.inputs.some((input) => input.name === name)) problems.push(unknownInput(plan.inputs, name));
  for (const input of plan.inputs) {
    const value = Object.hasOwn(given, input.name) ? given[input.name] : defaultOf(input);
    if (value === undefined) {
      if (input.required === true) problems.push({ input: input.name, message: `is required${described(input)}` });
      continue;
    }
    const problem = inputProblem(input, value);
    if (problem !== undefined) problems.push({ input: input.name, message: mask(problem) });
    else if (input.type === 'secret' && typeof value === 'string') secrets.set(input.name, value);
    inputs.push([input.name, input.type === 'secret' ? { $secret: input.name } : value]);
  }
  if (problems.length > 0) return { ok: false, problems };
  const admitted = Object.fromEntries(inputs);
  const context = await resolveContext(plan, admitted, host);
  return context.ok ? { ok: true, inputs: admitted, context: context.values, secrets } : { ok: false, problems: [context.problem] };
}

function unknownInput(inputs: readonly Input[], name: string): InputProblem {
  const names = inputs.map((input) => input.name);
  const near = nearName(name, names);
  const hint =
    near !== undefined ? `; did you mean "${near}"?` : names.length === 0 ? '; this workflow takes none' : `; it takes ${names.join(', ')}`;
  return { input: name, message: `is no input of this workflow${hint}` };
}

function defaultOf(input: Input): Json | undefined {
  return 'default' in input ? (input.default as Json | undefined) : undefined;
}

function described(input: Input): string {
  return input.description === undefined ? ` (${input.type})` : ` (${input.type}: ${input.description})`;
}

type Context = { readonly ok: true; readonly values: JsonObject } | { readonly ok: false; readonly problem: InputProblem };

async function resolveContext(plan: Plan, inputs: JsonObject, host: PrepareHost): Promise<Context> {
  const values: [string, Json][] = [];
  for (const { key, value } of plan.context) {
    const scope = contextScope(inputs, Object.fromEntries(values), host.run);
    const resolved = await resolveTree(value, scope, host);
    if (!resolved.ok) return { ok: false, problem: { input: `context.${key}`, message: mask(resolved.message) } };
    values.push([key, resolved.value]);
  }
  return { ok: true, values: Object.fromEntries(values) };
}

type Resolved = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly message: string };

async function resolveTree(tree: TemplateTree, scope: Scope, host: PrepareHost): Promise<Resolved> {
  switch (tree.kind) {
    case 'literal':
      return { ok: true, value: tree.value };
    case 'template': {
      const rendered = tree.template.readsFiles
        ? await renderTemplateAsync(tree.template, scope, host.vm, host.readFile)
        : renderTemplate(tree.template, scope, host.vm);
      return rendered.ok ? { ok: true, value: rendered.value ?? null } : rendered;
    }
    case 'list': {
      const items: Json[] = [];
      for (const item of tree.items) {
        const resolved = await resolveTree(item, scope, host);
        if (!resolved.ok) return resolved;
        items.push(resolved.value);
      }
      return { ok: true, value: items };
    }
    case 'map': {
      const entries: [string, Json][] = [];
      for (const [key, value] of tree.entries) {
        const resolved = await resolveTree(value, scope, host);
        if (!resolved.ok) return resolved;
        entries.push([key, resolved.value]);
      }
      return { ok: true, value: Object.fromEntries(entries) };
    }
    default:
      return tree satisfies never;
  }
}

function contextScope(inputs: JsonObject, context: JsonObject, run: { readonly id: string; readonly startedAt: string }): Scope {
  const nothing = (): { readonly kind: 'none' } => ({ kind: 'none' });
  const ofRun: RunScope = { ...run, outputs: nothing, errors: nothing, captured: nothing, visible: () => [] };
  return {
    names: new Map<string, Json | undefined>([
      ['inputs', inputs],
      ['ctx', context],
    ]),
    run: ofRun,
  };
}
