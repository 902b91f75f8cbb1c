import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import { clip, Refusal } from '../model/refusal.js';
import { LIFTED_FIELDS } from './context.js';
import type { Tool, ToolAction } from './define-tool.js';
import { isBlank } from './explain.js';
import { inputSchema, WORKSPACE_ID_SCHEMA } from './schema.js';

/** Tools presented as one, whose first parameter `action` selects among them. */
export interface Resource<S> {
  readonly name: string;
  readonly actions: readonly Action<S>[];
}

interface Action<S> extends ToolAction {
  readonly tool: Tool<S>;
}

/** Keeps the given order. Leaves out tools without an action. */
export function groupByResource<S>(tools: readonly Tool<S>[]): Resource<S>[] {
  const actions = tools.flatMap((tool) => (tool.action ? [{ ...tool.action, tool }] : []));
  return unique(actions.map(({ resource }) => resource)).map((name) => ({
    name,
    actions: actions.filter(({ resource }) => resource === name),
  }));
}

/** Returns one sentence per action: `name(required [optional]): description`. */
export function resourceDescription<S>({ actions }: Resource<S>): string {
  return actions
    .map((action) => `${action.name}${signatureOf(action)}: ${action.tool.description}`)
    .join(' ');
}

function signatureOf<S>(action: Action<S>): string {
  const parameters = parametersOfAction(action);
  const needed = parameters
    .filter(({ isRequired }) => isRequired)
    .map(({ key, fixedValue }) => (fixedValue === undefined ? key : `${key}=${fixedValue}`));
  const others = parameters.filter(({ isRequired }) => !isRequired).map(({ key }) => key);
  const all = [...needed, ...(others.length > 0 ? [`[${others.join(' ')}]`] : [])];
  return all.length > 0 ? `(${all.join(' ')})` : '';
}

/**
 * Returns one schema for all actions, in the subset that every client understands. The description
 * says which action takes which parameters; the action's tool validates them.
 */
export function resourceSchema<S>(resource: Resource<S>): JsonObject {
  const parameters = resource.actions.flatMap(parametersOfAction);
  const keys = unique(parameters.map(({ key }) => key));
  const variantsOf = (key: string) => parameters.filter((parameter) => parameter.key === key);
  const isRequired = (key: string) =>
    variantsOf(key).filter((parameter) => parameter.isRequired).length === resource.actions.length;
  const properties = keys.map((key) => {
    const shape = variantsOf(key)
      .map((parameter) => parameter.shape)
      .reduce(mergeShapes);
    const description = describeParameter(variantsOf(key));
    return [key, { ...shape, ...(description !== '' && { description }) }] as const;
  });
  const usesWorkspace =
    !keys.includes('workspaceId') && resource.actions.some(({ tool }) => tool.usesWorkspace);
  return {
    type: 'object',
    properties: {
      action: { type: 'string', enum: actionNames(resource) },
      ...Object.fromEntries(properties),
      ...(usesWorkspace && { workspaceId: WORKSPACE_ID_SCHEMA }),
    },
    required: ['action', ...keys.filter(isRequired)],
  };
}

export interface RoutedAction<S> {
  readonly tool: Tool<S>;
  readonly params: JsonObject;
  /** In addition to the tool's own. */
  readonly notice?: string;
}

/** Returns the tool and parameters of a call. Throws a `Refusal` that lists the valid choices. */
export function routeAction<S>(resource: Resource<S>, given: JsonObject): RoutedAction<S> {
  const { action, ...params } = given;
  let candidates = resource.actions.filter(({ name }) => name === action);
  for (const key of unique(candidates.flatMap(({ when = {} }) => Object.keys(when)))) {
    const matching = candidates.filter(({ when }) => when?.[key] === params[key]);
    const valid = unique(candidates.flatMap(({ when }) => when?.[key] ?? []));
    if (matching.length === 0) throw invalidChoice(key, params[key], resource.name, valid);
    candidates = matching;
    delete params[key];
  }
  const [found] = candidates;
  if (!found) throw invalidChoice('action', action, resource.name, actionNames(resource));
  const known = parameterNames(resource.actions);
  const valid = parameterNames([found]);
  const accepted: readonly string[] = [...valid, ...LIFTED_FIELDS];
  const isForeign = (key: string) => known.includes(key) && !accepted.includes(key);
  for (const [key, value] of Object.entries(params))
    // some clients fill in every parameter
    if (isForeign(key) && isBlank(value)) delete params[key];
  const foreign = Object.keys(params).find(isForeign);
  if (foreign !== undefined)
    throw new Refusal(
      `unknown parameter '${foreign}' for action '${labelOf(found)}' of ${resource.name} tool; valid parameters: ${valid.join(', ')}`,
    );
  return { tool: found.tool, params };
}

/** Lists the valid values of a parameter that selects a tool. */
export function invalidChoice(
  key: string,
  given: Json | undefined,
  resource: string,
  valid: readonly string[],
): Refusal {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const problem = given === undefined ? `missing ${key}` : `unknown ${key} '${clip(text)}'`;
  return new Refusal(`${problem} for ${resource} tool; valid ${key}s: ${valid.join(', ')}`);
}

/** Name and selector values, which together are unique within the resource. */
function labelOf({ name, when = {} }: ToolAction): string {
  return [name, ...Object.values(when)].join(' ');
}

function actionNames<S>({ actions }: Resource<S>): string[] {
  return unique(actions.map(({ name }) => name));
}

/** Names that these actions accept, besides `action`. */
function parameterNames<S>(actions: readonly Action<S>[]): string[] {
  return [...unique(actions.flatMap(parametersOfAction).map(({ key }) => key)), 'context'];
}

interface ActionParameter {
  readonly key: string;
  /** See `labelOf`. */
  readonly label: string;
  readonly isRequired: boolean;
  /** Only value that the parameter accepts. */
  readonly fixedValue?: string;
  readonly description: string | undefined;
  readonly shape: JsonObject;
}

/** Returns the selectors of an action, then the parameters of its tool. */
function parametersOfAction<S>({ tool, ...action }: Action<S>): ActionParameter[] {
  const label = labelOf(action);
  const { properties, required } = inputSchema(tool);
  const selectors = Object.entries(action.when ?? {}).map(([key, fixedValue]) => ({
    key,
    label,
    isRequired: true,
    fixedValue,
    description: undefined,
    shape: { type: 'string', enum: [fixedValue] },
  }));
  const own = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(
    ([key, property]): ActionParameter[] => {
      if (!isJsonObject(property)) return [];
      const { description } = property;
      const isRequired = Array.isArray(required) && required.includes(key);
      return [
        {
          key,
          label,
          isRequired,
          shape: shapeOf(property),
          description: typeof description === 'string' ? description : undefined,
        },
      ];
    },
  );
  return [...selectors, ...own];
}

/**
 * Joins the descriptions of a parameter, each wording once. The first one also covers the actions
 * without a description; every other is prefixed with its actions.
 */
function describeParameter([first, ...others]: readonly ActionParameter[]): string {
  const rest = others.filter(({ description }) => description !== first?.description);
  const texts = unique(rest.flatMap(({ description }) => description ?? [])).map((wording) => {
    const labels = rest
      .filter(({ description }) => description === wording)
      .map(({ label }) => label);
    return `${labels.join(', ')}: ${wording}`;
  });
  return [first?.description ?? [], texts].flat().join('; ');
}

/** Omits defaults: a client that fills them in would send the parameters of other actions. */
function shapeOf({ type, enum: values, items }: JsonObject): JsonObject {
  return {
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(isJsonObject(items) && { items: shapeOf(items) }),
  };
}

/** Returns a shape that allows the values of both. */
function mergeShapes(
  { enum: first, ...one }: JsonObject,
  { enum: second }: JsonObject,
): JsonObject {
  return {
    ...one,
    ...(Array.isArray(first) && Array.isArray(second) && { enum: unique([...first, ...second]) }),
  };
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
