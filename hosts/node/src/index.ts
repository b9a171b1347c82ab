export { nodeClock } from './clock/node-clock.js';
export { type ConfigProblem, type ParsedConfig, parseConfig } from './config/parse-config.js';
export { type ConfigPlaces, type ConfigRead, lintLevels, readConfig } from './config/read-config.js';
export { createExpressionVm, type ExpressionVmFiles, type NodeExpressionVm } from './expression-vm/create-expression-vm.js';
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
export type { Platform } from './fs/path-rules.js';
export { checkSavePath, saveOutput } from './fs/save-output.js';
export { issueHostScratchRoot, type ScratchOptions, type ScratchRoot } from './fs/scratch-root.js';
export { type Ids, nodeIds } from './ids/node-ids.js';
export { createNodeHost, type NodeHost, type NodeHostOptions } from './node-host.js';
export type { Variables } from './process/base-environment.js';
export { createProcessHost, type ProcessHostOptions } from './process/process-host.js';
export { projectRoot } from './source/project-root.js';
export { createSourceReader, type SourceReaderOptions } from './source/source-reader.js';
