import { describe, expect, it } from 'vitest';
import { FOLDER_CACHED_LANES } from '../../../src/storage/read/cache.js';
import { cacheContract } from '../../contracts/cache.js';
import { createMemoryCache } from '../../fakes/memory-cache.js';

describe('the in-memory cache', () => {
  cacheContract(() => {
    const cache = createMemoryCache();
    return Promise.resolve({ cache, again: () => cache });
  });
});

it('the cache for folders on disk covers the lanes that are read on demand', () => {
  expect(FOLDER_CACHED_LANES).toEqual(['chat', 'trace', 'session']);
});
