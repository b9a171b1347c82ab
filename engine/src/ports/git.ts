import type { GitCommitArguments, GitStatusArguments } from '@relavium/schemas/tools';
import type { CallContext } from './call-context.js';

/** The repository of the workspace, by the git program under a pinned environment. */
export interface Git {
  /** Resolves for every exit code of git. */
  inspect(request: GitStatusArguments, call: CallContext): Promise<GitInspection>;
  /** What `commit` would record now. Neither the index nor a branch is changed. */
  propose(request: GitCommitArguments, call: CallContext): Promise<GitProposal>;
  /** Commits exactly the tree `call.approvedTree`; `tool_denied gate_required` where that is not what there is to commit now. */
  commit(request: GitCommitArguments, call: CallContext): Promise<GitCommit>;
}

export interface GitInspection {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly truncated?: boolean;
  readonly invalidUtf8?: boolean;
  /** Of `status`, where git gave an answer. */
  readonly entries?: readonly GitStatusEntry[];
}

export interface GitStatusEntry {
  readonly kind: 'changed' | 'renamed' | 'copied' | 'unmerged' | 'untracked' | 'ignored';
  /** As it is, without quotes; relative to the top of the repository. */
  readonly path: string;
  /** Of a rename or copy: what it was. */
  readonly from?: string;
  /** Git's letter for what is staged, `.` for no change; absent for what git does not track. */
  readonly index?: string;
  /** Git's letter for what is not staged. */
  readonly worktree?: string;
}

export interface GitProposal {
  /** Id of the tree that would be committed. */
  readonly tree: string;
  /** What would change: a summary and the differences. Cut in the middle where it is long. */
  readonly changes: string;
}

export interface GitCommit {
  readonly commit: string;
  readonly branch: string;
  readonly filesChanged: number;
}
