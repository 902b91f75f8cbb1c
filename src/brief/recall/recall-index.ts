import { compareText } from '../../model/event.js';
import { ENGLISH, queryWords } from '../../search/index.js';
import type { PassageKind, RecallPassage, RecallSource } from './sources.js';

/**
 * Passages that an agent can be told, and the words, files and commands by which they are found. It
 * is read from a text without parsing all of it, because a hook has no time for that.
 */
export interface RecallIndex {
  /** Number of passages. */
  readonly size: number;
  /** Returns what is known of a stem; undefined if no passage has it. */
  readonly term: (stem: string) => RecallTerm | undefined;
  readonly passage: (number: number) => RecallPassage;
  /** Returns the number of a passage's source. */
  readonly sourceOf: (number: number) => number;
  readonly source: (number: number) => IndexedSource;
  /** Returns the numbers of the sources about a file, a path as the log stores it. */
  readonly ofFile: (path: string) => readonly number[];
  /** Returns the numbers of the sources in which a command failed. */
  readonly ofCommand: (command: string) => readonly number[];
}

export interface RecallTerm {
  /** How much it says that a passage has it: -ln of the share of texts with it. */
  readonly evidence: number;
  readonly passages: readonly number[];
}

/** A source; its `count` passages begin with the number `first`. */
export interface IndexedSource extends Pick<RecallSource, 'id' | 'at' | 'origin' | 'failed'> {
  readonly first: number;
  readonly count: number;
}

/** A word that says something, and its forms in the index. */
export interface RecallWord {
  readonly word: string;
  readonly stems: readonly string[];
}

export function recallWords(text: string): RecallWord[] {
  const words = new Map<string, RecallWord>();
  for (const { word, stems, isStop } of queryWords(text, [ENGLISH]))
    if (!isStop && !words.has(stems[0]!)) words.set(stems[0]!, { word, stems });
  return [...words.values()];
}

const FORMAT = 'savepoint recall 1';
/** Sources that would make the text longer are left out. */
const MAX_BYTES = 2_000_000;
/** Of a number in a list, and of the other parts of a line besides its text, at most. */
const NUMBER_BYTES = 7;
const LINE_BYTES = 20;

/** The share of all words of a word whose rarity (`rarityOf`) is a half. */
const SHARE_AT_HALF = 3.5e-4;
/** Of a word that no table of words has. */
const MIN_SHARE = 1e-5;
const WORDS_PER_PASSAGE = 25;
/** Number of passages that the rarity of a word in general counts for. */
const PRIOR_PASSAGES = 40;

/** Returns the text of an index, a passage at each step; `sources` are the most important first. */
export function* encodeRecallSteps(
  sources: readonly RecallSource[],
  rarityOf: (word: string) => number,
): Generator<undefined, string> {
  const kept: RecallSource[] = [];
  const passages: (RecallPassage & { readonly source: number })[] = [];
  const terms = new Map<string, { found: number[]; rarity: number }>();
  let size = 0;
  for (const source of sources) {
    const { id, at, origin, files: paths, failed } = source;
    const keys = [...paths, ...failed.map(({ command }) => command)];
    let added = sizeOf([
      JSON.stringify([id, at, origin, failed]),
      ...keys.map((key) => JSON.stringify(key)),
    ]);
    const lines: (RecallPassage & { readonly words: readonly RecallWord[] })[] = [];
    for (const { kind, text } of source.passages) {
      if (size + added > MAX_BYTES) break;
      const line = text.replace(/[\t\n]+/g, ' ');
      const words = recallWords(line);
      const stems = words.flatMap((word) => word.stems);
      added += sizeOf([line, ...stems.filter((stem) => !terms.has(stem))]);
      added += NUMBER_BYTES * stems.length;
      lines.push({ kind, text: line, words });
      yield;
    }
    if (size + added > MAX_BYTES) continue;
    size += added;
    for (const { kind, text, words } of lines) {
      const number = passages.push({ kind, text, source: kept.length }) - 1;
      for (const { word, stems } of words)
        for (const stem of stems) {
          const term = terms.get(stem) ?? { found: [], rarity: 1 };
          terms.set(stem, term);
          if (term.found.at(-1) !== number) term.found.push(number);
          term.rarity = Math.min(term.rarity, rarityOf(word));
        }
    }
    kept.push(source);
  }
  const files = new Map<string, number[]>();
  const commands = new Map<string, number[]>();
  let first = 0;
  const sourceLines = kept.map(({ passages: own, id, at, origin, failed, ...source }, number) => {
    for (const path of new Set(source.files)) listOf(files, path).push(number);
    for (const { command } of failed) listOf(commands, command).push(number);
    const line = JSON.stringify([id, at, origin, failed, first, own.length]);
    first += own.length;
    return line;
  });
  yield;
  const termLines = [...terms].map(([stem, { found, rarity }]) => {
    const evidence = evidenceOf(found.length, rarity, passages.length);
    return [stem, `${evidence.toFixed(2)},${found.join(',')}`] as const;
  });
  yield;
  const sections = [
    sorted(termLines),
    passages.map(({ source, kind, text }) => `${source}\t${kind}\t${text}`),
    sourceLines,
    sorted([...files].map(([path, list]) => [JSON.stringify(path), list.join(',')] as const)),
    sorted([...commands].map(([text, list]) => [JSON.stringify(text), list.join(',')] as const)),
  ].map((lines) => lines.join('\n'));
  return [FORMAT, sections.map(({ length }) => length).join(' '), ...sections].join('\n');
}

const encoder = new TextEncoder();

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + encoder.encode(text).length + LINE_BYTES, 0);
}

/** The word's own passage does not count: in a small memory, every word is rare. */
function evidenceOf(found: number, rarity: number, size: number): number {
  const share = Math.max(MIN_SHARE, (SHARE_AT_HALF * (1 - rarity)) / rarity);
  const usual = Math.min(1, share * WORDS_PER_PASSAGE);
  const here = (found - 1 + PRIOR_PASSAGES * usual) / (size - 1 + PRIOR_PASSAGES);
  return -Math.log(Math.max(here, usual));
}

function listOf(lists: Map<string, number[]>, key: string): number[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function sorted(entries: readonly (readonly [key: string, value: string])[]): string[] {
  return [...entries].sort(([a], [b]) => compareText(a, b)).map((entry) => entry.join('\t'));
}

/** Reads the text of an index; undefined if it has another format. */
export function readRecall(text: string): RecallIndex | undefined {
  const [format, lengths = ''] = text.slice(0, 100).split('\n');
  if (format !== FORMAT) return undefined;
  let at = FORMAT.length + lengths.length + 2;
  const [terms = '', passages = '', sources = '', files = '', commands = ''] = lengths
    .split(' ')
    .map((length) => {
      const section = text.slice(at, at + Number(length));
      at += section.length + 1;
      return section;
    });
  const passageLines = passages === '' ? [] : passages.split('\n');
  const sourceLines = sources.split('\n');
  return {
    size: passageLines.length,
    term(stem) {
      const [evidence, ...found] = numbersAt(terms, stem);
      return evidence === undefined ? undefined : { evidence, passages: found };
    },
    passage(number) {
      const [, kind, said] = passageLines[number]!.split('\t');
      return { kind: kind as PassageKind, text: said! };
    },
    sourceOf: (number) => parseInt(passageLines[number]!, 10), // up to the tab
    source(number) {
      const [id, from, origin, failed, first, count] = JSON.parse(sourceLines[number]!) as [
        string,
        string,
        string,
        RecallSource['failed'],
        number,
        number,
      ];
      return { id, at: from, origin, failed, first, count };
    },
    ofFile: (path) => numbersAt(files, JSON.stringify(path)),
    ofCommand: (command) => numbersAt(commands, JSON.stringify(command)),
  };
}

/** Returns the numbers after a key in sorted lines; none if no line has the key. */
function numbersAt(lines: string, key: string): number[] {
  let from = 0;
  let to = lines.length;
  while (from < to) {
    const start = lines.lastIndexOf('\n', (from + to) >> 1) + 1;
    const end = lines.indexOf('\n', start);
    const stop = end < 0 ? lines.length : end;
    const tab = lines.indexOf('\t', start);
    const order = compareText(lines.slice(start, tab), key);
    if (order === 0)
      return lines
        .slice(tab + 1, stop)
        .split(',')
        .map(Number);
    if (order < 0) from = stop + 1;
    else to = start - 1;
  }
  return [];
}
