/**
 * The store's review of the source: the recommended rules of its lint plugin alone, on the files
 * that its scanner reads. `npm run check` runs it without inline comments that disable rules.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, globalIgnores } from 'eslint/config';
import obsidianmd from 'eslint-plugin-obsidianmd';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * What the scanner ignores, from Obsidian's developer documentation: "Why are my test or development
 * files being included in the scan?" (Community directory, Frequently asked questions).
 */
const IGNORED_BY_SCANNER = `
  node_modules, dist, build, pkg, test-vault, .pnpm-store, .obsidian,
  esbuild.config.mjs, version-bump.mjs, automation,
  *.test.*, *.tests.*, *.spec.*, *.specs.*, test, tests, __tests__, testUtils, e2e-tests,
  mocks, __mocks__,
  *.cjs, *.mjs, *.cts, *.mts,
  vite, scripts, docs,
  i18n, i18next, locale, locales, translations, l10n`;

const lines = (text, separator) =>
  text
    .split(separator)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The scanner reads the repository, which has no built files. */
const notInRepository = lines(readFileSync(`${root}/.gitignore`, 'utf8'), '\n');

export default defineConfig([
  globalIgnores(
    [...lines(IGNORED_BY_SCANNER, ','), ...notInRepository].map(
      (name) => `**/${name.replace(/^\//, '')}`,
    ),
  ),
  obsidianmd.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
  },
]);
