import type { StateHead } from '../../model/lookup.js';
import { hashText } from '../../platform/bytes/hash.js';

/** Two 32-bit numbers. */
export type StateHash = readonly [low: number, high: number];

/** A state that is read when it is needed. */
export type ListedState = Pick<StateHead, 'entity' | 'displayName' | 'read'>;

/** The states of a workspace that are not archived, by their keys in the index. */
export class StateList {
  readonly #states = new Map<string, ListedState>();
  #low = 0;
  #high = 0;

  get size(): number {
    return this.#states.size;
  }

  /** Sum of the hashes of all states. Equal digests mean equal states. */
  get digest(): StateHash {
    return [this.#low, this.#high];
  }

  get(key: string): ListedState | undefined {
    return this.#states.get(key);
  }

  has(key: string): boolean {
    return this.#states.has(key);
  }

  entries(): [string, ListedState][] {
    return [...this.#states];
  }

  set(key: string, state: ListedState): void {
    this.delete(key);
    this.#states.set(key, state);
    this.#addToDigest(state, 1);
  }

  delete(key: string): void {
    const state = this.#states.get(key);
    if (!state) return;
    this.#states.delete(key);
    this.#addToDigest(state, -1);
  }

  #addToDigest(state: ListedState, sign: 1 | -1): void {
    const [low, high] = hashOf(state);
    this.#low = (this.#low + sign * low) >>> 0;
    this.#high = (this.#high + sign * high) >>> 0;
  }
}

/**
 * Hashes what identifies the content of a state, so that its texts need not be read to see that it
 * has not changed.
 */
export function hashOf({ entity: { created }, displayName }: Omit<ListedState, 'read'>): StateHash {
  return hashText(`${created?.w} ${created?.n} ${created?.c} ${displayName}`);
}
