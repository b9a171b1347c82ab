// Makes dist/: everything that the command needs in a few files, so that the package has no dependencies and starts fast.
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { directImports } from './direct-imports.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const packageFolder = join(here, '..');
const source = join(packageFolder, 'src');
const dist = join(packageFolder, 'dist');
const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));

for (const entry of await readdir(dist).catch(() => [])) {
  if (entry !== 'types') await rm(join(dist, entry), { recursive: true });
}
await mkdir(dist, { recursive: true });

/** The parser of the command line can start programs as its subcommands. There are none, and loading what starts them takes a while. */
const withoutSubprograms = {
  name: 'without-subprograms',
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('/commander/') ? { path: 'none', namespace: 'no-subprograms' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'no-subprograms' }, () => ({ contents: 'module.exports = {};' }));
  },
};

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.20',
  format: 'esm',
  // The packages of the workspace are bundled from their sources: a stale build of theirs cannot get in.
  conditions: ['source'],
  define: { RELAVIUM_VERSION: JSON.stringify(version) },
  plugins: [
    withoutSubprograms,
    directImports({
      '@relavium/engine': join(packageFolder, '../../engine/src/index.ts'),
      '@relavium/host-node': join(packageFolder, '../node/src/index.ts'),
    }),
  ],
  loader: { '.yaml': 'text', '.toml': 'text' },
  minify: true,
  charset: 'ascii',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

/** Large modules that most commands import and do not use. Each is a piece of its own, which is loaded when one of its exports is first used. */
const seldom = {
  'compile-check': join(packageFolder, '../../engine/src/validate/compile-check.ts'),
  re2js: 're2js',
  'schema-documents': join(packageFolder, '../../schemas/src/generated/schema-documents.ts'),
  'validate-agent': join(packageFolder, '../../schemas/src/generated/validate-agent.ts'),
  'validate-config': join(packageFolder, '../../schemas/src/generated/validate-config.ts'),
  'validate-json-schema': join(packageFolder, '../../schemas/src/generated/validate-json-schema.ts'),
  'validate-tool-arguments': join(packageFolder, '../../schemas/src/generated/validate-tool-arguments.ts'),
};

// All files stand side by side: what is loaded beside a module at run time is looked for there.
const command = await build({
  ...shared,
  entryPoints: { main: join(source, 'main.ts'), ...seldom },
  outdir: dist,
  splitting: true,
  chunkNames: '[name]-[hash]',
  write: false,
});
const seldomPieces = new Set(piecesOf(command.metafile.outputs, Object.keys(seldom)));
for (const { path, text } of command.outputFiles) await writeFile(path, await asFunction(text));

// The thread of the expression VM and the process that starts programs for a large one; then the VM itself.
const worker = await build({
  ...shared,
  entryPoints: {
    'expression-worker': join(packageFolder, '../node/src/expression-vm/expression-worker.ts'),
    'spawn-helper': join(packageFolder, '../node/src/process/spawn-helper.ts'),
  },
  outdir: dist,
  // Some of what is bundled is CommonJS and asks for Node's modules by require.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
});
const virtualMachine = createRequire(join(packageFolder, '../node/package.json')).resolve('quickjs-wasi/quickjs.wasm');
await copyFile(virtualMachine, join(dist, 'quickjs.wasm'));

await copyFile(join(packageFolder, '../../LICENSE'), join(dist, 'LICENSE'));
await writeFile(
  join(dist, 'third-party-licenses.txt'),
  await licenses([...Object.keys(command.metafile.inputs), ...Object.keys(worker.metafile.inputs), virtualMachine]),
);

// What most people wait for: a check with and without findings, and a small run.
for (const args of [
  ['lint', '../../workflows'],
  ['lint', 'scripts/findings.relavium.yaml'],
  ['run', '../../workflows/hello.relavium.yaml'],
]) {
  const { status, stderr } = spawnSync(process.execPath, [join(here, 'keep-compiled.cjs'), ...args], {
    cwd: packageFolder,
    encoding: 'utf8',
  });
  if (status === null || status > 1) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
}

/** Names of the pieces that hold nothing but the modules of these entries. */
function piecesOf(outputs, entries) {
  const wanted = new Set(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) => (entries.includes(basename(path, '.js')) ? [entryPoint] : [])),
  );
  return Object.entries(outputs)
    .filter(([, { inputs }]) => Object.keys(inputs).length > 0 && Object.keys(inputs).every((input) => wanted.has(input)))
    .map(([path]) => basename(path));
}

/** A piece as `bin/load.js` runs it: a function of what it exports, of `require`, of what is required when it is used, and of where it is. */
async function asFunction(text) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: shared.target,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'place.url' },
    minify: true,
    charset: 'ascii',
  });
  const lazy = code.replaceAll(/require\("\.\/([^"]+)"\)/g, (call, name) => (seldomPieces.has(name) ? `seldom("${name}")` : call));
  return `(function(module,exports,require,seldom,place){${lazy}\n})`;
}

/** The licences of everything that was bundled and is not ours, with their texts. */
async function licenses(inputs) {
  const folders = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []));
  const entries = [];
  for (const folder of [...folders].sort()) {
    const { name, version: packageVersion, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n\n${(await readFile(join(folder, file), 'utf8')).trim()}`;
    entries.push(`${name} ${packageVersion} (${license})${text}`);
  }
  return `${entries.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
