// Makes dist/: everything that the command needs in a few files, so that the package has no dependencies and starts fast.
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const packageFolder = join(here, '..');
const source = join(packageFolder, 'src');
const dist = join(packageFolder, 'dist');
const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));

for (const entry of await readdir(dist).catch(() => [])) {
  if (entry !== 'types') await rm(join(dist, entry), { recursive: true });
}
await mkdir(dist, { recursive: true });

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.20',
  format: 'esm',
  // The packages of the workspace are bundled from their sources: a stale build of theirs cannot get in.
  conditions: ['source'],
  define: { RELAVIUM_VERSION: JSON.stringify(version) },
  // Some of what is bundled is CommonJS and asks for Node's modules by require.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  loader: { '.yaml': 'text', '.toml': 'text' },
  minify: true,
  legalComments: 'linked',
  logLevel: 'warning',
};

// All files stand side by side: what is loaded beside a module at run time is looked for there.
await build({
  ...shared,
  entryPoints: { main: join(source, 'main.ts') },
  outdir: dist,
  splitting: true,
  chunkNames: '[name]-[hash]',
});

// The thread of the expression VM, and the VM itself.
await build({
  ...shared,
  entryPoints: { 'expression-worker': join(packageFolder, '../node/src/expression-vm/expression-worker.ts') },
  outdir: dist,
});
const hostRequire = createRequire(join(packageFolder, '../../engine/package.json'));
await copyFile(hostRequire.resolve('quickjs-wasi/quickjs.wasm'), join(dist, 'quickjs.wasm'));
