import { describe, expect, it } from 'vitest';
import { exactDate, relativeDate } from '../../../src/obsidian/ui/dates.js';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');

describe('date formatting', () => {
  it.each([
    ['2026-11-20T11:59:31.000Z', 'now'],
    ['2026-11-20T11:59:00.000Z', '1 minute ago'],
    ['2026-11-20T09:59:00.000Z', '2 hours ago'],
    ['2026-11-19T12:00:00.000Z', 'yesterday'],
    ['2026-11-12T12:00:00.000Z', 'last week'],
    ['2026-09-15T12:00:00.000Z', '2 months ago'],
    ['2024-11-01T12:00:00.000Z', '2 years ago'],
    ['2026-11-20T12:05:00.000Z', 'in 5 minutes'],
  ])('shows %s as "%s"', (then, words) => {
    expect(relativeDate(then, NOW, 'en')).toBe(words);
  });

  it.each([
    [3, 11, '8 hours ago'],
    [-2, 11, 'yesterday'],
    [-2, 2, '4 hours ago'],
    [-25, 11, '2 days ago'],
    [-23, 23, 'yesterday'],
    [30, 11, 'tomorrow'],
  ])('counts days by the calendar: %s to %s hours after midnight', (then, now, words) => {
    const at = (hours: number) => new Date(2026, 10, 20, hours);
    expect(relativeDate(at(then).toISOString(), at(now).getTime(), 'en')).toBe(words);
  });

  it('shows the day and the seconds of an exact date', () => {
    expect(exactDate('2026-11-20T12:00:05.000Z', 'en')).toMatch(/November \d+, 2026.*:\d\d:05/);
  });
});
