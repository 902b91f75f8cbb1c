import * as german from 'chrono-node/de';
import * as english from 'chrono-node/en';
import type { ParsedResult } from 'chrono-node/en';

/** Returns true for a time, in milliseconds since 1970, that a query mentions. */
export type DateMatcher = (time: number) => boolean;

/** Longer texts are read up to this many code units. */
const MAX_LENGTH = 2000;
/**
 * Words that resemble dates without being any, unless something else in the expression is a number.
 */
const AMBIGUOUS =
  /^(may|march|mar|sat|sun|mon|second|wed|jun|jan|dec|apr|now|jetzt|mai|so|mi|do|fr|sa|di|mo)$/i;
const BEFORE_MONTH =
  /\b(?:in|of|since|until|last|this|next|during|im|seit|bis|letzten|letzter)\s+$/i;
const YEAR = /(?:^|[^\d.-])((?:19|20)\d\d)(?![\d.-])/g;

/**
 * Matches every text that may mention a date. The parser compiles large expressions at its first
 * use, which takes longer than a search.
 */
const DATE_HINT = new RegExp(
  [
    String.raw`\d\s*(?:[./:,-]|[ap]\.?m|uhr|h\b|st\b|nd\b|rd\b|th\b)|(?:19|20)\d\d`,
    ...[
      'jan|jän|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|mon|tue|wed|thu|fri|sat|sun|die|mit|don|fre|sam|son',
      'year|yr|jahr|month|quart|week|wk|woche|day|tag|hour|stunde|minut|second|sek|season|spring|summer|autumn|fall|winter',
      'today|tonight|tomorrow|tmr|yesterday|last|past|prev|this|next|ago|late|earl|now|noon|mid|morning|afternoon|evening|night',
      'heute|gestern|vor|letzt|vergangen|nächst|kommend|folgend|jetzt|nacht|abend|früh|morgen|übermorgen',
    ].map((words) => String.raw`(?:^|\P{L})(?:${words})`),
  ].join('|'),
  'iu',
);

/**
 * Returns what matches the dates and periods that a query mentions, in local time: `7 May 2023`,
 * `in October`, `last week`. A date without a year matches every year. Returns undefined if it
 * mentions none.
 * @param now Milliseconds since 1970.
 */
export function mentionedDates(query: string, now: number): DateMatcher | undefined {
  if (!DATE_HINT.test(query)) return undefined;
  const found = parse(query, now);
  const hasMonth = found.some(({ start }) => start.isCertain('month'));
  const matchers = found
    .filter(({ text }) => !(hasMonth && /^(?:weekend|wochenende)$/i.test(text)))
    .map((result) => matcherOf(result, now));
  const rest = found.reduce((text, each) => text.replace(each.text, ''), query);
  for (const [, year] of rest.matchAll(YEAR))
    matchers.push((time) => new Date(time).getFullYear() === Number(year));
  return matchers.length === 0 ? undefined : (time) => matchers.some((matches) => matches(time));
}

/** A period that reaches from some days, weeks or months ago until today. */
const UNTIL_TODAY = /^(?:last|past|previous|letzten?|vergangenen?)\s+\d/i;
/** Words that may stand before a period without changing it. */
const BEFORE_PERIOD = /^(?:(?:in|on|at|during|the|im|am|in der|den|die|der)\s+)+/i;

/**
 * Returns the period that a text names as a whole, in local time: `yesterday`, `last week`,
 * `October`, `3 to 5 May`. Both ends are inclusive. Returns undefined for anything else.
 * @param now Milliseconds since 1970.
 */
export function namedPeriod(text: string, now: number): { from: number; to: number } | undefined {
  const phrase = text.trim().replace(BEFORE_PERIOD, '');
  if (/^\d{4}-/.test(phrase)) return undefined; // an ISO date, which is read elsewhere
  const isYear = /^(?:19|20)\d\d$/.test(phrase);
  if (isYear) return period(new Date(Number(phrase), 0), new Date(Number(phrase) + 1, 0));
  for (const { casual } of [english, german]) {
    const [result, ...others] = casual.parse(phrase, new Date(now));
    if (!result || others.length > 0 || result.text.length < phrase.length) continue;
    return periodOf(result, now, UNTIL_TODAY.test(phrase));
  }
  return undefined;
}

function periodOf({ text, start, end }: ParsedResult, now: number, isUntilToday: boolean) {
  const day = start.date();
  if (isUntilToday) return period(startOfDay(day, 0), startOfDay(new Date(now), 1));
  if (end) return period(startOfDay(day, 0), startOfDay(end.date(), 1));
  if (/weekend|wochenende/i.test(text)) {
    const saturday = startOfDay(day, -((day.getDay() + 1) % 7));
    return period(saturday, startOfDay(saturday, 2));
  }
  if (/week|woche/i.test(text)) {
    const monday = startOfDay(day, -((day.getDay() + 6) % 7));
    return period(monday, startOfDay(monday, 7));
  }
  if (start.isCertain('day') || start.isCertain('weekday')) {
    const back = !start.isCertain('day') && day.getTime() > now ? -7 : 0;
    return period(startOfDay(day, back), startOfDay(day, back + 1));
  }
  const isFuture = !start.isCertain('year') && day.getTime() > now;
  const year = day.getFullYear() - Number(isFuture);
  if (!start.isCertain('month')) return period(new Date(year, 0), new Date(year + 1, 0));
  return period(new Date(year, day.getMonth()), new Date(year, day.getMonth() + 1));
}

/** @param end Exclusive. */
function period(start: Date, end: Date): { from: number; to: number } {
  return { from: start.getTime(), to: end.getTime() - 1 };
}

/** Words of dates that depend on when the text was written. */
const RELATIVE =
  /\b(?:yesterday|ago|last|next|tomorrow|tonight|gestern|vorgestern|morgen|vor|letzte[nsrm]?|nächste[nsrm]?)\b/i;
const MAX_RESOLVED = 3;

/**
 * Returns the days that a text mentions relative to the time when it was written, such as
 * `yesterday`.
 * @param writtenAt Milliseconds since 1970.
 * @returns Local dates as `YYYY-MM-DD`.
 */
export function relativeDates(text: string, writtenAt: number): string[] {
  const start = text.slice(0, MAX_LENGTH);
  if (!RELATIVE.test(start)) return [];
  return parse(start, writtenAt)
    .filter((result) => RELATIVE.test(result.text) && result.start.isCertain('day'))
    .slice(0, MAX_RESOLVED)
    .map(({ start: day }) => isoDate(day));
}

/** Parses as English or German, whichever covers more of the text. */
function parse(text: string, now: number): ParsedResult[] {
  const [ofEnglish, ofGerman] = [english, german].map(({ casual }) =>
    casual.parse(text.slice(0, MAX_LENGTH), new Date(now)).filter(({ index, text: own }) => {
      const isMonthName = BEFORE_MONTH.test(text.slice(0, index)) && /^\p{Lu}/u.test(own);
      return !AMBIGUOUS.test(own) || isMonthName;
    }),
  );
  const covered = (results: readonly ParsedResult[]) =>
    results.reduce((sum, result) => sum + result.text.length, 0);
  return covered(ofGerman!) > covered(ofEnglish!) ? ofGerman! : ofEnglish!;
}

function matcherOf({ text, start, end }: ParsedResult, now: number): DateMatcher {
  const day = start.date();
  if (/weekend|wochenende/i.test(text))
    return within(startOfDay(day, -((day.getDay() + 1) % 7)), 2);
  if (/week|woche/i.test(text)) return within(startOfDay(day, -((day.getDay() + 6) % 7)), 7);
  if (end) return between(startOfDay(day, 0), startOfDay(end.date(), 1));
  if (!start.isCertain('day') && start.isCertain('weekday'))
    return within(startOfDay(day, day.getTime() > now ? -7 : 0), 1);
  const fields = (['year', 'month', 'day'] as const).filter((field) => start.isCertain(field));
  return (time) => {
    const date = new Date(time);
    const own = { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
    return fields.length > 0 && fields.every((field) => own[field] === start.get(field));
  };
}

function startOfDay(date: Date, days: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
}

function within(from: Date, days: number): DateMatcher {
  return between(from, startOfDay(from, days));
}

function between(from: Date, to: Date): DateMatcher {
  return (time) => time >= from.getTime() && time < to.getTime();
}

function isoDate(day: ParsedResult['start']): string {
  const digits = (field: 'year' | 'month' | 'day', length: number) =>
    String(day.get(field) ?? 0).padStart(length, '0');
  return `${digits('year', 4)}-${digits('month', 2)}-${digits('day', 2)}`;
}
