import { textsOf, type StateParams } from './material.js';

/** A state as a Markdown note. */
export interface Note {
  readonly path: string;
  readonly lines: readonly string[];
}

/** Returns one note per state, as somebody keeps them who searches with grep. */
export function notesOf(states: readonly StateParams[]): Note[] {
  return states.map((state) => ({ path: `${state.name}.md`, lines: textsOf(state) }));
}
