import * as z from 'zod';
import type { Memory } from '../../../model/memory.js';
import { shownPath } from '../../../model/paths.js';
import { stateRecordTexts } from '../../../model/records/state-records.js';
import type { State, StateContent } from '../../../model/state.js';
import { isTextList } from '../../../model/text/json-fields.js';
import { visibleText } from '../../../model/text/visible-text.js';
import { cutToJsonLength, jsonLength } from '../../../toolkit/answer-limit.js';

/** Room for one part, in characters as JSON. The rest is for other fields of `loadState`. */
const MAX_PART_CHARACTERS = 28_000;

/** A state's content as tools return it, most important first. */
export const contentOutput = {
  activeTask: z.string().optional(),
  nextSteps: z.array(z.string()).optional(),
  decisions: z.array(z.string()).optional().describe('In brackets: what has become of them'),
  questions: z.array(z.string()).optional(),
  activeFiles: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  description: z.string().optional(),
  conversationContext: z.string().optional(),
};

const FIELDS = Object.keys(contentOutput) as (keyof typeof contentOutput)[];

/** A part of a state's content. Its texts and lists continue those of the part before. */
export type StatePart = Partial<Pick<StateContent, (typeof FIELDS)[number]>>;

/**
 * Returns the content as shown: files with their project, decisions and questions with their
 * outcome. Empty lists of these are absent.
 */
export function shownContent(memory: Memory, state: State): StatePart {
  const { decisions, questions } = stateRecordTexts(memory, state);
  return {
    ...state,
    activeFiles: state.activeFiles.map((path) => shownPath(path, state.projectName)),
    decisions: decisions.length > 0 ? decisions : undefined,
    questions: questions.length > 0 ? questions : undefined,
  };
}

/** Splits a state's content into parts that fit into an answer, with hidden characters visible. */
export function splitState(content: StatePart): [StatePart, ...StatePart[]] {
  return splitFields(content, FIELDS);
}

/** Splits these fields, most important first, and omits all others. */
export function splitFields<T extends object>(
  content: T,
  fields: readonly (keyof T & string)[],
): [Partial<T>, ...Partial<T>[]] {
  const parts = new PartBuilder();
  for (const field of fields) {
    const value: unknown = content[field];
    if (typeof value === 'string') parts.addText(field, visibleText(value));
    else if (isTextList(value)) parts.addList(field, value.map(visibleText));
  }
  return parts.end() as [Partial<T>, ...Partial<T>[]];
}

class PartBuilder {
  readonly #done: Record<string, string | string[]>[] = [];
  #part: Record<string, string | string[]> = {};
  #room = MAX_PART_CHARACTERS;

  /** Adds a text that may continue in further parts. */
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

  /** Adds a list that may continue in further parts. Splits only entries longer than a part. */
  addList(field: string, entries: readonly string[]): void {
    let list = this.#startList(field);
    for (const entry of entries) {
      const isEmpty = list.length === 0 && Object.keys(this.#part).length === 1;
      if (jsonLength(entry) + 1 > this.#room && !isEmpty) list = this.#continueList(field, list);
      let piece = this.#take(entry);
      list.push(piece);
      for (let rest = entry.slice(piece.length); rest !== ''; rest = rest.slice(piece.length)) {
        list = this.#continueList(field, list);
        piece = this.#take(rest);
        list.push(piece);
      }
      this.#room -= 1;
    }
  }

  end() {
    const [first, ...others] = this.#done;
    return first ? [first, ...others, this.#part] : [this.#part];
  }

  #startField(field: string): void {
    this.#room -= jsonLength(field) + 4;
  }

  #startList(field: string): string[] {
    this.#startField(field);
    const list: string[] = [];
    this.#part[field] = list;
    return list;
  }

  #continueList(field: string, list: readonly string[]): string[] {
    if (list.length === 0) delete this.#part[field];
    this.#next();
    return this.#startList(field);
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
