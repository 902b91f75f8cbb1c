import { compareText, isJsonObject, type LogEvent } from '../model/event.js';
import type { VaultPath } from '../model/paths.js';
import { Refusal } from '../model/refusal.js';
import { writeAbout } from '../storage/write/data-folder-readme.js';
import { joinBytes } from '../platform/bytes.js';
import { decodeHeader, type ExportHeader } from './export.js';
import type { Files } from '../platform/files.js';
import { hold, isHeld, type Holdings } from '../storage/read/writer-index.js';
import { segmentPath, type Lane } from '../storage/format/lanes.js';
import { LINE_LIMIT, NEWLINE } from '../storage/format/line.js';
import { readLines, type HeldLines, type LogLine } from '../storage/read/log-lines.js';
import type { Pause } from '../platform/scheduler.js';
import { eachInParallel, PARALLEL_READS } from '../storage/read/reader.js';
import { isIn, retiredRanges, retirementOf } from '../storage/integrity/retirements.js';
import { readSegment, segmentBytes, type LineProblem } from '../storage/format/segment.js';
import { vaultIdsIn } from '../storage/integrity/vault-ids.js';

/** A file that somebody wants to import, as it was read. */
export interface ImportSource {
  /** What to call it when something is wrong in it. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A line of a source that is no event, or not a whole one. */
export interface BadLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly kind: LineProblem['kind'];
}

export interface ImportOptions {
  /** Whether another vault's memory may be put into this one. */
  readonly mayMerge: boolean;
  /** Whether to write nothing. */
  readonly isDryRun: boolean;
  /** The UTC day, `2026-11-20`. */
  readonly day: string;
  /** Twelve letters of `a-km-np-z2-9` that no file of the vault bears in its name yet. */
  readonly tag: string;
  /** What comes between two sources, and two files of the log, that are read. */
  readonly pause?: Pause | undefined;
}

/** What an import has done; after a dry run, what it would do. */
export interface ImportReport {
  /** Different events in the sources. */
  readonly events: number;
  readonly added: number;
  /** Events that were in the vault already. */
  readonly known: number;
  /** Events left out because the vault has retired them. */
  readonly retired: number;
  /** Events that the headers promise and that the sources do not hold. */
  readonly lost: number;
  readonly badLines: readonly BadLine[];
  /** The new files in the vault. */
  readonly files: readonly VaultPath[];
  /** Whether everything that was exported is now in the vault, or was. */
  readonly isWhole: boolean;
}

/**
 * Puts the lines of an export into new files of the log, each as it is, unless it is there already. Resolves once they would survive
 * a power cut, where the platform can promise that. Throws a `Refusal` where the sources hold no event, and for another vault's.
 */
export async function importLines(
  files: Files,
  root: VaultPath,
  sources: readonly ImportSource[],
  options: ImportOptions,
): Promise<ImportReport> {
  const reading = await readSources(sources, options.pause);
  const held = await readLines(files, root, options.pause);
  const { news, known, retired } = sift(reading, held);
  if (news.length > 0 && !options.mayMerge) checkVault(reading, held);
  const planned = planFiles(root, news, options);
  if (!options.isDryRun && planned.length > 0) {
    await writeFiles(files, planned);
    await writeAbout(files, root);
  }
  const { badLines, promised } = reading;
  const events = reading.lines.length;
  const lost = Math.max(0, promised - events);
  return {
    events,
    added: news.length,
    known,
    retired,
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

interface Reading {
  /** Each event once. */
  readonly lines: readonly SourceLine[];
  readonly badLines: readonly BadLine[];
  /** The lanes that headers tell, by writer. */
  readonly lanes: ReadonlyMap<string, Lane>;
  /** How many events the headers promise at least. */
  readonly promised: number;
  /** The vaults that the lines come from, where headers or they tell: of lines without a header, the one that counts among them. */
  readonly vaults: readonly string[];
}

/** Reads sources as forgivingly as the log itself is read. */
async function readSources(
  sources: readonly ImportSource[],
  pause: Pause | undefined,
): Promise<Reading> {
  const seen: Holdings = new Map();
  const lines: SourceLine[] = [];
  const badLines: BadLine[] = [];
  const headers: ExportHeader[] = [];
  for (const { name, bytes: raw } of sources) {
    while (pause?.isDue()) await pause.take();
    const bytes = segmentBytes(raw);
    const { lines: found, problems } = readSegment(bytes);
    for (const { event, from, to } of found)
      if (hold(seen, 'core', event) !== 'known')
        lines.push({ event, bytes: bytes.subarray(from, to) });
    for (const { from, line, kind } of numbered(bytes, problems)) {
      const header = decodeHeader(lineAt(bytes, from));
      if (header) headers.push(header);
      else badLines.push({ file: name, line, kind });
    }
  }
  if (lines.length === 0 && headers.length === 0) throw new Refusal(nothingText(sources));
  const told = new Set(headers.flatMap(({ vault }) => vault ?? []));
  return {
    lines,
    badLines,
    lanes: new Map(headers.flatMap((header) => [...header.lanes])),
    promised: headers.reduce((most, { events }) => Math.max(most, events), 0),
    vaults: told.size > 0 ? [...told] : vaultIdsIn(lines.map(({ event }) => event)).slice(0, 1),
  };
}

/** Problems with the number of the line that each stands in; they come in the order of their offsets. */
function numbered(
  bytes: Uint8Array,
  problems: readonly LineProblem[],
): (LineProblem & { line: number })[] {
  let line = 1;
  let at = 0;
  return problems.map((problem) => {
    for (
      let next = bytes.indexOf(NEWLINE[0]!, at);
      next >= 0 && next < problem.from;
      next = bytes.indexOf(NEWLINE[0]!, at)
    ) {
      line++;
      at = next + 1;
    }
    return { ...problem, line };
  });
}

/** The bytes from `from` to the end of the line, without what may stand between that and its closing brace. */
function lineAt(bytes: Uint8Array, from: number): Uint8Array {
  const newline = bytes.indexOf(NEWLINE[0]!, from);
  const line = bytes.subarray(from, newline < 0 ? bytes.length : newline);
  return line.subarray(0, line.lastIndexOf(0x7d) + 1);
}

function nothingText(sources: readonly ImportSource[]): string {
  const what =
    sources.length === 1 ? `"${sources[0]!.name}" holds` : `The ${sources.length} files hold`;
  return `${what} no event of Savepoint. Give the .jsonl file that "savepoint export" has written, or the folder it is in.`;
}

interface NewLine extends SourceLine {
  readonly lane: Lane;
}

/**
 * Tells what is new from what the vault holds, and from what it has retired. What another vault says is retired of writers that this
 * one knows goes where it says nothing: it must not hide that something is missing here.
 */
function sift(
  reading: Reading,
  { lines: heldLines, holdings }: HeldLines,
): { news: NewLine[]; known: number; retired: number } {
  const { lines, lanes } = reading;
  const retired = retiredRanges(heldLines);
  const unknown = lines.filter(({ event }) => !isHeld(holdings, event));
  const wanted = unknown.filter(({ event: { w, n } }) => !isIn(retired.get(w) ?? [], n));
  const guessed = guessLanes(lines);
  const isForeign = idsOf(heldLines).length > 0 && !isOwnVault(reading, heldLines);
  const own = isForeign ? writersKnownTo(heldLines, holdings) : new Set<string>();
  const isAside = (event: LogEvent) => own.has(retirementOf(event)?.writer ?? '');
  const laneOf = (writer: string) =>
    holdings.get(writer)?.lane ?? lanes.get(writer) ?? guessed.get(writer) ?? 'core';
  return {
    news: wanted.map(({ event, bytes }) => ({
      event,
      bytes,
      lane: isAside(event) ? 'trace' : laneOf(event.w),
    })),
    known: lines.length - unknown.length,
    retired: unknown.length - wanted.length,
  };
}

/** Those of whom it holds something, or has been told. */
function writersKnownTo(lines: readonly LogLine[], holdings: Holdings): Set<string> {
  const told = lines.flatMap(({ event: { t, d } }) =>
    t === 'log.mark' && isJsonObject(d['seen']) ? Object.keys(d['seen']) : [],
  );
  return new Set([...holdings.keys(), ...told]);
}

const LANE_OF_KIND: ReadonlyMap<string, Lane> = new Map([
  ['trace', 'trace'],
  ['conv', 'chat'],
  ['msg', 'chat'],
]);

/** The lane of each writer that has written what belongs in one: for lines that come without a header. */
function guessLanes(lines: readonly SourceLine[]): Map<string, Lane> {
  const guessed = new Map<string, Lane>();
  for (const { event } of lines) {
    const lane = LANE_OF_KIND.get(event.t.split('.')[0]!);
    if (lane) guessed.set(event.w, lane);
  }
  return guessed;
}

function idsOf(lines: readonly LogLine[]): string[] {
  return vaultIdsIn(lines.map(({ event }) => event));
}

function isOwnVault({ vaults }: Pick<Reading, 'vaults'>, lines: readonly LogLine[]): boolean {
  const own = idsOf(lines);
  return vaults.length > 0 && vaults.every((vault) => own.includes(vault));
}

/** A vault without an id has no workspaces and states of its own yet: anything may come into it. */
function checkVault({ vaults }: Reading, { lines, waiting }: HeldLines): void {
  if (isOwnVault({ vaults }, lines)) return;
  const own = idsOf(lines);
  if (own.length > 0) {
    throw new Refusal(
      `This is an export of another vault (${vaults.join(', ') || 'it does not say which'}), and this vault has a memory of its own (${own[0]}): ` +
        'give --merge to put the two together, which cannot be undone, or import into an empty vault.',
    );
  }
  if (waiting.length > 0) {
    throw new Refusal(
      `Whose memory this vault holds cannot be told, for ${waiting.length} of its files cannot be read now: ` +
        'let the sync finish and import again, or give --merge to import all the same.',
    );
  }
  if (vaults.length > 1)
    throw new Refusal(
      `These are exports of ${vaults.length} vaults (${vaults.join(', ')}): import one of them, or give --merge to put them together.`,
    );
}

interface PlannedFile {
  readonly path: VaultPath;
  readonly lines: readonly NewLine[];
}

/** New files for the lines, cut as their writers' segments were: each then is the segment it came from, to the letter, where nothing of that was here. */
function planFiles(
  root: VaultPath,
  news: readonly NewLine[],
  { day, tag }: ImportOptions,
): PlannedFile[] {
  const sorted = [...news].sort(
    (a, b) =>
      compareText(a.event.w, b.event.w) ||
      a.event.n - b.event.n ||
      compareText(a.event.c, b.event.c),
  );
  const cut: NewLine[][] = [];
  let size = 0;
  for (const line of sorted) {
    const file = cut.at(-1);
    const last = file?.at(-1);
    if (file && last && !isCutBetween(last, line) && size + line.bytes.length < LINE_LIMIT)
      file.push(line);
    else cut.push([line]);
    size = cut.at(-1) === file ? size + line.bytes.length + 1 : line.bytes.length + 1;
  }
  return cut.map((lines, index) => ({
    path: segmentPath(root, lines[0]!.lane, day, `${tag}-imported`, index + 1),
    lines,
  }));
}

function isCutBetween(before: NewLine, { event, lane }: NewLine): boolean {
  return before.event.w !== event.w || before.lane !== lane || event.t === 'log.seg';
}

/** Those that say which vault it is go first: if the import breaks off, its other half still belongs to the same vault. */
async function writeFiles(files: Files, planned: readonly PlannedFile[]): Promise<void> {
  const saysVault = ({ lines }: PlannedFile) => lines.some(({ event }) => event.t === 'log.vault');
  let written = 0;
  const write = async ({ path, lines }: PlannedFile) => {
    await files.append(path, joinBytes(lines.flatMap(({ bytes }) => [bytes, NEWLINE])), {
      expect: 'new',
      durable: true,
    });
    written++;
  };
  try {
    await eachInParallel(planned.filter(saysVault), PARALLEL_READS, write);
    await eachInParallel(
      planned.filter((file) => !saysVault(file)),
      PARALLEL_READS,
      write,
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(
      `The import stopped with ${written} of ${planned.length} files written. These are good and stay; ` +
        `once the trouble is gone, import again to go on from there. The trouble: ${error.message}`,
      { cause: error },
    );
  }
}
