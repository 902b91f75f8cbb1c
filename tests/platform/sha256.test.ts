import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/platform/sha256.js';

describe('sha256', () => {
  it('returns known values', async () => {
    expect(await sha256('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(await sha256('')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  it('encodes text as UTF-8, and hashes only the given view of a buffer', async () => {
    const bytes = new TextEncoder().encode('xünïy');
    expect(await sha256(bytes.subarray(1, bytes.length - 1))).toBe(await sha256('ünï'));
  });
});
