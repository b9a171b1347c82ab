import type { Json, JsonObject } from '../json.js';
import type { CallContext } from '../ports/call-context.js';
import type { ToolHost } from '../ports/tool-host.js';
import type { ByteBound } from './bounds.js';

/** Which rule of the policy a call falls under. */
export type PolicyClass = 'fs_read' | 'fs_write' | 'process' | 'egress' | 'search' | 'git' | 'gate' | 'os' | 'mcp' | 'engine' | 'media';

/** What repeating a call would do: nothing, the same again, or something new. */
export type EffectClass = 'none' | 'receipt' | 'once' | 'benign';

/** What the policy judges: a whole argument vector, a host, a path. A tool whose class needs a target and gives none is refused. */
export type PolicyTarget =
  | { readonly kind: 'command'; readonly vector: readonly string[] }
  | { readonly kind: 'path'; readonly operation: 'read' | 'write' | 'list' | 'glob'; readonly path: string; readonly root?: string }
  | { readonly kind: 'url'; readonly url: string }
  /** What is added to a look at the repository. */
  | { readonly kind: 'git'; readonly args: readonly string[] }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  | { readonly kind: 'node'; readonly id: string }
  | { readonly kind: 'none' };

/** One thing that is wrong with the arguments. `at` is a JSON pointer into them; the message holds no value. */
export interface ArgumentIssue {
  readonly at: string;
  readonly message: string;
}

/** What a call that needs a person's approval would do. */
export interface Proposal {
  /** Names exactly what `text` shows, so that it can be told whether it is still the same. */
  readonly seal: string;
  /** For the person who is asked. */
  readonly text: string;
}

/** A tool as the registry knows it. */
export interface ToolDef {
  readonly id: string;
  readonly source: 'builtin' | 'mcp' | 'plugin' | 'http';
  readonly description: string;
  /** JSON Schema of all arguments, config-only ones included. */
  readonly parameters: JsonObject;
  /** Parameters that only the author may set; they are left out of what a model sees. */
  readonly configOnly: readonly string[];
  readonly policy: PolicyClass;
  readonly effect: EffectClass | ((args: JsonObject) => EffectClass);
  /** The host capability that does the work. A host without it answers `tool_unavailable`. */
  readonly capability: keyof ToolHost;
  /** Limits in UTF-8 bytes, judged before `validate` looks at anything. */
  readonly bounds?: readonly ByteBound[];
  /** Judges the complete arguments against `parameters`; an empty list: they are good. */
  validate(args: JsonObject): readonly ArgumentIssue[];
  policyTarget(args: JsonObject): PolicyTarget | undefined;
  /** One host call. Throws `HostError`. */
  dispatch(args: JsonObject, host: ToolHost, call: CallContext): Promise<Json>;
  /** For tools of class `gate`: what `dispatch` would do now. Changes nothing. Throws `HostError`. */
  propose?(args: JsonObject, host: ToolHost, call: CallContext): Promise<Proposal>;
  /** For a tool node: an answer that counts as a failure, such as a bad exit code. A model gets the same answer as a result. */
  failure?(result: Json, args: JsonObject): { readonly message: string; readonly details: JsonObject } | undefined;
}

/** Parameters that say where authority comes from: an author writes them as literals in `tool_config`, data never sets them. */
export const LITERAL_ONLY: ReadonlySet<string> = new Set(['root', 'credential_ref', 'credentials', 'endpoint', 'provider', 'secret_env']);
