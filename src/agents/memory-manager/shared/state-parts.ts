import type { StateContent } from '../../../model/state.js';
import { cutToJsonLength, jsonLength } from '../../../toolkit/answer-limit.js';

/**
 * Room for the content in one part, in characters as JSON. It leaves enough for the other fields of
 * `loadState`.
 */
const MAX_PART_CHARACTERS = 28_000;

/**
 * The fields of a state's content, in the order in which `loadState` returns them. What matters
 * most comes first.
 */
const FIELDS = [
  'activeTask',
  'nextSteps',
  'activeFiles',
  'tags',
  'description',
  'conversationContext',
] as const;

/**
 * A part of a state's content. Texts continue those of the part before; lists have further entries.
 */
export type StatePart = Partial<Pick<StateContent, (typeof FIELDS)[number]>>;

/** Splits the content of a state into parts that fit into an answer; most states have one. */
export function splitState(content: StatePart): [StatePart, ...StatePart[]] {
  const parts = new PartBuilder();
  for (const field of FIELDS) {
    const value = content[field];
    if (typeof value === 'string') parts.addText(field, value);
    else if (value) parts.addList(field, value);
  }
  return parts.end();
}

class PartBuilder {
  readonly #done: StatePart[] = [];
  #part: Record<string, string | string[]> = {};
  #room = MAX_PART_CHARACTERS;

  /** Adds a text, and continues it in further parts if it does not fit. */
  addText(field: string, text: string): void {
    this.#startField(field);
    let piece = this.#take(text);
    this.#part[field] = piece;
    for (let rest = text.slice(piece.length); rest !== ''; rest = rest.slice(piece.length)) {
      this.#next();
      this.#startField(field);
      piece = this.#take(rest);
      this.#part[field] = piece;
    }
  }

  /** Adds a list, and continues it in further parts if it does not fit. An entry is never split. */
  addList(field: string, entries: readonly string[]): void {
    this.#startField(field);
    let list: string[] = [];
    this.#part[field] = list;
    for (const entry of entries) {
      const size = jsonLength(entry) + 1;
      const isEmpty = list.length === 0 && Object.keys(this.#part).length === 1;
      if (size > this.#room && !isEmpty) {
        if (list.length === 0) delete this.#part[field];
        this.#next();
        this.#startField(field);
        list = [];
        this.#part[field] = list;
      }
      list.push(entry);
      this.#room -= size;
    }
  }

  end(): [StatePart, ...StatePart[]] {
    const [first, ...others] = this.#done;
    return first ? [first, ...others, this.#part] : [this.#part];
  }

  #startField(field: string): void {
    this.#room -= jsonLength(field) + 4;
  }

  #take(text: string): string {
    const piece = jsonLength(text) <= this.#room ? text : cutToJsonLength(text, this.#room);
    this.#room -= jsonLength(piece);
    return piece;
  }

  #next(): void {
    this.#done.push(this.#part);
    this.#part = {};
    this.#room = MAX_PART_CHARACTERS;
  }
}
