import { describe } from 'vitest';
import { blobsContract } from '../contracts/blobs.js';
import { createMemoryBlobs } from '../fakes/memory-blobs.js';

describe('blobs in memory', () => {
  blobsContract(() => createMemoryBlobs());
});
