import type { Workflow, WorkflowFile } from '@relavium/schemas';
import { missingFile } from '../diagnostics/catalogue/tools.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { Path, YamlDocument } from '../parse/yaml-document.js';
import type { Salvaged } from '../validate/salvage.js';
import { linkAgents, unreadWords } from './agents.js';
import { buildScopes } from './build-scopes.js';
import type { Files, ReadFile } from './files.js';
import { type LinkContext, linkContext } from './link-context.js';
import type { LinkedScope, LinkedWorkflow } from './model.js';
import { nameAdvice, replacing } from './name-advice.js';
import { newParses, type Parses } from './parses.js';
import type { Rule, World } from './rule.js';
import { branchCoverageRule } from './rules/branch-coverage.js';
import { ceilingsRule } from './rules/ceilings.js';
import { cyclesRule } from './rules/cycles.js';
import { gatesRule } from './rules/gates.js';
import { grantsRule } from './rules/grants.js';
import { inputsRule } from './rules/inputs.js';
import { jsonSchemasRule } from './rules/json-schemas.js';
import { locksRule } from './rules/locks.js';
import { loopsRule } from './rules/loops.js';
import { modelsRule } from './rules/models.js';
import { namesRule } from './rules/names.js';
import { policyRule } from './rules/policy.js';
import { reachabilityRule } from './rules/reachability.js';
import { referencesRule } from './rules/references.js';
import { retriesRule } from './rules/retries.js';
import { saveToRule } from './rules/save-to.js';
import { secretsRule } from './rules/secrets.js';
import { subworkflowsRule } from './rules/subworkflows.js';
import { toolArgumentsRule } from './rules/tool-arguments.js';
import { waitsRule } from './rules/waits.js';
import { collectSites } from './sites.js';

const RULES: readonly Rule[] = [
  namesRule,
  ceilingsRule,
  cyclesRule,
  referencesRule,
  secretsRule,
  reachabilityRule,
  branchCoverageRule,
  loopsRule,
  locksRule,
  retriesRule,
  waitsRule,
  saveToRule,
  gatesRule,
  inputsRule,
  jsonSchemasRule,
  toolArgumentsRule,
  policyRule,
  grantsRule,
  modelsRule,
  subworkflowsRule,
];

export interface Linked {
  readonly workflow: LinkedWorkflow;
  /** Every workflow that the outermost one reaches, by the path of its source, itself included. */
  readonly all: ReadonlyMap<string, LinkedWorkflow>;
  readonly parses: Parses;
}

/** Resolves names of a workflow and of every child that it names, then lets each rule look. A file that names itself is linked once. */
export function link(file: ReadFile<WorkflowFile>, files: Files, world: World): Linked | undefined {
  const linking: Linking = { files, parses: newParses(), all: new Map(), contexts: [] };
  const workflow = linkFile(linking, file);
  if (workflow === undefined) return undefined;
  // Rules that look into children need all of them to be complete, so they run last.
  for (const { context, workflow: linked, salvaged } of linking.contexts) {
    for (const rule of RULES) rule(context, linked, world);
    files.add(salvaged === undefined ? context.diagnostics : context.diagnostics.filter((found) => isCertain(found, salvaged)));
  }
  return { workflow, all: linking.all, parses: linking.parses };
}

/** Not a mere consequence of the parts that were taken out of a broken file. */
function isCertain(found: Diagnostic, salvaged: Salvaged): boolean {
  return !salvaged.doubtful.has(found.code) && !(found.severity === 'warning' && salvaged.warningsDoubtful);
}

interface Linking {
  readonly files: Files;
  readonly parses: Parses;
  readonly all: Map<string, LinkedWorkflow>;
  readonly contexts: { readonly context: LinkContext; readonly workflow: LinkedWorkflow; readonly salvaged: Salvaged | undefined }[];
}

/** A file whose shape is broken is linked as far as it goes: its other problems are told at once, and a plan is never made of it. */
function linkFile(linking: Linking, { document, value, salvaged }: ReadFile<WorkflowFile>): LinkedWorkflow | undefined {
  if (document === undefined) return undefined;
  if (value !== undefined) return linkOne(linking, document, value.workflow, undefined);
  if (salvaged === undefined) return undefined;
  return linkOne(linking, salvaged.document, (salvaged.document.value as unknown as WorkflowFile).workflow, salvaged);
}

function linkOne(linking: Linking, document: YamlDocument, syntax: Workflow, salvaged: Salvaged | undefined): LinkedWorkflow {
  const context = linkContext(document, linking.parses);
  const scopes = buildScopes(context, syntax);
  const agents = linkAgents(context, syntax, scopes, linking.files);
  const children = new Map<string, LinkedWorkflow>();
  const linked: LinkedWorkflow = {
    document,
    syntax,
    inputs: new Map((syntax.inputs ?? []).map((input) => [input.name, input])),
    context: new Map((syntax.context ?? []).map((entry, index) => [entry.key, index])),
    root: scopes[0] as LinkedScope,
    scopes,
    sites: collectSites(context, syntax, scopes, agents),
    agents,
    children,
  };
  linking.all.set(document.source.path, linked);
  linking.contexts.push({ context, workflow: linked, salvaged });
  for (const scope of scopes) {
    for (const node of scope.nodes) {
      if (node.syntax.type !== 'subworkflow' || children.has(node.syntax.workflow)) continue;
      const child = linkChild(linking, context, node.syntax.workflow, [...node.at, 'workflow']);
      if (child !== undefined) children.set(node.syntax.workflow, child);
    }
  }
  return linked;
}

function linkChild(linking: Linking, context: LinkContext, name: string, at: Path): LinkedWorkflow | undefined {
  const { reader } = linking.files;
  const read = isPath(name) ? reader.relative(context.document.source.path, name) : reader.byId('workflow', name);
  if (!read.ok) {
    const path = isPath(name) ? name : `the workflow "${name}"`;
    const advice = isPath(name)
      ? {}
      : nameAdvice(context, name, () => reader.ids('workflow'), { fix: replacing(context.document, at, 'value') });
    context.report(missingFile, { path: at }, { path, problem: unreadWords(read.problem) }, advice);
    return undefined;
  }
  const known = linking.all.get(read.source.path);
  if (known !== undefined) return known;
  return linkFile(linking, linking.files.workflow(read.source));
}

/** An id has neither slashes nor dots. */
function isPath(name: string): boolean {
  return /[/\\.]/.test(name);
}
