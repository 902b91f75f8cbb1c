import type { Json, JsonObject } from '../../../model/event.js';
import type { StateContent } from '../../../model/state.js';
import { isTextList, numberIn, objectIn, textIn } from '../../../model/text/json-fields.js';
import type { Scheduler } from '../../../platform/scheduler.js';
import { addLeftOut, type ForeignState, type ReadStats } from '../foreign-memory.js';
import { isEmptyValue, parseObject } from '../json-values.js';
import { groupByItem, type NexusEvent } from './nexus-events.js';

export async function readNexusStates(
  events: readonly NexusEvent[],
  stats: ReadStats,
  scheduler: Scheduler,
): Promise<ForeignState[]> {
  const states: ForeignState[] = [];
  for (const [key, group] of groupByItem(events, 'state_saved', 'stateId')) {
    await scheduler.yieldIfDue();
    const state = stateOf(key, group, stats);
    if (state) states.push(state);
    else addLeftOut(stats, 'orphans');
  }
  return states;
}

/** Returns the latest version of a state; undefined if no event with its content is left. */
function stateOf(
  key: string,
  events: readonly NexusEvent[],
  stats: ReadStats,
): ForeignState | undefined {
  const first = events[0]!;
  let raw: JsonObject = {};
  let isArchived = false;
  const archived: { at: number; isArchived: boolean }[] = [];
  for (const { type, at, data } of events) {
    raw = { ...raw, ...data };
    const isNowArchived: boolean =
      type === 'state_deleted' || ('stateJson' in data ? isArchivedIn(data) : isArchived);
    if (isNowArchived !== isArchived) archived.push({ at, isArchived: isNowArchived });
    isArchived = isNowArchived;
  }
  if (textIn(raw, 'stateJson') === undefined && textIn(raw, 'name') === undefined) return undefined;
  const workspace = textIn(first.value, 'workspaceId') ?? '';
  const content = contentOf(raw, textIn(first.value, 'sessionId'), stats);
  const at = numberIn(raw, 'created') ?? first.at;
  return { key, at, location: first.location, workspace, content, isVersioned: true, archived };
}

function isArchivedIn(raw: JsonObject): boolean {
  const saved = parseObject(textIn(raw, 'stateJson') ?? '');
  return objectIn(objectIn(saved, 'state'), 'metadata')?.['isArchived'] === true;
}

/** Session id of states that belong to a whole workspace. */
const WORKSPACE_SESSION = '_workspace';

/** Fields that only repeat other data of the event. */
const REPEATED_FIELDS = [
  'id',
  'name',
  'description',
  'workspaceId',
  'sessionId',
  'created',
  'timestamp',
  'context',
  'state',
];
/** Fields that Nexus adds itself. */
const PROGRAM_FIELDS = ['createdBy', 'version', 'creationMethod', 'isArchived'];

/** Appends data without a field to the context as JSON, without copies of the workspace. */
function contentOf(raw: JsonObject, session: string | undefined, stats: ReadStats): StateContent {
  const stateJson = textIn(raw, 'stateJson') ?? '';
  const saved = parseObject(stateJson);
  const context = new Map(Object.entries(objectIn(saved, 'context') ?? saved ?? {}));
  const inner = new Map(Object.entries(objectIn(saved, 'state') ?? {}));
  const metadata = new Map(Object.entries(objectIn(objectIn(saved, 'state'), 'metadata') ?? {}));
  const text = (key: string) =>
    take(context, key, (value) => typeof value === 'string') as string | undefined;
  const texts = (from: Map<string, Json>, key: string) =>
    take(from, key, isTextList) as string[] | undefined;
  const conversationContext = text('conversationContext') ?? (saved ? '' : stateJson);
  const activeTask = text('activeTask') ?? '';
  const nextSteps = texts(context, 'nextSteps') ?? [];
  const files = texts(context, 'activeFiles') ?? [];
  const contextFiles = texts(inner, 'contextFiles') ?? [];
  const innerTags = texts(metadata, 'tags') ?? [];
  const tags = isTextList(raw['tags']) ? raw['tags'] : innerTags;
  if (context.has('workspaceContext') || inner.get('workspace') || inner.get('recentTraces'))
    addLeftOut(stats, 'copies');
  const without = (from: Map<string, Json>, keys: readonly string[]) =>
    [...from].filter(([key, value]) => !keys.includes(key) && !isEmptyValue(value));
  const isFlat = objectIn(saved, 'context') === undefined;
  const unmapped = [
    ...without(context, ['workspaceContext', ...(isFlat ? REPEATED_FIELDS : [])]),
    ...(isFlat || !saved ? [] : without(new Map(Object.entries(saved)), REPEATED_FIELDS)),
    ...without(inner, ['workspace', 'recentTraces', 'metadata']),
    ...without(metadata, PROGRAM_FIELDS),
    ...(session === undefined || session === WORKSPACE_SESSION
      ? []
      : [['session', session] as const]),
  ];
  const description = textIn(raw, 'description') ?? textIn(saved, 'description');
  return {
    name: textIn(raw, 'name') ?? textIn(saved, 'name') ?? '',
    conversationContext: withUnmapped(conversationContext, Object.fromEntries(unmapped)),
    activeTask,
    activeFiles: [...new Set([...files, ...contextFiles])],
    nextSteps,
    ...(description !== undefined && description !== '' && { description }),
    ...(tags.length > 0 && { tags }),
  };
}

/** Removes the value at `key` from the map and returns it, if it is of the wanted type. */
function take(
  from: Map<string, Json>,
  key: string,
  isWanted: (value: Json | undefined) => boolean,
): Json | undefined {
  const value = from.get(key);
  if (!isWanted(value)) return undefined;
  from.delete(key);
  return value;
}

function withUnmapped(text: string, unmapped: JsonObject): string {
  if (Object.keys(unmapped).length === 0) return text;
  const separator = text === '' ? '' : '\n\n';
  return `${text}${separator}Also kept from Nexus:\n${JSON.stringify(unmapped, null, 2)}`;
}
