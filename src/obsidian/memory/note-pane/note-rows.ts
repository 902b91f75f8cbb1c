import type { ProjectRecord } from '../../../model/records/record.js';
import type { Section } from '../library.js';
import { recordRows } from '../records/record-rows.js';
import {
  sessionRows,
  type CallRow,
  type RecordTreeRow,
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
  return shown.flatMap(({ kind, count }, index): NoteRow[] => {
    const isExpanded = !toggled.has(kind);
    const heading: HeadingRow = {
      kind,
      count,
      key: kind,
      level: 1,
      at: index + 1,
      of: shown.length,
      isExpanded,
    };
    if (!isExpanded) return [heading];
    if (kind === 'records') return [heading, ...recordRows(records, 2)];
    if (kind === 'sessions') return [heading, ...sessionRows(sessions, 'note', toggled)];
    return [heading, ...(kind === 'states' ? states.map(stateRow) : workspaces.map(workspaceRow))];
  });
}

function stateRow(placed: PlacedState, index: number, { length }: readonly PlacedState[]): NoteRow {
  return {
    kind: 'state',
    key: `state ${placed.state.item.id}`,
    level: 2,
    at: index + 1,
    of: length,
    placed,
  };
}

function workspaceRow(section: Section, index: number, { length }: readonly Section[]): NoteRow {
  return {
    kind: 'workspace',
    key: `workspace ${section.id}`,
    level: 2,
    at: index + 1,
    of: length,
    section,
  };
}
