/**
 * Stages of the engine in the order in which data flows through them. A stage imports only itself, stages before it, and what
 * every stage shares.
 */
const shared = ['json', 'text', 'masking', 'events', 'ports', 'source', 'diagnostics'];
const stages = ['parse', 'validate', 'expression', 'template', 'registry', 'paths', 'tools', 'link', 'plan', 'compile', 'agent', 'run'];

/** Shapes that two stages agree on, and what follows from the text of a file alone: a stage may name a later one's. */
const contracts = [
  'parse/yaml-document',
  'plan/plan',
  'plan/ceilings',
  'plan/policy',
  'registry/registry',
  'registry/tool-def',
  'registry/tool-error',
  'run/outcome',
  'expression/expression',
  'template/template',
];

const engine = '^engine/src/';
const anyOf = (names) => `${engine}(${names.join('|')})(/|\\.ts$)`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle makes the order of loading matter and hides that two modules are one. Types alone are loaded by nobody.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'A module that nothing imports is dead, or a part that was never connected.',
      severity: 'error',
      from: { orphan: true, pathNot: ['/index\\.ts$', '\\.d\\.ts$'] },
      to: {},
    },
    {
      name: 'no-unresolved',
      comment: 'What cannot be resolved cannot be checked either.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'schemas-import-nothing-of-ours',
      comment: 'Schemas are the source of the shapes that all others use.',
      severity: 'error',
      from: { path: '^schemas/src/' },
      to: { path: '^(engine|hosts|test)/' },
    },
    {
      name: 'engine-knows-no-host',
      comment: 'The engine asks for what it needs through ports; hosts depend on it.',
      severity: 'error',
      from: { path: engine },
      to: { path: '^(hosts|test)/' },
    },
    {
      name: 'engine-knows-no-platform',
      comment: 'The same engine runs wherever JavaScript does: a built-in module of Node would tie it to one place.',
      severity: 'error',
      from: { path: engine },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'host-knows-no-command',
      comment: 'A host serves every surface; the command line is one of them.',
      severity: 'error',
      from: { path: '^hosts/node/src/' },
      to: { path: '^(hosts/cli|test)/' },
    },
    {
      name: 'product-knows-no-test',
      severity: 'error',
      comment: 'Tests see everything; nothing sees them. What tests share with other hosts is in engine/src/testing.',
      from: { path: '^hosts/cli/src/' },
      to: { path: '^test/' },
    },
    {
      name: 'product-uses-no-test-double',
      comment: 'The twins of the ports are for tests; a run that used one would lie.',
      severity: 'error',
      from: { path: '^(engine|hosts)/', pathNot: `${engine}testing/` },
      to: { path: `${engine}testing/` },
    },
    {
      name: 'shared-imports-no-stage',
      comment: 'What every stage may import must not depend on one of them.',
      severity: 'error',
      from: { path: anyOf(shared) },
      to: { path: anyOf(stages), pathNot: anyOf(contracts) },
    },
    ...stages.slice(0, -1).map((stage, at) => ({
      name: `${stage}-imports-no-later-stage`,
      comment: 'Data flows one way through the engine, and so do imports.',
      severity: 'error',
      from: { path: anyOf([stage]), pathNot: anyOf(contracts) },
      to: { path: anyOf(stages.slice(at + 1)), pathNot: anyOf(contracts) },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['source', 'import', 'types', 'node', 'default'] },
  },
};
