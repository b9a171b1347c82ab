import type { GitCommitArguments, GitStatusArguments } from '@relavium/schemas/tools';
import type { Json } from '../json.js';
import type { CallContext } from './call-context.js';

/** The repository of the workspace, by the git program under a pinned environment. */
export interface Git {
  inspect(request: GitStatusArguments, call: CallContext): Promise<{ readonly [key: string]: Json }>;
  commit(request: GitCommitArguments, call: CallContext): Promise<GitCommit>;
}

export interface GitCommit {
  readonly commit: string;
  readonly branch: string;
  readonly filesChanged: number;
}
