import { DEFAULT_WORKSPACE } from '../../../model/memory.js';
import { isOpenRecord, shortRecordId } from '../../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { clip } from '../../../model/refusal.js';
import { ENGLISH, GERMAN, isStopWord, likelyLanguage, queryWords } from '../../../search/index.js';

/** Maximum number of decisions that a notice names. */
const MAX_NAMED = 3;
/** Share of the shorter title's words, from 0 to 1, that related titles have in common. */
const MIN_SHARE = 0.5;

/** A decision that is being saved. */
interface NewDecision {
  readonly id: string;
  readonly title: string;
  readonly workspaceId: string;
  /** Id of the session that saves it. */
  readonly session: string;
}

/**
 * Returns the workspace's open decisions whose titles share at least half of their words with a new
 * one, best first. In Default, with its unrelated projects, only those of the same session count.
 */
export function relatedDecisions(
  records: readonly ProjectRecord[],
  { title, workspaceId, session }: Omit<NewDecision, 'id'>,
): ProjectRecord[] {
  const words = stemsIn(title);
  return records
    .filter((other) => other.kind === 'decision' && isOpenRecord(other))
    .filter(({ savedBy }) => workspaceId !== DEFAULT_WORKSPACE || savedBy?.session === session)
    .map((record) => ({ record, share: sharedPart(words, stemsIn(record.title)) }))
    .filter(({ share }) => share >= MIN_SHARE)
    .sort((a, b) => b.share - a.share)
    .map(({ record }) => record);
}

/** Names related decisions and how to supersede them; undefined if there are none. */
export function seeAlsoNotice(
  records: readonly ProjectRecord[],
  decision: NewDecision,
): string | undefined {
  const related = relatedDecisions(records, decision).slice(0, MAX_NAMED);
  if (related.length === 0) return undefined;
  const names = related.map((other) => `"${clip(other.title)}" (${shortRecordId(other)})`);
  return `See also: ${names.join(', ')}. To replace one of them with "${clip(decision.title)}", call updateRecord with its id as title and supersededBy "${shortRecordId(decision)}".`;
}

/** Returns true if two decisions share at least half of the words of the shorter one. */
export function isOfSubject(a: string, b: string): boolean {
  return sharedPart(stemsIn(a), stemsIn(b)) >= MIN_SHARE;
}

/** Returns the stems of each word of a title, without stop words. */
function stemsIn(title: string): (readonly string[])[] {
  const languages = [ENGLISH, likelyLanguage(title, [ENGLISH, GERMAN])];
  return queryWords(title, languages)
    .filter(({ word, isStop }) => !isStop && !languages.some((each) => isStopWord(word, each)))
    .map(({ stems }) => stems);
}

function sharedPart(a: readonly (readonly string[])[], b: readonly (readonly string[])[]): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const others = new Set(long.flat());
  const shared = short.filter((stems) => stems.some((stem) => others.has(stem)));
  return short.length === 0 ? 0 : shared.length / short.length;
}
