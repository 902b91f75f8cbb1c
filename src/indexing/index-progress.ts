/** Number of indexed items (`done`), and of all items. */
export interface IndexProgress {
  readonly done: number;
  readonly total: number;
}

/**
 * Stages of indexing: notes can first be found by their names, then by their words, then by their
 * embeddings.
 */
export type IndexStage = 'names' | 'words' | 'embeddings';
