import * as crypto from 'node:crypto';
import * as timers from 'node:timers';
import type { MemoryLog } from '../../src/indexing/memory/memory-index.js';
import type { NoteSource } from '../../src/indexing/notes/note-source.js';
import {
  createSearchService,
  DESKTOP_LIMITS,
  type SearchService,
} from '../../src/indexing/search-service.js';
import { emptyMemory } from '../../src/model/memory.js';
import { createNodeClock, createNodeRandom } from '../../src/node/ports/host-ports.js';
import type { Blobs } from '../../src/platform/blobs.js';
import { createEmbedderSource } from '../../src/search/vectors/embedder-source.js';

/** Creates an empty store in memory. */
export function createBlobs(): Blobs {
  const records = new Map<string, Uint8Array<ArrayBuffer>>();
  return {
    names: () => Promise.resolve([...records.keys()]),
    load: (name) => Promise.resolve(records.get(name)),
    save(blobs, obsolete = []) {
      for (const { name, bytes } of blobs) records.set(name, bytes);
      for (const name of obsolete) records.delete(name);
      return Promise.resolve();
    },
  };
}

/** A log without states, records and calls. */
export const NO_LOG: MemoryLog = {
  memory: () => Promise.resolve(emptyMemory),
  traceList: () => Promise.resolve({ entries: [], count: 0 }),
  tracesAt: () => Promise.resolve([]),
};

/** Creates the program's search, with the packed embedding table if there is one. */
export function createService(
  log: MemoryLog,
  notes: NoteSource,
  blobs: Blobs,
  packed?: string,
  embeddings = 0,
): SearchService {
  return createSearchService({
    log,
    notes,
    blobs,
    clock: createNodeClock(timers),
    random: createNodeRandom(crypto),
    limits: DESKTOP_LIMITS,
    maxWaitMs: { words: Infinity, embeddings },
    skippedFolders: () => Promise.resolve([]),
    embedder: packed === undefined ? undefined : createEmbedderSource(packed),
    yieldToHost: () => new Promise((resolve) => setImmediate(resolve)),
    warn: (message) => {
      throw new Error(message);
    },
  });
}
