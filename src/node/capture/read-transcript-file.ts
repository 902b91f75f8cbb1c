import type { TranscriptFormat } from '../../apps/ai-app.js';
import { parseTranscript, type TranscriptLine } from '../../capture/transcript.js';
import type { NodeModules } from '../modules.js';
import { openRegularFile } from '../open-regular-file.js';

const LF = 0x0a;
const MEGABYTE = 1024 * 1024;
/** The part of a transcript that is read, for example of one with many screenshots. */
export const READ_LIMITS = { beginning: 4 * MEGABYTE, end: 32 * MEGABYTE };

/** A transcript as it is on the disk. */
export interface TranscriptFile {
  readonly lines: readonly TranscriptLine[];
  /** In bytes. */
  readonly size: number;
  /** When it was created and when it last changed, in milliseconds since 1970. */
  readonly createdAt: number;
  readonly changedAt: number;
}

/** Returns the paths of a transcript and of the files in the folder of its subagents. */
export async function transcriptFiles(
  { fs, path }: NodeModules,
  transcript: string,
  format: TranscriptFormat | undefined,
): Promise<readonly string[]> {
  const folder = transcript === '' ? undefined : format?.subagents?.(transcript);
  if (folder === undefined) return [transcript];
  const names = await fs.readdir(folder).catch((): string[] => []);
  const own = names.filter((name) => name.endsWith('.jsonl')).sort();
  return [transcript, ...own.map((name) => path.join(folder, name))];
}

/** Some systems take the times of files from a clock that lags behind. */
const CLOCK_LAG_MS = 20;
const FIRST_ENTRIES = { beginning: MEGABYTE / 4, end: 0 };

/** Returns the first folder that an entry of a transcript names; undefined if none does. */
export async function firstFolder(
  node: NodeModules,
  client: string,
  transcript: string,
): Promise<string | undefined> {
  const file =
    transcript === '' ? undefined : await readTranscriptFile(node, transcript, FIRST_ENTRIES);
  return file && parseTranscript(client, file.lines).folders[0];
}

/**
 * Reads a transcript, or a large one's beginning and end. Its last line may be incomplete. Never
 * waits for the other end of a pipe; what is no regular file has no transcript.
 */
export async function readTranscriptFile(
  node: NodeModules,
  file: string,
  limits = READ_LIMITS,
): Promise<TranscriptFile | undefined> {
  const stats = await node.fs.stat(file).catch(() => undefined);
  if (!stats?.isFile()) return undefined;
  const handle = await openRegularFile(node, file).catch(() => undefined);
  if (!handle) return undefined;
  try {
    const { size, birthtimeMs, mtimeMs: changedAt } = stats;
    const createdAt = birthtimeMs + CLOCK_LAG_MS;
    const read = (start: number, length: number) => handle.read(start, length);
    const isWhole = size <= limits.beginning + limits.end;
    const first = await read(0, isWhole ? size : limits.beginning);
    const start = size - limits.end;
    const last = isWhole ? undefined : await read(start, limits.end);
    // A piece of a line at a cut is no line.
    const lines = [
      ...linesIn(isWhole ? first : first.subarray(0, first.lastIndexOf(LF) + 1), 0),
      ...(last ? linesIn(last.subarray(last.indexOf(LF) + 1), start + last.indexOf(LF) + 1) : []),
    ];
    return { lines, size, createdAt, changedAt };
  } finally {
    handle.close();
  }
}

function linesIn(bytes: Uint8Array, start: number): TranscriptLine[] {
  const lines: TranscriptLine[] = [];
  const decoder = new TextDecoder();
  for (let from = 0; from < bytes.length;) {
    const at = bytes.indexOf(LF, from);
    const end = at < 0 ? bytes.length : at + 1;
    const text = decoder.decode(bytes.subarray(from, end)).trimEnd();
    if (text !== '') lines.push({ text, end: start + end });
    from = end;
  }
  return lines;
}
