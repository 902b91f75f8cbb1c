import type { TimeRange } from '../../indexing/search-result.js';
import * as z from 'zod';
import { clip } from '../../model/refusal.js';
import { namedPeriod } from '../../search/text/dates.js';
import type { FailureText } from '../../toolkit/define-tool.js';

/** A text names the whole range. The schema lists only the object, since clients reject a union. */
export const dateRange = z
  .preprocess(
    (given) => (typeof given === 'string' ? { start: given, end: given } : given),
    z.strictObject({ start: z.string().optional(), end: z.string().optional() }),
  )
  .describe('Dates, or words like "last week"');

export const dateFailures = {
  badDate: {
    error: 'dateRange.{field} "{date}" is not a date.',
    advice: 'Use a format like "2026-11-20", or words like "yesterday", "last week" or "October".',
  },
  datesSwapped: { error: 'dateRange.start is later than dateRange.end.', advice: 'Swap them.' },
} as const satisfies Record<string, FailureText>;

type Fail = (failure: keyof typeof dateFailures, values?: Record<string, string>) => never;

const DAY_MS = 24 * 60 * 60 * 1000;
const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Parses a range of ISO dates (a whole UTC day each), date-times (UTC if they have no zone), and
 * words that name a period, such as `last week`, in local time. Fails the call for anything else.
 * @param now Milliseconds since 1970.
 */
export function parseDateRange(
  given: z.output<typeof dateRange> | undefined,
  now: number,
  fail: Fail,
): TimeRange {
  const { start, end } = given ?? {};
  const from = start === undefined ? -Infinity : parseDate('start', start, now, fail).from;
  const to = end === undefined ? Infinity : parseDate('end', end, now, fail).to;
  if (from > to) fail('datesSwapped');
  return { from, to };
}

function parseDate(field: string, text: string, now: number, fail: Fail): TimeRange {
  return parseIsoDate(text) ?? namedPeriod(text, now) ?? failDate(field, text, fail);
}

function failDate(field: string, text: string, fail: Fail): never {
  return fail('badDate', { field, date: clip(text, 40) });
}

/** Returns the day, or the time, of an ISO date; undefined for anything else. */
export function parseIsoDate(text: string): TimeRange | undefined {
  const parts = DATE.exec(text.trim());
  const day = parts ? Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T00:00:00Z`) : NaN;
  const isRealDay =
    !Number.isNaN(day) &&
    new Date(day).toISOString().startsWith(`${parts?.[1]}-${parts?.[2]}-${parts?.[3]}`);
  const first = isRealDay && parts ? Date.parse(withZone(text.trim(), parts)) : NaN;
  if (Number.isNaN(first)) return undefined;
  const isDay = parts?.[4] === undefined;
  return { from: first, to: isDay ? first + DAY_MS - 1 : first };
}

function withZone(text: string, parts: RegExpExecArray): string {
  return parts[4] === undefined || parts[7] !== undefined ? text : `${text}Z`;
}
