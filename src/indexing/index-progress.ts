/** Number of indexed items, and of all items. */
export interface IndexProgress {
  readonly done: number;
  readonly total: number;
}

/** Notes can first be found by their names, then by their words, then by their embeddings. */
export type IndexStage = 'names' | 'words' | 'embeddings';
