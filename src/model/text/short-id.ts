import type { Stamp } from '../event.js';

/**
 * Length of a short id, by the letter that an id begins with: a state's has 25 random bits, a
 * trace's 24.
 */
const SHORT_LENGTHS: Readonly<Record<string, number>> = { s: 6, t: 7 };

/** Returns the id of a state as tools show it. `id` is the state's entity id. */
export function stateRef(id: string): string {
  return `s${id}`;
}

/**
 * Returns the id of a trace as tools show it. It is derived from the stamp, so that a trace is
 * found without reading it.
 */
export function traceRef({ c, w, n }: Pick<Stamp, 'c' | 'w' | 'n'>): string {
  return `t${c}${w}${n}`;
}

/**
 * Returns the beginning of an id, which is enough to find its item unless another id begins in the
 * same way.
 */
export function shortId(ref: string): string {
  return ref.slice(0, SHORT_LENGTHS[ref.charAt(0)]);
}

/**
 * Returns the shortest beginnings that tell these ids apart. None is shorter than its `shortId`.
 */
export function distinctIds(refs: readonly string[]): string[] {
  return refs.map((ref) => {
    const others = refs.filter((other) => other !== ref);
    let length = shortId(ref).length;
    while (length < ref.length && others.some((other) => other.startsWith(ref.slice(0, length))))
      length++;
    return ref.slice(0, length);
  });
}
