import { describe, expect, it } from 'vitest';
import { FOLDER_CACHED_LANES } from '../../../src/storage/read/cache.js';
import { cacheContract } from '../../contracts/cache.js';
import { createMemoryCache } from '../../fakes/memory-cache.js';

describe('the cache in memory', () => {
  cacheContract(() => {
    const cache = createMemoryCache();
    return Promise.resolve({ cache, again: () => cache });
  });
});

it('of a folder on the disk keeps chats and traces, of which most is not read at the start', () => {
  expect(FOLDER_CACHED_LANES).toEqual(['chat', 'trace']);
});
