import type { JsonObject } from '../../model/event.js';
import type { Pause } from '../../platform/scheduler.js';
import { objectIn, textIn, type Account, type ForeignFile, type Place } from './foreign.js';
import { readJsonLines } from './json-lines.js';

/** A line of a stream of Nexus: `{type, id, deviceId, timestamp}`, with `data` and the ids of what it belongs to. */
export interface NexusEvent {
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: JsonObject;
  readonly data: JsonObject;
  readonly place: Place;
}

/** Whether an object is an event of Nexus, of whatever type. */
export function isNexusEvent(value: JsonObject): boolean {
  const { type, id, deviceId, timestamp } = value;
  return (
    [type, id, deviceId].every((each) => typeof each === 'string') &&
    typeof timestamp === 'number' &&
    Number.isFinite(timestamp)
  );
}

const CREATIONS = ['workspace_created', 'state_saved', 'trace_added', 'metadata', 'message'];

/** What a garbled line creates is better had than lost; what it would change may never have been meant. */
function isTrusted(value: JsonObject, isGarbled: boolean): boolean {
  return isNexusEvent(value) && (!isGarbled || CREATIONS.includes(textIn(value, 'type') ?? ''));
}

/** All events by time, each once: a conflict copy of a shard repeats most of what is in the shard. */
export async function readNexusEvents(
  files: readonly ForeignFile[],
  account: Account,
  pause?: Pause,
): Promise<NexusEvent[]> {
  const seen = new Map<string, JsonObject[]>();
  const events: NexusEvent[] = [];
  for (const file of files) {
    for (const { value, place } of await readJsonLines(file, isTrusted, account, pause)) {
      const { type, id, timestamp } = value as { type: string; id: string; timestamp: number };
      const same = seen.get(id) ?? [];
      if (same.some((other) => JSON.stringify(other) === JSON.stringify(value))) {
        account.duplicates++;
        continue;
      }
      seen.set(id, [...same, value]);
      events.push({ type, at: timestamp, value, data: objectIn(value, 'data') ?? {}, place });
    }
  }
  return events.sort((a, b) => a.at - b.at);
}

/** Events by what they are about, each group in the order of time. */
export function groupBy(
  events: readonly NexusEvent[],
  keyOf: (event: NexusEvent) => string | undefined,
): Map<string, NexusEvent[]> {
  const groups = new Map<string, NexusEvent[]>();
  for (const event of events) {
    const key = keyOf(event) ?? '';
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
  }
  return groups;
}
