import type { Trace } from '../model/trace.js';
import { ENGLISH } from '../search/text/languages.js';
import { queryWords } from '../search/text/query-words.js';

/** Kinds whose content is worth reading without a question. */
const LESSONS: ReadonlySet<string> = new Set(['error_pattern', 'quality_gate', 'observation']);

/**
 * Returns the traces that matter most for what a reader is about to do: those that share the most
 * words with it, newest first if they share as many. Without a question, returns the newest
 * lessons. `traces` are newest first.
 */
export function relevantTraces(
  traces: readonly Trace[],
  about: string | undefined,
  limit: number,
): Trace[] {
  const logged = traces.filter(({ kind }) => kind !== 'checkpoint');
  if (about === undefined || about.trim() === '')
    return logged.filter(({ kind = '' }) => LESSONS.has(kind)).slice(0, limit);
  const wanted = stemsOf(about);
  return logged
    .map((trace, at) => ({ trace, at, score: scoreOf(trace, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, limit)
    .map(({ trace }) => trace);
}

/**
 * Returns the number of wanted words that a trace contains. A lesson counts slightly more than a
 * tool call.
 */
function scoreOf(
  { kind, input, outcome, goal = '', files = [] }: Trace,
  wanted: Set<string>,
): number {
  const own = stemsOf([input, outcome, goal, ...files].join('\n'));
  const shared = [...wanted].filter((stem) => own.has(stem)).length;
  return shared === 0 ? 0 : shared + (kind !== undefined && LESSONS.has(kind) ? 0.5 : 0);
}

function stemsOf(text: string): Set<string> {
  const words = queryWords(text, [ENGLISH]).filter(({ isStop }) => !isStop);
  return new Set(words.flatMap(({ stems }) => stems));
}
