import {
  isJsonObject,
  type Draft,
  type Json,
  type JsonObject,
  type LogEvent,
} from '../../model/event.js';
import { isWriterId } from '../../platform/random.js';
import { LANES, type LaneName } from './lanes.js';
import { isLineHash } from './line-hash.js';
import { isSequenceNumber } from './line.js';
import type { NumberRange } from './number-ranges.js';

/** How far a device had seen a writer: the writer's last event that it knew. */
export interface SeenWriter {
  readonly lane: LaneName;
  readonly writer: string;
  readonly n: number;
  /** Hash of that event's line; undefined if the device did not have the event itself. */
  readonly hash: string | undefined;
}

/** The last line of a writer. A clone of its device may have written another of that number. */
export interface LastLine {
  readonly n: number;
  readonly hash: string;
}

/** The content of a `log.mark` event. */
export interface Watermark {
  readonly seen: readonly SeenWriter[];
  /** Numbers of core events up to `n` that the device did not have, by writer. */
  readonly gaps: ReadonlyMap<string, readonly NumberRange[]>;
  /** True if `seen` covers all writers that the device knew, not only those with news. */
  readonly isComplete: boolean;
}

/** Returns a watermark's content without malformed parts; undefined for any other event. */
export function watermarkOf(event: LogEvent): Watermark | undefined {
  if (event.v !== 1 || event.t !== 'log.mark') return undefined;
  const { seen, gaps, all } = event.d; // not earlier, because this parses the data of a state
  return {
    seen: LANES.flatMap((lane) => seenIn(lane, isJsonObject(seen) ? seen[lane] : undefined)),
    gaps: new Map(entriesOf(gaps).map(([writer, ranges]) => [writer, rangesIn(ranges)])),
    isComplete: all === true,
  };
}

export function watermarkDraft({ seen, gaps, isComplete }: Watermark): Draft {
  const lanes = LANES.flatMap((lane): [string, JsonObject][] => {
    const writers = seen
      .filter((each) => each.lane === lane)
      .map(({ writer, n, hash }) => [writer, hash === undefined ? [n] : [n, hash]] as const);
    return writers.length > 0 ? [[lane, Object.fromEntries(writers)]] : [];
  });
  const missing = [...gaps].map(([writer, ranges]) => [writer, ranges.map((range) => [...range])]);
  return {
    t: 'log.mark',
    e: '',
    d: {
      seen: Object.fromEntries(lanes),
      ...(missing.length > 0 && { gaps: Object.fromEntries(missing) as JsonObject }),
      ...(isComplete && { all: true }),
    },
  };
}

function seenIn(lane: LaneName, writers: Json | undefined): SeenWriter[] {
  return entriesOf(writers).flatMap(([writer, value]) => {
    const [n, hash] = Array.isArray(value) ? value : [];
    return isSequenceNumber(n)
      ? [{ lane, writer, n, hash: isLineHash(hash) ? hash : undefined }]
      : [];
  });
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return isJsonObject(value) ? Object.entries(value).filter(([writer]) => isWriterId(writer)) : [];
}

function rangesIn(value: Json): NumberRange[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((range): NumberRange[] => {
    const [from, to] = Array.isArray(range) ? range : [];
    return isSequenceNumber(from) && isSequenceNumber(to) && from <= to ? [[from, to]] : [];
  });
}
