import {
  isJsonObject,
  SESSION_TYPE,
  stampTime,
  type Json,
  type LogEvent,
} from '../../model/event.js';
import { nameKey } from '../../model/names.js';
import { parseJson, textAt } from '../../model/text/json-fields.js';
import { stateRef } from '../../model/text/short-id.js';
import type { LogLine } from '../log-lines.js';

/**
 * Adds all lines that an id, or the name in a call, links to the items: changes, copies and equal
 * states, records and messages made with them, pinned copies, and the calls about them.
 */
export function linkedLines(
  lines: readonly LogLine[],
  named: ReadonlySet<LogLine>,
): ReadonlySet<LogLine> {
  const ids = linkedIds(lines, new Set([...named].flatMap(({ event: { e } }) => (e ? [e] : []))));
  const isOwnCall = ownCalls(lines, ids);
  return new Set([...named, ...lines.filter(({ event }) => isOf(event, ids) || isOwnCall(event))]);
}

/** Adds the ids of copies and originals, and of records and messages made with the items. */
function linkedIds(lines: readonly LogLine[], ids: Set<string>): Set<string> {
  const same = new Set(
    lines.flatMap(({ event }) => (ids.has(event.e) ? (contentOf(event) ?? []) : [])),
  );
  for (const { event } of lines) if (same.has(contentOf(event) ?? '')) ids.add(event.e);
  for (let size = -1; size !== ids.size;) {
    size = ids.size;
    for (const { event } of lines) {
      const { origin, state, conv } = event.d;
      const original = isJsonObject(origin) ? origin['state'] : undefined;
      const isRecord = event.t === 'record.new' && isIdIn(ids, state);
      const isMessage = event.t === 'msg.new' && isIdIn(ids, conv);
      if (typeof original === 'string' && ids.has(original)) ids.add(event.e);
      if (typeof original === 'string' && ids.has(event.e)) ids.add(original);
      if (isRecord || isMessage) ids.add(event.e);
    }
  }
  return ids;
}

/** Two states of one workspace with the same name and content are shown as one. */
function contentOf({ t, d }: LogEvent): string | undefined {
  if (t !== 'state.new' || typeof d['sha'] !== 'string') return undefined;
  return JSON.stringify([d['ws'], d['sha']]);
}

export function isIdIn(ids: ReadonlySet<string>, id: Json | undefined): boolean {
  return typeof id === 'string' && ids.has(id);
}

function isOf({ t, e, d }: LogEvent, ids: ReadonlySet<string>): boolean {
  const isTrace = t === 'trace.new' || t === 'pin.new' || t === SESSION_TYPE;
  return ids.has(e) || (isTrace && (isIdIn(ids, d['state']) || isIdIn(ids, d['session'])));
}

/** Calls about one item, with its type and the parameter that names it, in their input. */
const STATE_CALL = ['state.new', /"name":("(?:[^"\\]|\\.)*")/] as const;
const RECORD_CALL = ['record.new', /"title":("(?:[^"\\]|\\.)*")/] as const;
const CALLS: Readonly<Record<string, readonly [type: string, field: RegExp] | undefined>> = {
  createState: STATE_CALL,
  loadState: STATE_CALL,
  archiveState: STATE_CALL,
  createRecord: RECORD_CALL,
  updateRecord: RECORD_CALL,
  archiveRecord: RECORD_CALL,
};

/** Recognizes the call that created a record if its title was cut off. */
const BODY_LENGTH = 60;

/** Length of the shortest beginning of an id that a call may pass. */
const MIN_ID_LENGTH = 4;

/** Returns a test for calls about one of the items: the newest of its time if names repeat. */
function ownCalls(
  lines: readonly LogLine[],
  ids: ReadonlySet<string>,
): (event: LogEvent) => boolean {
  const created = lines
    .map(({ event }) => event)
    .filter(({ t, e }) => (t === 'state.new' || t === 'record.new') && e !== '')
    .sort((a, b) => (stampTime(a) < stampTime(b) ? -1 : 1));
  const own = created.filter(({ e }) => ids.has(e));
  // A title may have been corrected.
  const titles = lines.flatMap(({ event: { t, e, d } }) => {
    const title = t === 'set' ? d['/title'] : undefined;
    return typeof title === 'string' ? [`${e} ${nameKey(title)}`] : [];
  });
  const corrected = new Set(titles);
  const isNamed = (item: LogEvent, key: string) =>
    nameOf(item) === key || corrected.has(`${item.e} ${key}`);
  return (event) => {
    if (event.t !== 'trace.new') return false;
    const { tool, ws, input } = event.d;
    const [type, field] = CALLS[typeof tool === 'string' ? tool : ''] ?? [];
    if (!type || !field || typeof input !== 'string' || event.d['kind'] !== undefined) return false;
    const candidates = own.filter((item) => item.t === type && item.d['ws'] === ws);
    if (candidates.length === 0) return false;
    const [, json] = field.exec(input) ?? [];
    const name = json === undefined ? undefined : parseJson(json);
    if (typeof name !== 'string') return candidates.some((item) => hasBody(input, item));
    if (candidates.some((item) => isIdOf(name, item))) return true;
    const key = nameKey(name);
    if (!candidates.some((item) => isNamed(item, key))) return false;
    const named = created.filter(
      (item) => item.t === type && item.d['ws'] === ws && isNamed(item, key),
    );
    const about = named.filter((item) => stampTime(item) <= stampTime(event)).at(-1) ?? named[0];
    return about !== undefined && ids.has(about.e);
  };
}

function nameOf({ t, d }: LogEvent): string {
  return nameKey(textAt(d, t === 'state.new' ? 'name' : 'title'));
}

function isIdOf(ref: string, { t, e }: LogEvent): boolean {
  if (ref.length < MIN_ID_LENGTH) return false;
  return e.startsWith(ref) || (t === 'state.new' && stateRef(e).startsWith(ref));
}

function hasBody(input: string, { t, d }: LogEvent): boolean {
  const body = d['body'];
  if (t !== 'record.new' || typeof body !== 'string' || body.length < BODY_LENGTH) return false;
  return input.includes(`"body":${JSON.stringify(body.slice(0, BODY_LENGTH)).slice(0, -1)}`);
}
