import { stateHeads, type Named } from '../model/lookup.js';
import type { Entity } from '../model/memory.js';
import type { State } from '../model/state.js';
import { newerStates } from '../model/states/pieces.js';
import { isLesson, type Trace } from '../model/trace.js';
import { ENGLISH, queryWords } from '../search/index.js';
import type { BriefTopic } from './brief.js';

/** The newest states, among which a topic selects one. */
const MAX_STATES = 200;
/** A state that has more than this share of a query's words is about it. */
const MIN_STATE_SHARE = 0.5;

/** Selects what shares the most words with the query, newest first; undefined without one. */
export function briefTopic(query = ''): BriefTopic | undefined {
  if (query.trim() === '') return undefined;
  const wanted = stemsOf(query);
  const scoreOf = (entity: Entity, read: ReadState) =>
    countShared(wanted, stemsOfState(entity, read));
  return {
    query,
    selectState(memory, workspaceId) {
      const heads = stateHeads(memory, workspaceId).filter(({ isArchived }) => !isArchived);
      let best: Named<State> | undefined;
      let most = MIN_STATE_SHARE * wanted.size;
      for (const head of heads.slice(0, MAX_STATES)) {
        const score = scoreOf(head.entity, head.read);
        if (score <= most) continue;
        best = head.read();
        most = score;
      }
      const newer = best ? newerStates(memory, best.item) : [];
      return newer.find((state) => scoreOf(state.entity, () => state) >= most / 2) ?? best;
    },
    select: (traces) =>
      traces
        .map((trace, at) => ({ trace, at, score: traceScore(trace, wanted) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || a.at - b.at)
        .map(({ trace }) => trace),
  };
}

/** Counts wanted words in a trace; a lesson counts slightly more than a tool call. */
function traceScore(trace: Trace, wanted: Set<string>): number {
  const { input, outcome, goal = '', files = [] } = trace;
  const shared = countShared(wanted, stemsOf([input, outcome, goal, ...files].join('\n')));
  return shared === 0 ? 0 : shared + (isLesson(trace) ? 0.5 : 0);
}

type ReadState = () => Named<State> | undefined;

/** Cached by entity, which changes with its state. */
const knownStems = new WeakMap<Entity, ReadonlySet<string>>();

function stemsOfState(entity: Entity, read: ReadState): ReadonlySet<string> {
  const known = knownStems.get(entity);
  if (known) return known;
  const state = read();
  const stems = stemsOf(state ? stateText(state) : '');
  knownStems.set(entity, stems);
  return stems;
}

function stateText({ displayName, item }: Named<State>): string {
  const { activeTask, nextSteps, conversationContext, activeFiles, description = '' } = item;
  const { decisions = [], questions = [] } = item;
  const lists = [nextSteps, activeFiles, decisions, questions].flat();
  return [displayName, activeTask, description, conversationContext, ...lists].join('\n');
}

function countShared(wanted: ReadonlySet<string>, own: ReadonlySet<string>): number {
  return [...wanted].filter((stem) => own.has(stem)).length;
}

function stemsOf(text: string): Set<string> {
  const words = queryWords(text, [ENGLISH]).filter(({ isStop }) => !isStop);
  return new Set(words.flatMap(({ stems }) => stems));
}
