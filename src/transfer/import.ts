import { compareText, type LogEvent } from '../model/event.js';
import type { VaultPath } from '../model/paths.js';
import { Refusal } from '../model/refusal.js';
import { joinBytes } from '../platform/bytes/bytes.js';
import { decodeHeader, type ExportHeader } from './export.js';
import { IMPORTABLE } from './foreign/foreign-memory.js';
import type { ImportSource } from './import-source.js';
import { lineBlocks } from './line-blocks.js';
import { importedPath, writeFiles, type PlannedFile } from './write-import.js';
import type { Files } from '../platform/files.js';
import {
  isRetirable,
  indexEvent,
  isLacking,
  MAX_LINE_BYTES,
  NEWLINE,
  parseSegment,
  readLogLines,
  retirementOf,
  retirementsIn,
  vaultIdsIn,
  watermarkOf,
  type LaneName,
  type LineProblem,
  type LogContents,
  type LogLine,
  type WriterIndex,
} from '../storage/index.js';
import { NOOP_SCHEDULER, type Scheduler } from '../platform/scheduler.js';

/** A line of a source that is not a valid event. */
export interface BadLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly kind: LineProblem['kind'] | 'tooLong';
}

export interface ImportOptions {
  /** True to allow importing another vault's memory into this one. */
  readonly mayMerge: boolean;
  /** True to report what the import would do, without writing. */
  readonly isDryRun: boolean;
  /** The UTC day, such as `2026-11-20`. */
  readonly day: string;
  /** Twelve letters of `a-km-np-z2-9` that no file name of the vault contains yet. */
  readonly tag: string;
  /** Yields to the host between two sources and between two files of the log. */
  readonly scheduler?: Scheduler | undefined;
}

/** Result of an import, or after a dry run its expected result. */
export interface ImportReport {
  /** Number of distinct events in the sources. */
  readonly events: number;
  readonly added: number;
  /** Number of events that were in the vault already. */
  readonly known: number;
  /** Number of events left out because the vault has retired them. */
  readonly retired: number;
  /** Number of events left out because a person has forgotten them. */
  readonly forgotten: number;
  /** Number of events that the headers declare but the sources do not contain. */
  readonly lost: number;
  readonly badLines: readonly BadLine[];
  /** New files in the vault. */
  readonly files: readonly VaultPath[];
  /** True if the sources were complete and every line could be read. */
  readonly isWhole: boolean;
}

/**
 * Writes an export's new lines, unchanged, to new files of the log, durably if possible. Throws a
 * `Refusal` if there is no event, and for another vault's memory unless `mayMerge`.
 */
export async function importLines(
  files: Files,
  root: VaultPath,
  sources: readonly ImportSource[],
  options: ImportOptions,
): Promise<ImportReport> {
  const parsed = await readSources(sources, options.scheduler);
  const contents = await readLogLines(files, root, options.scheduler);
  const { newLines, ...leftOut } = selectNew(parsed, contents);
  if (newLines.length > 0 && !options.mayMerge) checkVault(parsed, contents);
  const planned = planFiles(root, newLines, options);
  if (!options.isDryRun && planned.length > 0) {
    await writeFiles(files, root, planned);
  }
  const { badLines, declaredEvents } = parsed;
  const events = parsed.lines.length;
  const lost = Math.max(0, declaredEvents - events);
  return {
    events,
    added: newLines.length,
    ...leftOut,
    lost,
    badLines,
    files: planned.map(({ path }) => path),
    isWhole: lost === 0 && badLines.length === 0,
  };
}

interface SourceLine {
  readonly event: LogEvent;
  readonly bytes: Uint8Array;
}

interface ParsedSources {
  /** The lines of all sources, without repeated events. */
  readonly lines: readonly SourceLine[];
  readonly badLines: readonly BadLine[];
  /** Lanes from the headers, by writer. */
  readonly lanes: ReadonlyMap<string, LaneName>;
  /** Largest number of events that a header declares. */
  readonly declaredEvents: number;
  /** Vault ids from the headers or, without headers, the effective one in the vault events. */
  readonly vaults: readonly string[];
}

/** Reads sources with the same tolerance as the log itself. */
async function readSources(
  sources: readonly ImportSource[],
  scheduler: Scheduler = NOOP_SCHEDULER,
): Promise<ParsedSources> {
  const seen: WriterIndex = new Map();
  const lines: SourceLine[] = [];
  const badLines: BadLine[] = [];
  const headers: ExportHeader[] = [];
  for (const source of sources) {
    const { name: file } = source;
    for await (const { bytes, line: first, isTooLong } of lineBlocks(source)) {
      await scheduler.yieldIfDue();
      if (isTooLong) badLines.push({ file, line: first, kind: 'tooLong' });
      const { lines: found, problems } = parseSegment(bytes);
      for (const { event, from, to } of found)
        if (indexEvent(seen, 'core', event) !== 'known')
          lines.push({ event, bytes: bytes.slice(from, to) });
      for (const { from, line, kind } of withLineNumbers(bytes, problems)) {
        const header = decodeHeader(lineAt(bytes, from));
        if (header) headers.push(header);
        else badLines.push({ file, line: first + line - 1, kind });
      }
    }
  }
  if (lines.length === 0 && headers.length === 0) throw new Refusal(noEventsText(sources));
  const vaults = new Set(headers.flatMap(({ vault }) => vault ?? []));
  return {
    lines,
    badLines,
    lanes: new Map(headers.flatMap((header) => [...header.lanes])),
    declaredEvents: headers.reduce((most, { events }) => Math.max(most, events), 0),
    vaults: vaults.size > 0 ? [...vaults] : vaultIdsIn(lines.map(({ event }) => event)).slice(0, 1),
  };
}

/** Requires problems sorted by offset. */
function withLineNumbers(
  bytes: Uint8Array,
  problems: readonly LineProblem[],
): (LineProblem & { line: number })[] {
  let line = 1;
  let at = 0;
  return problems.map((problem) => {
    for (; at < problem.from; at++) if (bytes[at] === NEWLINE[0]) line++;
    return { ...problem, line };
  });
}

/** Returns the line that starts at `from`, up to its last closing brace. */
function lineAt(bytes: Uint8Array, from: number): Uint8Array {
  const newline = bytes.indexOf(NEWLINE[0]!, from);
  const line = bytes.subarray(from, newline < 0 ? bytes.length : newline);
  return line.subarray(0, line.lastIndexOf(0x7d) + 1);
}

function noEventsText(sources: readonly ImportSource[]): string {
  const [first, ...others] = sources;
  if (others.length > 0)
    return `The ${sources.length} files contain nothing that can be imported. ${IMPORTABLE}`;
  const what = first?.bytes.length === 0 ? 'is empty' : 'contains nothing that can be imported';
  return `"${first?.name}" ${what}. ${IMPORTABLE}`;
}

interface PlacedLine extends SourceLine {
  readonly lane: LaneName;
}

/**
 * Selects new events that the vault has not retired. Another vault's retirements of writers known
 * here go to the trace lane, where they cannot hide that events are missing here.
 */
function selectNew(
  sources: ParsedSources,
  contents: LogContents,
): { newLines: PlacedLine[] } & Pick<ImportReport, 'known' | 'retired' | 'forgotten'> {
  const { lines: vaultLines, writers, forgotten } = contents;
  const { lines, lanes } = sources;
  const retired = retirementsIn(vaultLines);
  const kept = lines.filter(({ event }) => forgotten.keysOf(event).length === 0);
  const unknown = kept.filter(({ event }) => isLacking(contents, event));
  const guessed = guessLanes(lines);
  const laneOf = (writer: string) =>
    writers.get(writer)?.lane ?? lanes.get(writer) ?? guessed.get(writer) ?? 'core';
  const wanted = unknown.filter(
    ({ event }) => !isRetirable(laneOf(event.w)) || retired.retiredAt(event) === undefined,
  );
  const isForeign = idsOf(vaultLines).length > 0 && !isSameVault(sources, vaultLines);
  const known = isForeign ? knownWriters(vaultLines, writers) : new Set<string>();
  const isForeignRetirement = (event: LogEvent) => known.has(retirementOf(event)?.writer ?? '');
  return {
    newLines: wanted.map(({ event, bytes }) => ({
      event,
      bytes,
      lane: isForeignRetirement(event) ? 'trace' : laneOf(event.w),
    })),
    known: kept.length - unknown.length,
    retired: unknown.length - wanted.length,
    forgotten: lines.length - kept.length,
  };
}

/** Returns the writers that have events in the vault or are named in its watermarks. */
function knownWriters(lines: readonly LogLine[], writers: WriterIndex): Set<string> {
  const announced = lines.flatMap(({ event }) =>
    (watermarkOf(event)?.seen ?? []).map(({ writer }) => writer),
  );
  return new Set([...writers.keys(), ...announced]);
}

const LANE_OF_EVENT_KIND: ReadonlyMap<string, LaneName> = new Map([
  ['trace', 'trace'],
  ['session', 'session'],
  ['conv', 'chat'],
  ['msg', 'chat'],
]);

/** Guesses lanes of writers without a header from events that occur in only one lane. */
function guessLanes(lines: readonly SourceLine[]): Map<string, LaneName> {
  const guessed = new Map<string, LaneName>();
  for (const { event } of lines) {
    const lane = LANE_OF_EVENT_KIND.get(event.t.split('.')[0]!);
    if (lane) guessed.set(event.w, lane);
  }
  return guessed;
}

function idsOf(lines: readonly LogLine[]): string[] {
  return vaultIdsIn(lines.map(({ event }) => event));
}

function isSameVault(
  { vaults }: Pick<ParsedSources, 'vaults'>,
  lines: readonly LogLine[],
): boolean {
  const own = idsOf(lines);
  return vaults.length > 0 && vaults.every((vault) => own.includes(vault));
}

/** Throws a `Refusal` for another vault's sources, unless this vault has no id and so no memory. */
function checkVault({ vaults }: ParsedSources, { lines, unreadable }: LogContents): void {
  if (isSameVault({ vaults }, lines)) return;
  const own = idsOf(lines);
  if (own.length > 0) {
    throw new Refusal(
      `This is an export of another vault (${vaults.join(', ') || 'unknown id'}), and this vault has a memory of its own (${own[0]}): ` +
        'use --merge to merge them, which cannot be undone, or import into an empty vault.',
    );
  }
  if (unreadable.length > 0) {
    throw new Refusal(
      `Cannot tell which memory this vault contains: ${unreadable.length} of its files cannot be read now. ` +
        'Let the sync finish and import again, or use --merge to import anyway.',
    );
  }
  if (vaults.length > 1)
    throw new Refusal(
      `These are exports of ${vaults.length} vaults (${vaults.join(', ')}): import one of them, or use --merge to merge them.`,
    );
}

/** Splits at the original boundaries of segments to restore new segments byte for byte. */
function planFiles(
  root: VaultPath,
  newLines: readonly PlacedLine[],
  options: ImportOptions,
): PlannedFile[] {
  const sorted = [...newLines].sort(
    (a, b) =>
      compareText(a.event.w, b.event.w) ||
      a.event.n - b.event.n ||
      compareText(a.event.c, b.event.c),
  );
  const groups: PlacedLine[][] = [];
  let size = 0;
  for (const line of sorted) {
    const file = groups.at(-1);
    const last = file?.at(-1);
    if (file && last && !startsNewFile(last, line) && size + line.bytes.length < MAX_LINE_BYTES)
      file.push(line);
    else groups.push([line]);
    size = groups.at(-1) === file ? size + line.bytes.length + 1 : line.bytes.length + 1;
  }
  return groups.map((lines, index) => ({
    path: importedPath(root, lines[0]!.lane, options, index),
    isFirst: lines.some(({ event }) => event.t === 'log.vault'),
    encode: () => joinBytes(lines.flatMap(({ bytes }) => [bytes, NEWLINE])),
  }));
}

function startsNewFile(before: PlacedLine, { event, lane }: PlacedLine): boolean {
  return before.event.w !== event.w || before.lane !== lane || event.t === 'log.seg';
}
