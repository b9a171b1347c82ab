/** Entry of the engine: what hosts and tests use, by name. */

export { type Compilation, type CompilePorts, compile, compileAgentFile } from './compile.js';
export { compileCache } from './compile-cache.js';
export type { Diagnostic } from './diagnostics/diagnostic.js';
export { type Explanation, explain, explainableCodes } from './diagnostics/explain.js';
export { nearName } from './diagnostics/near-name.js';
export type { GateDecision, RunEvent, StreamedEvent } from './events/run-event.js';
export { type Evaluated, evaluate, evaluateInVm } from './expression/evaluate.js';
export { parseExpression } from './expression/parse.js';
export { bootQuickJs, type QuickJs, type QuickJsExports, type QuickJsReply } from './expression/quickjs.js';
export { jsonScope, type Scope } from './expression/scope.js';
export type { Json, JsonObject } from './json.js';
export { schemaReport } from './link/json-schema-problems.js';
export { unusedAgents } from './link/unused-agents.js';
export { clip } from './masking/clip.js';
export { type KnownSecrets, knownSecrets } from './masking/known-secrets.js';
export { mask } from './masking/mask.js';
export { maskStream } from './masking/mask-stream.js';
export { showControls } from './masking/show-controls.js';
export { coverCredentials } from './masking/written-credentials.js';
export { parseYaml } from './parse/parse-yaml.js';
export { deepestExistingReal } from './paths/deepest-existing-real.js';
export { isPattern, pathGlob } from './paths/path-glob.js';
export { MAX_SOURCE_BYTES } from './plan/ceilings.js';
export type { Plan, PlanEdge, PlanNode, Policy, ScopePlan } from './plan/plan.js';
export type { CallContext } from './ports/call-context.js';
export type { Cancel, CancelSignal } from './ports/cancel.js';
export type { Clock } from './ports/clock.js';
export type { EventStore } from './ports/event-store.js';
export type { ExpressionVm, ExpressionVmReply, ExpressionVmRequest } from './ports/expression-vm.js';
export type {
  DirectoryEntry,
  FileContent,
  FileOperation,
  FileScope,
  FileSystem,
  GlobContent,
  Listing,
  ListRequest,
  ReadRequest,
  WriteRequest,
  WriteResult,
} from './ports/file-system.js';
export type { Git, GitCommit, GitStatusEntry } from './ports/git.js';
export { HostError } from './ports/host-error.js';
export {
  type AssistantPart,
  type FinishReason,
  type LanguageModel,
  ModelError,
  type ModelErrorCode,
  type ModelEvent,
  type ModelMessage,
  type ModelReference,
  type ModelRequest,
  type ModelSettings,
  type Models,
  type ModelTool,
  type ModelUsage,
  type ProviderMetadata,
  type ToolCallPart,
} from './ports/language-model.js';
export type { ProcessHost, ProcessRequest, ProcessResult } from './ports/process-host.js';
export type { SourceRead, SourceReader } from './ports/source-reader.js';
export type { ToolHost } from './ports/tool-host.js';
export { createRegistry } from './registry/create-registry.js';
export type { ToolDecision, ToolOutcome } from './registry/registry.js';
export type { Spill } from './registry/spill.js';
export type { ToolDef } from './registry/tool-def.js';
export { type DryRunLine, dryRun } from './run/dry-run.js';
export { fold } from './run/fold.js';
export type { Answer, Command, Input, Question } from './run/messages.js';
export type { NodeError } from './run/node-error.js';
export type { Outcome } from './run/outcome.js';
export { prepareInputs } from './run/prepare.js';
export { type RunResult, startRun } from './run/run.js';
export type { RunPorts } from './run/run-ports.js';
export { initialState, type RunBegin, type RunState } from './run/run-state.js';
export { isOver, transition } from './run/transition.js';
export { type LineIndex, lineIndex, positionAt } from './source/positions.js';
export { sourceFromBytes } from './source/source-from-bytes.js';
export type { Position, Range, SourceText } from './source/source-text.js';
export { parseTemplate } from './template/parse.js';
export { renderTemplate } from './template/render.js';
export { builtinTools } from './tools/builtin-tools.js';
export { checkValue } from './validate/check-value.js';
export { locatedIssues, schemaDiagnostics } from './validate/schema-diagnostics.js';
