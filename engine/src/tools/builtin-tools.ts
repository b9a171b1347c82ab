import type { ToolDef } from '../registry/tool-def.js';
import { gitCommit } from './git-commit.js';
import { gitStatus } from './git-status.js';
import { httpRequest } from './http-request.js';
import { invokeAgent } from './invoke-agent.js';
import { listDirectory } from './list-directory.js';
import { mcpCall } from './mcp-call.js';
import { notify } from './notify.js';
import { readClipboard } from './read-clipboard.js';
import { readFile } from './read-file.js';
import { readMedia } from './read-media.js';
import { runCommand } from './run-command.js';
import { webSearch } from './web-search.js';
import { writeFile } from './write-file.js';

/** The tools that every workflow may name, in the order in which they are listed to people. */
export const builtinTools: readonly ToolDef[] = [
  readFile,
  writeFile,
  listDirectory,
  runCommand,
  httpRequest,
  webSearch,
  gitStatus,
  gitCommit,
  readClipboard,
  notify,
  mcpCall,
  invokeAgent,
  readMedia,
];
