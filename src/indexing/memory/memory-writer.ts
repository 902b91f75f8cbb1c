import type { SearchDocument } from '../../search/documents/documents.js';
import { embedDocumentSteps } from '../../search/vectors/embed.js';
import type { EmbedderSource } from '../../search/vectors/embedder-source.js';
import { documentToEmbed } from '../../search/documents/memory-documents.js';
import type { Scheduler } from '../../platform/scheduler.js';
import type { KeptIndex } from '../persistent-index.js';
import { runSliced } from '../../platform/run-sliced.js';

/** Writes memories into a search index, and knows whether anything is to be kept. */
export interface MemoryWriter {
  /** Takes in the words of a memory; what it means is told by `embed`. */
  readonly put: (kept: KeptIndex, document: SearchDocument) => Promise<void>;
  readonly isLackingMeaning: (kept: KeptIndex, key: string) => boolean;
  /** Tells what a memory means, where that is lacking. */
  readonly embed: (kept: KeptIndex, document: SearchDocument) => Promise<void>;
  readonly forget: (kept: KeptIndex, key: string) => void;
  /** Something else has changed that is to be kept. */
  readonly noteChange: () => void;
  /** Whether anything has changed since this was last asked. */
  readonly takeChange: () => boolean;
  readonly isChanged: () => boolean;
}

interface MemoryWriterOptions {
  readonly meaning: EmbedderSource | undefined;
  readonly mostVectors: number;
  readonly scheduler: Scheduler;
}

export function createMemoryWriter({
  meaning,
  mostVectors,
  scheduler,
}: MemoryWriterOptions): MemoryWriter {
  let isChanged = false;
  const isLackingMeaning = ({ vectors }: KeptIndex, key: string) =>
    meaning !== undefined && !vectors.has(key) && vectors.size() < mostVectors;
  return {
    isLackingMeaning,
    async put({ index, vectors }, document) {
      if (!(await runSliced(index.putSteps(document), { scheduler }))) return;
      isChanged = true;
      vectors.remove(document.key);
    },
    async embed(kept, document) {
      if (!meaning || !isLackingMeaning(kept, document.key)) return;
      await scheduler.yieldIfDue();
      kept.vectors.put(
        document.key,
        await runSliced(embedDocumentSteps(meaning, documentToEmbed(document)), { scheduler }),
      );
      isChanged = true;
    },
    forget({ index, vectors }, key) {
      if (!index.remove(key)) return;
      vectors.remove(key);
      isChanged = true;
    },
    noteChange: () => void (isChanged = true),
    takeChange() {
      const wasChanged = isChanged;
      isChanged = false;
      return wasChanged;
    },
    isChanged: () => isChanged,
  };
}
