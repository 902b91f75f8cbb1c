import { compareText, type Draft } from '../../model/event.js';
import { joinBytes } from '../../platform/bytes/bytes.js';
import { createEntityId, createWriterId, type Random } from '../../platform/random.js';
import { CHAIN_START, encodeLine, MAX_LINE_BYTES, type LaneName } from '../../storage/index.js';
import { runSliced } from '../../platform/run-sliced.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { sortSteps } from '../../platform/bytes/sort-by-bytes.js';
import { sha256 } from '../../platform/sha256.js';
import type { Origin } from './foreign-memory.js';
import { addToList } from '../../platform/lists.js';

export interface StampedDraft extends Draft {
  readonly lane: LaneName;
  readonly h: string;
}

/** A complete segment of imported events, whose bytes depend only on its contents. */
export interface ForeignSegment {
  readonly lane: LaneName;
  readonly writer: string;
  readonly drafts: readonly StampedDraft[];
}

const MAX_SEGMENT_BYTES = 512 * 1024;
const LOG_FORMAT = 1;

const encoder = new TextEncoder();

/** The same keys give the same id on every device. */
export async function entityIdFrom(...keys: readonly string[]): Promise<string> {
  return createEntityId(randomFrom(await sha256(JSON.stringify(keys))));
}

function randomFrom(hex: string): Random {
  return {
    bytes: (count) =>
      Uint8Array.from({ length: count }, (_, at) => parseInt(hex.slice(2 * at, 2 * at + 2), 16)),
  };
}

/**
 * Groups the drafts into segments by lane and month, in chronological order, each with its own
 * writer. Equal drafts give equal writers on every device, and whole segments leave no gap.
 */
export async function cutIntoSegments(
  drafts: readonly StampedDraft[],
  scheduler: Scheduler,
): Promise<ForeignSegment[]> {
  const groups = new Map<string, StampedDraft[]>();
  for (const draft of drafts) {
    await scheduler.yieldIfDue();
    addToList(groups, `${draft.lane} ${draft.h.slice(0, 7)}`, draft);
  }
  const segments: ForeignSegment[] = [];
  for (const group of groups.values()) {
    const sorted = await runSliced(sortSteps(group, compareDrafts), { scheduler });
    for await (const cut of cutBySize(sorted, scheduler)) {
      const writer = createWriterId(
        randomFrom(await sha256(JSON.stringify(cut.map(({ t, e, h, d }) => [t, e, h, d])))),
      );
      segments.push({ lane: cut[0]!.lane, writer, drafts: cut });
    }
  }
  return segments;
}

function compareDrafts(a: StampedDraft, b: StampedDraft): number {
  return a.h === b.h ? compareText(a.e, b.e) : compareText(a.h, b.h);
}

async function* cutBySize(
  drafts: readonly StampedDraft[],
  scheduler: Scheduler,
): AsyncGenerator<StampedDraft[]> {
  let cut: StampedDraft[] = [];
  let size = 0;
  for (const draft of drafts) {
    await scheduler.yieldIfDue();
    const length = JSON.stringify(draft.d).length;
    if (cut.length > 0 && size + length > MAX_SEGMENT_BYTES) {
      yield cut;
      [cut, size] = [[], 0];
    }
    cut.push(draft);
    size += length;
  }
  yield cut;
}

/** Encodes a sealed segment, from `log.seg` to `log.seal`. */
export async function encodeSegment(
  origin: Origin,
  { writer: w, drafts }: ForeignSegment,
): Promise<Uint8Array> {
  const [first, last] = [drafts[0]!, drafts.at(-1)!];
  const lines: Uint8Array[] = [];
  let [n, p] = [1, CHAIN_START];
  const add = ({ t, e, h, d }: Pick<StampedDraft, 't' | 'e' | 'h' | 'd'>) => {
    const { hash, bytes } = encodeLine({ v: 1, w, n: n++, p, h, t, e, d });
    p = hash;
    lines.push(bytes);
  };
  add({
    t: 'log.seg',
    e: '',
    h: first.h,
    d: { fmt: LOG_FORMAT, app: 'savepoint import', device: `import of ${origin}` },
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

export function fitsInLine({ t, e, d }: Draft): boolean {
  const room = MAX_LINE_BYTES - ENVELOPE_BYTES;
  const json = JSON.stringify(d);
  if (json.length * MAX_BYTES_PER_CHARACTER <= room) return true;
  const escaped = json
    .replace(/[\u0085\u2028\u2029]/g, '\\u0000')
    .replaceAll('{"v":', '{"\\u0076":');
  return e.length + t.length + encoder.encode(escaped).length <= room;
}

const ENVELOPE_BYTES = 1024;
/** Maximum number of bytes that a UTF-16 unit takes in a line, where it may be escaped. */
const MAX_BYTES_PER_CHARACTER = 6;
