import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import packageFile from '../package.json';
import { MAX_HASHED_BYTES } from '../src/agents/shared/file-digests.js';
import { appsWith } from '../src/apps/index.js';
import { COMMANDS } from '../src/cli/command-table.js';
import { commandText, overviewText } from '../src/cli/texts/help-texts.js';
import { nameWithMark } from '../src/model/names.js';
import { lineHash } from '../src/storage/format/line-hash.js';
import { decodeLine } from '../src/storage/format/line.js';
import { createTestVault, garden, stateNamed } from './fakes/test-vault.js';
import { MEASURING_COMMANDS, NO_FIGURES, PAGE_FIGURES } from './page-figures.js';
import {
  codeIn,
  expectValidShell,
  figuresIn,
  spansOf,
  straightQuotesIn,
} from './markdown-pages.js';

/*
 * What the pages about the program say must hold: its commands, names and paths exist, and its
 * figures are those of the code. tests/guide.test.ts checks everything else in the guide.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const pages = [
  'README.md',
  'SECURITY.md',
  'DESIGN.md',
  'CONTRIBUTING.md',
  'docs/log-format.md',
  'docs/parts.md',
  'docs/privacy.md',
];
const figurePages = [
  ...pages.filter((page) => page !== 'CONTRIBUTING.md'),
  ...readdirSync(join(root, 'docs/guide')).map((file) => `docs/guide/${file}`),
];
const folders = ['src', 'tests', 'scripts', 'docs', 'assets'];
const files = [
  ...readdirSync(root),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path.replaceAll('\\', '/')}`,
    ),
  ),
];
/** Tests whose names and variables CONTRIBUTING.md explains. */
const TESTS_EXPLAINED = /^tests\/(?:simulation\/simulation|obsidian\/i18n\/languages)\.test\.ts$/;
const sources = files
  .filter((path) => /^(?:src|scripts|tests)\/.*\.(?:tsx?|mjs)$/.test(path))
  .filter(
    (path) => !/^tests\/(?:page-figures|.*\.test)\.ts$/.test(path) || TESTS_EXPLAINED.test(path),
  )
  .map(read)
  .concat(JSON.stringify(packageFile))
  .join('\n');
const programTexts = files
  .filter((path) => /^src\/.*\.tsx?$/.test(path))
  .map(read)
  .join('\n');
const shellHelp = [overviewText(COMMANDS), ...Object.values(COMMANDS).map(commandText)].join('\n');

/** Other words: those of other programs and of the file system, with what they are. */
const FOREIGN: Readonly<Record<string, string>> = {
  'CLAUDE.md': 'a file of Claude Code',
  'gh attestation verify main.js --repo <owner>/<name>': 'a command of GitHub',
  'git diff --name-status': 'a command of git',
  'npx vitest run --project unit': 'a command of vitest; the project is in tests/projects.mjs',
  fdatasync: 'the system call behind datasync',
  '/keyFiles/Projects~1a.md': 'the path of a register, as an example',
  "testInFull = test.runIf(inFull('why'))": 'a line of a test, as an example',
  'tests/agents/memory-manager/count-states.test.ts': 'made by the command above it',
};

/** Quotations that are no texts of the program, with what they are. */
const FOREIGN_QUOTES: Readonly<Record<string, string>> = {
  'Checkout rewrite, payment step': 'the name of a state, as an example',
  'Report a vulnerability': 'a button of GitHub',
};

/** The line of the log that docs/log-format.md shows. */
const exampleLine = /^```json\n(.+)\n```$/m.exec(read('docs/log-format.md'))?.[1] ?? '';
const exampleId = (JSON.parse(exampleLine) as { e: string }).e;
/** What the page derives from that line. */
const derived = [lineHash(new TextEncoder().encode(exampleLine)), nameWithMark('name', exampleId)];

/** Rows of the table of costs in docs/parts.md that name the command that measured them. */
const MEASURED_ROWS = MEASURING_COMMANDS.map(
  (name) => new RegExp(`^\\|.*\\| \`npm run ${name}\` \\|.*$`, 'gm'),
);

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it('shows only shell commands that are valid', () => {
    expectValidShell(text);
  });

  it('uses code style only for what exists', () => {
    expect(codeIn(text).filter((code) => !isKnown(code))).toEqual([]);
  });

  it('quotes only texts of the program', () => {
    const quotes = straightQuotesIn(text).filter((quote) => !(quote in FOREIGN_QUOTES));
    expect(quotes.filter((quote) => !programTexts.includes(quote))).toEqual([]);
  });
});

describe('the pages that everybody reads first', () => {
  it('are short', () => {
    expect(Buffer.byteLength(read('DESIGN.md'))).toBeLessThanOrEqual(12_000);
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });
});

describe('the exceptions', () => {
  it('are all needed', () => {
    const texts = figurePages.concat('CONTRIBUTING.md').map(read);
    const [code, quotes] = [texts.flatMap(codeIn), texts.flatMap(straightQuotesIn)];
    expect(Object.keys(FOREIGN).filter((word) => !code.includes(word))).toEqual([]);
    expect(Object.keys(FOREIGN_QUOTES).filter((quote) => !quotes.includes(quote))).toEqual([]);
    const isInNoPage = ([phrase]: (typeof NO_FIGURES)[number]) =>
      texts.every((text) => spansOf(text, phrase).length === 0);
    expect(NO_FIGURES.filter(isInNoPage)).toEqual([]);
  });
});

describe('the lists of AI apps', () => {
  const titles = (apps: readonly { readonly title: string }[]) => apps.map(({ title }) => title);
  const connected = titles(appsWith('config'));
  const andOf = (names: readonly string[]) => new Intl.ListFormat('en-GB').format(names);

  it.each([
    ['README.md', `| ${connected.join(', ')} | \`connect\` adds`],
    ['README.md', `| ${titles(appsWith('hooks')).join(', ')} | \`connect --hooks\` also`],
    ['CHANGELOG.md', `to the settings of ${andOf(connected)}, `],
    ['CHANGELOG.md', `on desktop: ${titles(appsWith('acp')).join(', ')} and others`],
    ['docs/guide/Connect an AI app.md', `These can be ${connected.join(', ')}, or any other`],
    [
      'docs/guide/Connect an AI app.md',
      `ask the app itself: ${andOf(titles(appsWith('config').filter(({ config }) => config.list)))} have`,
    ],
    [
      'docs/guide/Agents in the chat.md',
      `in Obsidian: ${titles(appsWith('acp')).join(', ')} and others`,
    ],
    ['docs/guide/Never lose the thread.md', `${andOf(titles(appsWith('hooks')))} can call`],
  ])('%s has "%s …"', (page, list) => {
    expect(read(page)).toContain(list);
  });
});

describe('the log in docs/log-format.md', () => {
  it('has an intact line as its example', () => {
    const bytes = new TextEncoder().encode(exampleLine);
    expect(decodeLine(bytes, 0, bytes.length)).toMatchObject({ event: { e: exampleId } });
  });

  it('has the events that the program writes, with their data', async () => {
    const gitHead = () => Promise.resolve({ head: 'a'.repeat(40), branch: 'main' });
    const vault = createTestVault({ device: { gitHead } });
    vault.files.put('Beds.md', 'x'.repeat(MAX_HASHED_BYTES + 1));
    await vault.data('createWorkspace', garden);
    await vault.data(
      'createState',
      stateNamed('Plan', { decisions: ['Peas'], activeFiles: ['Beds.md'] }),
    );
    await vault.idle();
    const lines = vault.files
      .paths()
      .filter((path) => path.endsWith('.jsonl'))
      .flatMap((path) => vault.files.text(path).trim().split('\n'));
    const events = lines.map(
      (line) => JSON.parse(line) as { t: string; d: Record<string, unknown> },
    );
    expect(new Set(events.map(({ t }) => t))).toEqual(
      new Set(['log.seg', 'log.vault', 'ws.new', 'state.new', 'record.new', 'trace.new']),
    );
    for (const { t, d } of events) expect(difference(d, dataOf(t)), t).toEqual([]);
    const { by, files: digests, git } = events.find(({ t }) => t === 'state.new')?.d ?? {};
    expect(difference(by, partOf('by'))).toEqual([]);
    expect(difference((digests as { 'Beds.md': object })['Beds.md'], partOf('files'))).toEqual([]);
    expect(difference(git, partOf('git'))).toEqual([]);
  });
});

describe('the figures', () => {
  const rows = Object.entries(PAGE_FIGURES).flatMap(([page, sentences]) =>
    sentences.map((sentence) => [page, sentence] as const),
  );

  it.each(rows)('in %s are those of the program: %s', (page, sentence) => {
    expect(spansOf(read(page), sentence)).not.toEqual([]);
  });

  it.each(figurePages)('in %s are all compared', (page) => {
    const text = read(page);
    const compared = [
      ...(PAGE_FIGURES[page] ?? []),
      ...(page === 'docs/parts.md' ? MEASURED_ROWS : []),
      ...NO_FIGURES.map(([phrase]) => phrase),
    ].flatMap((phrase) => spansOf(text, phrase));
    const left = figuresIn(text).filter(
      ({ at }) => !compared.some(({ from, to }) => from <= at && at < to),
    );
    expect(left.map(({ at, figure }) => [figure, text.slice(at - 30, at + 30)])).toEqual([]);
  });
});

function isKnown(code: string): boolean {
  if (code in FOREIGN || derived.includes(code) || isProgramLine(code)) return true;
  const [, script, options] = /^node (scripts\/\S+) (.+)$/.exec(code) ?? [];
  if (script !== undefined) return exists(script) && isWordOf(read(script), options ?? '');
  if (isPath(code)) return exists(code) || (!code.includes('/') && isWordOf(sources, code));
  if (code.includes('--')) return code.split(' ').every((word) => isWordOf(shellHelp, word));
  if (/^[\w-]+$/.test(code)) return isWordOf(sources, code) || isWordOf(shellHelp, code);
  if (sources.includes(code)) return true;
  const words = code.match(/\w*[A-Za-z]\w*/g) ?? [];
  return words.length > 0 && words.every((word) => isWordOf(sources, word));
}

/** Returns true for code that is checked as a shell line. */
function isProgramLine(code: string): boolean {
  return /^(?:node (?:\/path\/to\/)?main\.js|npm) /.test(code);
}

function isPath(code: string): boolean {
  return (
    folders.some((folder) => code.startsWith(`${folder}/`)) ||
    /^[\w./-]+\.(?:ts|tsx|mjs|json|md|css)$/.test(code)
  );
}

function exists(path: string): boolean {
  const pattern = path.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('*', '[^/]*');
  return files.some((file) => new RegExp(`(?:^|/)${pattern}$`).test(file));
}

function isWordOf(text: string, word: string): boolean {
  const literal = word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(?<![\\w-])${literal}(?![\\w-])`).test(text);
}

/**
 * Returns the keys of an event's data according to docs/log-format.md, with `?` after those that
 * may be absent.
 */
function dataOf(type: string): string[] {
  return keysIn(new RegExp(`^\\| \`${type}\` \\| \`\\{([^\`]*)\\}\``, 'm'));
}

/** Returns the keys of a part of a state's data, like `dataOf`. */
function partOf(name: string): string[] {
  return keysIn(new RegExp(`\`${name}\` is \`\\{(?:path: \\{)?([^\`}]*)\\}`));
}

function keysIn(pattern: RegExp): string[] {
  return pattern.exec(read('docs/log-format.md'))?.[1]?.split(', ') ?? [];
}

/** Returns the keys that data should not have, and those that it lacks. */
function difference(data: unknown, stated: readonly string[]): string[] {
  const keys = Object.keys(data as object).filter((key) => key !== '/call');
  return [
    ...keys.filter((key) => !stated.includes(key) && !stated.includes(`${key}?`)),
    ...stated.filter((key) => !key.endsWith('?') && !keys.includes(key)),
  ];
}
