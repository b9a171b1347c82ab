import { resolve } from 'node:path';
import type { JsonObject, Plan, PlanNode } from '@relavium/engine';
import type { WatchTargets } from '@relavium/host-node';
import { everyNode } from '../run/every-node.js';

/**
 * What a plan is known to read before it runs: paths and patterns that are written out for `read_file`, as a tool and as a filter of
 * templates, and the values of `file_path` inputs. `workspace` is absolute.
 */
export function readPaths(plan: Plan, inputs: JsonObject, workspace: string): WatchTargets {
  const files: string[] = [];
  const globs: { root: string; pattern: string }[] = [];
  for (const node of everyNode(plan)) {
    if (node.type !== 'tool' || node.tool !== 'read_file') continue;
    const root = resolve(workspace, literal(node, 'root') ?? '.');
    const [path, glob] = [literal(node, 'path'), literal(node, 'glob')];
    if (path !== undefined) files.push(resolve(root, path));
    if (glob !== undefined) globs.push({ root, pattern: glob });
  }
  files.push(...templatePaths(plan).map((path) => resolve(workspace, path)));
  for (const { name, type } of plan.inputs) {
    const value = inputs[name];
    if (type === 'file_path' && typeof value === 'string' && value !== '') files.push(resolve(workspace, value));
  }
  return { files, globs };
}

type ToolNode = Extract<PlanNode, { type: 'tool' }>;

/** An argument that is the same in every call: what the author pins wins over what is mapped. */
function literal({ config, inputMapping }: ToolNode, argument: string): string | undefined {
  const pinned = config[argument];
  if (pinned !== undefined) return typeof pinned === 'string' ? pinned : undefined;
  const plain = inputMapping.find(([name]) => name === argument)?.[1].plain;
  return plain?.kind === 'literal' && typeof plain.value === 'string' ? plain.value : undefined;
}

/** Paths in holes such as `{{ 'style.md' | read_file }}`, wherever in the plan the template is. */
function templatePaths(value: unknown): readonly string[] {
  const found: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    const path = holePath(next);
    if (path === undefined) left.push(...Object.values(next));
    else found.push(path);
  }
  return found;
}

function holePath(value: object): string | undefined {
  const { kind, head, filters } = value as {
    kind?: unknown;
    head?: { plain?: { kind: string; value?: unknown } };
    filters?: readonly { readonly name: string }[];
  };
  if (kind !== 'hole' || filters?.[0]?.name !== 'read_file') return undefined;
  const plain = head?.plain;
  return plain?.kind === 'literal' && typeof plain.value === 'string' ? plain.value : undefined;
}
