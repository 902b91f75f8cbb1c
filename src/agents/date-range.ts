import * as z from 'zod';
import { clip, Refusal } from '../model/refusal.js';

export const dateRange = z.strictObject({ start: z.string().optional(), end: z.string().optional() });

/** First and last millisecond, both inside. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Reads ISO dates (a whole UTC day) and date-times (UTC where they name no zone). Throws a `Refusal` that shows a good one. */
export function readDateRange(given: z.output<typeof dateRange> | undefined): TimeRange {
  const from = given?.start === undefined ? -Infinity : readDate('start', given.start).first;
  const to = given?.end === undefined ? Infinity : readDate('end', given.end).last;
  if (from > to) throw new Refusal('dateRange.start is later than dateRange.end. Swap them.');
  return { from, to };
}

export function isInRange(time: string, { from, to }: TimeRange): boolean {
  const at = Date.parse(time);
  return from <= at && at <= to;
}

function readDate(field: string, text: string): { first: number; last: number } {
  const parts = DATE.exec(text.trim());
  const day = parts ? Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T00:00:00Z`) : NaN;
  const isRealDay = !Number.isNaN(day) && new Date(day).toISOString().startsWith(`${parts?.[1]}-${parts?.[2]}-${parts?.[3]}`);
  const first = isRealDay && parts ? Date.parse(withZone(text.trim(), parts)) : NaN;
  if (Number.isNaN(first)) {
    throw new Refusal(`dateRange.${field} "${clip(text, 40)}" is not a date. Give one like "2026-11-20" or "2026-11-20T09:30:00Z".`);
  }
  const isDay = parts?.[4] === undefined;
  return { first, last: isDay ? first + DAY_MS - 1 : first };
}

function withZone(text: string, parts: RegExpExecArray): string {
  return parts[4] === undefined || parts[7] !== undefined ? text : `${text}Z`;
}
