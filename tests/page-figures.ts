import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageFile from '../package.json';
import { OPTIONAL_TOOLSETS } from '../src/agents/index.js';
import { MAX_HASHED_BYTES, sampleStarts } from '../src/agents/shared/file-digests.js';
import { MAX_FILE_BYTES as MAX_STORED_BYTES } from '../src/agents/storage-manager/shared/storage-scope.js';
import { CALL_TIMEOUT_MS } from '../src/bridge/call-router.js';
import { MAX_MESSAGE_BYTES, MAX_PENDING_CALLS } from '../src/bridge/framing.js';
import { CHECKPOINT_INTERVAL_MS } from '../src/capture/checkpoint-trace.js';
import { PAUSE_MS } from '../src/capture/consent.js';
import { MAX_OPEN_NOTE_CHARS } from '../src/chat/data-source.js';
import { nameWithMark, splitMark } from '../src/model/names.js';
import { MAX_BYTES as MAX_CHANGES_BYTES } from '../src/node/agent-programs/change-store.js';
import { MAX_BYTES as MAX_COPIED_BYTES } from '../src/node/agent-programs/vault-texts.js';
import { AGENTS_LINES } from '../src/node/client-setup/agents-md.js';
import { MAX_REPLACED, MAX_RIVALS } from '../src/model/register.js';
import { MAX_BACKUPS } from '../src/node/client-setup/apply.js';
import { MAX_PACK_BYTES } from '../src/node/git/git-objects.js';
import { MAX_OTHER_BYTES } from '../src/node/ports/folder-copies.js';
import { readDeviceName, vaultStateFolder } from '../src/node/ports/state-folder.js';
import { POLL_INTERVAL_MS } from '../src/node/ports/watch-folder.js';
import { LOOPBACK_ADDRESS } from '../src/node/serve/http-request-handler.js';
import { TOKEN_BYTES } from '../src/node/serve/http-tokens.js';
import { APPROVAL_TIMEOUT_MS } from '../src/obsidian/clients/approvals/approvals.js';
import { readSettings } from '../src/obsidian/settings-schema.js';
import { crcText } from '../src/platform/crc32.js';
import { createEntityId, createWriterId } from '../src/platform/random.js';
import { ARRIVAL_MS, MAX_HASHED_FILES } from '../src/plugin/outside-renames.js';
import { SLICE_MS } from '../src/platform/scheduler.js';
import { sha256 } from '../src/platform/sha256.js';
import {
  MAX_LEAD_MS,
  MIN_TIME_MS,
  nextTimestamp,
  TIME_LIMIT_MS,
} from '../src/storage/format/hybrid-clock.js';
import { MAX_EVENT_BYTES } from '../src/storage/forget/forget-event.js';
import { AGREEMENT_MS } from '../src/storage/forget/forget-store.js';
import { MAX_OPEN_MS } from '../src/storage/forgetter.js';
import { MAX_SEGMENT_BYTES } from '../src/storage/format/lanes.js';
import { CHAIN_START } from '../src/storage/format/line-hash.js';
import { MAX_ENTITY_ID, MAX_LINE_BYTES } from '../src/storage/format/line.js';
import { MAX_WAIT_MS } from '../src/storage/integrity/core-lane.js';
import { NUMBER_DIGITS } from '../src/storage/integrity/digest.js';
import { HEAL_DELAY_MS } from '../src/storage/healer-options.js';
import {
  DEFAULT_TRACE_LIMITS,
  DELETE_DELAY_MS,
  GRACE_MS,
  RUN_INTERVAL_MS,
} from '../src/storage/integrity/retention.js';
import { MAX_UNKNOWN_WRITERS } from '../src/storage/integrity/findings.js';
import { MAX_UNSEEN_EVENTS } from '../src/storage/integrity/writer-reports.js';
import { ANNOUNCE_DELAY_MS, MAX_UNANNOUNCED_EVENTS } from '../src/storage/integrity/watermarks.js';
import { MAX_FILE_BYTES } from '../src/storage/read/large-file.js';
import { MAX_ANSWER_CHARACTERS } from '../src/toolkit/answer-limit.js';
import { MAX_INPUT_BYTES, MAX_OUTCOME_BYTES } from '../src/toolkit/trace.js';
import { createTestRandom } from './fakes/deterministic.js';
import { createFolder, node } from './node/folders.js';

/*
 * Every figure in the pages for people. A row has the text of the page, with the values of the
 * program in it.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const SECOND = 1000;
const [MINUTE, HOUR, DAY] = [60 * SECOND, 3600 * SECOND, 86_400 * SECOND];

const random = createTestRandom();
const entityId = createEntityId(random);
const writerId = createWriterId(random);
const deviceName = await readDeviceName(node, createFolder(), 'linux');
const deviceMark = deviceName.split('-').at(-1)?.length;
const itemMark = splitMark(nameWithMark('name', entityId)).mark?.length;
const stamp = nextTimestamp('', MIN_TIME_MS);
const digestLength = (await sha256('')).length;
const crcLength = crcText(0).length;
const vaultFolder = basename(vaultStateFolder(node, '/state', '/vault'));
const node22 = packageFile.engines.node.replace('>=', '');
const settings = readSettings({});

const traceLimits = `${DEFAULT_TRACE_LIMITS.days} days`;
const traceSize = megabytes(DEFAULT_TRACE_LIMITS.bytes);
const shortened = `${kilobytes(MAX_INPUT_BYTES)} of the parameters and ${MAX_OUTCOME_BYTES} bytes of the outcome`;
const mark = spelled(deviceMark);
const folderMode = octalIn('src/node/ports/private-files.ts', /mkdir\(.*mode: 0o(\d+)/);
const fileMode = octalIn('src/node/serve/discovery-file.ts', /mode: 0o(\d+)/);
const formatVersion = numberIn('src/storage/format/lanes.ts', /if \(v !== (\d+)\)/);
const lead = `${MAX_LEAD_MS / HOUR} hours ahead`;
const pause = `for ${timeOf(PAUSE_MS)}`;
const checkpoints = `at most every ${timeOf(CHECKPOINT_INTERVAL_MS)}`;
const healDelay = timeOf(HEAL_DELAY_MS);
const agentsLines = spelled(AGENTS_LINES.length);

const README: string[] = [
  `Node ${node22} or later`,
  `removed after ${settings.traceDays} days or ${settings.traceMegabytes} MB`,
  `Version ${packageFile.version.replace(/\.\d+$/, '')} is not released yet`,
];

const SECURITY: string[] = [
  `folders are created with mode ${folderMode} and files with ${fileMode};`,
  `gets mode ${folderMode} instead`,
  `${TOKEN_BYTES * 8} random bits`,
  `listens on ${LOOPBACK_ADDRESS};`,
  `any other \`Origin\` gets ${numberIn('src/node/serve/http-request-handler.ts', /HttpError\((\d+), 'Web pages/)} before`,
  `a message is at most ${megabytes(MAX_MESSAGE_BYTES)},`,
  `a client with ${MAX_PENDING_CALLS} calls in progress`,
  `removes after ${timeOf(AGREEMENT_MS)}, unless`,
  `agrees, or after ${timeOf(AGREEMENT_MS)}, during which`,
];

const CONTRIBUTING: string[] = [
  `| simulated histories | ${sizeCells('tests/tier.ts', 'WORLDS')} |`,
  `killed at random | ${sizeCells('tests/simulation/phone.test.ts', 'WORLDS')} |`,
  `| runs per property of the log | ${sizeCells('tests/tier.ts', 'RUNS')} |`,
];

const DESIGN: string[] = [`at most ${MAX_ANSWER_CHARACTERS.toLocaleString('en')} characters`];

const PARTS: string[] = [
  `left alone after ${spelled(numberIn('src/obsidian/memory/mirror/known-notes.ts', /MAX_COPIES_PER_NOTE = (\d+)/))} copies`,
  `in ${nightlySize('tests/node/git/folder-repository.test.ts', 'HISTORIES')} random histories.`,
  `over ${nightlySize('tests/tier.ts', 'RUNS')} random histories`,
  `when ${numberIn('tests/processes.test.ts', /KILLS = isNightly \? (\d+)/)} processes are killed`,
  `| ${numberIn('tests/powercut/power-cut.test.ts', /^const ROUNDS = (\d+)/m)} power cuts`,
  `file ${numberIn('tests/storage-processes.test.ts', /TIMES = ([\d_]+)/).toLocaleString('en')} times`,
];

const LOG_FORMAT: string[] = [
  `otherwise at most ${MAX_HASHED_FILES} files of the same sizes`,
  `it may still arrive for ${timeOf(ARRIVAL_MS)}.`,
  `An event has at most ${kilobytes(MAX_EVENT_BYTES)} of data`,
  `that writer, at most ${timeOf(MAX_OPEN_MS)}.`,
  `user agrees or after ${timeOf(AGREEMENT_MS)}.`,
  `sealed at ${kilobytes(MAX_SEGMENT_BYTES.core)} (core, chat) or ${kilobytes(MAX_SEGMENT_BYTES.trace)} (trace)`,
  `sealed at ${kilobytes(MAX_SEGMENT_BYTES.chat)} (core, chat)`,
  `A line is at most ${megabytes(MAX_LINE_BYTES)};`,
  `envelope version, ${formatVersion} |`,
  `Some events of version ${formatVersion} belong`,
  `writer id: ${writerId.length} characters`,
  `the first ${CHAIN_START.length} hex digits of the SHA-256`,
  `${CHAIN_START.length} zeros for the first`,
  `${spelled(stamp.split('.').at(-1)?.length)} hex digits, from ${yearOf(MIN_TIME_MS)} up to ${yearOf(TIME_LIMIT_MS)};`,
  `those more than ${lead} of its own clock`,
  `entity id: ${entityId.length} random characters`,
  `at most ${MAX_ENTITY_ID} characters are accepted`,
  `${crcLength} hex digits |`,
  `the vault's id, ${entityId.length} characters`,
  `a real time before ${yearOf(TIME_LIMIT_MS)}`,
  `A trace stores at most ${shortened}`,
  `the first ${spelled(itemMark)} characters of its entity id`,
  `at most ${lead} of the wall clock`,
  `with ${spelled(crcLength)} hex digits and`,
  `a file above ${megabytes(MAX_FILE_BYTES)} |`,
  `a date more than ${lead} |`,
  `yields after every ${SLICE_MS} ms of work`,
  `polls every ${POLL_INTERVAL_MS / SECOND} s where`,
  `after ${MAX_UNANNOUNCED_EVENTS} events, ${timeOf(ANNOUNCE_DELAY_MS)} after a change`,
  `that its writer knew, of more than ${MAX_REPLACED.toLocaleString('en')} the latest`,
  `is more than ${MAX_UNSEEN_EVENTS.toLocaleString('en')} events ahead of`,
  `a value that more than ${MAX_RIVALS} others rival`,
  `more than ${MAX_UNKNOWN_WRITERS} writers that the watermarks`,
  `padded to ${NUMBER_DIGITS} digits by zeros`,
  `as ${digestLength} hex digits`,
  `missing from the vault for ${healDelay},`,
  `compares all lines ${healDelay} later, and ${healDelay} after`,
  `a single call ${healDelay} later`,
  `reads the log every ${numberIn('src/cli/mcp-backend.ts', /READ_INTERVAL_MS = (\d+_\d+)/) / SECOND} seconds`,
  `the latest ${megabytes(MAX_OTHER_BYTES)} of those of other devices`,
  `and for ${timeOf(MAX_WAIT_MS)} at most`,
  `retired after ${traceLimits}, and the oldest ones earlier if there are more than ${traceSize}.`,
  `then once ${timeOf(RUN_INTERVAL_MS)},`,
  `and ${timeOf(DELETE_DELAY_MS)} later its file is deleted`,
  `that is ${GRACE_MS / DAY} days overdue`,
];

const PRIVACY: string[] = [
  `(at most ${MAX_OPEN_NOTE_CHARS.toLocaleString('en')} characters, never`,
  `listens on ${LOOPBACK_ADDRESS} only`,
  `shortened to ${shortened}`,
  `kept for ${traceLimits}, or less if they exceed ${traceSize}.`,
  `its system and ${mark} random characters`,
  `(at most ${megabytes(MAX_CHANGES_BYTES)})`,
  `is ${spelled(vaultFolder.length)} hexadecimal digits`,
  `(${spelled(MAX_BACKUPS)} backups are kept)`,
  `${agentsLines} lines for agents`,
];

const GUIDE: Record<string, string[]> = {
  'Agents in the chat': [
    `asks for Node ${node22.split('.')[0]} or later`,
    `Files of more than ${megabytes(MAX_COPIED_BYTES)} and`,
  ],
  'Back up and restore': [`again within ${timeOf(2 * HEAL_DELAY_MS)}, while it is running`],
  Chat: [
    `At most ${MAX_OPEN_NOTE_CHARS.toLocaleString('en')} characters are sent`,
    `${spelled(countIn('src/obsidian/chat/ui/first-run.tsx', /label=\{\w+\.button\}/g))} cards`,
  ],
  'Connect an AI app': [`Node ${node22} or later`],
  'Files and timeline': [
    `There are ${spelled(Object.keys(OPTIONAL_TOOLSETS).length)} more toolsets`,
    `up to ${megabytes(MAX_STORED_BYTES)} each`,
  ],
  'First steps': [`${spelled(countIn('src/obsidian/views.ts', /addRibbonIcon\(/g))} new icons`],
  'Never lose the thread': [
    `${spelled(readdirSync(join(root, 'assets/skills')).length)} skills`,
    `add ${agentsLines} lines to`,
    `compacted, and ${checkpoints}.`,
    `after an answer, ${checkpoints},`,
    `stops recording ${pause} on this device`,
    `**Savepoint: Pause capture ${pause}**, stops that ${pause};`,
  ],
  'Permissions and privacy': [`within ${APPROVAL_TIMEOUT_MS / SECOND} seconds, nothing`],
  'Sessions and versions': [`of more than ${megabytes(MAX_PACK_BYTES)},`],
  'Several devices and versions': [
    `the system and ${mark} characters`,
    `more than ${timeOf(MAX_LEAD_MS)} ahead`,
  ],
  'Remove something for good': [
    `It is removed after ${timeOf(AGREEMENT_MS)}, unless`,
    `or within ${timeOf(MAX_OPEN_MS)} if it has ended`,
    `their copies after ${timeOf(AGREEMENT_MS)}, or`,
    `tell you for ${timeOf(AGREEMENT_MS)}.`,
    `${healDelay} after it has first seen`,
  ],
  States: [
    `then the newest ${numberIn('src/transfer/mirror/task-list.ts', /MAX_DONE = (\d+)/)} that are done`,
    `larger than ${megabytes(MAX_HASHED_BYTES)}, it compares the size and ${spelled(sampleStarts(MAX_HASHED_BYTES).length)} samples`,
  ],
  Troubleshooting: [`Node ${node22} or later`, `“Timed out after ${CALL_TIMEOUT_MS / SECOND} s.”`],
  Workspaces: [
    `for ${timeOf(numberIn('src/obsidian/actions.ts', /BUTTON_NOTICE_MS = (\d+_\d+)/))};`,
  ],
};

/** The sentences with figures of each page. */
export const PAGE_FIGURES: Readonly<Record<string, readonly string[]>> = {
  'README.md': README,
  'CONTRIBUTING.md': CONTRIBUTING,
  'SECURITY.md': SECURITY,
  'DESIGN.md': DESIGN,
  'docs/log-format.md': LOG_FORMAT,
  'docs/parts.md': PARTS,
  'docs/privacy.md': PRIVACY,
  ...Object.fromEntries(
    Object.entries(GUIDE).map(([name, sentences]) => [`docs/guide/${name}.md`, sentences]),
  ),
};

/** The commands whose results docs/parts.md states. What they measure is in no constant. */
export const MEASURING_COMMANDS = [
  'test:simulation',
  'test:properties',
  'test:powercut',
  'test:mutation',
] as const;

/** Phrases with numbers that are no figures of the program, and why. */
export const NO_FIGURES: readonly (readonly [phrase: RegExp, why: string])[] = [
  [/We answer within a week/g, 'a promise of people'],
  [/(?:numbers? )?from 1\b/g, 'counting begins with one'],
  [
    /exits? with [01]\b|exit code is 0 .* 1 .* 2 for/g,
    'exit codes, which the tests of the commands check',
  ],
  [/A file with 300 damaged lines|_5 problems found_/g, 'examples'],
  [/Wait a minute and try again/g, 'advice'],
  [/Set \*\*Port\*\* to 0/g, 'a value to type, which the message itself recommends'],
];

function kilobytes(bytes: number): string {
  return `${bytes / 1024} KB`;
}

function megabytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MB`;
}

/** Returns a duration in words, in the largest unit that fits. */
function timeOf(ms: number): string {
  const units = [
    ['a day', 'days', DAY],
    ['an hour', 'hours', HOUR],
    ['a minute', 'minutes', MINUTE],
    ['a second', 'seconds', SECOND],
  ] as const;
  const [one, many, size] = units.find(([, , length]) => ms >= length) ?? units[3];
  return ms === size ? one : `${spelled(ms / size)} ${many}`;
}

/** Returns a number as prose spells it. */
function spelled(number: number | undefined): string {
  const words: Readonly<Record<string, string>> = {
    2: 'two',
    3: 'three',
    4: 'four',
    5: 'five',
    6: 'six',
    7: 'seven',
    8: 'eight',
    9: 'nine',
    10: 'ten',
    16: 'sixteen',
  };
  return words[String(number)] ?? String(number);
}

function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear();
}

// Values that are in no constant that could be imported

function textIn(path: string, pattern: RegExp): string {
  const found = pattern.exec(readFileSync(join(root, path), 'utf8'))?.[1];
  if (found === undefined) throw new Error(`${path} does not contain ${pattern}`);
  return found;
}

function numberIn(path: string, pattern: RegExp): number {
  return Number(textIn(path, pattern).replaceAll('_', ''));
}

function octalIn(path: string, pattern: RegExp): string {
  return `0${textIn(path, pattern)}`;
}

function countIn(path: string, pattern: RegExp): number {
  return readFileSync(join(root, path), 'utf8').match(pattern)?.length ?? 0;
}

function nightlySize(path: string, name: string): string {
  return sizes(path, name)[2]?.toLocaleString('en') ?? '';
}

/** Returns the sizes of a test as cells of a table. */
function sizeCells(path: string, name: string): string {
  return sizes(path, name)
    .map((size) => size.toLocaleString('en'))
    .join(' | ');
}

/** Returns the sizes of a test for the three tiers. */
function sizes(path: string, name: string): number[] {
  return textIn(path, new RegExp(`const ${name} = .*perTier\\(([^)]*)\\)`))
    .split(',')
    .map((size) => Number(size.replaceAll('_', '')));
}
