import type { StandingRecord } from '../../../model/records/piece-records.js';
import { addToList } from '../../../platform/lists.js';
import { isOfSubject } from '../../shared/records/related-decisions.js';
import { contentWordsOf } from './told.js';

/** A decision with the earlier ones on the same subject. */
export interface Subject {
  readonly text: string;
  readonly before: StandingRecord[];
}

/** A decision or question of an earlier state. */
export interface RecordOfLine extends Subject {
  readonly record: StandingRecord;
}

/**
 * Puts earlier decisions behind the newer ones on their subject, and returns the others. Decisions
 * of one state hold side by side, so of these at most one, the nearest, is put behind another.
 * @param own Decisions of the newest state.
 * @param standing Decisions and questions of earlier states, newest first.
 */
export function withSubjects(
  own: readonly Subject[],
  standing: readonly StandingRecord[],
): RecordOfLine[] {
  const newer = [...own];
  const found: RecordOfLine[] = [];
  for (const saved of byStateName(standing, (record) => record).values()) {
    const behind = nearestSubjects(saved, newer);
    const others: RecordOfLine[] = [];
    for (const record of saved) {
      const subject = behind.get(record);
      if (subject) subject.before.push(record);
      else others.push({ text: record.text, before: [], record });
    }
    found.push(...others);
    newer.push(...others.filter(({ record }) => record.kind === 'decision'));
  }
  return found;
}

/** Groups records by the state that they were saved with, in the order of each one's first. */
export function byStateName<Item>(
  items: readonly Item[],
  recordOf: (item: Item) => StandingRecord,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) addToList(groups, recordOf(item).stateName, item);
  return groups;
}

/** Pairs decisions of one state with newer ones on their subject, where that is clear. */
function nearestSubjects(
  saved: readonly StandingRecord[],
  newer: readonly Subject[],
): Map<StandingRecord, Subject> {
  const pairs = saved
    .filter(({ kind }) => kind === 'decision')
    .flatMap((record) =>
      newer
        .filter(({ text }) => isOfSubject(record.text, text))
        .map((subject) => ({ record, subject, share: sharedPart(record.text, subject.text) })),
    );
  const found = new Map<StandingRecord, Subject>();
  for (const { record, subject, share } of pairs) {
    const rivals = pairs.filter(
      (other) => (other.record === record) !== (other.subject === subject),
    );
    if (rivals.every((other) => other.share < share)) found.set(record, subject);
  }
  return found;
}

/** Returns the share of the words of two texts that they have in common. */
function sharedPart(a: string, b: string): number {
  const [own, others] = [stemsOf(a), stemsOf(b)];
  const shared = [...own].filter((stem) => others.has(stem)).length;
  return shared / (own.size + others.size - shared || 1);
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(contentWordsOf(text).flatMap(({ stems }) => stems.slice(-1)));
}
