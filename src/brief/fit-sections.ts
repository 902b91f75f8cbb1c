import { estimateTokens } from '../model/text/estimate-tokens.js';
import { truncate } from '../model/text/truncate.js';
import { visibleText } from '../model/text/visible-text.js';

/** A part of a brief, most important lines first. */
export interface BriefSection {
  readonly heading: string;
  /** At least as many as can fit. Each is made only if there may be room for it. */
  readonly lines: readonly (() => string)[];
  /** Number of all lines. */
  readonly total: number;
  /** Number of lines that come before less important sections get any. */
  readonly minimum: number;
  /** Place of each line among those that are shown; by default, the most important come first. */
  readonly places?: readonly number[];
}

const NEWLINE_TOKENS = 1;
/** Minimum length of a text that is cut to fit. */
const MIN_CUT_CHARACTERS = 16;

/**
 * Fits sections, most important first, into `budget` tokens: their minimum of lines in order, then
 * the rest in order. A heading says how many of its lines are shown if some are not. The first line
 * is cut rather than left out.
 */
export function fitSections(
  title: string,
  sections: readonly BriefSection[],
  budget: number,
): string {
  const shown = sections.map(() => 0);
  const made = sections.map((): string[] => []);
  const first = sections.findIndex(({ lines }) => lines.length > 0);
  let left = budget - costOf(title);
  if (left < 0) return '';
  const grow = (at: number, limit: number) => {
    const { heading, total, lines } = sections[at]!;
    const texts = made[at]!;
    while (shown[at]! < Math.min(limit, lines.length)) {
      const isFirst = shown[at] === 0;
      const head = isFirst ? headingCost(heading, total) : 0;
      let text = (texts[shown[at]!] ??= lines[shown[at]!]!());
      if (isFirst && at === first) text = texts[0] = cutToFit(text, left - head);
      const cost = costOf(text) + head;
      if (cost > left) return;
      left -= cost;
      shown[at]!++;
    }
  };
  for (const [at, { minimum }] of sections.entries()) grow(at, minimum);
  for (const at of sections.keys()) grow(at, Infinity);
  const texts = sections.flatMap(({ heading, total, places = [] }, at) => {
    const placed = made[at]!.slice(0, shown[at]).map((line, from) => ({ line, from }));
    placed.sort((a, b) => (places[a.from] ?? a.from) - (places[b.from] ?? b.from));
    const lines = placed.map(({ line }) => line);
    return lines.length === 0 ? [] : [headingText(heading, lines.length, total), ...lines];
  });
  return [title, ...texts].join('\n');
}

/**
 * Returns a text as it is shown, cut so that it fits into a number of tokens; uncut if too little
 * of it would be left.
 */
export function cutToFit(text: string, tokens: number, shown = (cut: string) => cut): string {
  for (let length = text.length; length >= MIN_CUT_CHARACTERS; length = Math.floor(length * 0.9)) {
    const cut = shown(visibleText(truncate(text, length)));
    if (costOf(cut) <= tokens) return cut;
  }
  return shown(text);
}

function headingText(heading: string, shown: number, total: number): string {
  return shown < total ? `## ${heading} (${shown} of ${total})` : `## ${heading}`;
}

/** Returns the cost of a heading at its longest. */
function headingCost(heading: string, total: number): number {
  return costOf(headingText(heading, total, total + 1));
}

/** Returns the tokens of a line with its end. */
export function costOf(line: string): number {
  return estimateTokens(line) + NEWLINE_TOKENS;
}
