import { compareStamps, compareText, versionKey, type Json, type Stamp } from './event.js';
import { firstIndex } from './sorted/first-index.js';
import {
  emptyMap,
  mapEntries,
  mapGet,
  mapSet,
  type Owner,
  type PersistentMap,
} from './persistent-map.js';

export interface Version {
  readonly value: Json;
  readonly at: Stamp;
}

/**
 * The value at one path of an entity: the latest version that no other replaces. An edit names the
 * versions that it replaces, so it wins even over those whose clocks were ahead.
 */
export interface Register extends Version {
  /** Other unreplaced versions, latest first, by devices that did not know of each other. */
  readonly rivals: readonly Version[];
  /** Keys (`versionKey`) of all versions that another one replaces. */
  readonly replaced: PersistentMap<true>;
  /** Latest replaced version. Current only if versions replace each other in a (forged) cycle. */
  readonly lastReplaced: Version | undefined;
}

const NO_RIVALS: readonly Version[] = [];
const NONE_REPLACED: PersistentMap<true> = emptyMap();

/** Returns the register with one more version, in any order, which replaces those with the keys. */
export function withVersion(
  register: Register | undefined,
  version: Version,
  replaces: readonly string[],
  owner?: Owner,
): Register {
  if (register && replaces.length === 0 && !isReplacedIn(register, register)) {
    const added = withRival(register, version);
    if (added) return added;
  }
  const versions = register ? unreplaced(register) : []; // before `replaced` changes in place
  let replaced = register?.replaced ?? NONE_REPLACED;
  for (const key of replaces)
    if (!mapGet(replaced, key)) replaced = mapSet(replaced, key, true, owner);
  return newRegister([...versions, version], replaced, register?.lastReplaced);
}

/**
 * Returns the register with a version that replaces none, without reading all of the others: a
 * forged file may contain thousands. Undefined if the version itself is replaced.
 */
function withRival(register: Register, version: Version): Register | undefined {
  if (isReplacedIn(register, version)) return undefined;
  const { value, at, rivals } = register;
  const order = latestFirst(version, register);
  if (order === 0) return register;
  if (order < 0) return { ...register, ...version, rivals: [{ value, at }, ...rivals] };
  const place = firstIndex(rivals.length, (index) => latestFirst(version, rivals[index]!) <= 0);
  const next = rivals[place];
  if (next && latestFirst(version, next) === 0) return register;
  return { ...register, rivals: [...rivals.slice(0, place), version, ...rivals.slice(place)] };
}

function isReplacedIn({ replaced }: Register, { at }: Version): boolean {
  return mapGet(replaced, versionKey(at)) === true;
}

export function mergeRegister(a: Register, b: Register): Register {
  let { replaced } = a;
  for (const [key] of mapEntries(b.replaced)) replaced = mapSet(replaced, key, true);
  const last = [a.lastReplaced, b.lastReplaced].filter((version) => version !== undefined);
  return newRegister([...unreplaced(a), ...unreplaced(b)], replaced, last.sort(latestFirst)[0]);
}

/** Maximum number of rivals by devices that did not know of each other. */
export const MAX_RIVALS = 100;

/** Limits the versions that an edit names, and so the length of its line. */
export const MAX_REPLACED = 1000;

/** Returns the keys of the versions that an edit of this register replaces, latest first. */
export function replaceableKeys(register: Register): string[] {
  const { at, rivals } = register;
  return [{ at }, ...rivals.slice(0, MAX_REPLACED - 1)].map((version) => versionKey(version.at));
}

export function hasVersion(register: Register, version: Version): boolean {
  return (
    mapGet(register.replaced, versionKey(version.at)) === true ||
    unreplaced(register).some((known) => latestFirst(known, version) === 0)
  );
}

function unreplaced(register: Register): Version[] {
  const { value, at, rivals, replaced } = register;
  return mapGet(replaced, versionKey(at)) ? [] : [{ value, at }, ...rivals];
}

/** Creates a register. `versions` may contain replaced versions and duplicates. */
function newRegister(
  versions: readonly Version[],
  replaced: PersistentMap<true>,
  lastReplaced: Version | undefined,
): Register {
  const [only] = versions;
  if (versions.length === 1 && replaced === NONE_REPLACED)
    return { ...only!, rivals: NO_RIVALS, replaced, lastReplaced };
  const isReplaced = ({ at }: Version) => mapGet(replaced, versionKey(at)) === true;
  const [latest, ...rivals] = versions
    .filter((version) => !isReplaced(version))
    .sort(latestFirst)
    .filter((version, at, all) => at === 0 || latestFirst(all[at - 1]!, version) !== 0);
  const last = [...versions.filter(isReplaced), ...(lastReplaced ? [lastReplaced] : [])].sort(
    latestFirst,
  )[0];
  const current = latest ?? last!;
  return {
    value: current.value,
    at: current.at,
    rivals: rivals.length > 0 ? rivals : NO_RIVALS,
    replaced,
    lastReplaced: last,
  };
}

/** Orders versions latest first. Only forged lines share a stamp; their texts decide. */
function latestFirst(a: Version, b: Version): number {
  return compareStamps(b.at, a.at) || compareText(JSON.stringify(b.value), JSON.stringify(a.value));
}
