import { displayName } from '../../apps/index.js';
import { compareText } from '../../model/event.js';
import { eachState, newestFirst, type Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import { entityOf } from '../../model/memory.js';
import { allRecords, isOpenRecord } from '../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../model/records/record.js';
import { titleWithReason } from '../../model/records/record-outcome.js';
import { mapGet } from '../../model/persistent-map.js';
import { newestOfPieces } from '../../model/states/pieces.js';
import type { State } from '../../model/state.js';
import type { Checkpoint } from '../../model/text/checkpoint.js';
import type { Trace } from '../../model/trace.js';
import { paragraphPassages } from './passages.js';

/** A session, state or record, as far as it can be told. */
export interface RecallSource {
  /** Id of the session, state or record. */
  readonly id: string;
  /** ISO date-time. */
  readonly at: string;
  /** Name of the app in which it was said; empty for states and records. */
  readonly origin: string;
  /** Each is told whole. */
  readonly passages: readonly RecallPassage[];
  /** Paths as the log stores them. */
  readonly files: readonly string[];
  readonly failed: Checkpoint['failed'];
}

/** Who said it, or what it is. */
export type PassageKind = 'said' | 'answered' | 'decision' | 'question' | 'state';

export interface RecallPassage {
  readonly kind: PassageKind;
  readonly text: string;
}

/** Returns true if a line of this writer may be told to an agent that has not asked. */
export type IsTrusted = (writer: string) => boolean;

/** Texts of a record that may change; those of states and decisions do not. */
const CORRECTED = ['/title', '/body'];

/**
 * Returns what can be told in a workspace, the newest first: the newest state of each piece of
 * work, open decisions and questions, and sessions. Yields between them. `traces` has each session
 * once; those of other workspaces are left out.
 */
export function* recallSourceSteps(
  memory: Memory,
  workspaceId: string,
  traces: readonly Trace[],
  isTrusted: IsTrusted,
): Generator<undefined, RecallSource[]> {
  const isTold = (id: string) => {
    const { created, registers } = entityOf(memory, id);
    const corrected = CORRECTED.flatMap((path) => mapGet(registers, path) ?? []);
    return [created?.w ?? '', ...corrected.map(({ at }) => at.w)].every(isTrusted);
  };
  const states: Named<State>[] = [];
  for (const state of eachState(memory, workspaceId)) {
    if (!state.item.isArchived && isTold(state.item.id)) states.push(state);
    yield;
  }
  const filesOf = new Map(states.map(({ item }) => [item.id, item.activeFiles]));
  const sources: RecallSource[] = [];
  for (const state of newestOfPieces(memory, states.sort(newestFirst))) {
    sources.push(stateSource(state));
    yield;
  }
  for (const record of allRecords(memory, workspaceId))
    if (isTold(record.id)) {
      const files = filesOf.get(record.stateId ?? '') ?? [];
      sources.push(...recordSource(record, files));
    }
  for (const trace of traces) {
    if (trace.workspaceId === workspaceId) sources.push(...sessionSource(trace));
    yield;
  }
  return sources.sort((a, b) => compareText(b.at, a.at));
}

function stateSource({ item, displayName: name }: Named<State>): RecallSource {
  const { id, createdAt: at, activeTask, nextSteps, activeFiles: files } = item;
  const { description, conversationContext } = item;
  const next = nextSteps[0] === undefined ? '' : ` Next: ${nextSteps[0]}`;
  const said = [description, conversationContext].flatMap((text = '') => paragraphPassages(text));
  const passages = [`${name}: ${activeTask}${next}`, ...said].map((text): RecallPassage => ({
    kind: 'state',
    text,
  }));
  return { id, at, origin: '', passages, files, failed: [] };
}

/** @param stateFiles files of the state with which it was saved */
function recordSource(record: ProjectRecord, stateFiles: readonly string[]): RecallSource[] {
  const { id, kind, createdAt: at, title, body } = record;
  if ((kind !== 'decision' && kind !== 'question') || !isOpenRecord(record)) return [];
  const passages = [{ kind, text: titleWithReason(title, body) }];
  const files = [...Object.keys(record.files), ...stateFiles];
  return [{ id, at, origin: '', passages, files, failed: [] }];
}

function sessionSource({ sessionId: id, client, createdAt, checkpoint }: Trace): RecallSource[] {
  if (!checkpoint) return [];
  const { changedAt: at = createdAt, turns, written: files, failed } = checkpoint;
  const passages = turns.flatMap(({ message, answer }) => [
    ...paragraphPassages(message).map((text) => ({ kind: 'said', text }) as const),
    ...paragraphPassages(answer).map((text) => ({ kind: 'answered', text }) as const),
  ]);
  return [{ id, at, origin: displayName(client), passages, files, failed }];
}
