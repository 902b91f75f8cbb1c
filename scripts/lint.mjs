/**
 * Checks types and lints in one process, so that both use one TypeScript program.
 *
 *   node scripts/lint.mjs [--cache] [paths]   types everywhere, lint of the paths (by default of everything)
 *
 * With --cache it lints only files that have changed since the last run. A rule that needs types may then miss what a change in another
 * file causes, so CI runs without.
 */
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const cacheFolder = `${root}node_modules/.cache/savepoint-check`;
const options = process.argv.slice(2);
const isCached = options.includes('--cache');
const paths = options.filter((option) => option !== '--cache');

const { program, diagnostics } = checkTypes();
process.stdout.write(ts.formatDiagnostics(diagnostics, formatHost()));
const hasLintErrors = await lint();
process.exitCode = diagnostics.length > 0 || hasLintErrors ? 1 : 0;

/** Returns the checked program and what TypeScript finds wrong. */
function checkTypes() {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${root}tsconfig.json`,
    isCached ? { incremental: true, tsBuildInfoFile: `${cacheFolder}/types.tsbuildinfo` } : {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic({ messageText }) {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
      },
    },
  );
  const { fileNames: rootNames, options, errors } = config;
  if (!isCached) {
    const program = ts.createProgram({ rootNames, options, configFileParsingDiagnostics: errors });
    return { program, diagnostics: ts.getPreEmitDiagnostics(program) };
  }
  const builder = ts.createIncrementalProgram({
    rootNames,
    options,
    configFileParsingDiagnostics: errors,
  });
  const diagnostics = [
    ...builder.getConfigFileParsingDiagnostics(),
    ...builder.getOptionsDiagnostics(),
    ...builder.getSyntacticDiagnostics(),
    ...builder.getGlobalDiagnostics(),
    ...builder.getSemanticDiagnostics(), // those of unchanged files come from the cache
  ];
  builder.emit(); // writes the cache; tsconfig.json forbids other output
  return { program: builder.getProgram(), diagnostics };
}

function formatHost() {
  return {
    getCanonicalFileName: (path) => path,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  };
}

/** Prints what the rules of eslint.config.mjs find. Returns true if there is anything. */
async function lint() {
  const parser = {
    meta: tseslint.parser.meta,
    parseForESLint: (code, options) =>
      tseslint.parser.parseForESLint(code, {
        ...options,
        projectService: false,
        programs: [program],
      }),
  };
  const eslint = new ESLint({
    cwd: root,
    cache: isCached,
    cacheStrategy: 'content', // a clone or a checkout changes every time stamp
    cacheLocation: `${cacheFolder}/eslint.json`,
    overrideConfig: [
      {
        files: ['src/**/*.{ts,tsx}', 'tests/**/*.ts', 'benchmarks/**/*.ts'],
        languageOptions: { parser },
      },
    ],
  });
  const results = await eslint.lintFiles(paths.length > 0 ? paths : ['.']);
  const formatter = await eslint.loadFormatter('stylish');
  process.stdout.write(await formatter.format(results));
  return results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0);
}
