import { runSliced } from '../../platform/run-sliced.js';
import type { Scheduler } from '../../platform/scheduler.js';
import {
  embedDocumentSteps,
  type EmbedderSource,
  type SearchDocument,
} from '../../search/index.js';
import { documentToEmbed } from './memory-documents.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';

interface MemoryWriterOptions {
  readonly embedder: EmbedderSource | undefined;
  readonly maxVectors: number;
  readonly scheduler: Scheduler;
}

export type MemoryWriter = ReturnType<typeof createMemoryWriter>;

/** Writes documents into a search index, and tracks if anything has to be persisted. */
export function createMemoryWriter({ embedder, maxVectors, scheduler }: MemoryWriterOptions) {
  let isChanged = false;
  /** Returns true if a document has no vectors but could be embedded. */
  const isMissingVectors = ({ vectors }: PersistentIndex, key: string) =>
    embedder !== undefined && !vectors.has(key) && vectors.size() < maxVectors;
  return {
    isMissingVectors,
    hasAllVectors: ({ index, vectors }: PersistentIndex) =>
      !embedder || vectors.docs() >= index.size(),
    /** Indexes the words only. */
    async put({ index, vectors }: PersistentIndex, document: SearchDocument): Promise<void> {
      if (!(await runSliced(index.putSteps(document), { scheduler }))) return;
      isChanged = true;
      vectors.remove(document.key);
    },
    /** Embeds a document unless it already has vectors, or cannot have any. */
    async embed(index: PersistentIndex, document: SearchDocument): Promise<void> {
      if (!embedder || !isMissingVectors(index, document.key)) return;
      await scheduler.yieldIfDue();
      const steps = embedDocumentSteps(embedder, documentToEmbed(document));
      index.vectors.put(document.key, await runSliced(steps, { scheduler }));
      isChanged = true;
    },
    remove({ index, vectors }: PersistentIndex, key: string): void {
      if (!index.remove(key)) return;
      vectors.remove(key);
      isChanged = true;
    },
    /** Records that something other than the documents has to be persisted. */
    markChanged(): void {
      isChanged = true;
    },
    /** Returns true if anything has changed since the last call. */
    takeChanged(): boolean {
      const wasChanged = isChanged;
      isChanged = false;
      return wasChanged;
    },
    isChanged: () => isChanged,
  };
}
