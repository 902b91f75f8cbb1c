import type { Draft, JsonObject, LogEvent } from '../../src/model/event.js';
import { stateData, canonicalStateText, type StateContent } from '../../src/model/state.js';
import { crc32, crcText } from '../../src/platform/crc32.js';
import { CHAIN_START } from '../../src/storage/format/line-hash.js';
import { encodeLine, TAIL_BYTES, type EncodedLine } from '../../src/storage/format/line.js';
import { sha256 } from '../../src/platform/sha256.js';
import { START_TIME } from './deterministic.js';

export const WRITER_A = 'aaaaaaaaaaaa';
export const WRITER_B = 'bbbbbbbbbbbb';

/** Returns a timestamp of the hybrid clock, `minute` minutes after the start time. */
export function clockText(minute: number, count = 0): string {
  return `${new Date(START_TIME + minute * 60_000).toISOString()}.${count.toString(16).padStart(4, '0')}`;
}

/** Fields of an event. Only the type is required. */
export type EventFields = Pick<LogEvent, 't'> & Partial<LogEvent>;

/** Returns an event and the bytes of its line, with a matching CRC. */
export function lineOf(fields: EventFields): EncodedLine {
  const {
    v = 1,
    w = WRITER_A,
    n = 1,
    p = CHAIN_START,
    h = clockText(0),
    t,
    e = '',
    d = {},
  } = fields;
  return encodeLine({ v, w, n, p, h, t, e, d });
}

export function eventOf(fields: EventFields): LogEvent {
  return lineOf(fields).event;
}

/**
 * Returns a line whose `d` contains lists nested `depth` levels deep under `key`. Written as text,
 * since serializers cannot handle that depth.
 */
export function deepLine(t: string, d: JsonObject, key: string, depth: number): Uint8Array {
  const text = new TextDecoder().decode(
    lineOf({ t, e: 'deep', n: 2, d: { ...d, [key]: 'DEEP' } }).bytes,
  );
  const body = text
    .replace('"DEEP"', '['.repeat(depth) + ']'.repeat(depth))
    .slice(0, -TAIL_BYTES - 1);
  return new TextEncoder().encode(
    `${body},"c":"${crcText(crc32(new TextEncoder().encode(body)))}"}\n`,
  );
}

export function workspaceDraft(name: string, id = `ws-${name}`, more: JsonObject = {}): Draft {
  return {
    t: 'ws.new',
    e: id,
    d: { name, description: `About ${name}`, rootFolder: 'Notes', purpose: 'To test', ...more },
  };
}

export function contentOf(name: string, more: Partial<StateContent> = {}): StateContent {
  return {
    name,
    conversationContext: 'We spoke',
    activeTask: 'Test',
    activeFiles: ['a.md'],
    nextSteps: ['Go on'],
    ...more,
  };
}

export async function stateDraft(
  name: string,
  id = `st-${name}`,
  ws = 'default',
  more: Partial<StateContent> = {},
): Promise<Draft> {
  const content = contentOf(name, more);
  return {
    t: 'state.new',
    e: id,
    d: stateData(ws, content, await sha256(canonicalStateText(content))),
  };
}

/**
 * Returns consecutive lines of a writer, numbered from `first`, each linked to its predecessor and
 * a minute later.
 */
export function linesOf(drafts: readonly Draft[], w = WRITER_A, first = 1): EncodedLine[] {
  let p = CHAIN_START;
  return drafts.map((draft, index) => {
    const line = lineOf({ ...draft, w, n: first + index, p, h: clockText(index) });
    p = line.hash;
    return line;
  });
}

export function joinLines(lines: readonly { bytes: Uint8Array }[]): Uint8Array {
  return Uint8Array.from(lines.flatMap(({ bytes }) => [...bytes]));
}

/** Returns a draft of a record with this title, by default a task of the built-in workspace. */
export function recordDraft(
  title: string,
  id: string,
  { ws = 'default', ...more }: JsonObject = {},
): Draft {
  const by = { client: 'Test', session: 's1', device: 'Laptop' };
  return { t: 'record.new', e: id, d: { ws, kind: 'task', title, by, ...more } };
}
