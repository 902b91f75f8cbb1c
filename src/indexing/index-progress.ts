/** Number of items that are indexed, of all. */
export interface IndexProgress {
  readonly done: number;
  readonly total: number;
}

/** Notes can be found by their names first, then by their words, then by their embeddings. */
export type IndexStage = 'names' | 'words' | 'embeddings';
