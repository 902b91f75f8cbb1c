import type { NodeModules } from '../modules.js';

const LF = 0x0a;
/** Bytes at the end of a transcript that are read if no earlier part of it is known. */
export const MAX_TAIL_BYTES = 4 * 1024 * 1024;

/** A part of a transcript. */
export interface TranscriptPart {
  readonly lines: readonly string[];
  /** Byte after the last complete line. */
  readonly offset: number;
  /** When the file last changed, in milliseconds since the epoch. */
  readonly changedAt: number;
}

/**
 * Reads the lines of a transcript after `offset`, at most the last `maxBytes` bytes. A file that
 * has become shorter is read as if it were new. The last line may be one that the client is still
 * writing; it is returned, but read again next time. Returns undefined if there is no such file.
 */
export async function readTranscriptFile(
  { fs }: Pick<NodeModules, 'fs'>,
  file: string,
  offset: number,
  maxBytes = MAX_TAIL_BYTES,
): Promise<TranscriptPart | undefined> {
  const stats = await fs.stat(file).catch(() => undefined);
  if (!stats?.isFile()) return undefined;
  const { size } = stats;
  const known = offset > size ? 0 : offset;
  const start = Math.max(known, size - maxBytes);
  const bytes = await readBytes({ fs }, file, start, size - start);
  if (!bytes) return undefined;
  // A start in the middle of a line yields a piece that is not read as a line.
  const first = start === known ? 0 : bytes.indexOf(LF) + 1;
  const end = bytes.lastIndexOf(LF) + 1;
  const lines = new TextDecoder().decode(bytes.subarray(first)).split('\n');
  return {
    lines: lines.filter((line) => line !== ''),
    offset: end > first ? start + end : known,
    changedAt: stats.mtimeMs,
  };
}

async function readBytes(
  { fs }: Pick<NodeModules, 'fs'>,
  file: string,
  start: number,
  length: number,
): Promise<Uint8Array | undefined> {
  const handle = await fs.open(file, 'r').catch(() => undefined);
  if (!handle) return undefined;
  try {
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled);
      if (bytesRead === 0) break; // the file has become shorter
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await handle.close();
  }
}
