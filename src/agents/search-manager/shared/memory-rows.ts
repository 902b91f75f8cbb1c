import type { Named } from '../../../model/lookup.js';
import { entityName, entityOf, type Memory } from '../../../model/memory.js';
import { outcomeOf, titleWithReason } from '../../../model/records/record-outcome.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { recordsOfState, stateRecordTexts } from '../../../model/records/state-records.js';
import { shortRecordId } from '../../../model/records/lookup-record.js';
import { clip } from '../../../model/refusal.js';
import { stateTexts, type State } from '../../../model/state.js';
import { saverText } from '../../../model/states/provenance.js';
import { localDay, utcMinute } from '../../../model/text/local-minute.js';
import { shortId } from '../../../model/text/short-id.js';
import { truncate } from '../../../model/text/truncate.js';
import { visibleText } from '../../../model/text/visible-text.js';
import type { Checkpoint } from '../../../model/text/checkpoint.js';
import type { Trace } from '../../../model/trace.js';
import { bestSentences, weightOf, type QueryTerms, type Relevance } from '../../../search/index.js';
import type { EntityHit, RecordHit, StateHit } from './memory-hits.js';

/** Context that the rows of an answer share. */
export interface RowContext {
  readonly memory: Memory;
  readonly terms: QueryTerms;
  readonly relevance: Relevance;
  /** True if rows name the type of their hit. */
  readonly hasTypes: boolean;
  /** Titles of records that have rows of their own. */
  readonly titles: ReadonlySet<string>;
  /** Display names of workspaces by id, if rows name theirs. */
  readonly names: ReadonlyMap<string, string> | undefined;
}

/** Number of hits with longer excerpts, and the characters of longer and shorter ones. */
const FULL_ROWS = 4;
const FULL_EXCERPT_LENGTH = 500;
const SHORT_EXCERPT_LENGTH = 200;
const MAX_STEP_LENGTH = 160;
/** Found records that a state's row begins with, and characters that are left for the rest. */
const MAX_RECORDS = 3;
const MIN_EXCERPT = 120;

/** Returns the row of a hit. `rank` is its position in the answer, from 0. */
export function entityRow(hit: EntityHit, rank: number, context: RowContext) {
  const length = rank < FULL_ROWS ? FULL_EXCERPT_LENGTH : SHORT_EXCERPT_LENGTH;
  return 'record' in hit ? recordRow(hit, length, context) : stateRow(hit, length, context);
}

function stateRow(
  { state, newest, isPerhaps, earlier, records }: StateHit,
  length: number,
  context: RowContext,
) {
  const { hasTypes, names } = context;
  const isFull = length === FULL_EXCERPT_LENGTH;
  const [step] = isFull && (!newest || isPerhaps) ? state.item.nextSteps : [];
  const found = recordTexts(state, records, context.memory).slice(0, MAX_RECORDS);
  const room = Math.max(MIN_EXCERPT, length - found.join(SEPARATOR).length);
  // then prose of the state may say what a superseded decision said
  const isPartly =
    newest &&
    stateRecordTexts(context.memory, state.item).decisions.some((text) => SUPERSEDED.test(text));
  const texts = excerptTexts(state, context).filter(
    (text) => text !== step && !found.includes(text),
  );
  const rest = bestSentences(texts, context.terms, context.relevance, room).excerpt;
  return {
    ...(hasTypes && { type: 'state' }),
    name: state.displayName,
    ...(names && { workspace: names.get(state.item.workspaceId) }),
    ...(newest && { newest: newest.displayName }),
    ...(earlier > 0 && { earlier }),
    ...(isPartly && { outcome: 'partly superseded' }),
    ...(step !== undefined && { next: truncate(visibleText(step), MAX_STEP_LENGTH) }),
    content: [...found, rest].filter(Boolean).join(SEPARATOR),
    createdAt: utcMinute(state.item.createdAt),
  };
}

/** Returns the texts of these records of a state, with what has become of them. */
function recordTexts(
  { item }: Named<State>,
  records: readonly ProjectRecord[],
  memory: Memory,
): string[] {
  const own = recordsOfState(memory, item);
  const texts = stateRecordTexts(memory, item);
  const shown = [...texts.decisions, ...texts.questions];
  return records.flatMap(({ id }) => shown[own.findIndex(({ record }) => record?.id === id)] ?? []);
}

/** Returns texts for an excerpt that have no row; files and tags only if no other text matches. */
function excerptTexts({ item }: Named<State>, { memory, terms, titles }: RowContext): string[] {
  const { decisions = [], questions = [], description = '', tags = [] } = item;
  const shown = stateRecordTexts(memory, item);
  const prose = [item.conversationContext, item.activeTask, description, ...item.nextSteps];
  const texts = [
    ...shown.decisions.filter((text, at) => !titles.has(decisions[at]!) && !SUPERSEDED.test(text)),
    ...shown.questions.filter((_, at) => !titles.has(questions[at]!)),
    ...prose.map(visibleText),
  ];
  const labels = [...item.activeFiles, ...tags].map(visibleText);
  return terms.in(texts.join('\n')).size > 0 ? texts : [...labels, ...texts];
}

/** The end of a superseded decision's text. */
const SUPERSEDED = /\[superseded [^\]]*\]$/;

function recordRow(
  { record, insteadOf }: RecordHit,
  length: number,
  { memory, names, hasTypes }: RowContext,
) {
  const outcome = outcomeOf(memory, record);
  const titles = insteadOf.map(({ title }) => `"${clip(title, SHORT_EXCERPT_LENGTH)}"`);
  const replaced = titles.length > 0 ? ` [instead of ${visibleText(titles.join(', '))}]` : '';
  const state = record.stateId;
  return {
    id: shortRecordId(record),
    ...(hasTypes && { type: record.kind }),
    content: `${truncate(titleWithReason(record.title, record.body), length)}${replaced}`,
    ...(outcome !== undefined && { outcome }),
    ...(state !== undefined && { state: visibleText(entityName(entityOf(memory, state))) }),
    ...(names && { workspace: names.get(record.workspaceId) }),
    createdAt: localDay(record.createdAt),
  };
}

/** Returns the row of a call or a session. `rank` is its position among those, from 0. */
export function traceRow(trace: Trace, rank: number, rowContext: RowContext) {
  const { terms, relevance, hasTypes, names } = rowContext;
  const { ref, tool, kind, input, outcome, isSuccess, goal, memory, files = [] } = trace;
  const { checkpoint } = trace;
  const context = goal || memory;
  const texts = kind === undefined && isSuccess ? [input] : [input, outcome, ...files];
  const length = FULL_EXCERPT_LENGTH * (rank < FULL_ROWS ? 2 : 1);
  return {
    ...(ref !== undefined && { id: shortId(ref) }),
    content: checkpoint
      ? sessionExcerpt(checkpoint, texts, length, rowContext)
      : bestSentences(texts, terms, relevance, SHORT_EXCERPT_LENGTH).excerpt,
    ...(hasTypes && { type: 'trace' }),
    tool,
    ...(kind && { kind }),
    ...(names && { workspace: names.get(trace.workspaceId) }),
    ...(context && { context: clip(context, SHORT_EXCERPT_LENGTH) }),
    createdAt: utcMinute(trace.createdAt),
  };
}

/** Returns what was said that matches best, whole if it is short, with what was said near it. */
function sessionExcerpt(
  { turns }: Checkpoint,
  texts: readonly string[],
  length: number,
  { terms, relevance }: RowContext,
): string {
  const said = turns.flatMap(({ message, answer }) => [message, answer]);
  const weights = said.map((text) => weightOf(terms.in(text)));
  const best = weights.reduce((top, weight, at) => (weight > (weights[top] ?? 0) ? at : top), 0);
  const found = said[best] ?? '';
  if ((weights[best] ?? 0) === 0) return bestSentences(texts, terms, relevance, length).excerpt;
  if (found.length > length) return bestSentences([found], terms, relevance, length).excerpt;
  const shown = new Map([[best, found]]);
  let left = length - found.length;
  // messages are at even places
  const near = said.map((_, at) => at).filter((at) => at % 2 === 0 && at !== best);
  for (const at of near.sort((a, b) => Math.abs(a - best) - Math.abs(b - best))) {
    const text = said[at] ?? '';
    if (text.length === 0 || text.length + SEPARATOR.length > left) break;
    left -= text.length + SEPARATOR.length;
    shown.set(at, text);
  }
  const inOrder = [...shown].sort(([a], [b]) => a - b).map(([, text]) => text);
  return visibleText(inOrder.join(SEPARATOR)).replace(/\s+/gu, ' ');
}

const SEPARATOR = ' · ';

/** Returns all texts of a hit, in which words of the query are searched for. */
export function hitText(memory: Memory, hit: EntityHit): string {
  if ('record' in hit) {
    const records = [hit.record, ...hit.insteadOf];
    const states = records.map(({ stateId }) => entityName(entityOf(memory, stateId ?? '')));
    const texts = records.flatMap(({ title, body = '', savedBy }) => [
      title,
      body,
      saverText(savedBy),
    ]);
    return [...texts, ...states].join('\n');
  }
  const { item } = hit.state;
  return [...stateTexts(item), saverText(item.savedBy)].map(visibleText).join('\n');
}
