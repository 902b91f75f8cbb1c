import type { State } from '../model/state.js';
import type { Trace } from '../model/trace.js';
import { hashText } from './bytes.js';
import type { SearchDocument, WeightedText } from './documents.js';

/** The label that every state of a workspace carries, or every trace. */
export function memoryLabel(type: 'state' | 'trace', workspaceId: string): string {
  return `${type}:${workspaceId}`;
}

/** What the label of a session begins with; every trace carries that of its own. */
export const SESSION_LABEL = 'session:';

/** A state as it is searched: by its name first, then by what was being done, then by everything else in it. */
export function stateDocument(state: State, shownName: string): SearchDocument {
  const { description, tags, activeTask, nextSteps, conversationContext, activeFiles } = state;
  const texts = [
    { name: 'name', text: shownName, weight: 3 },
    { name: 'tag', text: (tags ?? []).join('\n'), weight: 2 },
    { name: 'task', text: activeTask, weight: 2 },
    { name: 'description', text: description ?? '', weight: 1 },
    { name: 'next step', text: nextSteps.join('\n'), weight: 1 },
    { name: 'text', text: conversationContext, weight: 1 },
    { name: 'file', text: activeFiles.join('\n'), weight: 1 },
  ];
  return momentDocument(state.id, state.createdAt, texts, [], [memoryLabel('state', state.workspaceId)]);
}

/** A trace as it is searched: by what was called and how it ended, and a little by the calls before and after it. */
export function traceDocument(key: string, trace: Trace, before?: Trace, after?: Trace): SearchDocument {
  const neighbours = [before, after].flatMap((other) => (other ? [`${other.tool}\n${other.input}`] : []));
  const labels = [memoryLabel('trace', trace.workspaceId), ...(trace.sessionId === '' ? [] : [SESSION_LABEL + trace.sessionId])];
  return momentDocument(key, trace.createdAt, traceTexts(trace), neighbours, labels);
}

function traceTexts({ agent, tool, kind, input, outcome, memory, goal, constraints, files }: Trace): WeightedText[] {
  return [
    { name: 'tool', text: kind === undefined ? `${tool}\n${agent}` : kind.replace('_', ' '), weight: 2 },
    { name: 'text', text: input, weight: 2 },
    { name: 'outcome', text: outcome, weight: 1 },
    { name: 'context', text: [memory, goal, constraints].filter(Boolean).join('\n'), weight: 1 },
    { name: 'file', text: (files ?? []).join('\n'), weight: 1 },
  ];
}

const NEIGHBOUR_WEIGHT = 0.3;

/** What was at a time, with its date as it is written and as it is said, and what was just before and after. */
export function momentDocument(
  key: string,
  createdAt: string,
  texts: readonly WeightedText[],
  neighbours: readonly string[],
  labels: readonly string[],
): SearchDocument {
  const all = [
    ...texts,
    { name: 'date', text: dateTexts(createdAt), weight: 1 },
    ...neighbours.map((text) => ({ name: 'neighbour', text, weight: NEIGHBOUR_WEIGHT })),
  ].filter(({ text }) => text !== '');
  const hash = [...all.map(({ text }) => text), ...labels].reduce((sum, text) => hashText(text, sum), hashText(key));
  return { key, hash, time: Date.parse(createdAt) || 0, passages: [all], labels };
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** `2026-11-20`, and `20 November 2026`. */
function dateTexts(createdAt: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(createdAt) ?? [];
  return year ? `${year}-${month}-${day}, ${Number(day)} ${MONTHS[Number(month) - 1] ?? ''} ${year}` : '';
}
