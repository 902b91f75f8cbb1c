import type { AppHooks } from '../../../apps/ai-app.js';
import { editConfig, isFields, type Fields } from '../config-text.js';
import { programOfHook, type HookSettings } from './hook-settings.js';
import { appendJson, removeJson, setJson } from '../json-config.js';

const SECTION = 'hooks';

/** Location of a command in the hooks of an event: the group, and the place in it. */
interface HookPlace {
  readonly group: number;
  readonly item: number;
}

type Format = AppHooks['format'];

const EDIT = { section: SECTION, subject: 'The hooks', normalise: (data: Fields) => data };

/** Adds or updates the hooks. Throws a `Refusal` if the text cannot be edited safely. */
export function setHooks(text: string, format: Format, hooks: HookSettings): string {
  return editConfig(text, format, {
    ...EDIT,
    change: (data) => ({ ...data, [SECTION]: withHooks(hooksIn(data), hooks) }),
    write(body, data, eol) {
      let written = body;
      for (const [event, groups] of Object.entries(hooks)) {
        const existing = hooksIn(data)[event];
        const [place] = ownPlaces(existing);
        const path = [SECTION, event];
        if (place) {
          const at = [...path, place.group, 'hooks', place.item];
          for (const [key, value] of Object.entries(groups[0].hooks[0]))
            if (commandAt(existing, place)[key] !== value)
              written = setJson(written, [...at, key], value, eol);
        } else if (existing === undefined || existing === null)
          written = setJson(written, path, groups, eol);
        else for (const group of groups) written = appendJson(written, path, group, eol);
      }
      return written;
    },
  });
}

/** Returns the text without own hooks of some events. Throws the same errors as `setHooks`. */
export function removeHooks(text: string, format: Format, isRemoved = (_event: string) => true) {
  return editConfig(text, format, {
    ...EDIT,
    change(data) {
      const { [SECTION]: _, ...others } = data;
      const hooks = withoutHooks(hooksIn(data), isRemoved);
      return Object.keys(hooks).length === 0 ? others : { ...others, [SECTION]: hooks };
    },
    write(body, data) {
      const before = hooksIn(data);
      const after = withoutHooks(before, isRemoved);
      if (Object.keys(after).length === 0) return removeJson(body, [SECTION]);
      return Object.keys(before).reduce((rest, event) => {
        if (!isRemoved(event)) return rest;
        if (!(event in after)) return removeJson(rest, [SECTION, event]);
        return removedPaths(before[event]).reduce(
          (text, path) => removeJson(text, [SECTION, event, ...path]),
          rest,
        );
      }, body);
    },
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
  const own = Object.entries(hooksIn(data)).map(([event, groups]) => {
    const kept = asArray(groups).flatMap((group) => {
      const hooks = asArray(isFields(group) ? group['hooks'] : []).filter(isOwn);
      return hooks.length === 0 ? [] : [{ ...(group as Fields), hooks }];
    });
    return [event, kept] as const;
  });
  return { [SECTION]: Object.fromEntries(own.filter(([, groups]) => groups.length > 0)) };
}

function hooksIn(data: Fields): Fields {
  const hooks = data[SECTION];
  return isFields(hooks) ? hooks : {};
}

function withHooks(existing: Fields, hooks: HookSettings): Fields {
  const changed = Object.entries(hooks).map(([event, added]) => {
    const groups = existing[event];
    const [place] = ownPlaces(groups);
    if (!place) return [event, [...asArray(groups), ...added]] as const;
    const merged = asArray(groups).map((group, at) =>
      at === place.group && isFields(group)
        ? { ...group, hooks: withCommand(group['hooks'], place.item, added[0].hooks[0]) }
        : group,
    );
    return [event, merged] as const;
  });
  return { ...existing, ...Object.fromEntries<unknown>(changed) };
}

function withCommand(items: unknown, at: number, command: object | undefined): unknown[] {
  return asArray(items).map((item, index) =>
    index === at && isFields(item) ? { ...item, ...command } : item,
  );
}

/** Returns the hooks without own ones, and without the groups and events that are empty then. */
function withoutHooks(hooks: Fields, isRemoved: (event: string) => boolean): Fields {
  const kept = Object.entries(hooks).flatMap(([event, groups]): (readonly [string, unknown])[] => {
    if (!isRemoved(event) || ownPlaces(groups).length === 0) return [[event, groups]];
    const rest = asArray(groups).flatMap((group) => {
      if (!isFields(group)) return [group];
      const items = asArray(group['hooks']);
      const foreign = items.filter((item) => !isOwn(item));
      if (foreign.length === items.length) return [group];
      return foreign.length === 0 ? [] : [{ ...group, hooks: foreign }];
    });
    return rest.length === 0 ? [] : [[event, rest]];
  });
  return Object.fromEntries(kept);
}

/** Returns the paths of what `withoutHooks` removes from the groups of an event, last first. */
function removedPaths(groups: unknown): (string | number)[][] {
  const places = ownPlaces(groups);
  const paths = places.map(({ group, item }) => {
    const items = asArray((asArray(groups)[group] as Fields)['hooks']);
    return items.every(isOwn) ? [group] : [group, 'hooks', item];
  });
  const isFirst = (path: (string | number)[], at: number) =>
    paths.findIndex((other) => String(other) === String(path)) === at;
  return paths.filter(isFirst).reverse();
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
