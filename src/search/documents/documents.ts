/** A text of a passage; each of its words counts `weight` times. */
export interface WeightedText {
  /** What it is, for the explanation of a hit: `title`, `heading`, `text` ... */
  readonly name: string;
  readonly text: string;
  readonly weight: number;
}

/** The text that a passage is made for: excerpts are from it, and by it two passages are told to be the same. */
export const MAIN_TEXT = 'text';

/** What is searched and ranked as one: a part of a note, a state, a trace. */
export type Passage = readonly WeightedText[];

/** A passage as one text, to be told what it means. */
export function wordingOf(passage: Passage): string {
  return passage.map(({ text }) => text).join('. ');
}

/** What is added, changed, found and removed as one, by its key. */
export interface SearchDocument {
  /** A path of the vault, or the id of a state or trace. */
  readonly key: string;
  /** Two numbers of 32 bits that change with the content, see `hashText`. */
  readonly hash: readonly [number, number];
  /** Milliseconds since 1970; of equal hits the newer one comes first, and a range of dates asks for it. */
  readonly time: number;
  /** At least one. */
  readonly passages: readonly Passage[];
  /** Exact marks to filter by, such as `tag:garden` or `property:status=done`; lower case. */
  readonly labels: readonly string[];
}
