import { compareStamps, isJsonObject, type JsonObject } from '../model/event.js';
import { joinBytes } from '../platform/bytes.js';
import { crc32, crcText } from '../platform/crc32.js';
import { digestOf } from '../storage/integrity/digest.js';
import type { LogLine } from '../storage/read/log-lines.js';
import { isWriterId } from '../platform/random.js';
import { LANES, type Lane } from '../storage/format/lanes.js';
import { crcBefore, hasTail, NEWLINE, TAIL_LENGTH } from '../storage/format/line.js';
import { retiredRanges } from '../storage/integrity/retirements.js';
import { vaultIdsIn } from '../storage/integrity/vault-ids.js';

/** A file to be written: its path below a folder of the person's choice, and what is in it. */
export interface ExportFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What the first line of an export says of the lines below it. */
export interface ExportHeader {
  /** The vault's id, where it has one. */
  readonly vault: string | undefined;
  /** How many events follow. */
  readonly events: number;
  /** The lane of each writer, which no line tells by itself. */
  readonly lanes: ReadonlyMap<string, Lane>;
}

export interface LogExport {
  readonly files: readonly ExportFile[];
  readonly events: number;
  /** As `verify` prints it. */
  readonly digest: string;
}

const FORMAT = 1;
const encoder = new TextEncoder();

/** The log as two files: every line as it is, in the order of all events, below a header; and a few words on what that is. */
export async function exportLines(lines: readonly LogLine[]): Promise<LogExport> {
  const sorted = [...lines].sort((a, b) => compareStamps(a.event, b.event));
  const events = sorted.map(({ event }) => event);
  const [vault] = vaultIdsIn(events);
  const lanes = new Map([...sorted].reverse().map(({ event: { w }, lane }) => [w, lane])); // that of its first line
  const digest = await digestOf(sorted, retiredRanges(sorted));
  const name = `savepoint-${vault !== undefined && /^[a-z0-9]{1,40}$/.test(vault) ? vault : 'export'}.jsonl`;
  const parts = [
    encodeHeader({ vault, events: events.length, lanes }),
    ...sorted.map(({ bytes }) => bytes),
  ];
  const files = [
    { path: name, bytes: joinBytes(parts.flatMap((part) => [part, NEWLINE])) },
    { path: 'README.md', bytes: encoder.encode(aboutText(name, events.length, digest)) },
  ];
  return { files, events: events.length, digest };
}

/** A header as a line without its newline: closed by a CRC like every line, and no event, so that no reader takes it for one. */
export function encodeHeader({ vault, events, lanes }: ExportHeader): Uint8Array {
  const writersIn = (lane: Lane) =>
    [...lanes].flatMap(([writer, its]) => (its === lane ? [writer] : [])).sort();
  const writers = Object.fromEntries(
    LANES.map((lane): [Lane, string[]] => [lane, writersIn(lane)]),
  );
  const body = JSON.stringify({
    savepoint: 'export',
    fmt: FORMAT,
    vault,
    events,
    lanes: writers,
  }).slice(0, -1);
  return encoder.encode(`${body},"c":"${crcText(crc32(encoder.encode(body)))}"}`);
}

/** The header that stands in a line; undefined for any other line, and for a header of a later format. */
export function decodeHeader(line: Uint8Array): ExportHeader | undefined {
  const isWhole =
    hasTail(line, 0, line.length) &&
    crc32(line, 0, line.length - TAIL_LENGTH) === crcBefore(line, line.length);
  const value = isWhole ? parseObject(line) : undefined;
  if (value?.['savepoint'] !== 'export' || value['fmt'] !== FORMAT) return undefined;
  const { vault, events, lanes } = value;
  return {
    vault: typeof vault === 'string' ? vault : undefined,
    events: typeof events === 'number' ? events : 0,
    lanes: new Map(
      LANES.flatMap((lane) => writersOf(lanes, lane).map((writer) => [writer, lane] as const)),
    ),
  };
}

function writersOf(lanes: unknown, lane: Lane): string[] {
  const writers = isJsonObject(lanes) ? lanes[lane] : undefined;
  return Array.isArray(writers)
    ? writers.filter((writer) => typeof writer === 'string' && isWriterId(writer)).map(String)
    : [];
}

function parseObject(line: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(line));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // a CRC that fits by chance
  }
}

function aboutText(name: string, events: number, digest: string): string {
  return `# A memory, exported

\`${name}\` is the whole memory of a vault as Savepoint keeps it: ${events} events, one line each, oldest first. The first line tells of the others.

To put it into a vault:

\`\`\`sh
savepoint import ${name} --vault DIR
\`\`\`

It may be done again: what a vault has already is left out. \`savepoint verify --vault DIR\` in a vault that was empty before then shows the digest

    ${digest}
`;
}
