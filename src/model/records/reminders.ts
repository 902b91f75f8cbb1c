import { allWorkspaces } from '../lookup.js';
import { entityOf, registerOf, type Memory } from '../memory.js';
import { pathMoves } from '../moves/path-moves.js';
import { mapEntries, mapGet } from '../persistent-map.js';
import { isOpenRecord } from './lookup-record.js';
import { recordOf, type ProjectRecord } from './record.js';

export interface Reminder {
  readonly record: ProjectRecord;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const known = new WeakMap<Memory, readonly Reminder[]>();

/**
 * Returns the reminders of open records, earliest first, except those in archived workspaces.
 * Cached by memory, because the status bar and each view ask for them.
 */
export function reminders(memory: Memory): readonly Reminder[] {
  const found = known.get(memory) ?? findReminders(memory);
  known.set(memory, found);
  return found;
}

function findReminders(memory: Memory): Reminder[] {
  const found: Reminder[] = [];
  for (const { item } of allWorkspaces(memory)) {
    const titles = item.isArchived ? undefined : mapGet(memory.records, item.id);
    for (const [, ids] of titles ? mapEntries(titles) : []) {
      for (const id of ids) {
        const entity = entityOf(memory, id);
        if (typeof registerOf(entity, '/remindAt') !== 'string') continue;
        const record = recordOf(entity, pathMoves(memory));
        if (record?.remindAt !== undefined && isOpenRecord(record))
          found.push({ record, at: Date.parse(record.remindAt) });
      }
    }
  }
  return found.sort((a, b) => a.at - b.at);
}
