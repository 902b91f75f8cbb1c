import type { ShownCall } from '../../chat/panel.js';
import { lookupState } from '../../model/lookup.js';
import { lookupRecord } from '../../model/records/lookup-record.js';
import { archiveState, noticeWithUndo, restoreState } from '../actions.js';
import { archiveRecord, restoreRecord } from '../record-actions.js';
import type { Savepoint } from '../savepoint.js';
import { wholeSubject } from './call-sentence.js';

/** Returns what a call has created in a workspace, and what archives or restores it. */
export function createdBy(
  savepoint: Savepoint,
  { tool, params, status }: ShownCall,
  workspaceId: string,
) {
  const [memory, { value }] = [savepoint.memory.get(), wholeSubject(params)];
  if (status !== 'done' || value === '') return undefined;
  const states = tool === 'createState' && lookupState(memory, workspaceId, value);
  if (states && 'item' in states) {
    const { item: state } = states;
    const change = state.item.isArchived ? restoreState : archiveState;
    return { ...state.item, state, change: () => change(savepoint, state) };
  }
  const records = tool === 'createRecord' && lookupRecord(memory, workspaceId, value);
  if (!records || !('record' in records)) return undefined;
  const { record } = records;
  const change = record.isArchived ? restoreRecord : archiveRecord;
  return { ...record, record, change: () => change(savepoint, record) };
}

/** Lets the command that undoes the last action archive what a call has created. */
export function keepUndoOf(savepoint: Savepoint, call: ShownCall, workspaceId: string): void {
  const created = createdBy(savepoint, call, workspaceId);
  if (created) noticeWithUndo(savepoint, undefined, created.change);
}
