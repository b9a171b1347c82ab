import { mkdirSync, writeFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createNodeHost } from '@relavium/host-node';
import { callOf, withFolder } from '../../shared/host-call.js';
import { judged } from '../figure.js';
import { callByCall } from '../measure.js';
import type { Section } from '../sections.js';

const FOLDERS = 100;
const FILES_EACH = 99;
const ENTRIES = FOLDERS * (FILES_EACH + 1);

/** A tree of 10 000 entries with the size and time of each. */
export const parts: Readonly<Record<string, Section>> = {
  tree: async (report) => {
    await withFolder(async (folder) => {
      for (let outer = 0; outer < FOLDERS; outer++) {
        mkdirSync(join(folder, `d${outer}`));
        for (let inner = 0; inner < FILES_EACH; inner++) writeFileSync(join(folder, `d${outer}`, `f${inner}.txt`), 'x');
      }
      const { fs } = createNodeHost({ workspace: folder }).tools;
      const list = async (): Promise<void> => {
        const { entries } = await fs!.list({ path: '.', recursive: true, maxEntries: 2 * ENTRIES }, callOf());
        if (entries.length !== ENTRIES) throw new Error(`${entries.length} entries`);
      };
      const { ours, bare } = await callByCall({ ours: list, bare: () => walk(folder) }, 9, 2);
      const figure = { section: 'files', name: '10 000 entries, recursive', value: ours.ms, unit: 'ms', spread: ours.spread } as const;
      report(judged({ ...figure, against: 'readdir and lstat of each', ratio: ours.ms / bare.ms }, { atMost: 2 }));
    });
  },
};

/** What any walk has to ask of the system, folder by folder, the entries of one at the same time. */
async function walk(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  await Promise.all(entries.map((entry) => lstat(join(folder, entry.name))));
  for (const entry of entries) if (entry.isDirectory()) await walk(join(folder, entry.name));
}
