import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PROJECTS, projectOf, selectFiles, testFiles, whyFull } from './projects.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = testFiles();
const pathsOf = (tier: string, isRest = false) =>
  selectFiles(files, tier, isRest).map(({ path }) => path);

/**
 * Where files share modules, a helper with these hooks works only for the first file that loads it.
 */
const OWN_HOOKS = /^(?:before|after)(?:Each|All)\(/m;

/** Concatenated, since vitest and tests/projects.mjs also read this file. */
const VI = 'vi';
const ENVIRONMENT = '@vitest-' + 'environment';

describe('a test file', () => {
  it('belongs to exactly one project, and each project has files', () => {
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual([...new Set(paths)]);
    expect(new Set(files.map(({ project }) => project))).toEqual(new Set(PROJECTS));
  });

  it.each([
    ['browser', '', ['node:child_process', 'playwright-core']],
    ['process', `${VI}.mock('x')`, ['node:child_process']],
    ['process', '', ['esbuild']],
    ['isolated', `${VI}.mock('x')`, []],
    ['isolated', `${VI}.useFakeTimers()`, []],
    ['isolated', `// ${ENVIRONMENT} happy-dom`, []],
    ['isolated', ['Object', 'assign(globalThis, { a })'].join('.'), []],
    ['unit', "vi.fn(); vi.spyOn(own, 'x')", ['fast-check']],
  ])(
    'is in the project %s if it has the text "%s" and the packages %j',
    (project, text, packages) => {
      expect(projectOf(text, new Set(packages))).toBe(project);
    },
  );

  it('shares modules only with helpers that register no hooks', () => {
    const shared = files
      .filter(({ project }) => project !== 'isolated')
      .flatMap(({ path, helpers }) => helpers.map((helper) => ({ path, helper })));
    expect(
      shared.filter(({ helper }) => OWN_HOOKS.test(readFileSync(`${root}/${helper}`, 'utf8'))),
    ).toEqual([]);
  });
});

describe('a tier', () => {
  it('omits a file that gives a reason before its first import', () => {
    expect(whyFull("// Tier full: slow\nimport x from 'x';\n")).toBe('slow');
    expect(whyFull("import x from 'x';\n// Tier full: slow\n")).toBeUndefined();
  });

  it('runs everything except the nightly files if it is "full"', () => {
    const left = files.map(({ path }) => path).filter((path) => !pathsOf('full').includes(path));
    expect(left).toEqual([
      'tests/clients/capture.test.ts',
      'tests/clients/packages.test.ts',
      'tests/clients/real-agents.test.ts',
      'tests/clients/real-clients.test.ts',
      'tests/clients/search-rows.test.ts',
      'tests/clients/switches.test.ts',
      'tests/clients/told.test.ts',
      'tests/powercut/power-cut.test.ts',
    ]);
    expect(pathsOf('nightly')).toEqual(files.map(({ path }) => path));
  });

  it('runs each file in the quick tier or in the rest of full, never in both', () => {
    const same = files.filter(({ dependsOnTier }) => !dependsOnTier).map(({ path }) => path);
    const quick = pathsOf('quick').filter((path) => same.includes(path));
    const rest = pathsOf('full', true);
    expect(quick.filter((path) => rest.includes(path))).toEqual([]);
    expect([...quick, ...rest].sort()).toEqual(pathsOf('full'));
  });
});
