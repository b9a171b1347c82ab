import { type BuiltinToolId, type ToolArguments, toolParameters, validateToolArguments } from '@relavium/schemas/tools';
import type { Json, JsonObject } from '../json.js';
import type { CallContext } from '../ports/call-context.js';
import type { ToolHost } from '../ports/tool-host.js';
import type { ByteBound } from '../registry/bounds.js';
import type { ArgumentIssue, EffectClass, PolicyClass, PolicyTarget, Proposal, ToolDef } from '../registry/tool-def.js';

/** A built-in tool, written over the argument types that its schema generates. */
export interface Builtin<Args, Capability extends keyof ToolHost> {
  readonly description: string;
  readonly policy: PolicyClass;
  readonly effect: EffectClass | ((args: Args) => EffectClass);
  readonly capability: Capability;
  readonly bounds?: readonly ByteBound[];
  target(args: Args): PolicyTarget | undefined;
  call(args: Args, capability: NonNullable<ToolHost[Capability]>, call: CallContext): Promise<Json>;
  propose?(args: Args, capability: NonNullable<ToolHost[Capability]>, call: CallContext): Promise<Proposal>;
  failure?(result: JsonObject, args: Args): { readonly message: string; readonly details: JsonObject } | undefined;
}

/** The casts are safe: the registry hands over only arguments that `validate` has passed, and a host that has the capability. */
export function builtin<Id extends BuiltinToolId, Capability extends keyof ToolHost>(
  id: Id,
  { description, policy, effect, capability, bounds, target, call, propose, failure }: Builtin<ToolArguments[Id], Capability>,
): ToolDef {
  const typed = (args: JsonObject) => args as unknown as ToolArguments[Id];
  return {
    id,
    source: 'builtin',
    description,
    parameters: toolParameters[id].schema as JsonObject,
    configOnly: toolParameters[id].configOnly,
    policy,
    effect: typeof effect === 'function' ? (args) => effect(typed(args)) : effect,
    capability,
    ...(bounds === undefined ? {} : { bounds }),
    validate: (args) => issuesOf(id, args),
    policyTarget: (args) => target(typed(args)),
    dispatch: (args, host, context) => call(typed(args), host[capability]!, context),
    ...(propose === undefined ? {} : { propose: (args, host, context) => propose(typed(args), host[capability]!, context) }),
    ...(failure === undefined ? {} : { failure: (result, args) => failure(result as JsonObject, typed(args)) }),
  };
}

function issuesOf(id: BuiltinToolId, args: JsonObject): readonly ArgumentIssue[] {
  const result = validateToolArguments(id, args);
  if (result.ok) return [];
  return result.issues.map(({ instancePath, keyword, params, message }) => {
    if (keyword === 'additionalProperties') return { at: instancePath, message: `has no parameter "${params.additionalProperty}"` };
    if (keyword === 'propertyNames') return { at: instancePath, message: `has "${params.propertyName}", which is no usable name` };
    return { at: instancePath, message };
  });
}
