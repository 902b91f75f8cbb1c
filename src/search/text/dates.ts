import * as german from 'chrono-node/de';
import * as english from 'chrono-node/en';
import type { ParsedResult } from 'chrono-node/en';
import type { LanguageCode } from './languages.js';

/** Returns true for a time, in milliseconds since 1970, that a query mentions. */
export type DateMatcher = (time: number) => boolean;

/** Longer texts are read up to this many code units. */
const MAX_LENGTH = 2000;
/** These words are dates only if something else in the expression is a number. */
const AMBIGUOUS =
  /^(may|march|mar|sat|sun|mon|second|wed|jun|jan|dec|apr|now|jetzt|mai|so|mi|do|fr|sa|di|mo)$/i;
const BEFORE_MONTH =
  /\b(?:in|of|since|until|last|this|next|during|im|seit|bis|letzten|letzter)\s+$/i;
const YEAR = /(?:^|[^\d.-])((?:19|20)\d\d)(?![\d.-])/g;

/** The parser compiles large expressions at first use, which takes longer than a search. */
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
 * Returns what matches the dates and periods in a query, in local time: `7 May 2023`, `in October`,
 * `last week`; undefined for none. A date without a year matches every year.
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

/** In milliseconds since 1970; `last` is part of it. */
export interface Period {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the period that a phrase names as a whole, in local time: `last week` is seven days,
 * `October` the latest one. Undefined for any other text, and for digits alone.
 */
export function periodOf(phrase: string, now: number): Period | undefined {
  const text = phrase.trim().replace(/^(?:in|on|im|am)\s+/i, '');
  if (!/\p{L}/u.test(text) || /^\d{4}-\d/.test(text)) return undefined;
  const unit = calendarUnit(text, now);
  if (unit) return unit;
  const inEnglish = text.replace(GERMAN_MONTH, (month) => MONTHS[month.toLowerCase()]!);
  if (inEnglish !== text) return periodOf(inEnglish, now);
  const readings = ['in', 'im'].map((before) => parse(`${before} ${text}`, now));
  const isWhole = (each: ParsedResult) =>
    each.text.replace(/^(?:in|im)\s+/i, '').toLowerCase() === text.toLowerCase();
  const [found] = readings.find((each) => each.length === 1 && each.every(isWhole)) ?? [];
  if (!found) return undefined;
  const [from, to] = boundsOf(found, now);
  return { first: from.getTime(), last: to.getTime() - 1 };
}

/** Names of months that differ from the English ones; the parser knows them only next to a day. */
const MONTHS: Readonly<Record<string, string>> = {
  januar: 'January',
  februar: 'February',
  märz: 'March',
  mai: 'May',
  juni: 'June',
  juli: 'July',
  oktober: 'October',
  dezember: 'December',
};
const GERMAN_MONTH = new RegExp(`^(?:${Object.keys(MONTHS).join('|')})(?=$|\\s+\\d{4}$)`, 'i');

const CALENDAR_UNIT =
  /^(?:the\s+)?(?:(this|current|diese[mnrs]?)|last|past|previous|(?:letzte|vorige|vergangene)[mnrs]?)\s+(?:(week|woche)|(month|monat)|year|jahr)$/i;

function calendarUnit(text: string, now: number): Period | undefined {
  const found = CALENDAR_UNIT.exec(text);
  if (!found) return undefined;
  const [, isThis, isWeek, isMonth] = Array.from(found, Boolean);
  const back = isThis ? 0 : 1;
  const today = new Date(now);
  const [year, month] = [today.getFullYear(), today.getMonth()];
  const startOf = (units: number) => {
    if (isWeek) return startOfDay(today, -((today.getDay() + 6) % 7) + 7 * units);
    return isMonth ? new Date(year, month + units, 1) : new Date(year + units, 0, 1);
  };
  return { first: startOf(-back).getTime(), last: startOf(1 - back).getTime() - 1 };
}

/** Words around a date in a question about what happened then. */
const FILLERS = new Set(
  'what did do does done i we you was were have has had happened happen work worked working on show list find me my our all the note notes change changes changed everything anything from of hab habe haben ich wir gemacht getan passiert ist geschah gearbeitet an alle alles meine notizen von zeig zeige mir die der das'.split(
    ' ',
  ),
);

/**
 * Returns the period that a query asks for if it mentions nothing else, and that has begun:
 * `today`, `what did I do yesterday`, `im Oktober`, `letzten Dienstag`.
 * @param now Milliseconds since 1970.
 */
export function periodAsked(query: string, now: number): Period | undefined {
  if (query.length > MAX_ASKED_LENGTH || !DATE_HINT.test(query)) return undefined;
  const plain = query.replace(/[?!.,]+\s*$/u, '').trim();
  if (ISO_DATE.test(plain)) {
    const first = new Date(`${plain}T00:00`).getTime();
    return first <= now ? { first, last: startOfDay(new Date(first), 1).getTime() - 1 } : undefined;
  }
  const words = plain.split(/\s+/u);
  const without = words.filter((word) => !FILLERS.has(word.toLowerCase())).join(' ');
  // any other single word may be the name of a person or a note
  if (/^\p{L}+$/u.test(plain) && !DAY_WORD.test(plain)) return undefined;
  const [asked] = [plain, without].flatMap((text) => periodOf(text, now) ?? []);
  return asked && asked.first <= now ? asked : undefined;
}

const MAX_ASKED_LENGTH = 60;
const ISO_DATE = /^\d{4}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])$/;
const DAY_MS = 86_400_000;

/**
 * Returns how a text may write the day that a query names: as the query does, in digits and in
 * words. Empty for a longer period, and for a day that the query counts from today.
 */
export function writtenForms(
  query: string,
  { first, last }: Period,
  languages: readonly LanguageCode[],
): string[] {
  const isDay = last - first <= DAY_MS && /\d/.test(query) && !RELATIVE.test(query);
  if (!isDay) return [];
  const day = new Date(first);
  const iso = [day.getFullYear(), day.getMonth() + 1, day.getDate()];
  return [
    query,
    iso.map((part) => String(part).padStart(2, '0')).join('-'),
    ...languages.map((code) => new Intl.DateTimeFormat(code, { dateStyle: 'long' }).format(day)),
  ];
}

const DAY_WORD = /^(?:today|yesterday|heute|gestern|vorgestern)$/i;

function boundsOf({ text, start, end }: ParsedResult, now: number): [from: Date, to: Date] {
  const day = start.date();
  const days = (from: Date, count: number): [Date, Date] => [from, startOfDay(from, count)];
  if (/weekend|wochenende/i.test(text)) return days(startOfDay(day, -((day.getDay() + 1) % 7)), 2);
  if (/week|woche/i.test(text)) return days(startOfDay(day, -((day.getDay() + 6) % 7)), 7);
  if (end) return [startOfDay(day, 0), startOfDay(end.date(), 1)];
  if (/^(?:in\s+)?(?:last|past)\s+\d/i.test(text))
    return [startOfDay(day, 0), startOfDay(new Date(now), 1)];
  if (!start.isCertain('day') && start.isCertain('weekday'))
    return days(startOfDay(day, day.getTime() > now ? -7 : 0), 1);
  const isLater = !start.isCertain('year') && day.getTime() > now;
  const year = day.getFullYear() - (isLater && start.isCertain('month') ? 1 : 0);
  if (start.isCertain('day')) return days(new Date(year, day.getMonth(), day.getDate()), 1);
  return start.isCertain('month')
    ? [new Date(year, day.getMonth(), 1), new Date(year, day.getMonth() + 1, 1)]
    : [new Date(year, 0, 1), new Date(year + 1, 0, 1)];
}

/** Words of dates that depend on when the text was written. */
const RELATIVE =
  /\b(?:yesterday|ago|last|next|tomorrow|tonight|gestern|vorgestern|morgen|vor|letzte[nsrm]?|nächste[nsrm]?)\b/i;
const MAX_RESOLVED = 3;

/**
 * Returns the days that a text mentions relative to when it was written, such as `yesterday`.
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
  if (/^(?:this|diese)\b/i.test(text) && /week|woche/i.test(text)) {
    const today = new Date(now);
    return within(startOfDay(today, -((today.getDay() + 6) % 7)), 7);
  }
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
