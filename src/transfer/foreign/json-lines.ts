import type { JsonObject } from '../../model/event.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { joinBytes } from '../../platform/bytes/bytes.js';
import { utf8Chunks } from '../import-source.js';
import type {
  ReadStats,
  ForeignFile,
  SourceLocation,
  ForeignProblemKind,
} from './foreign-memory.js';
import { parseObject } from './json-values.js';

/** An object on a line of its own, or salvaged from a damaged line. */
export interface JsonLine {
  readonly value: JsonObject;
  readonly location: SourceLocation;
}

/** A garbled object has invalid characters and may be made of parts of two lines. */
type IsRecord = (value: JsonObject, isGarbled: boolean) => boolean;

const LF = 0x0a;
const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder();

/**
 * Reads the accepted objects in order and counts the rest in `stats`. Never throws. Tolerates blank
 * lines, CRLF, NULs at both ends, byte order marks, UTF-16, a missing last newline, and torn or
 * joined lines, from which it salvages complete objects.
 */
export async function* readJsonLines(
  file: ForeignFile,
  isRecord: IsRecord,
  stats: ReadStats,
  scheduler: Scheduler = NOOP_SCHEDULER,
): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const raw of rawLines(file)) {
    line++;
    await scheduler.yieldIfDue();
    if (raw === 'tooLong') {
      stats.read++;
      stats.troubles.push({ file: file.name, line, kind: 'tooLong' });
      continue;
    }
    const { text, isGarbled } = decode(raw);
    const hasNul = raw.includes(0); // lines may have been overwritten with NULs
    if (text === '' && !hasNul) continue;
    const location = { file: file.name, line };
    const whole = parseObject(text);
    const isWanted = (value: JsonObject, of: string) =>
      isRecord(value, isGarbled && of.includes('\ufffd'));
    const values = whole
      ? [whole].filter((value) => isWanted(value, text))
      : salvageObjects(text, isWanted);
    stats.read += Math.max(1, values.length);
    stats.recognized += values.length;
    const kind = problemOf({
      isWhole: whole !== undefined,
      isFound: values.length > 0,
      hasNul,
      isGarbled,
    });
    if (kind) stats.troubles.push({ ...location, kind });
    for (const value of values) yield { value, location };
  }
}

/** Longer lines are not read. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

async function* rawLines(file: ForeignFile): AsyncGenerator<Uint8Array | 'tooLong'> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const takeLine = () => {
    const line = length > MAX_LINE_BYTES ? 'tooLong' : joinBytes(parts);
    [parts, length] = [[], 0];
    return line;
  };
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length <= MAX_LINE_BYTES) parts.push(part);
  };
  for await (const chunk of utf8Chunks(file)) {
    let at = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, at)) {
      add(chunk.subarray(at, end));
      yield takeLine();
      at = end + 1;
    }
    if (at < chunk.length) add(chunk.subarray(at));
  }
  if (length > 0) yield takeLine();
}

function problemOf(seen: {
  isWhole: boolean;
  isFound: boolean;
  hasNul: boolean;
  isGarbled: boolean;
}): ForeignProblemKind | undefined {
  if (!seen.isWhole) return seen.isFound ? 'salvaged' : 'damaged';
  if (!seen.isFound) return seen.isGarbled ? 'damaged' : 'foreign';
  if (seen.hasNul) return 'salvaged';
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

/** Limit on scanned characters per character of a damaged line, to keep the time linear. */
const MAX_RESCANS = 32;

/** Returns the complete records inside a line that is not a record as a whole. */
function salvageObjects(
  text: string,
  isWanted: (value: JsonObject, of: string) => boolean,
): JsonObject[] {
  const found: JsonObject[] = [];
  let budget = MAX_RESCANS * text.length;
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

/** Undefined if the object is incomplete. */
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
