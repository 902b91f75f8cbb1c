import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import { clip, Refusal } from '../model/refusal.js';
import { parseJsonObject } from '../model/text/json-fields.js';
import { groupByResource, invalidChoice, routeAction, type RoutedAction } from './actions.js';
import type { ActionAlias, Tool } from './define-tool.js';

/**
 * Returns what a call of a resource selects by an action or alias; undefined if it has neither.
 * Throws a `Refusal` for an action that does not exist or is explained instead of offered.
 */
export function routeResource<S>(
  tools: readonly Tool<S>[],
  name: string,
  given: JsonObject,
): RoutedAction<S> | undefined {
  const found = routeAlias(tools, name, given);
  if (found) return found;
  const { action } = given;
  const resource = groupByResource(tools).find((other) => other.name === name);
  const refused = resource?.actions.flatMap(({ refused = {} }) => Object.entries(refused)) ?? [];
  const refusal = refused.find(([other]) => other === action);
  if (refusal) throw new Refusal(refusal[1]);
  if (resource) return routeAction(resource, flattenParams(given, ['params']));
  const valid = aliasesOf(tools, name).flatMap(({ alias }) => alias.action ?? []);
  if (valid.length === 0) return undefined;
  throw invalidChoice('action', action, name, [...new Set(valid)]);
}

/** Returns what a call selects by an alias; undefined if none matches. */
export function routeAlias<S>(
  tools: readonly Tool<S>[],
  name: string,
  { action, ...params }: JsonObject,
): RoutedAction<S> | undefined {
  const isListed = tools.some(({ action: own }) => own?.resource === name && own.name === action);
  const matching = aliasesOf(tools, name).filter(
    ({ alias }) => alias.action === action && matches(alias, params, isListed),
  );
  const found = matching.find(({ alias }) => alias.when) ?? matching[0];
  if (!found) return undefined;
  const { alias, tool } = found;
  const flat = flattenParams(params, ['data', 'filters', 'params']);
  return {
    tool,
    params: alias.convert?.(flat) ?? withoutKeys(flat, Object.keys(alias.when ?? {})),
    ...(alias.notice !== undefined && { notice: alias.notice }),
  };
}

function aliasesOf<S>(tools: readonly Tool<S>[], name: string) {
  return tools.flatMap((tool) =>
    (tool.action?.aliases ?? [])
      .filter((alias) => (alias.resource ?? tool.action?.resource) === name)
      .map((alias) => ({ alias, tool })),
  );
}

/** Matches parameters. A listed action takes precedence over an alias without conditions. */
function matches({ when }: ActionAlias, params: JsonObject, isListed: boolean): boolean {
  if (!when) return !isListed;
  return Object.entries(when).every(
    ([key, value]) => params[key] !== undefined && (value === undefined || params[key] === value),
  );
}

function withoutKeys(params: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([key]) => !keys.includes(key)));
}

/** Moves what is inside these objects, which may be JSON text, to the top level. */
function flattenParams(given: JsonObject, nested: readonly string[]): JsonObject {
  const fields = Object.entries(given).flatMap(([key, value]): [string, Json][] => {
    if (!nested.includes(key)) return [[key, value]];
    const inner = typeof value === 'string' ? parseJsonObject(value) : value;
    if (isJsonObject(inner)) return Object.entries(inner);
    return value === null ? [] : [[key, value]];
  });
  const flat: JsonObject = Object.fromEntries(fields);
  const differs = ([key, value]: [string, Json]) =>
    JSON.stringify(value) !== JSON.stringify(flat[key]);
  const [name] = fields.find(differs) ?? [];
  if (name === undefined) return flat;
  throw new Refusal(`"${clip(name)}" is given twice, with different values. Send it once.`);
}

export function renameParams(
  params: JsonObject,
  names: Readonly<Record<string, string>>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [
      Object.hasOwn(names, key) ? (names[key] ?? key) : key,
      value,
    ]),
  );
}
