import type { AppHooks } from '../../../apps/ai-app.js';
import {
  changedFields,
  editConfig,
  isFields,
  type ConfigChange,
  type Fields,
} from '../config-text.js';
import type { JsonPath } from '../json-config.js';
import { programOfHook, type HookSettings } from './hook-settings.js';

const SECTION = 'hooks';
const SUBJECT = 'The hooks';

/** Location of a command in the hooks of an event: the group, and the place in it. */
interface HookPlace {
  readonly group: number;
  readonly item: number;
}

type Format = AppHooks['format'];

/** Adds or updates the hooks. Throws a `Refusal` if the text cannot be edited safely. */
export function setHooks(text: string, format: Format, hooks: HookSettings): string {
  return editConfig(text, format, SECTION, SUBJECT, (data) =>
    Object.entries(hooks).flatMap(([event, groups]): ConfigChange[] => {
      const path = [SECTION, event];
      const existing = hooksIn(data)[event];
      const [place] = ownPlaces(existing);
      if (place) {
        const at = [...path, place.group, 'hooks', place.item];
        return changedFields(commandAt(existing, place), groups[0].hooks[0], at);
      }
      if (existing === undefined || existing === null) return [{ path, value: groups }];
      const { length } = asArray(existing);
      return groups.map((value, at) => ({ path: [...path, length + at], value }));
    }),
  );
}

/** Returns the text without own hooks of some events. Throws the same errors as `setHooks`. */
export function removeHooks(text: string, format: Format, isRemoved = (_event: string) => true) {
  return editConfig(text, format, SECTION, SUBJECT, (data) => {
    const paths = Object.entries(hooksIn(data)).map(([event, groups]) =>
      isRemoved(event) ? removedPaths(groups).map((path) => [event, ...path]) : [],
    );
    // what would be empty is removed as a whole
    const isEmpty = paths.every(([first]) => first?.length === 1);
    return (isEmpty ? [[]] : paths.flat()).map((path) => ({ path: [SECTION, ...path] }));
  });
}

/** Returns the program that own hooks call (see `hookSettings`); undefined if there are none. */
export function programOfHooks(data: Fields): string | undefined {
  return ownHooks(data)[0]?.program;
}

/** Returns own hooks: the client's name of each event, and the program that is called then. */
export function ownHooks(data: Fields): { readonly event: string; readonly program: string }[] {
  return Object.entries(hooksIn(data)).flatMap(([event, groups]) =>
    ownPlaces(groups).flatMap((place) => {
      const program = programOfHook(commandAt(groups, place)['command']);
      return program === undefined ? [] : [{ event, program }];
    }),
  );
}

/** Returns only the groups with own hooks, and only these in them. */
export function onlyOwnHooks(data: Fields): Fields {
  const own = Object.entries(hooksIn(data)).flatMap(([event, groups]) => {
    const kept = asArray(groups).flatMap((group) => {
      const hooks = asArray(isFields(group) ? group['hooks'] : []).filter(isOwn);
      return hooks.length === 0 ? [] : [{ ...(group as Fields), hooks }];
    });
    return kept.length > 0 ? [[event, kept] as const] : [];
  });
  return { [SECTION]: Object.fromEntries(own) };
}

function hooksIn(data: Fields): Fields {
  const hooks = data[SECTION];
  return isFields(hooks) ? hooks : {};
}

/** Returns the paths of own hooks in groups, or of the groups that they fill alone, last first. */
function removedPaths(groups: unknown): JsonPath[] {
  const places = asArray(groups).flatMap((group, at): JsonPath[] => {
    const items = asArray(isFields(group) ? group['hooks'] : []);
    const own = items.flatMap((item, inGroup) => (isOwn(item) ? [[at, 'hooks', inGroup]] : []));
    return own.length > 0 && own.length === items.length ? [[at]] : own;
  });
  const isWhole = places.length > 0 && places.every(({ length }) => length === 1);
  return isWhole && places.length === asArray(groups).length ? [[]] : places.reverse();
}

function ownPlaces(groups: unknown): HookPlace[] {
  return asArray(groups).flatMap((value, group) =>
    asArray(isFields(value) ? value['hooks'] : []).flatMap((command, item) =>
      isOwn(command) ? [{ group, item }] : [],
    ),
  );
}

function commandAt(groups: unknown, { group, item }: HookPlace): Fields {
  return asArray((asArray(groups)[group] as Fields)['hooks'])[item] as Fields;
}

function isOwn(command: unknown): boolean {
  return isFields(command) && programOfHook(command['command']) !== undefined;
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
