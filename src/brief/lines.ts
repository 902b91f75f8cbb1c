import { redact } from '../redaction/index.js';
import { truncate } from '../model/text/truncate.js';
import { visibleText } from '../model/text/visible-text.js';
import type { BriefSection } from './fit-sections.js';

const MAX_LINE_LENGTH = 300;
/** Searching longer texts for secrets is slow. */
const MAX_READ_LENGTH = 20_000;

/** Quotes and cuts lines. Those of which few will be shown are functions: redaction is slow. */
export function briefSection(
  heading: string,
  minimum: number,
  lines: readonly (string | (() => string))[],
  { total = lines.length, limit = MAX_LINE_LENGTH } = {},
): BriefSection {
  const quotedLines = lines.map(
    (line) => () => `> ${clipLine(typeof line === 'string' ? line : line(), limit)}`,
  );
  return { heading: visibleText(heading), minimum, lines: quotedLines, total };
}

/** Returns one line without secrets, with hidden characters made visible. */
export function clipLine(text: string, limit = MAX_LINE_LENGTH): string {
  const known = redact(text.slice(0, MAX_READ_LENGTH));
  const line = visibleText(known).replace(/\s+/gu, ' ').trim();
  // Again, because the cut may have separated a joiner from what it joins.
  return visibleText(truncate(line, limit));
}

export function quoted(text: string): string {
  return JSON.stringify(clipLine(text));
}

export function paragraphsOf(text: string): string[] {
  return text.split(/[\r\n]+/u).filter((line) => line.trim() !== '');
}

export function shownTime(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
