import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createNodeHost, type NodeHost } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';
import type { Project } from '../project/open-project.js';

/** What a person grants on the command line. */
export interface Grants {
  readonly tier: 'sandboxed' | 'project' | 'full';
  readonly root?: readonly string[];
}

/** This machine, as far as the person who runs the command grants it. */
export function openHost(cli: Cli, { root }: Project, grants: Grants): Outcome<NodeHost> {
  if (grants.root !== undefined && grants.root.length > 0 && grants.tier === 'sandboxed') {
    return problem('--root has no effect with --tier sandboxed', 'Add --tier project.');
  }
  const roots = (grants.root ?? []).map((named) => resolve(cli.cwd, named));
  for (const [index, folder] of roots.entries()) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      return problem(`--root ${grants.root?.[index]}: there is no such directory`, 'Make it first, or name another one.');
  }
  return done(createNodeHost({ workspace: root, tier: grants.tier, roots, environment: cli.env, cwd: cli.cwd }));
}
