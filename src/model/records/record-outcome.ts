import { stampTime } from '../event.js';
import { entityOf, type Memory } from '../memory.js';
import { mapGet } from '../persistent-map.js';
import { truncate } from '../text/truncate.js';
import { visibleText } from '../text/visible-text.js';
import { recordById } from './lookup-record.js';
import { listedTitle, type ProjectRecord } from './record.js';
import { localDay } from '../text/local-minute.js';

/** Characters of a record's body that are shown with its title. */
const REASON_LENGTH = 120;

/** Returns the last successor of a superseded record; undefined if there is none. */
export function successorOf(memory: Memory, record: ProjectRecord): ProjectRecord | undefined {
  const seen = new Set([record.id]);
  let last: ProjectRecord | undefined;
  for (let next = recordById(memory, record.supersededBy); next && !seen.has(next.id);) {
    seen.add(next.id);
    last = next;
    next = recordById(memory, next.supersededBy);
  }
  return last;
}

/** Returns an outcome such as `superseded by "Use JWT" on 2026-11-20`; undefined while open. */
export function outcomeOf(memory: Memory, record: ProjectRecord): string | undefined {
  const { kind, status, supersededBy, supersededAt, isArchived } = record;
  const { registers } = entityOf(memory, record.id);
  const setOn = (path: string) => {
    const register = mapGet(registers, path);
    return register ? ` on ${localDay(stampTime(register.at))}` : '';
  };
  if (supersededBy !== undefined) {
    const successor = successorOf(memory, record);
    const by = successor ? ` by "${listedTitle(successor)}"` : '';
    const verb = kind === 'question' ? 'answered' : 'superseded';
    return `${verb}${by} on ${localDay(supersededAt ?? '')}`;
  }
  if (status !== 'open') {
    const verb = kind === 'question' && status === 'done' ? 'answered' : status;
    return `${verb}${setOn('/status')}`;
  }
  return isArchived ? `archived${setOn('/isArchived')}` : undefined;
}

/** Returns a title followed by the beginning of the body, which holds the reason. */
export function titleWithReason(title: string, body = ''): string {
  const reason = truncate(body.replace(/\s+/gu, ' ').trim(), REASON_LENGTH);
  return visibleText(reason === '' ? title : `${title} – ${reason}`);
}
