import { describe } from 'vitest';
import { cacheContract } from '../contracts/cache.js';
import { createMemoryCache } from '../fakes/memory-cache.js';

describe('the cache in memory', () => {
  cacheContract(() => {
    const cache = createMemoryCache();
    return Promise.resolve({ cache, again: () => cache });
  });
});
