import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface ProjectFiles {
  readonly workflows: readonly string[];
  readonly agents: readonly string[];
}

/**
 * Absolute paths of all workflow and agent files below a folder, sorted. Links are not followed. Folders whose name begins with a
 * dot are left out, `.relavium` excepted.
 */
export function findProjectFiles(root: string): ProjectFiles {
  const workflows: string[] = [];
  const agents: string[] = [];
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (holdsFiles(entry.name)) pending.push(path);
      } else if (entry.name.endsWith('.relavium.yaml')) workflows.push(path);
      else if (entry.name.endsWith('.agent.yaml')) agents.push(path);
    }
  }
  return { workflows: workflows.sort(), agents: agents.sort() };
}

function holdsFiles(folder: string): boolean {
  return folder === '.relavium' || (!folder.startsWith('.') && folder !== 'node_modules');
}

/** A folder that may not be read holds nothing for us; the files that are named are reported on their own. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
