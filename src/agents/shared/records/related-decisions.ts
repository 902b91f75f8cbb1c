import * as z from 'zod';
import { DEFAULT_WORKSPACE } from '../../../model/memory.js';
import { nameKey } from '../../../model/names.js';
import { isOpenRecord, shortRecordId } from '../../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { truncate } from '../../../model/text/truncate.js';
import { visibleText } from '../../../model/text/visible-text.js';
import { ENGLISH, GERMAN, isStopWord, likelyLanguage, queryWords } from '../../../search/index.js';
import type { SuggestedCall } from '../../../toolkit/answer.js';

/** Maximum number of decisions that an answer names for a new one, and characters of a title. */
const MAX_NAMED = 3;
const MAX_TITLE_LENGTH = 120;
/** Share of the shorter title's words, from 0 to 1, that related titles have in common. */
const MIN_SHARE = 0.5;
/** Likewise within one work, with rare words counted more. */
const MIN_WEIGHT = 0.25;

/** Where a decision is being saved. */
interface Place {
  readonly workspaceId: string;
  /** Id of the session that saves it. */
  readonly session: string;
  /** Ids of the earlier states of its work. */
  readonly work?: ReadonlySet<string>;
  /** Decisions that are being marked as replaced. */
  readonly replaced?: readonly ProjectRecord[];
}

type Stems = readonly (readonly string[])[];

/** The open decisions of a workspace, by what they are about. */
export class OpenDecisions {
  readonly #decisions: readonly { readonly record: ProjectRecord; readonly stems: Stems }[];
  readonly #work: ReadonlySet<string>;
  readonly #counts = new Map<string, number>();

  /** In Default, with its unrelated projects, only decisions of the same session count. */
  constructor(records: readonly ProjectRecord[], { workspaceId, session, ...place }: Place) {
    const { work = new Set(), replaced = [] } = place;
    const marked = new Set(replaced.map(({ id }) => id));
    this.#work = work;
    this.#decisions = records
      .filter((other) => other.kind === 'decision' && isOpenRecord(other) && !marked.has(other.id))
      .filter(({ savedBy }) => workspaceId !== DEFAULT_WORKSPACE || savedBy?.session === session)
      .map((record) => ({ record, stems: stemsIn(record.title) }));
    for (const { stems } of this.#decisions)
      for (const stem of new Set(stems.flat()))
        this.#counts.set(stem, (this.#counts.get(stem) ?? 0) + 1);
  }

  /** Returns the decisions that a new one may replace, best first. */
  relatedTo(title: string): ProjectRecord[] {
    const words = stemsIn(title);
    return this.#decisions
      .map(({ record, stems }) => ({
        record,
        share: haveSameLabel(title, record.title) ? 1 : sharedPart(words, stems, () => 1),
        weight: this.#work.has(record.stateId ?? '') ? sharedPart(words, stems, this.#rarity) : 0,
      }))
      .filter(({ share, weight }) => share >= MIN_SHARE || weight >= MIN_WEIGHT)
      .sort((a, b) => Math.max(b.share, b.weight) - Math.max(a.share, a.weight))
      .map(({ record }) => record);
  }

  readonly #rarity = (stems: readonly string[]): number => {
    const counts = stems.map((stem) => this.#counts.get(stem) ?? 0);
    return Math.log((this.#decisions.length + 2) / (Math.max(0, ...counts) + 1));
  };
}

/** A subject that a title states, as in "Enclosure: aluminium panels". */
const LABEL = /^[^:：]{2,60}(?=[:：]\s?\S)/u;

function haveSameLabel(a: string, b: string): boolean {
  const [label, other] = [a, b].map((title) => LABEL.exec(title)?.[0]);
  return label !== undefined && other !== undefined && nameKey(label) === nameKey(other);
}

/** The decisions that an answer suggests to mark as replaced. */
export const mayReplaceOutput = z
  .object({
    mayReplace: z
      .array(z.object({ id: z.string(), title: z.string(), by: z.string() }))
      .describe('Earlier decisions that new ones may replace; if so, make the call'),
  })
  .optional();

interface NewDecision {
  readonly id: string;
  readonly title: string;
}

/** Names earlier decisions that new ones may replace, with the call that marks those of one. */
export function mayReplace(
  decisions: OpenDecisions,
  added: readonly NewDecision[],
  workspace: string,
): { answer: z.output<typeof mayReplaceOutput>; call: SuggestedCall } | undefined {
  const named = added.flatMap(({ id, title }) =>
    decisions
      .relatedTo(title)
      .slice(0, MAX_NAMED)
      .map((record) => ({
        id: shortRecordId(record),
        title: visibleText(truncate(record.title, MAX_TITLE_LENGTH)),
        by: shortRecordId({ id }),
      })),
  );
  const each = [...new Map(named.map((row) => [row.id, row])).values()];
  if (each.length === 0) return undefined;
  const by = each[0]?.by ?? '';
  const replaces = each.flatMap((row) => (row.by === by ? row.id : []));
  const params = { replaces, by, context: { workspaceId: workspace } };
  return { answer: { mayReplace: each }, call: { tool: 'replaceDecisions', params } };
}

/** Returns the id of the new decision that shares most with a title. */
export function nearestTo(title: string, added: readonly NewDecision[]): string {
  const shareOf = (other: string) => sharedPart(stemsIn(title), stemsIn(other), () => 1);
  const [nearest] = [...added].sort((a, b) => shareOf(b.title) - shareOf(a.title));
  return nearest?.id ?? '';
}

/** Returns true if two decisions share at least half of the words of the shorter one. */
export function isOfSubject(a: string, b: string): boolean {
  return sharedPart(stemsIn(a), stemsIn(b), () => 1) >= MIN_SHARE;
}

/** Returns the stems of each word of a title, without stop words. */
function stemsIn(title: string): Stems {
  const languages = [ENGLISH, likelyLanguage(title, [ENGLISH, GERMAN])];
  return queryWords(title, languages)
    .filter(({ word, isStop }) => !isStop && !languages.some((each) => isStopWord(word, each)))
    .map(({ stems }) => stems);
}

/** Returns the share of the lighter title's weight that the other one has, too. */
function sharedPart(a: Stems, b: Stems, weightOf: (stems: readonly string[]) => number): number {
  const sum = (words: Stems) => words.reduce((total, stems) => total + weightOf(stems), 0);
  const [light, heavy] = sum(a) < sum(b) ? [a, b] : [b, a];
  const others = new Set(heavy.flat());
  const shared = light.filter((stems) => stems.some((stem) => others.has(stem)));
  return sum(light) === 0 ? 0 : sum(shared) / sum(light);
}
