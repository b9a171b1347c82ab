import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type SpawnHelper, startHelper } from './spawn-through-helper.js';
import { type ChildSpec, type StartedChild, startHere } from './started-child.js';

/** When programs are started by a small process of their own, and which one. */
export interface HelperOptions {
  /** `spawn-helper.js`. */
  readonly file: URL;
  /** Resident size of this process from which on it pays. */
  readonly fromBytes: number;
}

/**
 * Starting a program copies the tables of this process's memory, on Linux, while everything here stands still: some 40 ms for each GiB.
 * From a size where that is felt, the second program and all after it are started by a helper, which is small. It costs about as much as
 * one start, so a single command does without it. See docs/decisions/0006.
 */
export function childStarter({ file, fromBytes }: HelperOptions): (spec: ChildSpec) => Promise<StartedChild> {
  const isPossible = process.platform === 'linux' && existsSync(fileURLToPath(file));
  let helper: SpawnHelper | undefined;
  let isStarting = false;
  let startsWhileLarge = 0;

  const mayStartHelper = () => {
    if (!isPossible || isStarting || process.memoryUsage.rss() < fromBytes || ++startsWhileLarge < 2) return;
    isStarting = true;
    void startHelper(file).then((started) => {
      helper = started;
    });
  };
  return (spec) => {
    const throughHelper = helper?.start(spec);
    if (throughHelper !== undefined) return throughHelper;
    mayStartHelper();
    return startHere(spec);
  };
}

/** Both a bundle and a package that is not bundled have the helper beside this module. */
export const HELPER: HelperOptions = { file: new URL('./spawn-helper.js', import.meta.url), fromBytes: 160 * 1024 * 1024 };
