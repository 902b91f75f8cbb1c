import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import { clip, Refusal } from '../model/refusal.js';
import { fullDescription, type ActionPlace, type Tool } from './define-tool.js';
import { checkData } from './explain.js';
import { inputSchema } from './schema.js';

/** Tools that are actions of one thing: seen as one tool, whose first parameter says which. */
export interface Resource<S> {
  readonly name: string;
  readonly actions: readonly Action<S>[];
}

interface Action<S> extends ActionPlace {
  readonly tool: Tool<S>;
}

/** The tools by what they are actions of, both in the order in which they come; those that are no action are left out. */
export function resourcesOf<S>(tools: readonly Tool<S>[]): Resource<S>[] {
  const actions = tools.flatMap((tool) => (tool.action ? [{ ...tool.action, tool }] : []));
  return distinct(actions.map(({ resource }) => resource)).map((name) => ({
    name,
    actions: actions.filter(({ resource }) => resource === name),
  }));
}

/** Each action with its parameters, those in brackets that it can do without, and what it does in the words of its tool. */
export function resourceDescription<S>({ actions }: Resource<S>): string {
  return actions
    .map((action) => `${action.name}${signatureOf(action)}: ${fullDescription(action.tool)}`)
    .join(' ');
}

function signatureOf<S>(action: Action<S>): string {
  const uses = usesOf(action);
  const needed = uses
    .filter(({ isRequired }) => isRequired)
    .map(({ key, only }) => (only === undefined ? key : `${key}=${only}`));
  const others = uses.filter(({ isRequired }) => !isRequired).map(({ key }) => key);
  const all = [...needed, ...(others.length > 0 ? [`[${others.join(' ')}]`] : [])];
  return all.length > 0 ? `(${all.join(' ')})` : '';
}

/**
 * The parameters of all actions as one JSON schema, in the subset that every client reads. Which of them an action takes stands in the
 * description; its tool checks them.
 */
export function resourceSchema<S>(resource: Resource<S>): JsonObject {
  const uses = resource.actions.flatMap(usesOf);
  const keys = distinct(uses.map(({ key }) => key));
  const usesBy = (key: string) => uses.filter((use) => use.key === key);
  const isRequired = (key: string) =>
    usesBy(key).filter((use) => use.isRequired).length === resource.actions.length;
  const properties = keys.map((key) => {
    const shape = usesBy(key)
      .map((use) => use.shape)
      .reduce(commonShape);
    const description = describeUses(usesBy(key));
    return [key, { ...shape, ...(description !== '' && { description }) }] as const;
  });
  return {
    type: 'object',
    properties: {
      action: { type: 'string', enum: actionNames(resource) },
      ...Object.fromEntries(properties),
      context: { type: 'object' },
    },
    required: ['action', ...keys.filter(isRequired)],
  };
}

/** The tool that a call of a resource is of, and the parameters for it. Throws a `Refusal` that lists what is valid. */
export function routeAction<S>(
  resource: Resource<S>,
  given: unknown,
): { readonly tool: Tool<S>; readonly params: JsonObject } {
  const sent = given ?? {};
  checkData(sent, 'parameter');
  const { action, ...params } = sent;
  let candidates = resource.actions.filter(({ name }) => name === action);
  for (const key of selectorsOf(candidates)) {
    const chosen = candidates.filter(({ when }) => when?.[key] === params[key]);
    if (chosen.length === 0)
      throw notValid(key, params[key], resource.name, valuesOf(key, candidates));
    candidates = chosen;
    delete params[key];
  }
  const [found] = candidates;
  if (!found) throw notValid('action', action, resource.name, actionNames(resource));
  const known = parametersOf(resource.actions);
  const valid = parametersOf([found]);
  const stray = Object.keys(params).find((key) => known.includes(key) && !valid.includes(key));
  if (stray !== undefined)
    throw new Refusal(
      `unknown parameter '${stray}' for action '${labelOf(found)}' of ${resource.name} tool; valid parameters: ${valid.join(', ')}`,
    );
  return { tool: found.tool, params };
}

function notValid(
  key: string,
  given: Json | undefined,
  resource: string,
  valid: readonly string[],
): Refusal {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const problem = given === undefined ? `missing ${key}` : `unknown ${key} '${clip(text)}'`;
  return new Refusal(`${problem} for ${resource} tool; valid ${key}s: ${valid.join(', ')}`);
}

/** How an action is called where it must be told from all others of its resource. */
function labelOf({ name, when = {} }: ActionPlace): string {
  return [name, ...Object.values(when)].join(' ');
}

function actionNames<S>({ actions }: Resource<S>): string[] {
  return distinct(actions.map(({ name }) => name));
}

function selectorsOf(places: readonly ActionPlace[]): string[] {
  return distinct(places.flatMap(({ when = {} }) => Object.keys(when)));
}

function valuesOf(key: string, places: readonly ActionPlace[]): string[] {
  return distinct(places.flatMap(({ when }) => when?.[key] ?? []));
}

/** The parameters that calls of these actions may have beside `action`. */
function parametersOf<S>(actions: readonly Action<S>[]): string[] {
  return [...distinct(actions.flatMap(usesOf).map(({ key }) => key)), 'context'];
}

/** A parameter as one action takes it. */
interface Use {
  readonly key: string;
  /** The action, told from all others of its resource. */
  readonly label: string;
  readonly isRequired: boolean;
  /** The one value that it has there. */
  readonly only?: string;
  readonly description: string | undefined;
  readonly shape: JsonObject;
}

/** The parameters of an action: those by which it is told from others, then those of its tool. */
function usesOf<S>({ tool, ...place }: Action<S>): Use[] {
  const label = labelOf(place);
  const { properties, required } = inputSchema(tool);
  const selectors = Object.entries(place.when ?? {}).map(([key, only]) => ({
    key,
    label,
    isRequired: true,
    only,
    description: undefined,
    shape: { type: 'string', enum: [only] },
  }));
  const own = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(
    ([key, property]): Use[] => {
      if (key === 'context' || !isJsonObject(property)) return [];
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

/** What a parameter is for, each wording once. What its first action says of it holds for all that say nothing; others name theirs. */
function describeUses([first, ...others]: readonly Use[]): string {
  const rest = others.filter(({ description }) => description !== first?.description);
  const texts = distinct(rest.flatMap(({ description }) => description ?? [])).map((wording) => {
    const labels = rest
      .filter(({ description }) => description === wording)
      .map(({ label }) => label);
    return `${labels.join(', ')}: ${wording}`;
  });
  return [first?.description ?? [], texts].flat().join('; ');
}

/**
 * What a parameter looks like. Limits and defaults stay with the tool: a client that fills defaults in would send those of other
 * actions too.
 */
function shapeOf({ type, enum: values, items }: JsonObject): JsonObject {
  return {
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(isJsonObject(items) && { items: shapeOf(items) }),
  };
}

/** What two shapes of a parameter have in common; a value that one of them allows is allowed. */
function commonShape(
  { enum: first, ...one }: JsonObject,
  { enum: second }: JsonObject,
): JsonObject {
  return {
    ...one,
    ...(Array.isArray(first) && Array.isArray(second) && { enum: distinct([...first, ...second]) }),
  };
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
