import { fileURLToPath } from 'node:url';
import { defineConfig, globalIgnores } from 'eslint/config';
import obsidianmd from 'eslint-plugin-obsidianmd';
import { PlainTextParser } from 'eslint-plugin-obsidianmd/dist/lib/plainTextParser.js';
import tseslint from 'typescript-eslint';

const root = fileURLToPath(new URL('../..', import.meta.url));

const store = obsidianmd.configs.recommended;

/** What the store's own rules say against globals, to be kept where more is said. */
const storeRestrictedGlobals = store
  .map(({ rules }) => rules?.['no-restricted-globals'])
  .find((rule) => rule);

const nodeGlobals = [
  'process',
  'Buffer',
  'require',
  'module',
  'exports',
  '__dirname',
  '__filename',
  'global',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
].map((name) => ({
  name,
  message: 'Have it handed in: only headless.ts and src/program know the globals of Node.',
}));

const browserGlobals = [
  'window',
  'self',
  'document',
  'activeWindow',
  'activeDocument',
  'navigator',
  'indexedDB',
].map((name) => ({
  name,
  message: 'Have it handed in: this code also runs where there is no window.',
}));

const typed = { parserOptions: { projectService: true, tsconfigRootDir: root } };

const everywhere = {
  eqeqeq: 'error',
  'no-empty': ['error', { allowEmptyCatch: false }],
  'no-unreachable': 'error',
  'no-restricted-syntax': [
    'error',
    {
      selector:
        'SpreadElement > :matches(ObjectExpression, ArrayExpression), JSXSpreadAttribute > ObjectExpression',
      message:
        'Write the properties or elements directly: spreading a literal also switches off the excess-property check.',
    },
  ],
  '@typescript-eslint/no-unused-vars': [
    'error',
    { argsIgnorePattern: '^_', ignoreRestSiblings: true },
  ],
};

const inTypeScript = {
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/restrict-template-expressions': [
    'error',
    { allowNumber: true, allowBoolean: true },
  ],
};

export default defineConfig([
  globalIgnores(['main.js', 'coverage/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },

  // The program: all that the plugin store looks at, and more.
  {
    files: ['src/**/*.{ts,tsx}'],
    extends: [store, tseslint.configs.strictTypeChecked],
    languageOptions: { ...typed, globals: { NodeJS: 'readonly' } },
    rules: {
      ...everywhere,
      ...inTypeScript,
      'no-console': 'error',
      '@typescript-eslint/no-invalid-void-type': ['error', { allowAsThisParameter: true }],
      // noUncheckedIndexedAccess knows no bounds of a loop
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: [
      'src/headless.ts',
      'src/main.ts',
      'src/program/**',
      'src/obsidian/**',
      'src/plugin/**',
    ],
    rules: {
      'no-restricted-globals': [
        ...storeRestrictedGlobals.with(0, 'error'),
        ...nodeGlobals,
        ...browserGlobals,
      ],
    },
  },
  {
    files: ['src/main.ts', 'src/obsidian/**/*.{ts,tsx}', 'src/plugin/**/*.ts'],
    rules: {
      'no-restricted-globals': [...storeRestrictedGlobals.with(0, 'error'), ...nodeGlobals],
    },
  },
  {
    // what reads files and texts of any size, also forged ones
    files: ['src/{acp,capture,chat,markdown,model,storage,transfer}/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        ...everywhere['no-restricted-syntax'],
        {
          selector: 'CallExpression[callee.property.name=/^(max|min|push)$/] > SpreadElement',
          message: 'Use a loop or reduce: a call cannot have more than 65,536 arguments on iOS.',
        },
      ],
    },
  },
  {
    files: ['src/obsidian/host/logger.ts'],
    rules: { 'no-console': ['error', { allow: ['error', 'warn'] }] },
  },
  {
    files: ['src/headless.ts', 'src/program/*.ts'],
    languageOptions: {
      globals: { process: 'readonly', require: 'readonly', module: 'readonly', Buffer: 'readonly' },
    },
  },
  {
    files: ['package.json'],
    extends: [store.filter(({ files }) => files?.includes('package.json'))],
  },
  {
    files: ['manifest.json'],
    plugins: { obsidianmd },
    languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
    rules: { 'obsidianmd/validate-manifest': 'error' },
  },
  {
    files: ['LICENSE'],
    plugins: { obsidianmd },
    languageOptions: { parser: PlainTextParser },
    // else it fails each New Year
    rules: { 'obsidianmd/validate-license': ['error', { disableUnchangedYear: true }] },
  },

  // What stands around it.
  {
    files: ['tests/**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: typed,
    rules: { ...everywhere, ...inTypeScript },
  },
  {
    files: ['**/*.mjs', 'bin/*.cjs'],
    extends: [tseslint.configs.recommended],
    languageOptions: {
      globals: Object.fromEntries(
        Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly']),
      ),
    },
    rules: { ...everywhere, 'no-undef': 'error' },
  },
  {
    files: ['bin/*.cjs'],
    languageOptions: { sourceType: 'commonjs' },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
]);
