import type { VaultPath } from '../../model/paths.js';
import { cutText } from '../../model/text/truncate.js';
import { passageText, type SearchDocument } from '../../search/index.js';

export type EmbeddingRequest = ReturnType<typeof createEmbeddingRequest>;

export interface EmbeddingUsage {
  readonly notes: number;
  readonly texts: number;
  /** As counted by the server, or else estimated. */
  readonly tokens: number;
}

/** Longer texts are cut, because models read only some hundreds of words. */
const MAX_TEXT_CHARACTERS = 4000;
const BYTES_PER_TOKEN = 4;
const BYTES_PER_PASSAGE = 1300;

/** `vectors` receives those of the texts, in the same order, as they arrive. */
export function createEmbeddingRequest(
  path: VaultPath,
  hash: string,
  { passages }: SearchDocument,
) {
  const texts = passages.map((passage) => truncateText(passageText(passage)));
  const vectors: Int8Array[] = [];
  return { path, hash, texts, vectors };
}

export function truncateText(text: string): string {
  return cutText(text, MAX_TEXT_CHARACTERS);
}

export function hashToText(hash: readonly [number, number] | undefined): string | undefined {
  return hash && `${hash[0].toString(36)}-${hash[1].toString(36)}`;
}

/** Estimates the usage of sending notes of these sizes in bytes. */
export function estimateUsage(sizes: readonly number[]): EmbeddingUsage {
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const passages = sizes.map((size) => Math.max(1, Math.round(size / BYTES_PER_PASSAGE)));
  return {
    notes: sizes.length,
    texts: passages.reduce((sum, count) => sum + count, 0),
    tokens: Math.ceil(bytes / BYTES_PER_TOKEN),
  };
}
