import { joinBytes } from '../../platform/bytes/bytes.js';
import { NEWLINE } from './line.js';
import { parseSegment } from './segment.js';

const EMPTY = new Uint8Array();

/** Returns `before` plus the new events and incomplete last line of `after`; undefined: no file. */
export function withAppendedEvents(
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): Uint8Array | undefined {
  if (!after) return before;
  const old = parse(before ?? EMPTY);
  const changed = parse(after);
  const known = new Set(old.events.map(({ id }) => id));
  const added = changed.events.filter(({ id }) => !known.has(id));
  const endsLine = old.complete.length === 0 || old.complete.at(-1) === NEWLINE[0];
  const joined = joinBytes([
    old.complete,
    endsLine ? EMPTY : NEWLINE,
    ...added.flatMap(({ line }) => [line, NEWLINE]),
    changed.pending,
  ]);
  return joined.length === 0 && !before ? undefined : joined;
}

/** Returns the events, each by its writer and number, and the bytes up to a torn last line. */
function parse(bytes: Uint8Array) {
  const { lines, problems } = parseSegment(bytes);
  const events = lines.map(({ event: { w, n }, from, to }) => ({
    id: `${w}:${n}`,
    line: bytes.subarray(from, to),
  }));
  const end = problems.find(({ kind }) => kind === 'pending')?.from ?? bytes.length;
  return { events, complete: bytes.subarray(0, end), pending: bytes.subarray(end) };
}
