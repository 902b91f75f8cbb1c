/** Receives the part of a text that is a secret. */
export type AddSpan = (start: number, end: number) => void;
