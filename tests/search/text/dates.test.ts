import { describe, expect, it } from 'vitest';
import {
  mentionedDates,
  periodAsked,
  relativeDates,
  writtenForms,
} from '../../../src/search/text/dates.js';

/** A Tuesday. */
const NOW = new Date(2026, 10, 24, 15).getTime();
const noon = (date: string) => new Date(`${date}T12:00`).getTime();

describe('mentionedDates', () => {
  it.each([
    ['what did I do yesterday', ['2026-11-23'], ['2026-11-22', '2026-11-24']],
    ['notes from last week', ['2026-11-16', '2026-11-22'], ['2026-11-15', '2026-11-23']],
    ['two weeks ago', ['2026-11-09', '2026-11-15'], ['2026-11-08', '2026-11-16']],
    ['last weekend', ['2026-11-21', '2026-11-22'], ['2026-11-20', '2026-11-23']],
    ['the call on Monday', ['2026-11-23'], ['2026-11-24']],
    ['the call on Friday', ['2026-11-20'], ['2026-11-27']],
    ['meeting on 7 May 2023', ['2023-05-07'], ['2023-05-08', '2022-05-07']],
    ['meeting on 2023-05-07', ['2023-05-07'], ['2023-05-08']],
    ['plans in October', ['2026-10-01', '2023-10-31'], ['2026-11-01']],
    ['plans for October 2023', ['2023-10-01'], ['2026-10-01']],
    ['the party on May 3', ['2023-05-03', '2025-05-03'], ['2023-05-04']],
    ['what we shipped in 2024', ['2024-01-01', '2024-12-31'], ['2025-01-01']],
    ['between May 3, 2024 and May 9, 2024', ['2024-05-03', '2024-05-09'], ['2024-06-01']],
    ['was habe ich gestern gemacht', ['2026-11-23'], ['2026-11-24']],
    ['die Notizen, letzte Woche', ['2026-11-17'], ['2026-11-24']],
    ['Besprechung am 7. Mai 2023', ['2023-05-07'], ['2023-05-08']],
  ])('matches the time of %j', (query, inside, outside) => {
    const matches = mentionedDates(query, NOW)!;
    expect(inside.filter((date) => !matches(noon(date)))).toEqual([]);
    expect(outside.filter((date) => matches(noon(date)))).toEqual([]);
  });

  it.each([
    'may the plan work',
    'version 3.10 of the parser',
    'error 2024-x in port 20260',
    'the second attempt',
    'now',
    '',
  ])('finds no date in %j', (query) => {
    expect(mentionedDates(query, NOW)).toBeUndefined();
  });
});

describe('relativeDates', () => {
  it('resolves days relative to the time when a text was written', () => {
    expect(relativeDates('We met yesterday, and again two days ago.', NOW)).toEqual([
      '2026-11-23',
      '2026-11-22',
    ]);
    expect(relativeDates('Das haben wir gestern mit Anna besprochen', NOW)).toEqual(['2026-11-23']);
  });

  it('leaves out days that need no resolving', () => {
    expect(relativeDates('We met on 7 May 2023.', NOW)).toEqual([]);
    expect(relativeDates('last, but not least', NOW)).toEqual([]);
  });

  it('returns at most three', () => {
    expect(relativeDates('yesterday, '.repeat(10), NOW)).toHaveLength(3);
  });
});

describe('periodAsked', () => {
  const now = new Date(2026, 10, 27, 12).getTime(); // a Friday

  it.each([
    ['today', '2026-11-27', '2026-11-27'],
    ['heute', '2026-11-27', '2026-11-27'],
    ['What did I do yesterday?', '2026-11-26', '2026-11-26'],
    ['was habe ich gestern gemacht', '2026-11-26', '2026-11-26'],
    ['this week', '2026-11-23', '2026-11-29'],
    ['diese Woche', '2026-11-23', '2026-11-29'],
    ['what happened last week', '2026-11-16', '2026-11-22'],
    ['letzten Monat', '2026-10-01', '2026-10-31'],
    ['last Tuesday', '2026-11-24', '2026-11-24'],
    ['letzten Dienstag', '2026-11-24', '2026-11-24'],
    ['in October', '2026-10-01', '2026-10-31'],
    ['im Oktober', '2026-10-01', '2026-10-31'],
    ['im Mai', '2026-05-01', '2026-05-31'],
    ['vor 3 Tagen', '2026-11-24', '2026-11-24'],
    ['2026-11-20', '2026-11-20', '2026-11-20'],
  ])('reads %s', (query, first, last) => {
    const asked = periodAsked(query, now);
    const day = (time = 0) => new Date(time).toLocaleDateString('sv');
    expect([day(asked?.first), day(asked?.last)]).toEqual([first, last]);
  });

  it.each(['May', 'tomorrow', 'today garden', 'roses of last week', '2026-11-28', 'next week', ''])(
    'leaves %j to the search',
    (query) => {
      expect(periodAsked(query, now)).toBeUndefined();
    },
  );
});

describe('writtenForms', () => {
  const now = new Date(2026, 10, 27, 12).getTime();
  const formsOf = (query: string) => writtenForms(query, periodAsked(query, now)!, ['en', 'de']);

  it('writes a day as the query, in digits and in words', () => {
    expect(formsOf('19 Nov 2020')).toEqual([
      '19 Nov 2020',
      '2020-11-19',
      'November 19, 2020',
      '19. November 2020',
    ]);
  });

  it.each(['yesterday', 'vor 3 Tagen', 'October 2020'])('has no form of %j', (query) => {
    expect(formsOf(query)).toEqual([]);
  });
});
