export { itemId } from './batch/item-id.js';
export type { ItemText } from './batch/item-text.js';
export { type ItemFormat, type ReadItems, readItems } from './batch/read-items.js';
export { openRowFile, type RowFile } from './batch/row-file.js';
export { type ItemRuns, runItems } from './batch/run-items.js';
export { nodeClock } from './clock/node-clock.js';
export { type ConfigProblem, type ParsedConfig, parseConfig } from './config/parse-config.js';
export { type ConfigPlaces, type ConfigRead, lintLevels, readConfig } from './config/read-config.js';
export { isBlockedAddress } from './egress/blocked-address.js';
export { createEgress, type EgressOptions, type NodeEgress } from './egress/create-egress.js';
export { createExpressionVm, type ExpressionVmFiles, type NodeExpressionVm } from './expression-vm/create-expression-vm.js';
export { bareDisk } from './fs/bare-disk.js';
export { createFileSystem } from './fs/file-system.js';
export {
  admitPath,
  createFsPathPolicy,
  type FsPathPolicy,
  type FsPathPolicyOptions,
  type PathOperation,
  withScratch,
} from './fs/fs-path-policy.js';
export type { Entry, PathOperations } from './fs/path-operations.js';
export { nativePlatform, type Platform } from './fs/path-rules.js';
export { checkSavePath, saveOutput } from './fs/save-output.js';
export { issueHostScratchRoot, type ScratchOptions, type ScratchRoot } from './fs/scratch-root.js';
export { createGit } from './git/create-git.js';
export { type Ids, nodeIds } from './ids/node-ids.js';
export { createModels, type ModelsOptions, overrideProblem } from './models/models.js';
export { type ParsedScript, parseScript } from './models/parse-script.js';
export { createNodeHost, type ModelGrants, type NodeHost, type NodeHostOptions } from './node-host.js';
export type { Variables } from './process/base-environment.js';
export { createProcessHost, type ProcessHostOptions } from './process/process-host.js';
export { assembleToolEnv, type ToolEnv, type ToolEnvParts } from './scratch/assemble-tool-env.js';
export { createRunScratch, type RunScratch, type RunScratchOptions } from './scratch/run-scratch.js';
export { findLeftovers, type Leftovers, removeScratchFolder } from './scratch/scratch-folder.js';
export { environmentSecrets } from './secrets/environment-secrets.js';
export type { SecretStore } from './secrets/secret-store.js';
export { projectRoot } from './source/project-root.js';
export { createSourceReader, type SourceReaderOptions } from './source/source-reader.js';
export { noteWrites } from './watch/note-writes.js';
export { type ChangedFile, type FileWatch, type WatchOptions, watchFiles } from './watch/watch-files.js';
export { isCoveredBy, type WatchGlob, type WatchTargets } from './watch/watch-targets.js';
