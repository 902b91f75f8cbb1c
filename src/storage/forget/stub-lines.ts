import type { LogEvent } from '../../model/event.js';
import { isEqualBytes, joinBytes } from '../../platform/bytes/bytes.js';
import { lineHash } from '../format/line-hash.js';
import { parseSegment, toUtf8, type ParsedSegment } from '../format/segment.js';
import { encodeStub, originalHash, withoutNewline } from '../format/stub.js';

/** Decides which lines become stubs. */
export interface StubTargets {
  /** Returns true for an event to replace by its stub. `line` are its bytes without the newline. */
  has(event: LogEvent, line: Uint8Array): boolean;
  /** Returns true if such an event has this number. */
  hasNumber(event: Pick<LogEvent, 'w' | 'n'>): boolean;
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

const LF = 0x0a;
const NOTHING = new Uint8Array();
/** Decodes each byte to one character. */
const byteText = new TextDecoder('latin1');

/** The name of a line's event, after its first characters, which may be damaged. */
const NAME = /"w":"([a-km-np-z2-9]{12})","n":(\d{1,16}),"p":/g;
/** Length of the characters before that: `{"v":1,`. */
const BEFORE_NAME = 7;

/** Returns a file with its targets as stubs, or the same array. Throws if others would change. */
export function stubLines(raw: Uint8Array, targets: StubTargets): Uint8Array {
  const bytes = toUtf8(raw);
  const parsed = parseSegment(bytes);
  const edits = [...stubsOf(bytes, parsed, targets), ...damagedForms(bytes, parsed, targets)];
  if (edits.length === 0) return raw;
  edits.sort((a, b) => a.from - b.from);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(bytes.subarray(at, edit.from), edit.bytes);
    at = edit.to;
  }
  const result = joinBytes([...parts, bytes.subarray(at)]);
  checkOthers(linesOf(bytes, parsed, targets), linesOf(result, parseSegment(result), targets));
  return result;
}

function stubsOf(bytes: Uint8Array, { lines }: ParsedSegment, targets: StubTargets): Edit[] {
  return lines.flatMap(({ event, from, to }) => {
    const line = bytes.subarray(from, to);
    if (!targets.has(event, line)) return [];
    const stub = encodeStub(event, lineHash(line));
    return [{ from, to, bytes: withoutNewline(stub) }];
  });
}

/** Finds damaged forms of lines to forget, each up to the next line, whole or not, or newline. */
function damagedForms(
  bytes: Uint8Array,
  { lines, problems }: ParsedSegment,
  targets: StubTargets,
): Edit[] {
  return problems.flatMap(({ from }) => {
    const newline = bytes.indexOf(LF, from);
    const to = newline < 0 ? bytes.length : newline;
    const whole = lines.filter((line) => line.from < to && from < line.to);
    const edits: Edit[] = [];
    let isTarget = false;
    let at = from;
    for (const start of [...whole, { from: to, to }]) {
      const text = byteText.decode(bytes.subarray(at, start.from));
      for (const piece of piecesOf(text)) {
        if (piece.event) isTarget = targets.hasNumber(piece.event);
        if (isTarget) edits.push({ from: at + piece.from, to: at + piece.to, bytes: NOTHING });
      }
      at = start.to;
    }
    return edits;
  });
}

/** Splits text at each name of an event. What comes before the first belongs to the line before. */
function piecesOf(text: string): { from: number; to: number; event?: Pick<LogEvent, 'w' | 'n'> }[] {
  const names = [...text.matchAll(NAME)].map((name) => ({
    from: Math.max(0, name.index - BEFORE_NAME),
    event: { w: name[1]!, n: Number(name[2]) },
  }));
  const starts = names[0]?.from === 0 ? names : [{ from: 0 }, ...names];
  return starts.map((start, at) => ({ ...start, to: starts[at + 1]?.from ?? text.length }));
}

/** Returns the lines of a file; an empty one for a stub and for a line that becomes one. */
function linesOf(bytes: Uint8Array, { lines }: ParsedSegment, targets: StubTargets): Uint8Array[] {
  return lines.map(({ event, from, to }) => {
    const line = bytes.subarray(from, to);
    return targets.has(event, line) || originalHash(event) !== undefined ? NOTHING : line;
  });
}

function checkOthers(before: readonly Uint8Array[], after: readonly Uint8Array[]): void {
  const isSame =
    before.length === after.length && before.every((line, at) => isEqualBytes(line, after[at]!));
  if (!isSame) throw new Error('Forgetting a line would change another one');
}
