import * as z from 'zod';
import { clip } from '../../../model/refusal.js';
import type { Fail, Failures } from '../../../toolkit/define-tool.js';
import { parseDateRange } from '../../shared/date-range.js';

export const reminderInput = z.string().optional().describe('ISO date');

export const reminderFailures = {
  badReminder: {
    error: 'remindAt "{date}" is not a date.',
    advice: 'Use a format like "2026-11-20" or "2026-11-20T09:30:00Z".',
  },
} as const satisfies Failures;

/** Returns the ISO date-time from which a record is due. Fails the call for anything but a date. */
export function readReminder(
  given: string | undefined,
  fail: Fail<typeof reminderFailures>,
): string | undefined {
  if (given === undefined) return undefined;
  const { from } = parseDateRange({ start: given }, () =>
    fail('badReminder', { date: clip(given, 40) }),
  );
  return new Date(from).toISOString();
}
