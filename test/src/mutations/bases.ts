import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { corpusFolder, readArea } from '../cases/corpus.js';
import { fromRoot } from '../shared/from-root.js';

/** A workflow to mutate, with the files that it names. */
export interface Base {
  readonly name: string;
  /** From the root of `files`. */
  readonly path: string;
  readonly text: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The workflows that ship, those of the conformance scenarios, and the good ones among the cases. */
export function bases(environment: NodeJS.ProcessEnv): Base[] {
  const corpus = corpusFolder(environment);
  const scenarios = existsSync(join(corpus, 'conformance', 'scenarios.jsonl')) ? readArea(corpus, 'conformance') : [];
  return [
    ...folder(fileURLToPath(new URL('../../../workflows/', import.meta.url))),
    ...folder(join(corpus, 'ok')),
    ...scenarios.map(({ id, workflow, stubbed }) => ({
      name: `conformance/${String(id)}`,
      path: 'main.relavium.yaml',
      text: String(workflow),
      files: fromRoot((stubbed as { readonly workflows?: Readonly<Record<string, string>> } | undefined)?.workflows ?? {}),
    })),
  ];
}

function folder(path: string): Base[] {
  if (!existsSync(path)) return [];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(path, name), 'utf8')]));
  return names.filter((name) => !name.endsWith('.agent.yaml')).map((name) => ({ name, path: name, text: files[name]!, files }));
}
