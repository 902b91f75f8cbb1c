import type { JsonObject } from '../../model/event.js';
import type { Pause } from '../../platform/scheduler.js';
import { segmentBytes } from '../../storage/format/segment.js';
import {
  parseObject,
  rest,
  type Account,
  type ForeignFile,
  type Place,
  type TroubleKind,
} from './foreign.js';

/** An object that stands in a line of its own, or could be had out of a damaged one. */
export interface JsonLine {
  readonly value: JsonObject;
  readonly place: Place;
}

/** `isGarbled` where characters are no text: what is whole JSON may then be the halves of two lines. */
type IsRecord = (value: JsonObject, isGarbled: boolean) => boolean;

const LF = 0x0a;
const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder();

/**
 * The objects in a file of JSON lines that `isRecord` takes for what it looks for, in their order; whatever else is there goes into
 * the account. Never throws. What it forgives: blank lines, CRLF, NULs at both ends, byte order marks, UTF-16, a missing last newline,
 * and lines that are torn or glued, out of which it takes what is whole.
 */
export async function readJsonLines(
  file: ForeignFile,
  isRecord: IsRecord,
  account: Account,
  pause?: Pause,
): Promise<JsonLine[]> {
  const bytes = segmentBytes(file.bytes);
  const found: JsonLine[] = [];
  let at = 0;
  for (let line = 1; at < bytes.length; line++) {
    await rest(pause);
    const newline = bytes.indexOf(LF, at);
    const end = newline < 0 ? bytes.length : newline;
    const raw = bytes.subarray(at, end);
    const { text, isGarbled } = decode(raw);
    const isHoled = raw.includes(0); // a line, or one after it, may have stood where the NULs are
    at = end + 1;
    if (text === '' && !isHoled) continue;
    const place = { file: file.name, line };
    const whole = parseObject(text);
    const isWanted = (value: JsonObject, of: string) =>
      isRecord(value, isGarbled && of.includes('\ufffd'));
    const values = whole
      ? [whole].filter((value) => isWanted(value, text))
      : salvage(text, isWanted);
    for (const value of values) found.push({ value, place });
    account.read += Math.max(1, values.length);
    account.recognized += values.length;
    const kind = troubleOf({
      isWhole: whole !== undefined,
      isFound: values.length > 0,
      isHoled,
      isGarbled,
    });
    if (kind) account.troubles.push({ ...place, kind });
  }
  return found;
}

function troubleOf(seen: {
  isWhole: boolean;
  isFound: boolean;
  isHoled: boolean;
  isGarbled: boolean;
}): TroubleKind | undefined {
  if (!seen.isWhole) return seen.isFound ? 'salvaged' : 'damaged';
  if (!seen.isFound) return seen.isGarbled ? 'damaged' : 'foreign';
  if (seen.isHoled) return 'salvaged';
  return seen.isGarbled ? 'garbled' : undefined;
}

function decode(bytes: Uint8Array): { text: string; isGarbled: boolean } {
  try {
    return { text: trim(strict.decode(bytes)), isGarbled: false };
  } catch {
    return { text: trim(lenient.decode(bytes)), isGarbled: true };
  }
}

function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isFiller(text.charCodeAt(start))) start++;
  while (end > start && isFiller(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isFiller(code: number): boolean {
  return code === 0 || code === 0x20 || code === 0x09 || code === 0x0d || code === 0xfeff;
}

/** So many times its own length a damaged line is looked over at most: time grows with length alone. */
const LOOKS = 32;

/** The whole records inside a line that as a whole is none. */
function salvage(text: string, isWanted: (value: JsonObject, of: string) => boolean): JsonObject[] {
  const found: JsonObject[] = [];
  let budget = LOOKS * text.length;
  let at = text.indexOf('{"');
  while (at >= 0 && budget > 0) {
    const end = objectEnd(text, at);
    budget -= (end ?? text.length) - at;
    const part = text.slice(at, end);
    const value = end === undefined ? undefined : parseObject(part);
    const isFound = end !== undefined && value !== undefined && isWanted(value, part);
    if (isFound) found.push(value);
    at = text.indexOf('{"', isFound ? end : at + 1);
  }
  return found;
}

/** Where the object that begins at `start` would end; undefined where it does not. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) isText = !isText;
    else if (isText && code === 0x5c) at++;
    else if (!isText && code === 0x7b) depth++;
    else if (!isText && code === 0x7d && --depth === 0) return at + 1;
  }
  return undefined;
}
