import type { Memory } from '../memory.js';
import { nameKey } from '../names.js';
import { mapGet } from '../persistent-map.js';
import type { State } from '../state.js';
import { recordsWithIds } from './lookup-record.js';
import { outcomeOf, titleWithReason } from './record-outcome.js';
import type { ProjectRecord } from './record.js';

/** A decision or question of a state. */
export interface StateRecord {
  readonly kind: 'decision' | 'question';
  /** Its words as saved. */
  readonly text: string;
  /** The record with its current status; missing if the state was imported without its records. */
  readonly record?: ProjectRecord | undefined;
}

/** Returns the decisions of a state, then its questions, each in the order as saved. */
export function recordsOfState(memory: Memory, state: State): StateRecord[] {
  const { decisions = [], questions = [] } = state;
  return [
    ...decisions.map((text) => stateRecord(memory, state, 'decision', text)),
    ...questions.map((text) => stateRecord(memory, state, 'question', text)),
  ];
}

function stateRecordText(memory: Memory, { text, record }: StateRecord): string {
  const shown = titleWithReason(text, record?.body);
  const outcome = record && outcomeOf(memory, record);
  return outcome === undefined ? shown : `${shown} [${outcome}]`;
}

export function stateRecordTexts(
  memory: Memory,
  state: State,
): { decisions: string[]; questions: string[] } {
  const records = recordsOfState(memory, state);
  const textsOf = (kind: StateRecord['kind']) =>
    records.filter((each) => each.kind === kind).map((each) => stateRecordText(memory, each));
  return { decisions: textsOf('decision'), questions: textsOf('question') };
}

/**
 * Returns the entry with its record: the one saved with the state or, if the workspace had it
 * already, the latest one at that time. A moved state has those of its original.
 */
function stateRecord(
  memory: Memory,
  { id, workspaceId, createdAt, origin }: State,
  kind: StateRecord['kind'],
  text: string,
): StateRecord {
  const ids = [workspaceId, ...(origin ? [origin.ws] : [])].flatMap((ws) => {
    const titles = mapGet(memory.records, ws);
    return (titles && mapGet(titles, nameKey(text))) ?? [];
  });
  const titled = recordsWithIds(memory, ids).filter((record) => record.kind === kind);
  const own = titled.find(({ stateId }) => stateId === id || stateId === origin?.state);
  const savedAt = origin?.at ?? createdAt;
  return { kind, text, record: own ?? titled.find((record) => record.createdAt <= savedAt) };
}
