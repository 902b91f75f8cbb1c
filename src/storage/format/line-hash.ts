import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const HASH_BYTES = 16;

/** The `p` of a writer's first event, which has no predecessor. */
export const CHAIN_START = '0'.repeat(2 * HASH_BYTES);

/** Returns the first 32 hex digits of a line's SHA-256 (no newline). They identify the event. */
export function lineHash(line: Uint8Array): string {
  return bytesToHex(sha256(line).subarray(0, HASH_BYTES));
}

const HASH = /^[0-9a-f]{32}$/;

export function isLineHash(value: unknown): value is string {
  return typeof value === 'string' && HASH.test(value);
}
