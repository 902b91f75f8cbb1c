import type { Draft, LogEvent } from '../../../model/event.js';
import { apply, emptyMemory, entityOf, VAULT_SCOPE } from '../../../model/memory.js';
import { workspaceChanges, workspaceData } from '../../../model/workspace.js';
import { textIn } from '../../../model/text/json-fields.js';
import { nextTimestamp } from '../../../storage/index.js';
import type { ForeignWorkspace } from '../foreign-memory.js';
import {
  addChanges,
  addUnlessKnown,
  timestampAt,
  type ForeignChange,
  type ImportContext,
} from '../import-context.js';

/** Sorts a placeholder after a real creation in the same millisecond. */
const PLACEHOLDER_COUNT = 0xffff;

export function addWorkspace(
  context: ImportContext,
  id: string,
  { at, location, fields, changes, isGuessed }: ForeignWorkspace,
): void {
  const { names } = context;
  const h = timestampAt(context, at, isGuessed ? PLACEHOLDER_COUNT : 0);
  const created = entityOf(context.memory, id).created;
  const isKnown =
    created !== undefined && (isGuessed || at === undefined || at > context.now || created.h <= h);
  const knownName = isKnown ? (textIn(created.d, 'name') ?? '') : '';
  let name =
    isKnown && (isGuessed || names.isDerivedFrom(knownName, fields.name))
      ? knownName
      : names.allocate(fields.name, VAULT_SCOPE, id);
  const draft = { t: 'ws.new', e: id, d: workspaceData({ ...fields, name }) };
  if (!addUnlessKnown(context, { kind: 'workspaces', lane: 'core', location, draft, h, isKnown }))
    return;
  let current = apply(emptyMemory, isKnown ? created : eventOf(draft, h));
  let foreignName = fields.name;
  const sets: ForeignChange[] = [];
  // A damaged line or a placeholder may have created a known workspace, so a change corrects it.
  const correction = isKnown && !isGuessed && at !== undefined ? [{ at, fields }] : [];
  for (const change of [...correction, ...changes]) {
    if (change.fields.name !== foreignName)
      name = names.allocate(change.fields.name, VAULT_SCOPE, id);
    foreignName = change.fields.name;
    const d = workspaceChanges(entityOf(current, id), { ...change.fields, name });
    if (Object.keys(d).length === 0) continue;
    sets.push({ at: change.at, d });
    const set = { t: 'set', e: id, d };
    current = apply(current, eventOf(set, nextTimestamp(h, change.at), sets.length));
  }
  addChanges(context, { lane: 'core', id, location }, sets);
}

function eventOf(draft: Draft, h: string, n = 0): LogEvent {
  return { v: 1, w: '', p: '', c: '', n, h, ...draft };
}
