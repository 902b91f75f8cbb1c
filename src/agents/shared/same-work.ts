import type { Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import { isInChain } from '../../model/states/pieces.js';
import { stateTexts, type State } from '../../model/state.js';
import { wordsOf } from '../../search/index.js';
import type { ToolCall } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { liveStates } from './lookups.js';

/** Share of what tells states from others that states of the same work have in common. */
const MIN_SHARE = 0.25;

/** Guesses which of some states are of the same work. A wrong guess must only cost an order. */
export class WorkGuesses {
  readonly #rarity: (stem: string) => number;
  /** Of all that a state says. */
  readonly #weights = new Map<State, number>();

  constructor(states: readonly State[]) {
    const counts = new Map<string, number>();
    for (const state of states)
      for (const stem of stemsOf(state)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    // what only one state says links nothing
    this.#rarity = (stem) => {
      const count = counts.get(stem) ?? 0;
      return count < 2 ? 0 : Math.log(states.length / count);
    };
  }

  /** Returns true if two states of a workspace share a file, or enough of their rare words. */
  isSameWork(memory: Memory, a: State, b: State): boolean {
    if (a.workspaceId !== b.workspaceId) return false;
    if (a.activeFiles.some((path) => b.activeFiles.includes(path))) return true;
    // who states chains tells pieces of work apart
    if (isInChain(memory, a) && isInChain(memory, b)) return false;
    const larger = Math.max(this.#weightOf(a), this.#weightOf(b));
    const other = stemsOf(b);
    let shared = 0;
    for (const stem of stemsOf(a)) if (other.has(stem)) shared += this.#rarity(stem);
    return larger > 0 && shared / larger >= MIN_SHARE;
  }

  #weightOf(state: State): number {
    const known = this.#weights.get(state);
    if (known !== undefined) return known;
    let sum = 0;
    for (const stem of stemsOf(state)) sum += this.#rarity(stem);
    this.#weights.set(state, sum);
    return sum;
  }
}

const known = new WeakMap<State, ReadonlySet<string>>();

function stemsOf(state: State): ReadonlySet<string> {
  const found =
    known.get(state) ??
    new Set(
      wordsOf(stateTexts(state).join('\n')).flatMap(({ stems, isStop }) =>
        isStop ? [] : stems.slice(-1),
      ),
    );
  known.set(state, found);
  return found;
}

/** Newest states of a workspace that are compared. */
const MAX_COMPARED = 60;

/** Returns the newest states of a workspace that are not archived. */
export async function recentStates(
  call: Pick<ToolCall<Services>, 'memory' | 'services'>,
  workspaceId: string,
): Promise<Named<State>[]> {
  const states: Named<State>[] = [];
  for await (const state of liveStates(call, workspaceId))
    if (states.push(state) === MAX_COMPARED) break;
  return states;
}

/** Returns states that are perhaps of the same work as a state, newest first. */
export async function statesOfSimilarWork(
  call: Pick<ToolCall<Services>, 'memory' | 'services'>,
  { item }: Named<State>,
): Promise<Named<State>[]> {
  const states = await recentStates(call, item.workspaceId);
  const guesses = new WorkGuesses([item, ...states.map((each) => each.item)]);
  return states.filter(
    (each) => each.item.id !== item.id && guesses.isSameWork(call.memory, item, each.item),
  );
}
