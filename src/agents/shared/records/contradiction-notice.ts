import type { LogEvent } from '../../../model/event.js';
import { entityOf, type Memory } from '../../../model/memory.js';
import { allRecords, isOpenRecord } from '../../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { clip } from '../../../model/refusal.js';
import { mayContradict, subjectOf, type DecisionSubject } from './contradictions.js';
import type { RecordTexts } from './mentioned-files.js';

/** Maximum number of older decisions that a notice names. */
const MAX_NAMED = 3;

/** Returns the open decisions of a workspace that a new one may contradict, newest first. */
export function contradictedDecisions(
  memory: Memory,
  workspaceId: string,
  decision: RecordTexts,
): ProjectRecord[] {
  const subject = subjectOf(decision);
  return allRecords(memory, workspaceId).filter(
    (other) =>
      other.kind === 'decision' &&
      isOpenRecord(other) &&
      mayContradict(subject, subjectOfRecord(memory, other)),
  );
}

/**
 * Subjects of recorded decisions by the event that created them, because each new decision is
 * compared with all open ones.
 */
const subjects = new WeakMap<LogEvent, DecisionSubject>();

function subjectOfRecord(memory: Memory, record: ProjectRecord): DecisionSubject {
  const { created } = entityOf(memory, record.id);
  const known = created && subjects.get(created);
  const subject = known ?? subjectOf({ ...record, files: Object.keys(record.files) });
  if (created) subjects.set(created, subject);
  return subject;
}

/**
 * Returns a notice that a new decision may contradict older ones, and how to supersede them;
 * undefined if there are none.
 */
export function contradictionNotice(
  title: string,
  older: readonly ProjectRecord[],
): string | undefined {
  if (older.length === 0) return undefined;
  const names = older.slice(0, MAX_NAMED).map((other) => `"${clip(other.title)}"`);
  const more = older.length > MAX_NAMED ? ` and ${older.length - MAX_NAMED} more` : '';
  return `"${clip(title)}" may contradict ${names.join(', ')}${more}. If it replaces an older decision, call updateRecord with the title of that one and supersededBy "${clip(title)}".`;
}
