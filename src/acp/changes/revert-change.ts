import { diffArrays } from 'diff';

/** Replacement of the lines from `start` to `end`. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

export interface Reverted {
  readonly text: string;
  /** True if the user has rewritten changed lines, which are kept next to the earlier ones. */
  readonly isConflict: boolean;
}

/** With more differences, all lines from the first to the last one count as replaced. */
const MAX_EDITS = 500;

/**
 * Reverts a change in the current text by a three-way merge with `after` as the base. What was
 * added since stays, what the change removed returns, and what it added goes unless rewritten.
 */
export function revertChange(before: string, after: string, current: string): Reverted {
  const base = splitLines(after);
  const since = hunksBetween(base, splitLines(current));
  const reverse = hunksBetween(base, splitLines(before));
  const isGone = new Set<number>();
  for (const { start, end } of [...since, ...reverse])
    for (let at = start; at < end; at++) isGone.add(at);
  const lines: string[] = [];
  for (let at = 0; at <= base.length; at++) {
    const added = linesAt(since, at);
    const restored = linesAt(reverse, at);
    for (const line of added) lines.push(line);
    if (!isSame(added, restored)) for (const line of restored) lines.push(line);
    const line = base[at];
    if (line !== undefined && !isGone.has(at)) lines.push(line);
  }
  const isConflict = since.some((own) => reverse.some((other) => isRewritten(own, other)));
  const text = lines.join('\n');
  const endsLine = current.endsWith('\n') && text !== '' && !text.endsWith('\n');
  return { text: endsLine ? `${text}\n` : text, isConflict };
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function linesAt(hunks: readonly Hunk[], start: number): readonly string[] {
  return hunks.find((hunk) => hunk.start === start)?.lines ?? [];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at]);
}

function isRewritten(own: Hunk, other: Hunk): boolean {
  const isReplacement = own.lines.length > 0 && own.end > own.start;
  return isReplacement && own.start < other.end && other.start < own.end;
}

/** Returns hunks that do not touch each other. */
function hunksBetween(base: readonly string[], other: readonly string[]): Hunk[] {
  const parts = diffArrays([...base], [...other], { maxEditLength: MAX_EDITS });
  if (!parts) return [outerHunk(base, other)];
  const hunks: { start: number; end: number; lines: string[] }[] = [];
  let at = 0;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      at += value.length;
      continue;
    }
    const last = hunks.at(-1);
    const hunk = last?.end === at ? last : { start: at, end: at, lines: [] };
    if (hunk !== last) hunks.push(hunk);
    if (added) for (const line of value) hunk.lines.push(line);
    else hunk.end = at += value.length;
  }
  return hunks;
}

function outerHunk(base: readonly string[], other: readonly string[]): Hunk {
  const shorter = Math.min(base.length, other.length);
  let head = 0;
  while (head < shorter && base[head] === other[head]) head++;
  let tail = 0;
  while (tail < shorter - head && base.at(-1 - tail) === other.at(-1 - tail)) tail++;
  return {
    start: head,
    end: base.length - tail,
    lines: other.slice(head, other.length - tail),
  };
}
