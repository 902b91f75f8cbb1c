import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import { toUtf8 } from '../format/segment.js';

interface Piece {
  readonly from: number;
  readonly bytes: Uint8Array;
}

const LF = 0x0a;

/** Keeps what is read from each file, so that an event and its bytes come from the same read. */
export class RecordedReads {
  /** The files, whose reads are kept. */
  readonly files: Files;
  readonly #pieces = new Map<VaultPath, Piece[]>();

  constructor(files: Files) {
    this.files = {
      ...files,
      read: async (path, from = 0, length) => {
        const bytes = await files.read(path, from, length);
        if (bytes && from === 0) this.#pieces.set(path, [{ from, bytes: toUtf8(bytes) }]);
        // A piece without a whole line, as of a file of NULs, is not worth its memory.
        else if (bytes?.includes(LF)) this.#pieces.get(path)?.push({ from, bytes });
        return bytes;
      },
    };
  }

  /** Returns a part of a file. Throws if it was not read at once. */
  bytesAt(path: VaultPath, from: number, to: number): Uint8Array {
    const piece = this.#pieces
      .get(path)
      ?.findLast((each) => each.from <= from && to <= each.from + each.bytes.length);
    if (!piece) throw new Error(`${path} was not read from ${from} to ${to}`);
    return piece.bytes.subarray(from - piece.from, to - piece.from);
  }

  /** Returns the line that begins at an offset, without its newline; empty if it was not read. */
  lineAt(path: VaultPath, from: number): Uint8Array {
    const pieces = this.#pieces.get(path) ?? [];
    const piece = pieces.findLast(
      (each) => each.from <= from && from < each.from + each.bytes.length,
    );
    if (!piece) return new Uint8Array();
    const start = from - piece.from;
    const end = piece.bytes.indexOf(LF, start);
    return piece.bytes.subarray(start, end < 0 ? undefined : end);
  }

  forget(path: VaultPath): void {
    this.#pieces.delete(path);
  }
}
