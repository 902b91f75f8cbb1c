import { isJsonObject, type JsonObject } from '../model/event.js';
import { Refusal } from '../model/refusal.js';
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
  if (resource) return routeAction(resource, given);
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
  const flat = flattenParams(params);
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

/** Moves what is inside `data` and `filters` to the top level. */
function flattenParams({ data, filters, ...params }: JsonObject): JsonObject {
  return {
    ...params,
    ...(isJsonObject(filters) ? filters : filters !== undefined && { filters }),
    ...(isJsonObject(data) ? data : data !== undefined && { data }),
  };
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
