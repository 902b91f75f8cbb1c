import { estimateTokens } from '../model/text/estimate-tokens.js';

/** A part of a brief: a heading and lines, of which the first ones matter most. */
export interface BriefSection {
  readonly heading: string;
  /** At least as many as can fit. */
  readonly lines: readonly string[];
  /** Number of lines that there are. */
  readonly total: number;
  /** Number of lines to fit in before sections of less importance get any. */
  readonly minimum: number;
}

const NEWLINE_TOKENS = 1;

/**
 * Returns the sections, most important first, as text of at most `budget` tokens. First each
 * section gets up to its minimum of lines, in order; then the rest is filled in the same order. A
 * section without lines is left out, and a heading says how many of its lines are shown if some are
 * not.
 */
export function fitSections(
  title: string,
  sections: readonly BriefSection[],
  budget: number,
): string {
  const shown = sections.map(() => 0);
  let left = budget - costOf(title);
  if (left < 0) return '';
  const grow = (at: number, limit: number) => {
    const { heading, lines, total } = sections[at]!;
    while (shown[at]! < Math.min(limit, lines.length)) {
      const isFirst = shown[at] === 0;
      const cost = costOf(lines[shown[at]!]!) + (isFirst ? headingCost(heading, total) : 0);
      if (cost > left) return;
      left -= cost;
      shown[at]!++;
    }
  };
  for (const [at, { minimum }] of sections.entries()) grow(at, minimum);
  for (const at of sections.keys()) grow(at, Infinity);
  const texts = sections.flatMap(({ heading, lines, total }, at) =>
    shown[at] === 0 ? [] : [headingText(heading, shown[at]!, total), ...lines.slice(0, shown[at])],
  );
  return [title, ...texts].join('\n');
}

function headingText(heading: string, shown: number, total: number): string {
  return shown < total ? `## ${heading} (${shown} of ${total})` : `## ${heading}`;
}

/** Returns the tokens of a heading at its longest. */
function headingCost(heading: string, total: number): number {
  return costOf(headingText(heading, total, total + 1));
}

function costOf(line: string): number {
  return estimateTokens(line) + NEWLINE_TOKENS;
}
