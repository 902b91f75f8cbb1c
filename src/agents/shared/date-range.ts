import { periodOf } from '../../search/index.js';
import type { TimeRange } from '../../indexing/search-result.js';
import * as z from 'zod';
import { isJsonObject } from '../../model/event.js';
import { clip } from '../../model/refusal.js';
import type { Fail, Failures } from '../../toolkit/define-tool.js';
import { withoutBlanks } from '../../toolkit/explain.js';

/** A range of ISO dates or phrases, or one phrase for the whole range. */
export const dateRange = z
  .preprocess(
    (given) => {
      if (typeof given === 'string' && given !== '') return { start: given, end: given };
      return isJsonObject(given) ? withoutBlanks(given) : given;
    },
    z.strictObject({ start: z.string().optional(), end: z.string().optional() }),
  )
  .describe('Dates, or phrases like "last week"');

export const dateFailures = {
  badDate: {
    error: 'dateRange.{field} "{date}" is not a date.',
    advice: 'Use a format like "2026-11-20" or "2026-11-20T09:30:00Z".',
  },
  datesSwapped: { error: 'dateRange.start is later than dateRange.end.', advice: 'Swap them.' },
} as const satisfies Failures;

const DAY_MS = 24 * 60 * 60 * 1000;
const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Parses ISO dates (whole UTC days), date-times (UTC by default) and, with `now` in milliseconds
 * since 1970, phrases (whole periods in local time). Fails the call for anything else.
 */
export function parseDateRange(
  given: z.output<typeof dateRange> | undefined,
  fail: Fail<typeof dateFailures>,
  now?: number,
): TimeRange {
  const read = (field: string, text: string) =>
    (now === undefined ? undefined : periodOf(text, now)) ?? parseDate(field, text, fail);
  const from = given?.start === undefined ? -Infinity : read('start', given.start).first;
  const to = given?.end === undefined ? Infinity : read('end', given.end).last;
  if (from > to) fail('datesSwapped');
  return { from, to };
}

function parseDate(
  field: string,
  text: string,
  fail: Fail<typeof dateFailures>,
): { first: number; last: number } {
  const parts = DATE.exec(text.trim());
  const day = parts ? Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T00:00:00Z`) : NaN;
  const isRealDay =
    !Number.isNaN(day) &&
    new Date(day).toISOString().startsWith(`${parts?.[1]}-${parts?.[2]}-${parts?.[3]}`);
  const isDay = parts?.[4] === undefined;
  const zone = isDay || parts[7] !== undefined ? '' : 'Z';
  const first = isRealDay ? Date.parse(text.trim() + zone) : NaN;
  if (Number.isNaN(first)) fail('badDate', { field, date: clip(text, 40) });
  return { first, last: isDay ? first + DAY_MS - 1 : first };
}
