import type { Memory } from '../../model/memory.js';
import { nameKey, nameProblem } from '../../model/names.js';
import { mapGet } from '../../model/persistent-map.js';
import { withoutHidden } from '../../model/text/visible-text.js';
import { truncate } from '../../model/text/truncate.js';

/** An item that could not keep its name from the source. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
}

const MAX_NAME_LENGTH = 200;
/** Leaves room for the suffix and a number. */
const MAX_NUMBERED_NAME_LENGTH = 180;

export type NameAllocator = ReturnType<typeof createNameAllocator>;

/** Respects the names in `memory`. `suffix` is the source's name, for items whose name is taken. */
export function createNameAllocator(memory: Memory, suffix: string) {
  const allocated = new Map<string, string>();
  const counts = new Map<string, number>();
  const renamings: Renaming[] = [];

  function isFree(name: string, scope: string, entity: string): boolean {
    const key = nameKey(name);
    const scoped = mapGet(memory.names, scope);
    const ids = (scoped && mapGet(scoped, key)) ?? [];
    return (
      ids.every((id) => id === entity) && (allocated.get(`${scope} ${key}`) ?? entity) === entity
    );
  }

  function firstFree(wanted: string, scope: string, entity: string): string {
    const bare = truncate(wanted, MAX_NUMBERED_NAME_LENGTH);
    const countKey = `${scope} ${nameKey(bare)}`;
    if (isFree(wanted, scope, entity)) return wanted;
    for (let count = (counts.get(countKey) ?? 0) + 1; ; count++) {
      const number = count === 1 ? '' : ` ${count}`;
      const name = `${bare} (${suffix}${number})`;
      if (!isFree(name, scope, entity)) continue;
      counts.set(countKey, count);
      return name;
    }
  }

  return {
    /** Returns `wanted` or, if another entity of the scope has it, a name derived from it. */
    allocate(wanted: string, scope: string, entity: string): string {
      const name = firstFree(validName(wanted), scope, entity);
      allocated.set(`${scope} ${nameKey(name)}`, entity);
      if (name !== wanted) renamings.push({ from: wanted, to: name });
      return name;
    },
    /** Returns true if this import or an earlier one may have allocated `name` for `wanted`. */
    isDerivedFrom: (name: string, wanted: string) =>
      name === validName(wanted) ||
      name.startsWith(`${truncate(validName(wanted), MAX_NUMBERED_NAME_LENGTH)} (${suffix}`),
    renamings,
  };
}

/** Returns the text if it is a valid name, else the closest valid one. */
export function validName(text: string): string {
  if (nameProblem(text) === undefined) return text;
  const plain = truncate(
    withoutHidden(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')).trim(),
    MAX_NAME_LENGTH,
  );
  return nameProblem(plain) === undefined ? plain : 'Untitled';
}
