import type { AgentInvoker } from './agent-invoker.js';
import type { Egress } from './egress.js';
import type { FileSystem } from './file-system.js';
import type { Git } from './git.js';
import type { Mcp } from './mcp.js';
import type { MediaAccess } from './media-access.js';
import type { OperatingSystem } from './operating-system.js';
import type { ProcessHost } from './process-host.js';
import type { Search } from './search.js';
import type { Secrets } from './secrets.js';

/** The capabilities behind the tools. Each may be absent: its tools then answer `tool_unavailable`. */
export interface ToolHost {
  readonly fs?: FileSystem;
  readonly process?: ProcessHost;
  readonly egress?: Egress;
  readonly search?: Search;
  readonly git?: Git;
  readonly os?: OperatingSystem;
  readonly mcp?: Mcp;
  readonly agents?: AgentInvoker;
  readonly media?: MediaAccess;
  /** Behind no tool of its own: what `secret_env` and `credentials` name. */
  readonly secrets?: Secrets;
}
