import { Refusal } from '../../model/refusal.js';

const EARLIEST = Date.UTC(2020, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);
const LAST_COUNT = 0xffff;
const STAMP =
  /^\d{4}-(?:0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z\.[0-9a-f]{4}$/;

/** The hour of the last text that was found good: nearly always the next one's too. */
let goodHour = '?';
const WITHIN_HOUR = /^:[0-5]\d:[0-5]\d\.\d{3}Z\.[0-9a-f]{4}$/;

/** Whether a text is a clock reading that this log accepts: `2026-11-20T04:52:58.271Z.0001`, from 2020 up to 2200. */
export function isClockText(h: string): boolean {
  if (h.startsWith(goodHour)) return WITHIN_HOUR.test(h.slice(13));
  const day = STAMP.exec(h)?.[1];
  const isGood =
    day !== undefined && h >= '2020' && h < '2200' && (day <= '28' || isRealTime(h.slice(0, 24)));
  if (isGood) goodHour = h.slice(0, 13);
  return isGood;
}

/** Not every engine minds the 30th of February. */
function isRealTime(iso: string): boolean {
  const time = Date.parse(iso);
  return !Number.isNaN(time) && new Date(time).toISOString() === iso;
}

/**
 * The reading after `last` (any reading seen so far, or `''`) at wall-clock time `now`: the time where it has moved on,
 * else `last` with its counter raised, so that a later event sorts later whatever the clocks say.
 * Throws a `Refusal` where nothing later can be told: no reader would accept what is written after that.
 */
export function nextClockText(last: string, now: number): string {
  const time = Math.min(Math.max(now, EARLIEST), LATEST - 1);
  const text = `${new Date(time).toISOString()}.0000`;
  if (text > last) return text;
  const count = parseInt(last.slice(25), 16);
  if (count < LAST_COUNT) return `${last.slice(0, 25)}${(count + 1).toString(16).padStart(4, '0')}`;
  const next = Date.parse(last.slice(0, 24)) + 1;
  if (next >= LATEST) {
    throw new Refusal(
      'Nothing more can be saved here: an entry in the data folder is dated to the end of the year 2199, and none can follow it. ' +
        'Take the file that holds it out of the data folder, restart, and try again.',
    );
  }
  return `${new Date(next).toISOString()}.0000`;
}
