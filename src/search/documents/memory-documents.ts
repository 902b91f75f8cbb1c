import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import { hashText } from '../../platform/byte-writer.js';
import type { SearchDocument, WeightedText } from './documents.js';

/** The label that every state of a workspace carries, or every trace. */
export function memoryLabel(type: 'state' | 'trace', workspaceId: string): string {
  return `${type}:${workspaceId}`;
}

/** What the label of a session begins with; every trace carries that of its own. */
export const SESSION_LABEL = 'session:';

/** A state as it is searched: by its name first, then by what was being done, then by everything else in it. */
export function stateDocument(state: State, displayName: string): SearchDocument {
  const { description, tags, activeTask, nextSteps, conversationContext, activeFiles } = state;
  const texts = [
    { name: 'name', text: displayName, weight: 3 },
    { name: 'tag', text: (tags ?? []).join('\n'), weight: 2 },
    { name: 'task', text: activeTask, weight: 2 },
    { name: 'description', text: description ?? '', weight: 1 },
    { name: 'next step', text: nextSteps.join('\n'), weight: 1 },
    { name: 'text', text: conversationContext, weight: 1 },
    { name: 'file', text: activeFiles.join('\n'), weight: 1 },
  ];
  return momentDocument(
    state.id,
    state.createdAt,
    texts,
    [],
    [memoryLabel('state', state.workspaceId)],
  );
}

/** A trace as it is searched: by what was called and how it ended, and a little by the calls before and after it. */
export function traceDocument(
  key: string,
  trace: Trace,
  { before, after }: Beside<Trace> = ALONE,
): SearchDocument {
  const textsOf = (traces: readonly Trace[]) =>
    traces.map(({ tool, input }) => `${tool}\n${input}`);
  const [near, farther] = [
    [...before.slice(0, 1), ...after.slice(0, 1)],
    [...before.slice(1), ...after.slice(1)],
  ];
  const labels = [
    memoryLabel('trace', trace.workspaceId),
    ...(trace.sessionId === '' ? [] : [SESSION_LABEL + trace.sessionId]),
  ];
  return momentDocument(
    key,
    trace.createdAt,
    traceTexts(trace),
    textsOf(near),
    labels,
    textsOf(farther),
  );
}

/** What stands beside something in the order of time, on each side the nearest first. */
export interface Beside<T> {
  readonly before: readonly T[];
  readonly after: readonly T[];
}

/** So many on each side a moment is found by, too: what was two before tells of what it is about, what was two after of what came next. */
export const BESIDE = { before: 2, after: 1 } as const;

const ALONE: Beside<never> = { before: [], after: [] };

function traceTexts({
  agent,
  tool,
  kind,
  input,
  outcome,
  memory,
  goal,
  constraints,
  files,
}: Trace): WeightedText[] {
  return [
    {
      name: 'tool',
      text: kind === undefined ? `${tool}\n${agent}` : kind.replace('_', ' '),
      weight: 2,
    },
    { name: 'text', text: input, weight: 2 },
    { name: 'outcome', text: outcome, weight: 1 },
    { name: 'context', text: [memory, goal, constraints].filter(Boolean).join('\n'), weight: 1 },
    { name: 'file', text: (files ?? []).join('\n'), weight: 1 },
  ];
}

const NEIGHBOUR_WEIGHT = 0.3;
const FARTHER = 'farther neighbour';
const DATE = 'date';

/** What was at a time, with its date as it is written and as it is said, what was just before and after, and what was farther off. */
export function momentDocument(
  key: string,
  createdAt: string,
  texts: readonly WeightedText[],
  neighbours: readonly string[],
  labels: readonly string[],
  farther: readonly string[] = [],
): SearchDocument {
  const all: WeightedText[] = [];
  const add = (text: WeightedText) => {
    if (text.text !== '') all.push(text);
  };
  texts.forEach(add);
  add({ name: DATE, text: dateTexts(createdAt), weight: 1 });
  for (const text of neighbours) add({ name: 'neighbour', text, weight: NEIGHBOUR_WEIGHT });
  for (const text of farther) add({ name: FARTHER, text, weight: NEIGHBOUR_WEIGHT });
  let hash = hashText(key);
  for (const { text } of all) hash = hashText(text, hash);
  for (const label of labels) hash = hashText(label, hash);
  return { key, hash, time: Date.parse(createdAt) || 0, passages: [all], labels };
}

/**
 * The same as far as it tells what it means. By its date a moment is found, but all dates are alike in meaning; the words of what was
 * farther off help to find it, but lead its meaning astray.
 */
export function asMeant(document: SearchDocument): SearchDocument {
  return {
    ...document,
    passages: document.passages.map((passage) =>
      passage.filter(({ name }) => name !== DATE && name !== FARTHER),
    ),
  };
}

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** `2026-11-20`, and `20 November 2026`. */
function dateTexts(createdAt: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(createdAt) ?? [];
  return year
    ? `${year}-${month}-${day}, ${Number(day)} ${MONTHS[Number(month) - 1] ?? ''} ${year}`
    : '';
}
