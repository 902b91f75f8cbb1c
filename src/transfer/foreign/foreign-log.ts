import { compareText, type Draft, type Json } from '../../model/event.js';
import { joinBytes } from '../../platform/bytes.js';
import { encodeHeader } from '../export.js';
import { createEntityId, createWriterId, type Random } from '../../platform/random.js';
import type { ImportSource } from '../import.js';
import type { Lane } from '../../storage/format/lanes.js';
import { encodeLine, FIRST_LINK, LINE_LIMIT } from '../../storage/format/line.js';
import type { Pause } from '../../platform/scheduler.js';
import { sha256 } from '../../platform/sha256.js';
import { rest, type Origin } from './foreign.js';

/** An event before it has a writer. */
export interface StampedDraft extends Draft {
  readonly lane: Lane;
  readonly h: string;
}

/** A segment made of imported events, whole: its bytes hang on nothing but what is in it. */
export interface ForeignSegment {
  readonly lane: Lane;
  readonly writer: string;
  readonly drafts: readonly StampedDraft[];
}

/** Bytes of drafts in a segment: it is written at once and never again, so it may be longer than one that grows. */
const SEGMENT_BYTES = 512 * 1024;
const FORMAT = 1;

const encoder = new TextEncoder();

/** An entity's id, the same wherever it is made from the same words. */
export async function entityIdFrom(...words: readonly string[]): Promise<string> {
  return createEntityId(randomFrom(await sha256(JSON.stringify(words))));
}

function randomFrom(hex: string): Random {
  return {
    bytes: (count) =>
      Uint8Array.from({ length: count }, (_, at) => parseInt(hex.slice(2 * at, 2 * at + 2), 16)),
  };
}

/**
 * Segments for the drafts, one writer for each: by lane and month, in the order of time. The same drafts make the same writers, on
 * every device; and each segment is written whole or not at all, so that no writer is ever left with a hole.
 */
export async function cutIntoSegments(
  drafts: readonly StampedDraft[],
  pause: Pause | undefined,
): Promise<ForeignSegment[]> {
  const groups = new Map<string, StampedDraft[]>();
  for (const draft of drafts) {
    const key = `${draft.lane} ${draft.h.slice(0, 7)}`;
    const group = groups.get(key);
    if (group) group.push(draft);
    else groups.set(key, [draft]);
  }
  const segments: ForeignSegment[] = [];
  for (const group of groups.values()) {
    group.sort((a, b) => compareText(a.h, b.h) || compareText(a.e, b.e));
    for (const cut of cutBySize(group)) {
      await rest(pause);
      const writer = createWriterId(
        randomFrom(await sha256(JSON.stringify(cut.map(({ t, e, h, d }) => [t, e, h, d])))),
      );
      segments.push({ lane: cut[0]!.lane, writer, drafts: cut });
    }
  }
  return segments;
}

function cutBySize(drafts: readonly StampedDraft[]): StampedDraft[][] {
  const cuts: StampedDraft[][] = [];
  let size = Infinity;
  for (const draft of drafts) {
    const length = JSON.stringify(draft.d).length;
    if (size + length > SEGMENT_BYTES) cuts.push([]);
    size = size + length > SEGMENT_BYTES ? length : size + length;
    cuts.at(-1)!.push(draft);
  }
  return cuts;
}

/** The segments as an import takes them, behind the header that tells their lanes. */
export async function sourcesOf(
  origin: Origin,
  segments: readonly ForeignSegment[],
  pause: Pause | undefined,
): Promise<ImportSource[]> {
  const sources: ImportSource[] = [];
  let events = 0;
  for (const { writer, drafts } of segments) {
    await rest(pause);
    sources.push({ name: writer, bytes: await encodeSegment(origin, writer, drafts) });
    events += drafts.length + 2;
  }
  const lanes = new Map(segments.map(({ writer, lane }) => [writer, lane]));
  return [{ name: 'header', bytes: encodeHeader({ vault: undefined, events, lanes }) }, ...sources];
}

/** As a writer leaves a segment: opened by `log.seg`, closed by `log.seal`. */
async function encodeSegment(
  origin: Origin,
  w: string,
  drafts: readonly StampedDraft[],
): Promise<Uint8Array> {
  const [first, last] = [drafts[0]!, drafts.at(-1)!];
  const lines: Uint8Array[] = [];
  let [n, p] = [1, FIRST_LINK];
  const add = ({ t, e, h, d }: Pick<StampedDraft, 't' | 'e' | 'h' | 'd'>) => {
    const { event, bytes } = encodeLine({ v: 1, w, n: n++, p, h, t, e, d });
    p = event.c;
    lines.push(bytes);
  };
  add({
    t: 'log.seg',
    e: '',
    h: first.h,
    d: { fmt: FORMAT, app: 'savepoint import', device: `import of ${origin}` },
  });
  for (const draft of drafts) add(draft);
  add({
    t: 'log.seal',
    e: '',
    h: last.h,
    d: { count: lines.length, sha256: await sha256(joinBytes(lines)) },
  });
  return joinBytes(lines);
}

/** Whether a line can hold the draft. */
export function isShortEnough({ t, e, d }: Draft): boolean {
  const room = LINE_LIMIT - 1024; // for the envelope
  const json = JSON.stringify(d);
  if (json.length * MOST_BYTES <= room) return true;
  return (
    e.length +
      t.length +
      encoder.encode(
        json.replace(/[\u0085\u2028\u2029]/g, '\\u0000').replaceAll('{"v":', '{"\\u0076":'),
      ).length <=
    room
  );
}

/** What a character of JSON takes at most in a line. */
const MOST_BYTES = 6;

export function isSameValue(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
