import type { JsonObject } from '../../../model/event.js';
import { needPath, recordData } from '../../../model/records/record.js';
import type { ForeignRecord, ForeignRecordChange } from '../foreign-memory.js';
import { addChanges, addUnlessKnown, type ImportContext } from '../import-context.js';
import { validName } from '../naming.js';

/** Ids in this vault by the keys at the source. */
export interface RecordIds {
  readonly workspaces: ReadonlyMap<string, string>;
  readonly states: ReadonlyMap<string, string>;
  readonly records: ReadonlyMap<string, string>;
}

export function addRecord(
  context: ImportContext,
  id: string,
  ids: RecordIds,
  { workspace, at, location, kind, title, body, files, phase, state, changes }: ForeignRecord,
): void {
  const name = validName(title);
  // A title that is too long for a name is complete in the body.
  const details = [...(name === title ? [] : [title]), ...(body === undefined ? [] : [body])];
  const content = {
    kind,
    title: name,
    body: details.length === 0 ? undefined : details.join('\n\n'),
    phaseId: phase === undefined ? undefined : ids.records.get(phase),
    stateId: state === undefined ? undefined : ids.states.get(state),
  };
  const contents = Object.fromEntries(files.map((path) => [path, null]));
  const d = recordData(ids.workspaces.get(workspace)!, content, { files: contents });
  const draft = { t: 'record.new', e: id, d };
  if (!addUnlessKnown(context, { kind: 'records', lane: 'core', location, at, draft })) return;
  const registers = changes.map((change) => ({ at: change.at, d: registersOf(change, ids) }));
  addChanges(context, { lane: 'core', id, location }, registers);
}

function registersOf(
  { status, remindAt, isArchived, need }: ForeignRecordChange,
  { records }: RecordIds,
): JsonObject {
  const neededId = need && records.get(need.key);
  return {
    ...(status !== undefined && { '/status': status }),
    ...(remindAt !== undefined && { '/remindAt': remindAt }),
    ...(isArchived !== undefined && { '/isArchived': isArchived }),
    ...(need && neededId !== undefined && { [needPath(neededId)]: need.isNeeded || null }),
  };
}
