import { entityName, entityOf, type Memory } from '../memory.js';
import { nameKey } from '../names.js';
import { earlierStates } from '../states/pieces.js';
import type { State } from '../state.js';
import { visibleText } from '../text/visible-text.js';
import { isOpenRecord } from './lookup-record.js';
import { successorOf, titleWithReason } from './record-outcome.js';
import type { ProjectRecord } from './record.js';
import { recordsOfState } from './state-records.js';
import { localDay } from '../text/local-minute.js';

/** An open decision or question from an earlier state of a piece of work. */
export interface StandingRecord {
  readonly kind: 'decision' | 'question';
  /** Its words and reason, and what it stands instead of. */
  readonly text: string;
  /** Display name of the state that it was saved with. */
  readonly stateName: string;
  /** ISO date. */
  readonly savedOn: string;
  /** Undefined if it was imported. */
  readonly recordId: string | undefined;
}

/**
 * Returns the open decisions and questions from earlier states of the piece of work, newest first,
 * without the state's own. A superseded one is only named by the one that replaced it.
 */
export function standingRecords(memory: Memory, state: State): StandingRecord[] {
  const own = recordsOfState(memory, state);
  const shown = new Set(own.map(({ kind, text }) => pieceKey(kind, text)));
  const found: (Omit<StandingRecord, 'text'> & { text: string; body: string | undefined })[] = [];
  const replaced = new Map<string, string[]>();
  const add = (entry: (typeof found)[number]) => {
    const key = pieceKey(entry.kind, entry.text);
    if (shown.has(key)) return;
    shown.add(key);
    found.push(entry);
  };
  for (const { item, displayName } of earlierStates(memory, state)) {
    const from = { stateName: displayName, savedOn: localDay(item.createdAt) };
    for (const { kind, text, record } of recordsOfState(memory, item)) {
      if (!record || isOpenRecord(record)) {
        add({ kind, text, body: record?.body, recordId: record?.id, ...from });
        continue;
      }
      const successor = successorOf(memory, record);
      if (!successor || !isOpenRecord(successor)) continue;
      replaced.set(successor.id, [...(replaced.get(successor.id) ?? []), text]);
      if (successor.kind === 'decision' || successor.kind === 'question')
        add({ ...originOf(memory, successor), kind: successor.kind });
    }
  }
  return found.map(({ text, body, ...entry }) => {
    const instead = replaced.get(entry.recordId ?? '');
    const suffix = instead ? ` [instead of ${instead.map((each) => `"${each}"`).join(', ')}]` : '';
    return { ...entry, text: `${titleWithReason(text, body)}${visibleText(suffix)}` };
  });
}

/** Returns a record that was not saved with a state of the chain, with its own state. */
function originOf(memory: Memory, { id, title, body, stateId, createdAt }: ProjectRecord) {
  const stateName = stateId === undefined ? '' : visibleText(entityName(entityOf(memory, stateId)));
  return { text: title, body, stateName, savedOn: localDay(createdAt), recordId: id };
}

function pieceKey(kind: string, text: string): string {
  return `${kind} ${nameKey(text)}`;
}
