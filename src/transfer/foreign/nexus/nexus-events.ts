import type { JsonObject } from '../../../model/event.js';
import { objectIn, textIn } from '../../../model/text/json-fields.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../../platform/scheduler.js';
import type { ForeignFile, ReadStats, SourceLocation } from '../foreign-memory.js';
import { readJsonLines } from '../json-lines.js';
import { addToList } from '../../../platform/lists.js';

/** A line `{type, id, deviceId, timestamp}` with `data` and the ids of the parent items. */
export interface NexusEvent {
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: JsonObject;
  readonly data: JsonObject;
  readonly location: SourceLocation;
}

/** Returns true for a Nexus event of any type. */
export function isNexusEvent(value: JsonObject): boolean {
  const { type, id, deviceId, timestamp } = value;
  return (
    [type, id, deviceId].every((each) => typeof each === 'string') &&
    typeof timestamp === 'number' &&
    Number.isFinite(timestamp)
  );
}

const CREATIONS = [
  'workspace_created',
  'state_saved',
  'trace_added',
  'metadata',
  'message',
  'project_created',
  'task_created',
];

/** Trusts creations in a garbled line, which would be lost, but no changes, which may be wrong. */
function isTrusted(value: JsonObject, isGarbled: boolean): boolean {
  return isNexusEvent(value) && (!isGarbled || CREATIONS.includes(textIn(value, 'type') ?? ''));
}

/** Reads events in chronological order, without duplicates from conflict copies of a shard. */
export async function readNexusEvents(
  files: readonly ForeignFile[],
  stats: ReadStats,
  scheduler: Scheduler = NOOP_SCHEDULER,
): Promise<NexusEvent[]> {
  const seen = new Map<string, JsonObject[]>();
  const events: NexusEvent[] = [];
  for (const file of files) {
    for await (const { value, location } of readJsonLines(file, isTrusted, stats, scheduler)) {
      const { type, id, timestamp } = value as { type: string; id: string; timestamp: number };
      const same = seen.get(id) ?? [];
      if (same.some((other) => JSON.stringify(other) === JSON.stringify(value))) {
        stats.duplicates++;
        continue;
      }
      seen.set(id, [...same, value]);
      events.push({
        type,
        at: timestamp,
        value,
        data: objectIn(value, 'data') ?? {},
        location,
      });
    }
  }
  return events.sort((a, b) => a.at - b.at);
}

/** Keeps the order within a group. */
export function groupEvents(
  events: readonly NexusEvent[],
  keyOf: (event: NexusEvent) => string | undefined,
): Map<string, NexusEvent[]> {
  const groups = new Map<string, NexusEvent[]>();
  for (const event of events) addToList(groups, keyOf(event) ?? '', event);
  return groups;
}

/** The item's id is in `data.id` of events of type `creation`, and in `field` of all others. */
export function groupByItem(
  events: readonly NexusEvent[],
  creation: string,
  field: string,
): Map<string, NexusEvent[]> {
  const groups = groupEvents(events, ({ type, value, data }) =>
    type === creation ? textIn(data, 'id') : textIn(value, field),
  );
  // The creation comes first, even if the clocks of two devices disagree.
  for (const group of groups.values()) {
    const at = group.findIndex(({ type }) => type === creation);
    if (at > 0) group.unshift(...group.splice(at, 1));
  }
  return groups;
}
