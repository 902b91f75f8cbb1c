import type { Stamp } from '../event.js';

/** By first letter: a state's short id has 25 random bits, a trace's 24. */
const SHORT_LENGTHS: Readonly<Record<string, number>> = { s: 6, t: 7 };

/** Returns an entity id as tools show it. */
export function stateRef(id: string): string {
  return `s${id}`;
}

/** Returns the id that tools show. Its stamp finds the trace without reading it. */
export function traceRef({ c, w, n }: Pick<Stamp, 'c' | 'w' | 'n'>): string {
  return `t${c}${w}${n}`;
}

/** Returns the beginning of an id, which finds its item unless another id begins the same. */
export function shortId(ref: string): string {
  return ref.slice(0, SHORT_LENGTHS[ref.charAt(0)]);
}

/** Returns the shortest beginnings that differ; none is shorter than its `shortId`. */
export function distinctIds(refs: readonly string[]): string[] {
  return refs.map((ref) => {
    const others = refs.filter((other) => other !== ref);
    let length = shortId(ref).length;
    while (length < ref.length && others.some((other) => other.startsWith(ref.slice(0, length))))
      length++;
    return ref.slice(0, length);
  });
}
