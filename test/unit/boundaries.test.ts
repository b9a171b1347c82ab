import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { requirements } from './requirement.js';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const packages = ['schemas', 'engine', 'hosts/node', 'hosts/cli'] as const;

describe('the walk over the engine', () => {
  it('finds its modules', () => {
    expect(sources('engine').length).toBeGreaterThan(60);
  });
});

describe('the engine', () => {
  it(requirements(['WR-02', 'WR-03', 'SC-10'], 'imports no module of Node, in no spelling'), () => {
    const builtin = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
    expect(findings('engine', (node) => (builtin.has(importOf(node) ?? '') ? importOf(node) : undefined))).toEqual([]);
  });

  it('reads no clock and draws no random number, under no alias', () => {
    // A VM on the calling thread, for tests, asks the global object for WebAssembly: the language itself does not name it.
    const found = findings('engine', ambient).filter((finding) => !/^engine\/src\/testing\/\S+ globalThis$/.test(finding));
    expect(found).toEqual([]);
  });

  it('compiles without the types of any platform', () => {
    const config = ts.parseConfigFileTextToJson('tsconfig.json', read('engine/tsconfig.json')).config;
    const base = ts.parseConfigFileTextToJson('tsconfig.base.json', read('tsconfig.base.json')).config;
    const options = { ...base.compilerOptions, ...config.compilerOptions };
    expect({ lib: options.lib, types: options.types }).toEqual({ lib: ['ES2023'], types: [] });
  });
});

describe('what counts as a clock or a random number', () => {
  const found = (text: string) =>
    walk(ts.createSourceFile('x.ts', text, ts.ScriptTarget.ES2023, true), ambient).map((finding) => finding.what);

  it('is found behind an alias, in a destructuring and in an indirect access', () => {
    expect(found('const now = Date.now;')).toEqual(['Date.now']);
    expect(found("const now = Date['now'];")).toEqual(['Date']);
    expect(found('const { random } = Math;')).toEqual(['Math']);
    expect(found('globalThis.performance.now()')).toEqual(['globalThis']);
    expect(found('new Date()')).toEqual(['new Date()']);
    expect(found('f(Date)')).toEqual(['Date']);
  });

  it('leaves alone what depends on its arguments only', () => {
    expect(
      found('new Date(instant).toISOString(); Date.UTC(2020, 1); Math.max(1, 2); const banned = ["Date", "Math"]; const d: Date = x;'),
    ).toEqual([]);
  });
});

describe('the rules about imports', () => {
  it('look at every module of every package', () => {
    const report = JSON.parse(
      execFileSync(
        process.execPath,
        ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', '--output-type', 'json', ...packages.map((name) => `${name}/src`)],
        {
          cwd: repository,
          encoding: 'utf8',
          maxBuffer: 64 * 1024 * 1024,
        },
      ),
    ) as { modules: { source: string; dependencies: unknown[] }[]; summary: { violations: unknown[] } };
    const seen = new Set(report.modules.map((module) => module.source));
    const missed = packages.flatMap((name) => sources(name)).filter((file) => !seen.has(file));
    expect(missed).toEqual([]);
    expect(report.modules.filter((module) => module.dependencies.length > 0).length).toBeGreaterThan(60);
    expect(report.summary.violations).toEqual([]);
  });

  it('are errors, every one', () => {
    const rules = read('.dependency-cruiser.cjs').match(/severity: '\w+'/g) ?? [];
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.filter((rule) => rule !== "severity: 'error'")).toEqual([]);
  });

  it('are disabled nowhere', () => {
    const disabling = /biome-ignore-all|biome-ignore lint(:|\/plugin|\/correctness\/noNodejsModules)|@ts-ignore|@ts-nocheck/;
    const files = packages.flatMap((name) => sources(name)).filter((file) => !file.includes('/generated/'));
    expect(files.filter((file) => file.startsWith('engine/') && disabling.test(read(file)))).toEqual([]);
  });

  it('cover the engine in the linter too', () => {
    const { overrides } = JSON.parse(read('biome.json')) as {
      overrides: { includes: string[]; plugins?: string[]; linter: { rules: { correctness?: { noNodejsModules?: string } } } }[];
    };
    const engine = overrides.find((override) => override.includes.includes('engine/src/**'));
    expect(engine?.linter.rules.correctness?.noNodejsModules).toBe('error');
    expect(engine?.plugins?.map((file) => read(file).includes('Date.now') && read(file).includes('Math.random'))).toEqual([true]);
  });
});

interface Finding {
  readonly what: string;
  readonly at: number;
}

function findings(name: (typeof packages)[number], judge: (node: ts.Node) => string | undefined): string[] {
  return sources(name).flatMap((file) => {
    const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.ES2023, true);
    return walk(source, judge).map((finding) => `${file}:${source.getLineAndCharacterOfPosition(finding.at).line + 1} ${finding.what}`);
  });
}

function walk(source: ts.SourceFile, judge: (node: ts.Node) => string | undefined): Finding[] {
  const found: Finding[] = [];
  const visit = (node: ts.Node): void => {
    const what = judge(node);
    if (what !== undefined) found.push({ what, at: node.getStart(source) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function importOf(node: ts.Node): string | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier))
    return node.moduleSpecifier.text;
  if (
    ts.isCallExpression(node) &&
    node.expression.kind === ts.SyntaxKind.ImportKeyword &&
    node.arguments[0] &&
    ts.isStringLiteral(node.arguments[0])
  ) {
    return node.arguments[0].text;
  }
  return undefined;
}

/** Names a use of the ambient clock, of ambient randomness, or of an object through which either could be had unseen. */
function ambient(node: ts.Node): string | undefined {
  if (!ts.isIdentifier(node) || !['Date', 'Math', 'globalThis', 'performance', 'crypto'].includes(node.text)) return undefined;
  const { parent } = node;
  const isName =
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isPropertySignature(parent) && parent.name === node) ||
    (ts.isBindingElement(parent) && parent.propertyName === node);
  if (isName || ts.isTypeReferenceNode(parent)) return undefined;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node && (node.text === 'Date' || node.text === 'Math')) {
    const whole = `${node.text}.${parent.name.text}`;
    return whole === 'Date.now' || whole === 'Math.random' ? whole : undefined;
  }
  if (ts.isNewExpression(parent) && parent.expression === node && node.text === 'Date')
    return parent.arguments?.length ? undefined : 'new Date()';
  return node.text;
}

function read(file: string): string {
  return readFileSync(join(repository, file), 'utf8');
}

/** Paths of a package's modules from the root of the repository, with `/`. */
function sources(name: (typeof packages)[number]): string[] {
  return readdirSync(join(repository, name, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `${name}/src/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
}
