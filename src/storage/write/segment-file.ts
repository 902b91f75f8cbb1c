import type { VaultPath } from '../../model/paths.js';
import { joinBytes } from '../../platform/bytes/bytes.js';
import {
  FileChangedError,
  FileReplacedError,
  type FileInfo,
  type Files,
} from '../../platform/files.js';
import { lineHash } from '../format/line-hash.js';
import type { EncodedLine } from '../format/line.js';
import { parseSegment } from '../format/segment.js';
import type { LocatedEvent } from '../read/reader.js';
import type { WriterRecord } from './writer-identity.js';

/** Lines that one append has written. */
export interface LogAppend {
  readonly path: VaultPath;
  /** The file's information after the append. */
  readonly info: FileInfo;
  readonly lines: readonly LocatedEvent[];
  readonly bytes: Uint8Array;
  readonly lastHash: string;
}

/** Attempts to write lines again whose file was replaced by another program. */
const MAX_REWRITES = 5;

/** Returns the append of lines that were written to `path` from byte `start` on. */
export function appendOf(
  path: VaultPath,
  info: FileInfo,
  start: number,
  lines: readonly EncodedLine[],
): LogAppend {
  let at = start;
  const located = lines.map(({ event, bytes }): LocatedEvent => {
    const from = at;
    at += bytes.length;
    return { event, from, to: at - 1, path };
  });
  const bytes = joinBytes(lines.map((line) => line.bytes));
  return { path, info, lines: located, bytes, lastHash: lines.at(-1)!.hash };
}

/**
 * Ensures that lines are in the vault although their file was replaced during the append: if the
 * new file lacks them, writes them again, unchanged, to a file at `newPath()`.
 */
export async function rewriteLines(
  files: Files,
  replaced: VaultPath,
  lines: readonly EncodedLine[],
  newPath: () => VaultPath,
): Promise<LogAppend> {
  const bytes = joinBytes(lines.map((line) => line.bytes));
  let path = replaced;
  for (let attempt = 0; attempt < MAX_REWRITES; attempt++) {
    const info = await files.stat(path);
    const content = info && (await files.read(path));
    const start = content ? indexOfBytes(content, bytes) : -1;
    if (info && start >= 0) return appendOf(path, info, start, lines);
    path = newPath();
    try {
      await files.append(path, bytes, { expect: 'new', durable: true });
    } catch (error) {
      if (!(error instanceof FileReplacedError)) throw error;
    }
  }
  throw new FileChangedError(`${replaced} is replaced again and again`);
}

/** Returns the hashes of a stored writer's last segment by number; undefined if it has changed. */
export async function readHashes(
  files: Files,
  { path, size, fileId, writer, n, hash, h }: WriterRecord,
): Promise<Map<number, string> | undefined> {
  const info = await files.stat(path);
  if (info?.size !== size || info.fileId !== fileId) return undefined;
  const content = await files.read(path);
  const { lines, problems } = parseSegment(content ?? new Uint8Array());
  const last = lines.at(-1);
  if (content?.length !== size || !last || problems.length > 0) return undefined;
  const isOwn = lines.every(({ event: { w, p } }, at) => {
    const before = lines[at - 1];
    return w === writer && (!before || p === lineHash(content.subarray(before.from, before.to)));
  });
  const isLast = last.event.n === n && last.event.h === h && last.to === size - 1;
  if (!isOwn || !isLast || lineHash(content.subarray(last.from, last.to)) !== hash)
    return undefined;
  return new Map([...lines.map(({ event }) => [event.n - 1, event.p] as const), [n, hash]]);
}

function indexOfBytes(content: Uint8Array, bytes: Uint8Array): number {
  for (let at = content.indexOf(bytes[0]!); at >= 0; at = content.indexOf(bytes[0]!, at + 1))
    if (bytes.every((byte, offset) => content[at + offset] === byte)) return at;
  return -1;
}

/** Removes the file that a failed append has just created, if it is still empty. */
export async function removeIfEmpty(files: Files, path: VaultPath): Promise<void> {
  const info = await files.stat(path).catch(() => undefined);
  // an empty file does no harm
  if (info?.size === 0) await files.remove(path).catch(() => undefined);
}
