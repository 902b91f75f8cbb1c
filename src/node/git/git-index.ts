/** A tracked file as it was staged. */
export interface IndexEntry {
  /** Relative to the root of the repository. */
  readonly path: string;
  /** Type and permissions, such as `0o100644`. */
  readonly mode: number;
  /** Id of the content, hex digits. */
  readonly oid: string;
  /** Size in bytes modulo 2^32, and times in seconds and nanoseconds, when the file was staged. */
  readonly size: number;
  readonly changed: Time;
  readonly modified: Time;
  /** True if a merge left several versions of the file. */
  readonly isUnmerged: boolean;
  /** True if the path was announced, but no content was staged. */
  readonly isIntended: boolean;
  /** True if git does not look at the file on disk, as in a sparse checkout. */
  readonly isAssumedUnchanged: boolean;
}

export interface Time {
  readonly seconds: number;
  readonly nanoseconds: number;
}

const OID_BYTES = 20;
const HEADER_BYTES = 12;
const FIXED_BYTES = 62;
const ASSUME_VALID = 0x8000;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;
const INTENT_TO_ADD = 0x2000;
const STAGE_SHIFT = 12;
/** Extensions without which the entries are incomplete, with the name of their format. */
const REQUIRED_EXTENSIONS = new Map([
  ['link', 'has a split index'],
  ['sdir', 'has a sparse index'],
]);

/** The entries of an index by path, or why it cannot be read. */
export type IndexResult =
  | { readonly entries: readonly IndexEntry[] }
  | { readonly damage: string }
  | { readonly unsupported: string };

/** Parses an index with SHA-1 ids, versions 2 to 4. Does not verify its checksum. */
export function parseIndex(bytes: Uint8Array): IndexResult {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - OID_BYTES;
  if (end < HEADER_BYTES || view.getUint32(0) !== 0x44495243 /* DIRC */)
    return { damage: 'its index has no valid header' };
  const version = view.getUint32(4);
  if (version < 2 || version > 4) return { unsupported: `has an index of version ${version}` };
  const count = view.getUint32(8);
  const entries: IndexEntry[] = [];
  let at = HEADER_BYTES;
  let path = '';
  for (let read = 0; read < count; read++) {
    if (at + FIXED_BYTES > end) return { damage: 'its index ends too early' };
    const flags = view.getUint16(at + 60);
    const isExtended = (flags & EXTENDED) !== 0;
    const extended = isExtended ? view.getUint16(at + FIXED_BYTES) : 0;
    let from = at + FIXED_BYTES + (isExtended ? 2 : 0);
    let kept = '';
    if (version === 4) {
      const { value, next } = readOffset(bytes, from);
      kept = path.slice(0, Math.max(0, path.length - value));
      from = next;
    }
    const to = bytes.indexOf(0, from);
    if (to < 0 || to >= end) return { damage: 'its index ends too early' };
    path = kept + binaryText(bytes.subarray(from, to));
    entries.push({
      path: decodePath(path),
      mode: view.getUint32(at + 24),
      oid: hex(bytes.subarray(at + 40, at + 40 + OID_BYTES)),
      size: view.getUint32(at + 36),
      changed: timeAt(view, at),
      modified: timeAt(view, at + 8),
      isUnmerged: ((flags >> STAGE_SHIFT) & 3) !== 0,
      isIntended: (extended & INTENT_TO_ADD) !== 0,
      isAssumedUnchanged: (flags & ASSUME_VALID) !== 0 || (extended & SKIP_WORKTREE) !== 0,
    });
    at = version === 4 ? to + 1 : at + ((to - at + 8) & ~7);
  }
  for (; at + 8 <= end; at += 8 + view.getUint32(at + 4)) {
    const extension = REQUIRED_EXTENSIONS.get(binaryText(bytes.subarray(at, at + 4)));
    if (extension !== undefined) return { unsupported: extension };
  }
  return { entries };
}

function timeAt(view: DataView, at: number): Time {
  return { seconds: view.getUint32(at), nanoseconds: view.getUint32(at + 4) };
}

/** Reads git's offset encoding: 7 bits per byte, high ones first, each further byte adding 1. */
function readOffset(bytes: Uint8Array, from: number): { value: number; next: number } {
  let at = from;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes[at++] ?? 0;
    value = ((value + 1) << 7) | (byte & 0x7f);
  }
  return { value, next: at };
}

/** Returns one character per byte, so that paths can be cut at bytes. */
function binaryText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function decodePath(binary: string): string {
  return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
