/** Receives a part of a text that is a secret; `quote` is put around what replaces it. */
export type AddSpan = (start: number, end: number, quote?: string) => void;
