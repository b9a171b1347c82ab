import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Names that are imported from the entry of a workspace package are imported from the modules that define them. The bundler puts all that an
 * entry names into one piece, which every command would then load whole.
 *
 * @param {Readonly<Record<string, string>>} entries package name → path of its entry
 * @returns {import('esbuild').Plugin}
 */
export function directImports(entries) {
  const modules = new Map(Object.entries(entries).map(([name, entry]) => [name, exportsOf(entry)]));
  return {
    name: 'direct-imports',
    setup(build) {
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        return { contents: text.replaceAll(STATEMENT, (...match) => rewritten(match, modules)), loader: 'ts' };
      });
    },
  };
}

const STATEMENT = /^(import|export) \{([^}]*)\} from '(@relavium\/[a-z-]+)';$/gm;

/** Name → module, from the `export { … } from` statements of an entry. */
function exportsOf(entry) {
  const found = new Map();
  for (const [, names, from] of readFileSync(entry, 'utf8').matchAll(/^export \{([^}]*)\} from '([^']+)';$/gm)) {
    for (const name of valueNames(names)) found.set(name, join(dirname(entry), from.replace(/\.js$/, '.ts')));
  }
  return found;
}

function rewritten([statement, keyword, names, from], modules) {
  const known = modules.get(from);
  if (known === undefined) return statement;
  return valueNames(names)
    .map((name) => {
      const module = known.get(name.split(' as ')[0]);
      if (module === undefined) throw new Error(`${from} exports no value ${name}`);
      return `${keyword} { ${name} } from ${JSON.stringify(module)};`;
    })
    .join(' ');
}

/** Types are gone by the time the code runs. */
function valueNames(names) {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}
