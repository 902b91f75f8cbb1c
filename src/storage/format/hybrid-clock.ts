import type { Clock } from '../../platform/clock.js';

const MIN_TIME_MS = Date.UTC(2020, 0, 1);
const TIME_LIMIT_MS = Date.UTC(2200, 0, 1);
const MAX_COUNTER = 0xffff;
const STAMP =
  /^\d{4}-(?:0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z\.[0-9a-f]{4}$/;

/** Hour of the last valid timestamp. The next timestamp nearly always has the same one. */
let validHour = '?';
const WITHIN_HOUR = /^:[0-5]\d:[0-5]\d\.\d{3}Z\.[0-9a-f]{4}$/;

/** Returns true for a timestamp of 2020 to 2199, such as `2026-11-20T04:52:58.271Z.0001`. */
export function isTimestamp(h: string): boolean {
  if (h.startsWith(validHour)) return WITHIN_HOUR.test(h.slice(13));
  const day = STAMP.exec(h)?.[1];
  const isValid =
    day !== undefined &&
    h >= '2020' &&
    h < '2200' &&
    (day <= '28' || isCalendarTime(h.slice(0, 24)));
  if (isValid) validHour = h.slice(0, 13);
  return isValid;
}

/** Some engines parse the 30th of February without an error. */
function isCalendarTime(iso: string): boolean {
  const time = Date.parse(iso);
  return !Number.isNaN(time) && new Date(time).toISOString() === iso;
}

/** Maximum time by which a timestamp may be ahead of the wall clock for our clock to follow it. */
export const MAX_LEAD_MS = 24 * 60 * 60 * 1000;

/** Returns true for a timestamp over 24 hours after `now`, wall-clock milliseconds since 1970. */
export function isInFuture(h: string, now: number): boolean {
  return h > timestampAt(now + MAX_LEAD_MS);
}

function timestampAt(now: number): string {
  const time = Math.min(Math.max(now, MIN_TIME_MS), TIME_LIMIT_MS - 1);
  return `${new Date(time).toISOString()}.0000`;
}

/**
 * Returns the timestamp after `last` (or `''`) at `now` in milliseconds since 1970: the wall-clock
 * time, or `last` with its counter raised if that is later, so that a wrong clock keeps the order.
 */
export function nextTimestamp(last: string, now: number): string {
  const text = timestampAt(now);
  if (text > last) return text;
  const count = parseInt(last.slice(25), 16);
  if (count < MAX_COUNTER)
    return `${last.slice(0, 25)}${(count + 1).toString(16).padStart(4, '0')}`;
  const next = Date.parse(last.slice(0, 24)) + 1;
  if (next >= TIME_LIMIT_MS) return last; // readers would not accept a later one
  return `${new Date(next).toISOString()}.0000`;
}

/**
 * A hybrid logical clock. Timestamps are later than all it has returned or observed, except those
 * in the future (`isInFuture`), so that one wrong clock does not spread to all devices.
 */
export class HybridClock {
  readonly #clock: Pick<Clock, 'now'>;
  #last = '';
  /** The latest timestamp that was not in the future when it was `now`. */
  #limit = { now: Infinity, text: '' };

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  next(): string {
    const now = this.#clock.now();
    this.#last = nextTimestamp(isInFuture(this.#last, now) ? '' : this.#last, now);
    return this.#last;
  }

  /** Observes the timestamp of another event, so that later timestamps follow it. */
  observe(h: string): void {
    if (h > this.#last && !this.#isInFuture(h)) this.#last = h;
  }

  /** Returns what `isInFuture` does, without formatting the time for each event of a start. */
  #isInFuture(h: string): boolean {
    const now = this.#clock.now();
    if (now < this.#limit.now || h > this.#limit.text)
      this.#limit = { now, text: timestampAt(now + MAX_LEAD_MS) };
    return h > this.#limit.text;
  }
}
