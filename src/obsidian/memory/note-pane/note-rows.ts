import type { ProjectRecord } from '../../../model/records/record.js';
import type { Section } from '../../library/library.js';
import {
  recordRow,
  sessionRows,
  siblings,
  type CallRow,
  type RecordTreeRow,
  type RowPosition,
  type SessionRow,
  type TreeRow,
} from '../rows.js';
import { groupSessions } from '../sessions.js';
import type { CallsOfNote } from './calls-of-note.js';
import type { PlacedState } from './note-memory.js';

export type HeadingRow = TreeRow & {
  readonly kind: 'records' | 'states' | 'workspaces' | 'sessions';
  readonly count: number;
};

export type NoteRow =
  | HeadingRow
  | RecordTreeRow
  | (TreeRow & { readonly kind: 'state'; readonly placed: PlacedState })
  | (TreeRow & { readonly kind: 'workspace'; readonly section: Section })
  | SessionRow
  | CallRow;

export interface NoteMemory {
  readonly records: readonly ProjectRecord[];
  readonly states: readonly PlacedState[];
  readonly workspaces: readonly Section[];
  readonly found: CallsOfNote | undefined;
}

/**
 * Returns a heading per kind and its rows. Headings start expanded and sessions collapsed;
 * `toggled` holds the keys of the rows where the user has changed that.
 */
export function noteRows(
  { records, states, workspaces, found }: NoteMemory,
  toggled: ReadonlySet<string>,
): NoteRow[] {
  const sessions = groupSessions(found?.calls ?? []);
  const kinds = [
    { kind: 'records', count: records.length },
    { kind: 'states', count: states.length },
    { kind: 'workspaces', count: workspaces.length },
    { kind: 'sessions', count: sessions.length },
  ] as const;
  const shown = kinds.filter(({ count }) => count > 0);
  return siblings(shown, 1, ({ kind, count }, position): NoteRow[] => {
    const isExpanded = !toggled.has(kind);
    const heading: HeadingRow = { kind, count, key: kind, ...position, isExpanded };
    if (!isExpanded) return [heading];
    if (kind === 'records') return [heading, ...siblings(records, 2, recordRow)];
    if (kind === 'states') return [heading, ...siblings(states, 2, stateRow)];
    if (kind === 'workspaces') return [heading, ...siblings(workspaces, 2, workspaceRow)];
    return [heading, ...sessionRows(sessions, 'note', toggled)];
  }).flat();
}

function stateRow(placed: PlacedState, position: RowPosition): NoteRow {
  return { kind: 'state', key: `state ${placed.state.item.id}`, ...position, placed };
}

function workspaceRow(section: Section, position: RowPosition): NoteRow {
  return { kind: 'workspace', key: `workspace ${section.id}`, ...position, section };
}
