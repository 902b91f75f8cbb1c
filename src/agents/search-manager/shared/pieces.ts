import type { Named } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import type { State } from '../../../model/state.js';

/** A piece of work: the states that continue each other. */
export interface Piece {
  readonly newest: Named<State>;
  /** Number of the states before the newest one. */
  readonly earlier: number;
}

/** Returns the piece of work that a state belongs to. */
export function pieceOf(_memory: Memory, state: Named<State>): Piece {
  return { newest: state, earlier: 0 };
}
