import { isJsonObject, isWithinDepth, type Json, type JsonObject } from '../../../model/event.js';
import type { WorkspaceFields } from '../../../model/workspace.js';
import { toVaultPath } from '../../../model/paths.js';
import { isTextList, numberIn, textIn } from '../../../model/text/json-fields.js';
import {
  addLeftOut,
  type ForeignWorkspace,
  type ReadStats,
  type SourceLocation,
} from '../foreign-memory.js';
import { parseObject } from '../json-values.js';
import { groupByItem, type NexusEvent } from './nexus-events.js';

export function readNexusWorkspaces(
  events: readonly NexusEvent[],
  stats: ReadStats,
): ForeignWorkspace[] {
  return [...groupByItem(events, 'workspace_created', 'workspaceId')].map(([key, group]) =>
    workspaceOf(key, group, stats),
  );
}

function workspaceOf(
  key: string,
  events: readonly NexusEvent[],
  stats: ReadStats,
): ForeignWorkspace {
  const first = events[0]!;
  const isGuessed = first.type !== 'workspace_created';
  const createdAt = numberIn(first.data, 'created') ?? first.at;
  const named = events.map(({ data }) => textIn(data, 'name')).find((name) => name !== undefined);
  let raw: JsonObject = isGuessed ? { name: named ?? placeholderName(key) } : {};
  let last: string | undefined;
  let initial: WorkspaceFields | undefined;
  const changes: { at: number; fields: WorkspaceFields }[] = [];
  for (const [index, { type, at, data }] of events.entries()) {
    if ('lastAccessed' in data) addLeftOut(stats, 'lastUse');
    raw = { ...raw, ...data, ...(type === 'workspace_deleted' && { isArchived: true }) };
    const { isArchived, ...fields } = fieldsOf(raw);
    initial ??= fields;
    last ??= JSON.stringify({ ...fields, isArchived: false });
    const current = { ...fields, isArchived };
    if (JSON.stringify(current) !== last)
      changes.push({ at: index === 0 ? createdAt : at, fields: current });
    last = JSON.stringify(current);
  }
  return { key, at: createdAt, location: first.location, fields: initial!, changes, isGuessed };
}

function placeholderName(key: string): string {
  return key === 'default' ? 'Default of Nexus' : `Nexus workspace ${key.slice(0, 40)}`;
}

const MAPPED_CONTEXT_FIELDS = ['purpose', 'workflows', 'keyFiles', 'preferences'];

/** Puts data without a matching field into the preferences, which take any JSON. */
function fieldsOf(raw: JsonObject): WorkspaceFields & { readonly isArchived: boolean } {
  const contextJson = textIn(raw, 'contextJson');
  const context = contextJson === undefined ? undefined : parseObject(contextJson);
  const { workflows, keyFiles, preferences, purpose } = context ?? {};
  const workflowTexts = workflowsIn(workflows);
  const folder = folderIn(raw['rootFolder']);
  const unmapped: JsonObject = {
    ...(typeof preferences === 'string'
      ? preferences.trim() !== '' && { guidelines: preferences }
      : isJsonObject(preferences) && preferences),
    ...Object.fromEntries(
      Object.entries(context ?? {}).filter(([key]) => !MAPPED_CONTEXT_FIELDS.includes(key)),
    ),
    ...(workflows !== undefined && !workflowTexts && { workflows }),
    ...(keyFiles !== undefined && !isTextList(keyFiles) && { keyFiles }),
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
    workflows: workflowTexts ?? [],
    keyFiles: isTextList(keyFiles) ? keyFiles : [],
    preferences: isWithinDepth(unmapped, MAX_PREFERENCE_DEPTH)
      ? unmapped
      : { nexus: JSON.stringify(unmapped) },
    isArchived: raw['isArchived'] === true,
  };
}

const MAX_PREFERENCE_DEPTH = 16;

/** Formats workflows as `name (when): steps`; undefined if one has another form. */
function workflowsIn(value: Json | undefined): string[] | undefined {
  const texts = Array.isArray(value) ? value.map(workflowText) : [undefined];
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function workflowText(workflow: Json): string | undefined {
  if (typeof workflow === 'string') return workflow;
  if (!isJsonObject(workflow)) return undefined;
  const { name = '', when = '', steps = '', ...rest } = workflow;
  if (typeof name !== 'string' || typeof when !== 'string' || typeof steps !== 'string')
    return undefined;
  const head = [name, ...(when === '' ? [] : [`(${when})`])]
    .filter((part) => part !== '')
    .join(' ');
  const more = Object.keys(rest).length > 0 ? `\n${JSON.stringify(rest)}` : '';
  return [head, steps].filter((part) => part !== '').join(': ') + more;
}

/** Undefined if the value is not a path inside the vault. */
function folderIn(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return '/';
  const path =
    typeof value === 'string' ? toVaultPath(value.trim().replace(/^\/+/, '')) : undefined;
  return path === '' ? '/' : path;
}

/** Returns placeholders for named workspaces whose event was lost or never existed. */
export function placeholderWorkspaces(
  known: readonly ForeignWorkspace[],
  owned: readonly {
    readonly workspace: string;
    readonly at: number | undefined;
    readonly location: SourceLocation;
  }[],
): ForeignWorkspace[] {
  const guessed = new Map<string, ForeignWorkspace>();
  const keys = new Set(known.map(({ key }) => key));
  for (const { workspace: key, at, location } of owned) {
    if (keys.has(key)) continue;
    const earlier = guessed.get(key);
    if (earlier && (earlier.at ?? Infinity) <= (at ?? Infinity)) continue;
    const fields = { name: placeholderName(key), description: '', rootFolder: '/', purpose: '' };
    guessed.set(key, { key, at, location, fields, changes: [], isGuessed: true });
  }
  return [...guessed.values()];
}
