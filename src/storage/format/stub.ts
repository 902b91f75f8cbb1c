import type { LogEvent } from '../../model/event.js';
import { isLineHash, lineHash } from './line-hash.js';
import { encodeLine, NEWLINE, type EncodedLine } from './line.js';

/** Type of a stub, which replaces a forgotten line: number, time and chain links, no content. */
export const STUB_TYPE = 'forgotten';

/** Returns the hash of the line that a stub replaces; undefined for any other event. */
export function originalHash(event: Pick<LogEvent, 'v' | 't' | 'd'>): string | undefined {
  if (event.t !== STUB_TYPE || event.v !== 1) return undefined;
  const { hash } = event.d;
  return isLineHash(hash) ? hash : undefined;
}

/** Returns a line's stub; the same bytes on every device, so sync services see no conflict. */
export function encodeStub({ w, n, p, h }: LogEvent, hash: string): EncodedLine {
  return encodeLine({ v: 1, w, n, p, h, t: STUB_TYPE, e: '', d: { hash } });
}

/** Returns the hash by which the chain, watermarks and the digest know a line or its original. */
export function chainHash(event: LogEvent, line: Uint8Array): string {
  return originalHash(event) ?? lineHash(line);
}

/** Returns the bytes of an encoded line without its newline. */
export function withoutNewline({ bytes }: Pick<EncodedLine, 'bytes'>): Uint8Array {
  return bytes.subarray(0, bytes.length - NEWLINE.length);
}
