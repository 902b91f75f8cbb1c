import type { Memory } from '../../model/memory.js';
import { nameKey, nameProblem } from '../../model/names.js';
import { mapGet } from '../../model/persistent-map.js';

/** A thing that could not keep the name that it had elsewhere. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** Gives out names that nothing else in the scope bears. */
export interface Naming {
  /** A name like `wanted` that is free in the scope, but for the entity itself. */
  give(wanted: string, scope: string, entity: string): string;
  /** Whether a name is one that was given out for `wanted`, now or before. */
  isFor(name: string, wanted: string): boolean;
  readonly renamings: readonly Renaming[];
}

const LONGEST = 200;
/** Room for a number behind a name that is taken. */
const LONGEST_BARE = 180;

/** Names beside those in the memory; `suffix` tells where a thing came from whose name is taken. */
export function createNaming(memory: Memory, suffix: string): Naming {
  const given = new Map<string, string>();
  const counts = new Map<string, number>();
  const renamings: Renaming[] = [];

  function isFree(name: string, scope: string, entity: string): boolean {
    const key = nameKey(name);
    const scoped = mapGet(memory.names, scope);
    const ids = (scoped && mapGet(scoped, key)) ?? [];
    return ids.every((id) => id === entity) && (given.get(`${scope} ${key}`) ?? entity) === entity;
  }

  function firstFree(wanted: string, scope: string, entity: string): string {
    const bare = cut(wanted, LONGEST_BARE);
    const counted = `${scope} ${nameKey(bare)}`;
    if (isFree(wanted, scope, entity)) return wanted;
    for (let count = (counts.get(counted) ?? 0) + 1; ; count++) {
      const name = `${bare} (${suffix}${count === 1 ? '' : ` ${count}`})`;
      if (!isFree(name, scope, entity)) continue;
      counts.set(counted, count);
      return name;
    }
  }

  return {
    give(wanted, scope, entity) {
      const name = firstFree(plainName(wanted), scope, entity);
      given.set(`${scope} ${nameKey(name)}`, entity);
      if (name !== wanted) renamings.push({ from: wanted, to: name });
      return name;
    },
    isFor: (name, wanted) =>
      name === plainName(wanted) ||
      name.startsWith(`${cut(plainName(wanted), LONGEST_BARE)} (${suffix}`),
    renamings,
  };
}

/** The name itself where it may be one here; else what is nearest to it. */
export function plainName(text: string): string {
  if (nameProblem(text) === undefined) return text;
  const plain = cut(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(), LONGEST);
  return nameProblem(plain) === undefined ? plain : 'Untitled';
}

function cut(text: string, limit: number): string {
  const characters = Array.from(text);
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : text;
}
