import { describe } from 'vitest';
import { blobsContract } from '../contracts/blobs.js';
import { createMemoryBlobs } from '../fakes/memory-blobs.js';

describe('in-memory blobs', () => {
  blobsContract(() => createMemoryBlobs());
});
