const DAY_MS = 86_400_000;

const UNITS = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', DAY_MS],
] as const;

const TIMES = [
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Until this long after midnight, the evening before is hours ago instead of yesterday. */
const SAME_NIGHT_MS = 6 * 3_600_000;

/** Returns a text such as "yesterday" for an ISO date-time. `now` is milliseconds since 1970. */
export function relativeDate(then: string, now: number, locale: string): string {
  const at = Date.parse(then);
  const format = relativeIn(locale);
  const days = Math.round((startOfDay(at) - startOfDay(now)) / DAY_MS);
  const isByDay = days !== 0 && Math.abs(at - now) >= SAME_NIGHT_MS;
  const distance = isByDay ? days * DAY_MS : at - now;
  for (const [unit, length] of isByDay ? UNITS : TIMES)
    if (Math.abs(distance) >= length) return format.format(Math.trunc(distance / length), unit);
  return format.format(0, 'second');
}

/** Returns the time at which a day of the user's time zone begins, in milliseconds since 1970. */
function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** Returns day and time in the user's time zone. `then` is an ISO date-time. */
export function exactDate(then: string, locale: string): string {
  return exactIn(locale).format(new Date(then));
}

/** Returns the day in the user's time zone. `then` is an ISO date-time. */
export function dayText(then: string, locale: string): string {
  return dayIn(locale).format(new Date(then));
}

/** Returns the time of day in the user's time zone, such as 14:05. `then` is an ISO date-time. */
export function timeOfDay(then: string, locale: string): string {
  return timeIn(locale).format(new Date(then));
}

/** Cached, because creating a format takes longer than using it a hundred times. */
const relativeIn = once((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
const exactIn = once(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' }),
);
const dayIn = once((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const timeIn = once((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));

function once<T>(make: (locale: string) => T): (locale: string) => T {
  const made = new Map<string, T>();
  return (locale) => {
    const format = made.get(locale) ?? make(locale);
    made.set(locale, format);
    return format;
  };
}
