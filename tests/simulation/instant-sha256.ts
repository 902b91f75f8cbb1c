import { createHash } from 'node:crypto';

/** Replaces WebCrypto, whose threads would make a world non-deterministic. */
export function sha256(content: Uint8Array | string): Promise<string> {
  return Promise.resolve(instantSha256(content));
}

export function instantSha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
