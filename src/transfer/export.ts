import { compareStamps, isJsonObject } from '../model/event.js';
import { parseJsonObject } from '../model/text/json-fields.js';
import { joinBytes } from '../platform/bytes/bytes.js';
import { crc32, crcText } from '../platform/crc32.js';
import {
  digestOf,
  hasLineTail,
  LANES,
  NEWLINE,
  readTailCrc,
  TAIL_BYTES,
  vaultIdsIn,
  type LaneName,
  type LogLine,
} from '../storage/index.js';
import { isWriterId } from '../platform/random.js';

export interface ExportFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** First line of an export. */
export interface ExportHeader {
  readonly vault: string | undefined;
  /** Number of events that follow. */
  readonly events: number;
  /** Lane of each writer, which the events do not contain. */
  readonly lanes: ReadonlyMap<string, LaneName>;
}

const EXPORT_FORMAT = 1;
const encoder = new TextEncoder();

/**
 * Exports a README and all lines of the log, unchanged and in event order, below a header. The
 * digest is as `verify` prints it.
 */
export async function exportLines(lines: readonly LogLine[]) {
  const sorted = [...lines].sort((a, b) => compareStamps(a.event, b.event));
  const events = sorted.map(({ event }) => event);
  const [vault] = vaultIdsIn(events);
  // The lane of the writer's first line.
  const lanes = new Map([...sorted].reverse().map(({ event: { w }, lane }) => [w, lane]));
  const digest = await digestOf(sorted);
  const name = `savepoint-${vault !== undefined && /^[a-z0-9]{1,40}$/.test(vault) ? vault : 'export'}.jsonl`;
  const parts = [
    encodeHeader({ vault, events: events.length, lanes }),
    ...sorted.map(({ bytes }) => bytes),
  ];
  const files: ExportFile[] = [
    { path: name, bytes: joinBytes(parts.flatMap((part) => [part, NEWLINE])) },
    { path: 'README.md', bytes: encoder.encode(readmeText(name, events.length, digest)) },
  ];
  return { files, events: events.length, digest };
}

/** Returns a line without its newline. It has a CRC but is no event, so log readers skip it. */
export function encodeHeader({ vault, events, lanes }: ExportHeader): Uint8Array {
  const writersIn = (lane: LaneName) =>
    [...lanes].flatMap(([writer, its]) => (its === lane ? [writer] : [])).sort();
  const writers = Object.fromEntries(
    LANES.map((lane): [LaneName, string[]] => [lane, writersIn(lane)]),
  );
  const body = JSON.stringify({
    savepoint: 'export',
    fmt: EXPORT_FORMAT,
    vault,
    events,
    lanes: writers,
  }).slice(0, -1);
  return encoder.encode(`${body},"c":"${crcText(crc32(encoder.encode(body)))}"}`);
}

/** Undefined for any other line, and for a header of a later format. */
export function decodeHeader(line: Uint8Array): ExportHeader | undefined {
  const isWhole =
    hasLineTail(line, 0, line.length) &&
    crc32(line, 0, line.length - TAIL_BYTES) === readTailCrc(line, line.length);
  const value = isWhole ? parseJsonObject(new TextDecoder().decode(line)) : undefined;
  if (value?.['savepoint'] !== 'export' || value['fmt'] !== EXPORT_FORMAT) return undefined;
  const { vault, events, lanes } = value;
  return {
    vault: typeof vault === 'string' ? vault : undefined,
    events: typeof events === 'number' ? events : 0,
    lanes: new Map(
      LANES.flatMap((lane) => writersOf(lanes, lane).map((writer) => [writer, lane] as const)),
    ),
  };
}

function writersOf(lanes: unknown, lane: LaneName): string[] {
  const writers = isJsonObject(lanes) ? lanes[lane] : undefined;
  return Array.isArray(writers)
    ? writers.filter((writer) => typeof writer === 'string' && isWriterId(writer)).map(String)
    : [];
}

function readmeText(name: string, events: number, digest: string): string {
  return `# A memory, exported

\`${name}\` is the complete memory of a vault as Savepoint stores it: ${events} events, one line each, oldest first. The first line is a header.

To import it into a vault:

\`\`\`sh
savepoint import ${name} --vault DIR
\`\`\`

Importing it again is safe: events that the vault has are skipped. In a vault that was empty before, \`savepoint verify --vault DIR\` then shows the digest

    ${digest}
`;
}
