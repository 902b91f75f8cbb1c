import type { JsonObject } from '../../../model/event.js';
import type { Memory } from '../../../model/memory.js';
import { recordById } from '../../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import type { Fail, Failures } from '../../../toolkit/define-tool.js';
import { requireLiveRecord, type recordFailures } from './record-lookups.js';

export const supersedingFailures = {
  supersedesItself: {
    error: '"{title}" cannot supersede itself.',
    advice: 'Pass the title or id of the record that replaces it.',
  },
  supersededByOld: {
    error: '"{other}" is itself superseded by "{title}".',
    advice: 'Undo that first: mark "{other}" as superseded by "".',
  },
} as const satisfies Failures;

/**
 * Returns what supersedes a record, as data of an event. `by` is the title or id, `''` if nothing
 * does any more. Fails the call for a circle.
 */
export function supersededData(
  memory: Memory,
  { workspaceId, id, title }: ProjectRecord,
  by: string,
  fail: Fail<typeof recordFailures & typeof supersedingFailures>,
): JsonObject {
  if (by.trim() === '') return { '/supersededBy': null };
  const successor = requireLiveRecord(memory, workspaceId, by, fail);
  if (successor.id === id) fail('supersedesItself', { title });
  const seen = new Set<string>();
  for (let next = successor.supersededBy; next !== undefined && !seen.has(next);) {
    if (next === id) fail('supersededByOld', { other: successor.title, title });
    seen.add(next);
    next = recordById(memory, next)?.supersededBy;
  }
  return { '/supersededBy': successor.id };
}
