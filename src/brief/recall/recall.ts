import { PROJECT_PREFIX } from '../../model/paths.js';
import { failedText } from '../../model/text/checkpoint.js';
import { shortenMiddle } from '../../model/text/truncate.js';
import { recallWords, type RecallIndex } from './recall-index.js';
import type { PassageKind, RecallSource } from './sources.js';

/** Something that is told to an agent without being asked for; id and text identify it. */
export interface RecallItem extends Pick<RecallSource, 'id' | 'at' | 'origin'> {
  readonly kind: PassageKind | 'failed';
  readonly text: string;
}

/** Who asks, so that nothing is told that this reader has said itself. */
export interface RecallReader {
  /** Id of its session; empty if unknown. */
  readonly session: string;
}

/** Parts of a longer prompt that are read, such as of one with a pasted text. */
const READ_LIMIT = { start: 5000, end: 5000 };
/** Part of the evidence in the rest of a source that counts for one of its passages. */
const REST_WEIGHT = 0.2;
/** See `chanceOf`. */
const MIN_CHANCE = 4;
const CHANCE_EXPONENT = 0.29;
/** A passage with one word of the query may be about anything. */
const MIN_WORDS = 2;
/** Confidence that a further passage of a source needs. */
const MIN_FURTHER = 0.5;
/** More are never told at once. */
const MAX_ITEMS = 3;

/** A passage and how well it fits a prompt. */
interface RatedPassage {
  /** Numbers of the passage and of its source. */
  readonly passage: number;
  readonly source: number;
  /** 1 is what chance gives at most, in memories of all sizes. */
  readonly confidence: number;
}

/**
 * Returns what the memory says about a prompt, the best first; mostly nothing. A passage is told
 * from confidence `bound` on.
 */
export function recall(
  prompt: string,
  index: RecallIndex,
  { session }: RecallReader,
  bound = 1,
): RecallItem[] {
  const typed = prompt.replace(/\s+/gu, ' ');
  const told = new Set<number>();
  const found: number[] = [];
  // a prompt that is typed again and again
  const isTyped = (passage: number) => typed.includes(index.passage(passage).text);
  for (const { passage, source, confidence } of ratePassages(prompt, index)) {
    if (found.length === MAX_ITEMS) break;
    if (confidence < (told.has(source) ? MIN_FURTHER * bound : bound)) continue;
    if (index.source(source).id === session || isTyped(passage)) continue;
    told.add(source);
    found.push(passage);
  }
  for (const passage of mostInformative(namedSources(prompt, index), index, { session }))
    if (found.length < MAX_ITEMS && !found.includes(passage) && !isTyped(passage))
      found.push(passage);
  return found.map((passage) => itemOf(index, passage));
}

/**
 * Returns the sources that know a made-up name of a prompt, such as `hasRoom`, or a path of it and
 * another of its words.
 */
function namedSources(prompt: string, index: RecallIndex): number[] {
  const named = shortenMiddle(prompt, READ_LIMIT).split(/[^\p{L}\p{N}_./@-]+/u);
  const [paths, words] = [true, false].map((isPath) =>
    named.filter((text) => text.includes('/') === isPath),
  ) as [string[], string[]];
  const knowing = (texts: readonly string[]) => {
    const terms = recallWords(texts.join(' ')).flatMap(({ stems }) => stems);
    return terms.flatMap((stem) => index.term(stem)?.passages ?? []).map(index.sourceOf);
  };
  const files = paths.map((path) => path.replace(/\.$/u, ''));
  const about = files.flatMap((path) => [`${PROJECT_PREFIX}${path}`, path].flatMap(index.ofFile));
  const sharing = new Set(about.length > 0 ? knowing(words) : []);
  const names = named.flatMap((text) => text.split(/[./@-]/u)).filter(isMadeUp);
  const found = [...knowing(names), ...about.filter((source) => sharing.has(source))];
  return [...new Set(found)].sort((a, b) => a - b);
}

function isMadeUp(name: string): boolean {
  return /\p{Ll}\p{Lu}/u.test(name);
}

/**
 * Rates the passages that have words of a prompt, the best first. Confidence is the evidence of the
 * words in common (-ln of the chance that another text has them), times the share of the prompt's
 * words that the memory knows, relative to what chance gives.
 */
function ratePassages(prompt: string, index: RecallIndex): RatedPassage[] {
  const words = recallWords(shortenMiddle(prompt, READ_LIMIT));
  const evidence = new Float64Array(index.size);
  const counts = new Uint16Array(index.size);
  const ofSource = new Map<number, number>();
  let known = 0;
  for (const { stems } of words) {
    const terms = stems.flatMap((stem) => index.term(stem) ?? []);
    if (terms.length === 0) continue;
    known++;
    const own = Math.max(0, Math.min(...terms.map((term) => term.evidence)));
    const [first, ...others] = terms.map(({ passages }) => passages);
    const passages = others.length === 0 ? first! : unionOf([first!, ...others]);
    let last = -1;
    for (const number of passages) {
      evidence[number]! += own;
      counts[number]!++;
      const source = index.sourceOf(number);
      if (source !== last) ofSource.set(source, (ofSource.get(source) ?? 0) + own);
      last = source;
    }
  }
  const factor = known / words.length / chanceOf(words.length, index.size);
  const rated: RatedPassage[] = [];
  counts.forEach((count, passage) => {
    if (count < MIN_WORDS) return;
    const source = index.sourceOf(passage);
    const rest = ofSource.get(source)! - evidence[passage]!;
    rated.push({ passage, source, confidence: (evidence[passage]! + REST_WEIGHT * rest) * factor });
  });
  return rated.sort((a, b) => b.confidence - a.confidence || a.passage - b.passage);
}

/** Returns the numbers in some of the lists, in order, so that those of a source are together. */
function unionOf(lists: readonly (readonly number[])[]): number[] {
  return [...new Set(lists.flat())].sort((a, b) => a - b);
}

/** The evidence that the best passage has by chance; found by trying prompts on other memories. */
function chanceOf(words: number, passages: number): number {
  return MIN_CHANCE + (words * passages) ** CHANCE_EXPONENT;
}

/** How well a kind of passage says what holds: what the person said comes before the answers. */
const KIND_RANKS: Readonly<Record<PassageKind, number>> = {
  decision: 3,
  question: 2,
  state: 2,
  said: 2,
  answered: 1,
};
/** Further sources about a file or name are rarely more important. */
const MAX_SOURCES = 20;
/** Passages beyond these are not rated: a hook has little time. */
const MAX_RATED = 300;
/** Share of the best passage's information that another one needs to be told as well. */
const MIN_INFORMATION = 0.5;

/** Returns what the memory says about a file, a path as the log stores it. */
export function recallFile(path: string, index: RecallIndex, reader: RecallReader): RecallItem[] {
  return mostInformative(index.ofFile(path), index, reader).map((passage) =>
    itemOf(index, passage),
  );
}

/** Returns the most informative passages of some sources, the newest first: decisions, if any. */
function mostInformative(
  sources: readonly number[],
  index: RecallIndex,
  { session }: RecallReader,
): number[] {
  const passages = sources.slice(0, MAX_SOURCES).flatMap((number) => {
    const { id, first, count } = index.source(number);
    return Array.from({ length: id === session ? 0 : count }, (_, at) => first + at);
  });
  const rated = passages.slice(0, MAX_RATED).map((passage) => {
    const { kind, text } = index.passage(passage);
    return { passage, rank: KIND_RANKS[kind], information: informationIn(text, index) };
  });
  const rank = Math.max(...rated.map((each) => each.rank));
  const best = rated
    .filter((each) => each.rank === rank)
    .sort((a, b) => b.information - a.information);
  return best
    .slice(0, MAX_ITEMS)
    .filter(({ information }) => information >= MIN_INFORMATION * best[0]!.information)
    .map(({ passage }) => passage)
    .sort((a, b) => a - b);
}

/** Returns the information in a text: the sum of the evidence of its words. */
function informationIn(text: string, index: RecallIndex): number {
  const terms = recallWords(text).map(({ stems }) => index.term(stems[0]!)?.evidence ?? 0);
  return terms.reduce((sum, evidence) => sum + evidence, 0);
}

/**
 * Returns how a command failed in the newest other session in which it did. `output` is passed if
 * the app does not say how the command ended now: it failed if its output ends like that error.
 */
export function recallCommand(
  command: string,
  index: RecallIndex,
  { session, output }: RecallReader & { readonly output?: string | undefined },
): RecallItem[] {
  const end = output?.replace(/\s+/gu, ' ').trim().slice(-MAX_COMPARED);
  for (const number of index.ofCommand(command)) {
    const { id, at, origin, failed } = index.source(number);
    const run = id === session ? undefined : failed.find((each) => each.command === command);
    if (run && end !== '' && run.error.endsWith(end ?? ''))
      return [{ id, at, origin, kind: 'failed', text: failedText(run) }];
  }
  return [];
}

/** Of the end of an output, in UTF-16 units. */
const MAX_COMPARED = 60;

function itemOf(index: RecallIndex, number: number): RecallItem {
  const { kind, text } = index.passage(number);
  const { id, at, origin } = index.source(index.sourceOf(number));
  return { id, at, origin, kind, text };
}
