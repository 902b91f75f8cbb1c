import type { ProjectRecord } from '../../model/records/record.js';
import type { State } from '../../model/state.js';
import { saverText } from '../../model/states/provenance.js';
import { taskOf } from '../../model/text/checkpoint.js';
import { isNotable, type Trace } from '../../model/trace.js';
import { hashText } from '../../platform/bytes/hash.js';
import {
  countWords,
  relativeDates,
  wordsEnd,
  type SearchDocument,
  type WeightedText,
} from '../../search/index.js';

export type MemoryType = 'state' | 'record' | 'trace';

/** Label of all documents of a type. `notable` traces say what no state and no record says. */
export function memoryLabel(type: MemoryType | 'notable', workspaceId: string): string {
  return `${type}:${workspaceId}`;
}

/** Prefix of a trace's label for its session. */
export const SESSION_LABEL = 'session:';

/** The name counts most, then the task and the tags, then all other texts. */
export function stateDocument(state: State, displayName: string): SearchDocument {
  const { description, tags, activeTask, nextSteps, conversationContext, activeFiles } = state;
  const { decisions = [], questions = [], savedBy } = state;
  const texts = [
    { name: 'name', text: displayName, weight: 3 },
    { name: 'tag', text: (tags ?? []).join('\n'), weight: 2 },
    { name: 'task', text: activeTask, weight: 2 },
    { name: 'description', text: description ?? '', weight: 1 },
    { name: 'next step', text: nextSteps.join('\n'), weight: 1 },
    { name: 'decision', text: decisions.join('\n'), weight: 1 },
    { name: 'question', text: questions.join('\n'), weight: 1 },
    { name: 'text', text: conversationContext, weight: 1 },
    { name: 'file', text: activeFiles.join('\n'), weight: 1 },
    { name: WHO, text: saverText(savedBy), weight: 1 },
  ];
  const labels = [memoryLabel('state', state.workspaceId)];
  return {
    ...datedDocument(state.id, state.createdAt, texts, [], labels),
    names: [displayName],
  };
}

/** The title counts most, then its reasons. `stateName` is that of the state it was saved with. */
export function recordDocument(record: ProjectRecord, stateName = ''): SearchDocument {
  const { id, workspaceId, kind, title, body, files, createdAt, savedBy } = record;
  const texts = [
    { name: 'name', text: title, weight: 3 },
    { name: 'kind', text: kind, weight: 1 },
    { name: 'state', text: stateName, weight: 1 },
    { name: 'text', text: body ?? '', weight: 2 },
    { name: 'file', text: Object.keys(files).join('\n'), weight: 1 },
    { name: WHO, text: saverText(savedBy), weight: 1 },
  ];
  const labels = [memoryLabel('record', workspaceId)];
  return { ...datedDocument(id, createdAt, texts, [], labels), names: [title] };
}

/** Adds the calls before and after the trace at a low weight. */
export function traceDocument(
  key: string,
  trace: Trace,
  { before, after }: NeighbourContext<Trace> = NO_NEIGHBOURS,
): SearchDocument {
  const textsOf = (traces: readonly Trace[]) =>
    traces.map(({ tool, input }) => `${tool}\n${input}`);
  const near = [...before.slice(0, 1), ...after.slice(0, 1)];
  const distant = [...before.slice(1), ...after.slice(1)];
  const labels = [
    memoryLabel('trace', trace.workspaceId),
    ...(isNotable(trace) ? [memoryLabel('notable', trace.workspaceId)] : []),
    ...(trace.sessionId === '' ? [] : [SESSION_LABEL + trace.sessionId]),
  ];
  return datedDocument(
    key,
    trace.createdAt,
    traceTexts(trace),
    textsOf(near),
    labels,
    textsOf(distant),
  );
}

/** Neighbours in time; on each side the nearest comes first. */
export interface NeighbourContext<T> {
  readonly before: readonly T[];
  readonly after: readonly T[];
}

/** The second call before still shows what a trace is about; the second after, what came next. */
export const NEIGHBOUR_COUNTS = { before: 2, after: 1 } as const;

const NO_NEIGHBOURS: NeighbourContext<never> = { before: [], after: [] };

function traceTexts({
  toolset,
  tool,
  kind,
  input,
  outcome,
  memory,
  goal,
  constraints,
  files,
  checkpoint,
  client,
}: Trace): WeightedText[] {
  return [
    {
      name: 'task',
      text: checkpoint ? firstWords(taskOf(checkpoint), MAX_REPEATED_WORDS) : '',
      weight: 2,
    },
    {
      name: 'tool',
      text: kind === undefined ? `${tool}\n${toolset}` : kind.replace('_', ' '),
      weight: 2,
    },
    { name: 'text', text: input, weight: 2 },
    { name: 'outcome', text: outcome, weight: 1 },
    { name: 'context', text: [memory, goal, constraints].filter(Boolean).join('\n'), weight: 1 },
    { name: 'file', text: (files ?? []).join('\n'), weight: 1 },
    { name: WHO, text: client ?? '', weight: 1 },
  ];
}

const NEIGHBOUR_WEIGHT = 0.3;
const NEIGHBOUR = 'neighbour';
const DISTANT = 'distant neighbour';
const DATE = 'date';
const WHO = 'who';

/** Neighbours count little. The date and the days mentioned are added in digits and in words. */
export function datedDocument(
  key: string,
  createdAt: string,
  texts: readonly WeightedText[],
  neighbours: readonly string[],
  labels: readonly string[],
  distant: readonly string[] = [],
): SearchDocument {
  const time = Date.parse(createdAt) || 0;
  const mentioned = texts.flatMap(({ text }) => [
    ...relativeDates(text, time),
    ...(text.match(ISO_DATES) ?? []),
  ]);
  const dates = [createdAt, ...mentioned].map(dateText).filter(Boolean);
  const around = [
    { name: DATE, text: dates.join('\n'), weight: 1 },
    ...neighbours.map((text) => ({ name: NEIGHBOUR, text, weight: NEIGHBOUR_WEIGHT })),
    ...distant.map((text) => ({ name: DISTANT, text, weight: NEIGHBOUR_WEIGHT })),
  ].map((part) => ({ ...part, text: firstWords(part.text, MAX_NEIGHBOUR_WORDS) }));
  let hash = hashText(key);
  for (const { text } of [...texts, ...around]) hash = hashText(text, hash);
  for (const label of labels) hash = hashText(label, hash);
  const passages = splitTexts(texts).map((passage, at) =>
    [...passage, ...(at === 0 ? around : around.slice(0, 1))].filter(({ text }) => text !== ''),
  );
  return { key, hash, time, passages, labels };
}

/** A longer memory is split into passages of about this number of words. */
const MAX_PASSAGE_WORDS = 100;
/** Texts up to this number of words are repeated in each passage, like the title of a note. */
const MAX_REPEATED_WORDS = 30;
/** The first words say what a neighbour is about; all of a long one would outweigh the memory. */
const MAX_NEIGHBOUR_WORDS = 30;

/** Splits long texts: each passage has all short texts and one part of a long one. */
function splitTexts(texts: readonly WeightedText[]): WeightedText[][] {
  const total = texts.reduce((sum, { text }) => sum + countWords(text), 0);
  const long = texts.filter(({ text }) => countWords(text) > MAX_REPEATED_WORDS);
  if (total <= MAX_PASSAGE_WORDS || long.length === 0) return [[...texts]];
  const short = texts.filter((text) => !long.includes(text));
  return long.flatMap((part) => piecesOf(part.text).map((text) => [...short, { ...part, text }]));
}

/** Returns pieces of about the same number of words. */
function piecesOf(text: string): string[] {
  const words = countWords(text);
  const wordsEach = Math.ceil(words / Math.ceil(words / MAX_PASSAGE_WORDS));
  const found: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = wordsEnd(text, from, text.length, wordsEach);
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}

function firstWords(text: string, count: number): string {
  return text.slice(0, wordsEnd(text, 0, text.length, count));
}

/** Drops what distorts an embedding: who, when, and what only helps keyword search. */
export function documentToEmbed(document: SearchDocument): SearchDocument {
  return {
    ...document,
    passages: document.passages.map((passage) =>
      passage.filter(({ name }) => ![WHO, DATE, DISTANT].includes(name)),
    ),
  };
}

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

const ISO_DATES = /\b\d{4}-\d\d-\d\d\b/g;

/** Adds the names of the months of ISO dates, because a text may have the date in words. */
export function withMonths(query: string): string {
  const months = query.match(ISO_DATES)?.map((date) => dateText(date).split(' ')[2]) ?? [];
  return [...months, query].join(' ');
}

/** Converts an ISO date to `2026-11-20, 20 November 2026`; returns an empty text if it is none. */
function dateText(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(date) ?? [];
  return year
    ? `${year}-${month}-${day}, ${Number(day)} ${MONTHS[Number(month) - 1] ?? ''} ${year}`
    : '';
}
