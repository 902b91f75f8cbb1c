import {
  compareText,
  isJsonObject,
  isWithinDepth,
  type Json,
  type JsonObject,
} from '../../model/event.js';
import { readVaultPath } from '../../model/paths.js';
import type { StateContent } from '../../model/state.js';
import type { WorkspaceFields } from '../../model/workspace.js';
import type { Pause } from '../../platform/scheduler.js';
import {
  areTexts,
  leaveOut,
  objectIn,
  parseObject,
  rest,
  textIn,
  timeIn,
  type Account,
  type ForeignFile,
  type ForeignState,
  type ForeignTrace,
  type ForeignWorkspace,
  type Gathered,
  type Place,
  type Readers,
} from './foreign.js';
import { conversationsOf, isChatEvent } from './nexus-chat.js';
import { groupBy, readNexusEvents, type NexusEvent } from './nexus-events.js';

/** Reads the streams of Nexus (shards, copies of shards, whole files of its older versions), in whatever order they are given. */
export async function readNexus(
  files: readonly ForeignFile[],
  { traceOf }: Pick<Readers, 'traceOf'>,
  account: Account,
  pause?: Pause,
): Promise<Gathered> {
  const events = await readNexusEvents(files, account, pause);
  const streams = new Map<Kind, NexusEvent[]>(KINDS.map((kind) => [kind, []]));
  for (const event of events) streams.get(kindOf(event.type))!.push(event);
  const of = (kind: Kind) => streams.get(kind)!;
  leaveOut(account, 'sessions', of('session').length);
  leaveOut(account, 'tasks', of('task').length);
  leaveOut(account, 'unknown', of('unknown').length);
  const states = await statesOf(of('state'), account, pause);
  const traces = await tracesOf(of('trace'), traceOf, account, pause);
  const { conversations, messages } = await conversationsOf(of('chat'), account, pause);
  const known = workspacesOf(of('workspace'), account);
  const ownedBy = [
    ...[...states, ...traces].map(({ workspace, at, place }) => ({ workspace, at, place })),
    ...conversations.flatMap(({ workspace, at, place }) =>
      workspace === undefined ? [] : [{ workspace, at, place }],
    ),
  ];
  return {
    workspaces: [...known, ...guessedWorkspaces(known, ownedBy)],
    states,
    traces,
    conversations,
    messages,
  };
}

const KINDS = ['workspace', 'session', 'state', 'trace', 'chat', 'task', 'unknown'] as const;
type Kind = (typeof KINDS)[number];

function kindOf(type: string): Kind {
  if (isChatEvent(type)) return 'chat';
  const first = type.split('_')[0];
  if (first === 'project') return 'task';
  return KINDS.find((kind) => kind === first) ?? 'unknown';
}

/** Events by what they are about, which the one that creates it names in another place than the others. */
function groupOf(
  events: readonly NexusEvent[],
  creation: string,
  field: string,
): Map<string, NexusEvent[]> {
  const groups = groupBy(events, ({ type, value, data }) =>
    type === creation ? textIn(data, 'id') : textIn(value, field),
  );
  // The creation leads, whatever the clocks of two devices say.
  for (const group of groups.values()) {
    const at = group.findIndex(({ type }) => type === creation);
    if (at > 0) group.unshift(...group.splice(at, 1));
  }
  return groups;
}

function workspacesOf(events: readonly NexusEvent[], account: Account): ForeignWorkspace[] {
  return [...groupOf(events, 'workspace_created', 'workspaceId')].map(([key, group]) =>
    workspaceOf(key, group, account),
  );
}

function workspaceOf(
  key: string,
  events: readonly NexusEvent[],
  account: Account,
): ForeignWorkspace {
  const first = events[0]!;
  const isGuessed = first.type !== 'workspace_created';
  const begun = timeIn(first.data, 'created') ?? first.at;
  const named = events.map(({ data }) => textIn(data, 'name')).find((name) => name !== undefined);
  let raw: JsonObject = isGuessed ? { name: named ?? guessedName(key) } : {};
  let last: string | undefined;
  let initial: WorkspaceFields | undefined;
  const changes: { at: number; fields: WorkspaceFields }[] = [];
  for (const [index, { type, at, data }] of events.entries()) {
    if ('lastAccessed' in data) leaveOut(account, 'lastUse');
    raw = { ...raw, ...data, ...(type === 'workspace_deleted' && { isArchived: true }) };
    const { isArchived, ...fields } = fieldsOf(raw);
    initial ??= fields;
    last ??= JSON.stringify({ ...fields, isArchived: false });
    const now = { ...fields, isArchived };
    if (JSON.stringify(now) !== last) changes.push({ at: index === 0 ? begun : at, fields: now });
    last = JSON.stringify(now);
  }
  return { key, at: begun, place: first.place, fields: initial!, changes, isGuessed };
}

function guessedName(key: string): string {
  return key === 'default' ? 'Default of Nexus' : `Nexus workspace ${key.slice(0, 40)}`;
}

const FIELDS_OF_CONTEXT = ['purpose', 'workflows', 'keyFiles', 'preferences'];

/** What it says of a workspace in our fields; what has none stands among the preferences, which take anything. */
function fieldsOf(raw: JsonObject): WorkspaceFields & { readonly isArchived: boolean } {
  const contextJson = textIn(raw, 'contextJson');
  const context = contextJson === undefined ? undefined : parseObject(contextJson);
  const { workflows, keyFiles, preferences, purpose } = context ?? {};
  const flows = workflowsIn(workflows);
  const folder = folderIn(raw['rootFolder']);
  const more: JsonObject = {
    ...(typeof preferences === 'string'
      ? preferences.trim() !== '' && { guidelines: preferences }
      : isJsonObject(preferences) && preferences),
    ...Object.fromEntries(
      Object.entries(context ?? {}).filter(([key]) => !FIELDS_OF_CONTEXT.includes(key)),
    ),
    ...(workflows !== undefined && !flows && { workflows }),
    ...(keyFiles !== undefined && !areTexts(keyFiles) && { keyFiles }),
    ...(contextJson !== undefined && !context && contextJson !== '' && { context: contextJson }),
    ...(typeof raw['dedicatedAgentId'] === 'string' && {
      dedicatedAgentId: raw['dedicatedAgentId'],
    }),
    ...(raw['isActive'] === false && { isActive: false }),
    ...(folder === undefined && { rootFolder: raw['rootFolder']! }),
  };
  return {
    name: textIn(raw, 'name') ?? '',
    description: textIn(raw, 'description') ?? '',
    rootFolder: folder ?? '/',
    purpose: typeof purpose === 'string' ? purpose : '',
    workflows: flows ?? [],
    keyFiles: areTexts(keyFiles) ? keyFiles : [],
    preferences: isWithinDepth(more, PREFERENCE_DEPTH) ? more : { nexus: JSON.stringify(more) },
    isArchived: raw['isArchived'] === true,
  };
}

const PREFERENCE_DEPTH = 16;

/** Each as one text, `name (when): steps`; undefined where they have another form. */
function workflowsIn(value: Json | undefined): string[] | undefined {
  const texts = Array.isArray(value) ? value.map(workflowText) : [undefined];
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function workflowText(flow: Json): string | undefined {
  if (typeof flow === 'string') return flow;
  if (!isJsonObject(flow)) return undefined;
  const { name = '', when = '', steps = '', ...others } = flow;
  if (typeof name !== 'string' || typeof when !== 'string' || typeof steps !== 'string')
    return undefined;
  const head = [name, ...(when === '' ? [] : [`(${when})`])]
    .filter((part) => part !== '')
    .join(' ');
  const more = Object.keys(others).length > 0 ? `\n${JSON.stringify(others)}` : '';
  return [head, steps].filter((part) => part !== '').join(': ') + more;
}

/** The folder as a workspace shows it; undefined for what is no path inside the vault. */
function folderIn(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return '/';
  const read =
    typeof value === 'string'
      ? readVaultPath(value.trim().replace(/^\/+(?=.)|\/+$/g, ''))
      : undefined;
  return read && 'path' in read ? read.path || '/' : undefined;
}

/** Those of which nothing is known but that something belongs to them: their own lines are lost, or never were. */
function guessedWorkspaces(
  known: readonly ForeignWorkspace[],
  owned: readonly {
    readonly workspace: string;
    readonly at: number | undefined;
    readonly place: Place;
  }[],
): ForeignWorkspace[] {
  const guessed = new Map<string, ForeignWorkspace>();
  const keys = new Set(known.map(({ key }) => key));
  for (const { workspace: key, at, place } of owned) {
    if (keys.has(key)) continue;
    const earlier = guessed.get(key);
    if (earlier && (earlier.at ?? Infinity) <= (at ?? Infinity)) continue;
    const fields = { name: guessedName(key), description: '', rootFolder: '/', purpose: '' };
    guessed.set(key, { key, at, place, fields, changes: [], isGuessed: true });
  }
  return [...guessed.values()];
}

async function statesOf(
  events: readonly NexusEvent[],
  account: Account,
  pause: Pause | undefined,
): Promise<ForeignState[]> {
  const states: ForeignState[] = [];
  for (const [key, group] of groupOf(events, 'state_saved', 'stateId')) {
    await rest(pause);
    const state = stateOf(key, group, account);
    if (state) states.push(state);
    else leaveOut(account, 'orphans');
  }
  return states;
}

/** As it was last; undefined where nothing is left that tells what it held. */
function stateOf(
  key: string,
  events: readonly NexusEvent[],
  account: Account,
): ForeignState | undefined {
  const first = events[0]!;
  let raw: JsonObject = {};
  let isArchived = false;
  const archived: { at: number; isArchived: boolean }[] = [];
  for (const { type, at, data } of events) {
    raw = { ...raw, ...data };
    const now: boolean =
      type === 'state_deleted' || ('stateJson' in data ? isArchivedIn(data) : isArchived);
    if (now !== isArchived) archived.push({ at, isArchived: now });
    isArchived = now;
  }
  if (textIn(raw, 'stateJson') === undefined && textIn(raw, 'name') === undefined) return undefined;
  const workspace = textIn(first.value, 'workspaceId') ?? '';
  const content = contentOf(raw, textIn(first.value, 'sessionId'), account);
  const at = timeIn(raw, 'created') ?? first.at;
  return { key, at, place: first.place, workspace, content, isVersioned: true, archived };
}

function isArchivedIn(raw: JsonObject): boolean {
  const saved = parseObject(textIn(raw, 'stateJson') ?? '');
  return objectIn(objectIn(saved, 'state'), 'metadata')?.['isArchived'] === true;
}

/** States of a whole workspace are saved under this session. */
const NO_SESSION = '_workspace';

/** What Nexus adds of its own accord, or says a second time beside the state. */
const SAID_BESIDE = [
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
const SAID_OF_PROGRAM = ['createdBy', 'version', 'creationMethod', 'isArchived'];

/** Its content in our fields; what has none stands at the end of the context, as JSON. Copies of the workspace stay out. */
function contentOf(raw: JsonObject, session: string | undefined, account: Account): StateContent {
  const stateJson = textIn(raw, 'stateJson') ?? '';
  const saved = parseObject(stateJson);
  const context = new Map(Object.entries(objectIn(saved, 'context') ?? saved ?? {}));
  const inner = new Map(Object.entries(objectIn(saved, 'state') ?? {}));
  const metadata = new Map(Object.entries(objectIn(objectIn(saved, 'state'), 'metadata') ?? {}));
  const text = (key: string) =>
    take(context, key, (value) => typeof value === 'string') as string | undefined;
  const texts = (from: Map<string, Json>, key: string) =>
    take(from, key, areTexts) as string[] | undefined;
  const conversationContext = text('conversationContext') ?? (saved ? '' : stateJson);
  const activeTask = text('activeTask') ?? '';
  const nextSteps = texts(context, 'nextSteps') ?? [];
  const files = texts(context, 'activeFiles') ?? [];
  const contextFiles = texts(inner, 'contextFiles') ?? [];
  const innerTags = texts(metadata, 'tags') ?? [];
  const tags = areTexts(raw['tags']) ? raw['tags'] : innerTags;
  if (context.has('workspaceContext') || inner.get('workspace') || inner.get('recentTraces'))
    leaveOut(account, 'copies');
  const without = (from: Map<string, Json>, keys: readonly string[]) =>
    [...from].filter(([key, value]) => !keys.includes(key) && !isEmpty(value));
  const isFlat = objectIn(saved, 'context') === undefined;
  const left = [
    ...without(context, ['workspaceContext', ...(isFlat ? SAID_BESIDE : [])]),
    ...(isFlat || !saved ? [] : without(new Map(Object.entries(saved)), SAID_BESIDE)),
    ...without(inner, ['workspace', 'recentTraces', 'metadata']),
    ...without(metadata, SAID_OF_PROGRAM),
    ...(session === undefined || session === NO_SESSION ? [] : [['session', session] as const]),
  ];
  const description = textIn(raw, 'description') ?? textIn(saved, 'description');
  return {
    name: textIn(raw, 'name') ?? textIn(saved, 'name') ?? '',
    conversationContext: withMore(conversationContext, Object.fromEntries(left)),
    activeTask,
    activeFiles: [...new Set([...files, ...contextFiles])],
    nextSteps,
    ...(description !== undefined && description !== '' && { description }),
    ...(tags.length > 0 && { tags }),
  };
}

/** Takes a value out of a map where it is of the kind that is wanted. */
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

function isEmpty(value: Json): boolean {
  return (
    value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

function withMore(text: string, more: JsonObject): string {
  if (Object.keys(more).length === 0) return text;
  return `${text}${text === '' ? '' : '\n\n'}Also kept from Nexus:\n${JSON.stringify(more, null, 2)}`;
}

async function tracesOf(
  events: readonly NexusEvent[],
  traceOf: Readers['traceOf'],
  account: Account,
  pause: Pause | undefined,
): Promise<ForeignTrace[]> {
  const traces = new Map<string, ForeignTrace>();
  for (const { value, data, at, place } of events) {
    await rest(pause);
    const key = textIn(data, 'id');
    if (key === undefined) leaveOut(account, 'orphans');
    else
      traces.set(key, {
        key,
        at,
        place,
        workspace: textIn(value, 'workspaceId') ?? '',
        trace: traceOf(callIn(value, data)),
      });
  }
  return [...traces.values()].sort(
    (a, b) => (a.at ?? 0) - (b.at ?? 0) || compareText(a.key, b.key),
  );
}

/** The call that a trace tells of; what it said in words goes first among the parameters. */
function callIn(value: JsonObject, data: JsonObject): Parameters<Readers['traceOf']>[0] {
  const metadataJson = textIn(data, 'metadataJson') ?? '';
  const metadata = parseObject(metadataJson);
  const tool = objectIn(metadata, 'tool');
  const context = objectIn(metadata, 'context');
  const outcome = objectIn(metadata, 'outcome');
  const { arguments: given, ...input } = objectIn(metadata, 'input') ?? {};
  const params = given ?? objectIn(metadata, 'legacy')?.['params'] ?? metadata?.['params'];
  const content = textIn(data, 'content') ?? '';
  const error = textIn(objectIn(outcome, 'error'), 'message');
  const memory = textIn(context, 'memory') ?? textIn(context, 'sessionMemory');
  const goal =
    textIn(context, 'goal') ??
    [textIn(context, 'primaryGoal'), textIn(context, 'subgoal')].filter(Boolean).join(' - ');
  const constraints = textIn(context, 'constraints');
  return {
    agent: textIn(tool, 'agent') ?? '',
    tool: textIn(tool, 'mode') ?? textIn(metadata, 'tool') ?? textIn(data, 'traceType') ?? 'note',
    sessionId: textIn(value, 'sessionId') ?? '',
    params: {
      ...(content !== '' && { content }),
      ...(isJsonObject(params) ? params : params !== undefined && { params }),
      ...Object.fromEntries(Object.entries(input).filter(([, each]) => !isEmpty(each))),
      ...(!metadata && metadataJson !== '' && { metadata: metadataJson }),
    },
    context: {
      ...(memory && { memory }),
      ...(goal && { goal }),
      ...(constraints && { constraints }),
    },
    answer: { success: outcome?.['success'] !== false, ...(error !== undefined && { error }) },
  };
}
