/** Text of a passage, each of whose words counts `weight` times. */
export interface WeightedText {
  /** Shown in the explanation of a hit: `title`, `heading`, `text` ... */
  readonly name: string;
  readonly text: string;
  readonly weight: number;
}

/** Main text of a passage, for excerpts and for detecting duplicates. */
export const MAIN_TEXT = 'text';

/** Unit of ranking: a part of a note, or a whole state or trace. */
export type Passage = readonly WeightedText[];

export function passageText(passage: Passage): string {
  return passage.map(({ text }) => text).join('. ');
}

/** Unit that is added, changed, found and removed, by its key. */
export interface SearchDocument {
  /** Path in the vault, or id of a state or trace. */
  readonly key: string;
  /** Two 32-bit numbers that change with the content; see `hashText`. */
  readonly hash: readonly [number, number];
  /** Milliseconds since 1970, for date ranges and the order of hits with equal scores. */
  readonly time: number;
  /** Names that find exactly this document, such as a note's file name, title and aliases. */
  readonly names?: readonly string[];
  /** Returned with each hit; see `encodePlaces`. */
  readonly stored?: Uint8Array;
  /** At least one. */
  readonly passages: readonly Passage[];
  /** Exact values to filter by, such as `tag:garden` or `property:status=done`; lower case. */
  readonly labels: readonly string[];
}
