import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import packageFile from '../package.json';
import { MAX_HASHED_BYTES } from '../src/agents/shared/file-digests.js';
import { MAX_FILE_BYTES as MAX_STORED_BYTES } from '../src/agents/storage-manager/shared/storage-scope.js';
import { appsWith } from '../src/apps/index.js';
import { MAX_MESSAGE_BYTES, MAX_PENDING_CALLS } from '../src/bridge/framing.js';
import { CHECKPOINT_INTERVAL_MS } from '../src/capture/checkpoint-trace.js';
import { MAX_OPEN_NOTE_CHARS } from '../src/chat/data-source.js';
import { COMMANDS } from '../src/cli/command-table.js';
import { commandText, overviewText } from '../src/cli/texts/help-texts.js';
import { nameWithMark } from '../src/model/names.js';
import { MAX_REPLACED, MAX_RIVALS } from '../src/model/register.js';
import { MAX_BYTES as MAX_CHANGES_BYTES } from '../src/node/chat-agents/change-store.js';
import { MAX_BYTES as MAX_COPIED_BYTES } from '../src/node/chat-agents/vault-texts.js';
import { MAX_PACK_BYTES } from '../src/node/git/git-objects.js';
import { MAX_OTHER_BYTES } from '../src/node/ports/folder-copies.js';
import { TOKEN_BYTES } from '../src/node/serve/http-tokens.js';
import { APPROVAL_TIMEOUT_MS } from '../src/obsidian/clients/approvals/approvals.js';
import { MAX_EVENT_BYTES } from '../src/storage/forget/forget-event.js';
import { AGREEMENT_DAYS } from '../src/storage/forget/forget-decisions.js';
import { MAX_OPEN_MS } from '../src/storage/forget/forgetter.js';
import { MAX_LEAD_MS } from '../src/storage/format/hybrid-clock.js';
import { MAX_SEGMENT_BYTES } from '../src/storage/format/lanes.js';
import { lineHash } from '../src/storage/format/line-hash.js';
import { decodeLine, MAX_ENTITY_ID, MAX_LINE_BYTES } from '../src/storage/format/line.js';
import { HEAL_DELAY_MS } from '../src/storage/integrity/healer-options.js';
import { NUMBER_DIGITS } from '../src/storage/integrity/digest.js';
import { MAX_UNKNOWN_WRITERS } from '../src/storage/integrity/findings.js';
import { DEFAULT_TRACE_LIMITS, GRACE_MS } from '../src/storage/integrity/retention.js';
import { ANNOUNCE_DELAY_MS, MAX_UNANNOUNCED_EVENTS } from '../src/storage/integrity/watermarks.js';
import { MAX_UNSEEN_EVENTS } from '../src/storage/integrity/writer-reports.js';
import { MAX_FILE_BYTES } from '../src/storage/read/large-file.js';
import { MAX_ANSWER_CHARACTERS } from '../src/toolkit/answer-limit.js';
import { MAX_INPUT_BYTES, MAX_OUTCOME_BYTES } from '../src/toolkit/trace.js';
import { createTestVault, garden, stateNamed } from './fakes/test-vault.js';
import { codeIn, expectValidShell, straightQuotesIn } from './markdown-pages.js';

/*
 * What the pages about the program say must hold: its commands, names and paths exist, and its
 * limits are those of the code. tests/guide.test.ts checks everything else in the guide.
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
const folders = ['src', 'tests', 'scripts', 'docs', 'assets', 'tools'];
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
/** Built by npm and by the release. */
const PACKED = `savepoint-${packageFile.version}.tgz`;
const sources = files
  .filter((path) => /^(?:src|scripts|tests)\/.*\.(?:tsx?|mjs)$/.test(path))
  .filter((path) => !/^tests\/.*\.test\.ts$/.test(path) || TESTS_EXPLAINED.test(path))
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
  'tests/agents/trace-manager/count-sessions.test.ts': 'made by the command above it',
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

const SECOND = 1000;
const [MINUTE, HOUR, DAY] = [60 * SECOND, 3600 * SECOND, 86_400 * SECOND];
const expiry = [`${DEFAULT_TRACE_LIMITS.days} days`, megabytes(DEFAULT_TRACE_LIMITS.bytes)];
const recorded = [kilobytes(MAX_INPUT_BYTES), `${MAX_OUTCOME_BYTES} bytes`];
const agreement = `${spelled(AGREEMENT_DAYS)} days`;

/** Limits that a reader relies on, by page. */
const LIMITS: Readonly<Record<string, readonly string[]>> = {
  'SECURITY.md': [
    `${TOKEN_BYTES * 8} random bits`,
    megabytes(MAX_MESSAGE_BYTES),
    `${MAX_PENDING_CALLS} calls`,
    agreement,
  ],
  'DESIGN.md': [`${grouped(MAX_ANSWER_CHARACTERS)} characters`],
  'docs/log-format.md': [
    kilobytes(MAX_SEGMENT_BYTES.core),
    kilobytes(MAX_SEGMENT_BYTES.trace),
    megabytes(MAX_LINE_BYTES),
    kilobytes(MAX_EVENT_BYTES),
    `above ${megabytes(MAX_FILE_BYTES)}`,
    `latest ${megabytes(MAX_OTHER_BYTES)}`,
    `${MAX_LEAD_MS / HOUR} hours`,
    `${MAX_ENTITY_ID} characters`,
    `more than ${grouped(MAX_REPLACED)}`,
    `${grouped(MAX_UNSEEN_EVENTS)} events`,
    `${MAX_RIVALS} others`,
    `${MAX_UNKNOWN_WRITERS} writers`,
    `${NUMBER_DIGITS} digits`,
    `${MAX_UNANNOUNCED_EVENTS} events`,
    `${spelled(ANNOUNCE_DELAY_MS / MINUTE)} minutes`,
    `${spelled(MAX_OPEN_MS / DAY)} days`,
    `${GRACE_MS / DAY} days`,
    agreement,
    ...recorded,
    ...expiry,
  ],
  'docs/privacy.md': [
    `${grouped(MAX_OPEN_NOTE_CHARS)} characters`,
    megabytes(MAX_CHANGES_BYTES),
    ...recorded,
    ...expiry,
  ],
  'docs/guide/Agents in the chat.md': [megabytes(MAX_COPIED_BYTES)],
  'docs/guide/Back up and restore.md': [`${spelled((2 * HEAL_DELAY_MS) / MINUTE)} minutes`],
  'docs/guide/Chat.md': [`${grouped(MAX_OPEN_NOTE_CHARS)} characters`],
  'docs/guide/Files and timeline.md': [megabytes(MAX_STORED_BYTES)],
  'docs/guide/Never lose the thread.md': [`${spelled(CHECKPOINT_INTERVAL_MS / MINUTE)} minutes`],
  'docs/guide/Permissions and privacy.md': [`${APPROVAL_TIMEOUT_MS / SECOND} seconds`],
  'docs/guide/Remove something for good.md': [agreement, `${spelled(MAX_OPEN_MS / DAY)} days`],
  'docs/guide/Sessions and versions.md': [megabytes(MAX_PACK_BYTES)],
  'docs/guide/States.md': [megabytes(MAX_HASHED_BYTES)],
};

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

describe('the AI apps', () => {
  it.each([
    ['README.md', appsWith('config')],
    ['docs/guide/Connect an AI app.md', appsWith('config')],
    ['docs/guide/Agents in the chat.md', appsWith('acp')],
    ['docs/guide/Never lose the thread.md', appsWith('hooks')],
  ])('are all named in %s', (page, apps) => {
    const titles = apps.map(({ title }) => title);
    expect(titles.filter((title) => !read(page).includes(title))).toEqual([]);
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

describe('the limits', () => {
  const rows = Object.entries(LIMITS).flatMap(([page, limits]) =>
    limits.map((limit) => [page, limit] as const),
  );

  it.each(rows)('in %s are those of the program: %s', (page, limit) => {
    expect(read(page)).toContain(limit);
  });

  it('name the Node that package.json asks for', () => {
    const guide = readdirSync(join(root, 'docs/guide')).map((file) => `docs/guide/${file}`);
    const asked = [...pages, ...guide].flatMap((page) =>
      [...read(page).matchAll(/Node (\d+\.\d+) or later/g)].map(([, version]) => version),
    );
    expect(new Set(asked)).toEqual(new Set([packageFile.engines.node.replace('>=', '')]));
  });
});

function isKnown(code: string): boolean {
  if (code in FOREIGN || derived.includes(code) || isProgramLine(code)) return true;
  if (code === PACKED) return true;
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

function kilobytes(bytes: number): string {
  return `${bytes / 1024} KB`;
}

function megabytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MB`;
}

function grouped(number: number): string {
  return number.toLocaleString('en');
}

function spelled(number: number): string {
  const words = 'one two three four five six seven eight nine ten'.split(' ');
  return words[number - 1] ?? String(number);
}
