import { runSliced } from '../../platform/run-sliced.js';
import type { Scheduler } from '../../platform/scheduler.js';
import {
  embedDocumentSteps,
  type EmbedderSource,
  type SearchDocument,
} from '../../search/index.js';
import { documentToEmbed } from './memory-documents.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';

/** Writes documents into a search index, and tracks if anything has to be persisted. */
export interface MemoryWriter {
  /** Indexes the words only. */
  put(index: PersistentIndex, document: SearchDocument): Promise<void>;
  /** Returns true if a document has no vectors but could be embedded. */
  isMissingVectors(index: PersistentIndex, key: string): boolean;
  hasAllVectors(index: PersistentIndex): boolean;
  /** Embeds a document unless it already has vectors, or cannot have any. */
  embed(index: PersistentIndex, document: SearchDocument): Promise<void>;
  remove(index: PersistentIndex, key: string): void;
  /** Records that something other than the documents has to be persisted. */
  markChanged(): void;
  /** Returns true if anything has changed since the last call. */
  takeChanged(): boolean;
  isChanged(): boolean;
}

interface MemoryWriterOptions {
  readonly embedder: EmbedderSource | undefined;
  readonly maxVectors: number;
  readonly scheduler: Scheduler;
}

export function createMemoryWriter({
  embedder,
  maxVectors,
  scheduler,
}: MemoryWriterOptions): MemoryWriter {
  let isChanged = false;
  const isMissingVectors = ({ vectors }: PersistentIndex, key: string) =>
    embedder !== undefined && !vectors.has(key) && vectors.size() < maxVectors;
  return {
    isMissingVectors,
    hasAllVectors: ({ index, vectors }) => !embedder || vectors.docs() >= index.size(),
    async put({ index, vectors }, document) {
      if (!(await runSliced(index.putSteps(document), { scheduler }))) return;
      isChanged = true;
      vectors.remove(document.key);
    },
    async embed(index, document) {
      if (!embedder || !isMissingVectors(index, document.key)) return;
      await scheduler.yieldIfDue();
      const steps = embedDocumentSteps(embedder, documentToEmbed(document));
      index.vectors.put(document.key, await runSliced(steps, { scheduler }));
      isChanged = true;
    },
    remove({ index, vectors }, key) {
      if (!index.remove(key)) return;
      vectors.remove(key);
      isChanged = true;
    },
    markChanged() {
      isChanged = true;
    },
    takeChanged() {
      const wasChanged = isChanged;
      isChanged = false;
      return wasChanged;
    },
    isChanged: () => isChanged,
  };
}
