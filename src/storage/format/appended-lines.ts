import { parseSegment } from './segment.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns `before` plus the new events and incomplete last line of `after`; undefined: no file. */
export function withAppendedEvents(
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  if (after === undefined) return before;
  const old = parse(before ?? '');
  const changed = parse(after);
  const known = new Set(old.events.map(({ id }) => id));
  const added = changed.events.filter(({ id }) => !known.has(id)).map(({ text }) => `${text}\n`);
  const kept = (before ?? '').slice(0, (before ?? '').length - old.pending.length);
  const separator = kept === '' || kept.endsWith('\n') ? '' : '\n';
  const text = kept + separator + added.join('') + changed.pending;
  return text === '' && before === undefined ? undefined : text;
}

/** Returns the events, each by its writer and number, and the incomplete last line. */
function parse(text: string): { events: { id: string; text: string }[]; pending: string } {
  const bytes = encoder.encode(text);
  const { lines, problems } = parseSegment(bytes);
  const events = lines.map(({ event: { w, n }, from, to }) => ({
    id: `${w}:${n}`,
    text: decoder.decode(bytes.subarray(from, to)),
  }));
  const pending = problems.find(({ kind }) => kind === 'pending');
  return { events, pending: pending ? decoder.decode(bytes.subarray(pending.from)) : '' };
}
