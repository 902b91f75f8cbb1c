/** The rules of who may import whom, made from the table in scripts/architecture.mjs. */
import { folders } from '../../scripts/architecture.mjs';

/** A part of `src` is a folder or, like headless, one file. */
const inPart = (name) => `^src/${name}(/|\\.ts$)`;
const inPackage = (pattern) => `(^|/)node_modules/${pattern.replace(/\*$/, '')}`;

const folderRules = folders.map(({ name, mayImport }) => ({
  name: `${name}-imports`,
  comment: `${name} may import ${mayImport.join(', ') || 'nothing'}. The table is in scripts/architecture.mjs.`,
  severity: 'error',
  from: { path: inPart(name) },
  to: { path: '^src/', pathNot: [name, ...mayImport].map(inPart) },
}));

const packageRules = folders.map(({ name, packages }) => ({
  name: `${name}-packages`,
  comment: `${name} may use ${packages.join(', ') || 'no packages'}. The table is in scripts/architecture.mjs.`,
  severity: 'error',
  from: { path: inPart(name) },
  to: { path: '(^|/)node_modules/', pathNot: packages.map(inPackage) },
}));

const indexRules = folders
  .filter(({ hasIndex }) => hasIndex)
  .map(({ name }) => ({
    name: `${name}-index`,
    comment: `From outside, only the index.ts of ${name} is imported, which names all that it offers.`,
    severity: 'error',
    from: { path: '^src/', pathNot: inPart(name) },
    to: { path: inPart(name), pathNot: `^src/${name}/index\\.ts$` },
  }));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...folderRules,
    ...packageRules,
    ...indexRules,
    {
      name: 'in-the-table',
      comment: 'Each folder of src has a row in scripts/architecture.mjs.',
      severity: 'error',
      from: { path: '^src/', pathNot: folders.map(({ name }) => inPart(name)) },
      to: {},
    },
    {
      name: 'cycle',
      comment: 'Modules do not import each other in a circle, types included.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'folder-cycle',
      comment: 'Folders do not import each other in a circle.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'agent-imports-agent',
      comment: 'Agents do not import each other. What two of them need is in src/agents/shared.',
      severity: 'error',
      from: { path: '^src/agents/([^/]+)/' },
      to: { path: '^src/agents/[^/]+/', pathNot: '^src/agents/($1|shared)/' },
    },
    {
      name: 'tool-imports-tool',
      comment:
        "A file next to an agent's index.ts is a tool, and only that index.ts imports it. What tools share is in a folder named shared.",
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/agents/[^/]+/index\\.ts$' },
      to: {
        path: '^src/agents/[^/]+/[^/]+\\.ts$',
        pathNot: '(/index\\.ts|^src/agents/shared/.*)$',
      },
    },
    {
      name: 'obsidian',
      comment: 'Only src/obsidian, src/plugin and src/main.ts know Obsidian.',
      severity: 'error',
      from: { path: '^src/', pathNot: [inPart('obsidian'), inPart('plugin'), inPart('main')] },
      to: { path: '(^|/)node_modules/obsidian/' },
    },
    {
      name: 'headless-reaches-obsidian',
      comment: 'The Node program must run where there is no Obsidian.',
      severity: 'error',
      from: { path: inPart('headless') },
      to: { path: [inPart('obsidian'), inPart('plugin')], reachable: true },
    },
    {
      name: 'node-module',
      comment:
        'Nothing imports a module of Node but the one guarded file of the plugin: they are handed in from there, and from headless.ts, which asks for them by process.getBuiltinModule.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/obsidian/host/desktop\\.ts$' },
      to: {
        dependencyTypes: ['core'],
        dependencyTypesNot: ['type-import', 'process-get-builtin-module'],
      },
    },
    {
      name: 'node-module-asked-for',
      comment: 'Only headless.ts and src/program ask for modules of Node.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['headless', 'program'].map(inPart) },
      to: { dependencyTypes: ['process-get-builtin-module'] },
    },
    {
      name: 'node-type',
      comment:
        "Node's types are only for src/node, src/cli, src/program and headless.ts, and are written as typeof import('node:...').",
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          inPart('node'),
          inPart('cli'),
          inPart('headless'),
          inPart('program'),
          '^src/obsidian/host/desktop\\.ts$',
        ],
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'src-imports-outside',
      comment:
        'src imports itself, packages and the manifest, which has the version: no tests, no scripts.',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        pathNot: ['^src/', '(^|/)node_modules/', '^manifest\\.json$', '^assets/meaning\\.txt$'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'not-found',
      comment: 'The module is neither in src nor installed.',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    doNotFollow: { path: 'node_modules' },
    // As esbuild resolves, and `types` for the package obsidian, which is nothing but types.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'default'],
      mainFields: ['browser', 'module', 'main', 'types'],
    },
  },
};
