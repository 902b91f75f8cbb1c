import { createHash } from 'node:crypto';

/** Stands in for WebCrypto, whose threads answer when they like: a world must run the same way each time. */
export function sha256(content: Uint8Array | string): Promise<string> {
  return Promise.resolve(instantSha256(content));
}

export function instantSha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
