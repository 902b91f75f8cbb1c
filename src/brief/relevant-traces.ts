import { isLesson, type Trace } from '../model/trace.js';
import { ENGLISH } from '../search/text/languages.js';
import { queryWords } from '../search/text/query-words.js';
import type { BriefTopic } from './brief.js';

/**
 * Returns what a reader is about to do, which selects the traces that share the most words with it,
 * newest first if they share as many; undefined without a query.
 */
export function briefTopic(query = ''): BriefTopic | undefined {
  if (query.trim() === '') return undefined;
  const wanted = stemsOf(query);
  return {
    query,
    select: (traces) =>
      traces
        .map((trace, at) => ({ trace, at, score: scoreOf(trace, wanted) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || a.at - b.at)
        .map(({ trace }) => trace),
  };
}

/**
 * Returns the number of wanted words that a trace contains. A lesson counts slightly more than a
 * tool call.
 */
function scoreOf(trace: Trace, wanted: Set<string>): number {
  const { input, outcome, goal = '', files = [] } = trace;
  const own = stemsOf([input, outcome, goal, ...files].join('\n'));
  const shared = [...wanted].filter((stem) => own.has(stem)).length;
  return shared === 0 ? 0 : shared + (isLesson(trace) ? 0.5 : 0);
}

function stemsOf(text: string): Set<string> {
  const words = queryWords(text, [ENGLISH]).filter(({ isStop }) => !isStop);
  return new Set(words.flatMap(({ stems }) => stems));
}
