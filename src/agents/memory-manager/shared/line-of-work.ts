import * as z from 'zod';
import type { Named } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import { earlierStates, newerStates, otherNewestStates } from '../../../model/states/pieces.js';
import { standingRecords } from '../../../model/records/piece-records.js';
import { stateRecordTexts } from '../../../model/records/state-records.js';
import { stateTexts, type State } from '../../../model/state.js';
import { estimateTokens } from '../../../model/text/estimate-tokens.js';
import { visibleText } from '../../../model/text/visible-text.js';
import { cutPassage, passagesOf } from './passages.js';
import { byStateName, withSubjects, type RecordOfLine, type Subject } from './subjects.js';
import { Told } from './told.js';
import { localDay } from '../../../model/text/local-minute.js';

/** Tokens of an answer, above which what earlier states say continues in the next part. */
const MAX_TOKENS = 2500;
/** Newest of the earlier states that are read: a session may have saved thousands. */
const MAX_READ = 100;
/** Maximum number of other states that an answer names. */
const MAX_NAMED = 5;

const earlierState = z.object({
  state: z.string(),
  savedOn: z.string(),
  decisions: z.array(z.string()).optional(),
  questions: z.array(z.string()).optional(),
  context: z.array(z.string()).optional(),
  nextSteps: z.array(z.string()).optional(),
});

type EarlierState = z.output<typeof earlierState>;

/** Texts of other states of the work, as `loadState` returns them. */
export const lineOutput = {
  earlier: z
    .array(earlierState)
    .optional()
    .describe('What earlier states of this work say and newer ones do not, newest first'),
  perhaps: z.array(earlierState).optional().describe('Likewise, perhaps of the same work'),
};

export type LinePart = z.output<z.ZodObject<typeof lineOutput>>;

/**
 * Names the newest states of a state's work, if it is not the only one, and states that are perhaps
 * newer ones of it.
 */
export function positionInPiece(memory: Memory, state: State, perhaps: readonly Named<State>[]) {
  const namesOf = (states: readonly Named<State>[]) =>
    states.slice(0, MAX_NAMED).map(({ displayName }) => displayName);
  const newer = namesOf(newerStates(memory, state));
  const perhapsNewer = namesOf(perhaps).filter((name) => !newer.includes(name));
  const alsoNewest = namesOf(otherNewestStates(memory, state, MAX_NAMED));
  return {
    ...(newer.length > 0 && { newer }),
    ...(perhapsNewer.length > 0 && { perhapsNewer }),
    ...(newer.length === 0 && alsoNewest.length > 0 && { alsoNewest }),
  };
}

/** A text of an earlier state, with its place in the answer. */
interface Passage extends Pick<EarlierState, 'state' | 'savedOn'> {
  readonly list: keyof LinePart;
  readonly field: Exclude<keyof EarlierState, 'state' | 'savedOn'>;
  readonly text: string;
}

interface LineOfWork {
  /** The state's own decisions, each with the earlier ones on its subject. */
  readonly decisions: readonly string[];
  readonly passages: readonly Passage[];
  /** Ids of the records in it. */
  readonly shownIds: readonly (string | undefined)[];
}

/**
 * Returns what the states before a state say and newer ones do not, newest first. `similar` are
 * states that are perhaps of the same work.
 */
export function lineOfWork(
  memory: Memory,
  state: State,
  similar: readonly Named<State>[],
): LineOfWork {
  const told = new Told();
  for (const text of stateTexts(state)) told.add(text);
  const own = stateRecordTexts(memory, state).decisions.map((text): Subject => ({
    text,
    before: [],
  }));
  const standing = standingRecords(memory, state);
  const chain = earlierStates(memory, state, MAX_READ);
  const records = withSubjects(own, standing);
  for (const { before } of own) for (const { text } of before) told.add(text);
  const passages: Passage[] = [];
  const addRecords = (saved: readonly RecordOfLine[]) => {
    for (const each of saved) {
      const passage = recordPassage(each);
      told.add(passage.text);
      passages.push(passage);
    }
  };
  const byState = byStateName(records, ({ record }) => record);
  const inChain = new Set(chain.map(({ displayName }) => displayName));
  const others = records.filter(({ record }) => !inChain.has(record.stateName));
  const isOlder = ({ record }: RecordOfLine) =>
    record.savedOn < localDay(chain.at(-1)?.item.createdAt ?? '');
  addRecords(others.filter((each) => !isOlder(each)));
  for (const earlier of chain) {
    addRecords(byState.get(earlier.displayName) ?? []);
    passages.push(...untold('earlier', earlier, told));
  }
  addRecords(others.filter(isOlder));
  const read = new Set([state.id, ...chain.map(({ item }) => item.id)]);
  for (const other of similar) {
    if (read.has(other.item.id)) continue;
    const { decisions, questions } = stateRecordTexts(memory, other.item);
    passages.push(...untold('perhaps', other, told, { decisions, questions }));
  }
  return {
    decisions: own.map(textWithBefore),
    passages,
    shownIds: standing.map(({ recordId }) => recordId),
  };
}

function textWithBefore({ text, before }: Subject): string {
  const earlier = before.map((record) => `"${record.text}" (${record.savedOn})`);
  return earlier.length > 0 ? `${text} [before: ${earlier.join(', ')}]` : text;
}

function recordPassage(each: RecordOfLine): Passage {
  const { kind, stateName, savedOn } = each.record;
  const field = kind === 'decision' ? 'decisions' : 'questions';
  return { list: 'earlier', state: stateName, savedOn, field, text: textWithBefore(each) };
}

/** Returns the texts of a state that add something to what was told, which they then are. */
function untold(
  list: keyof LinePart,
  { item, displayName }: Named<State>,
  told: Told,
  records: Partial<Pick<EarlierState, 'decisions' | 'questions'>> = {},
): Passage[] {
  const { description = '', activeTask, conversationContext, nextSteps } = item;
  const isNew = (text: string) => told.add(text);
  const entries = (texts: readonly string[] = []) => texts.filter(isNew).flatMap(cutPassage);
  const fields = {
    decisions: entries(records.decisions),
    questions: entries(records.questions),
    context: [conversationContext, description, activeTask].flatMap((text) =>
      passagesOf(text, isNew),
    ),
    nextSteps: entries(nextSteps),
  };
  const from = { list, state: displayName, savedOn: localDay(item.createdAt) };
  return Object.entries(fields).flatMap(([field, texts]) =>
    texts.map((text) => ({ ...from, field: field as Passage['field'], text: visibleText(text) })),
  );
}

/**
 * Adds passages to the last part of a state, as far as they have room, and to further ones.
 * @param parts The state's own content.
 */
export function withLine<Part extends object>(
  parts: readonly Part[],
  passages: readonly Passage[],
): (Part & LinePart)[] {
  const own = parts.at(-1);
  let left = MAX_TOKENS - estimateTokens(JSON.stringify(own));
  let last: LinePart = {};
  let previous: Passage | undefined;
  const lines = [last];
  for (const passage of passages) {
    if (addedTokens(passage, previous) > left) {
      lines.push((last = {}));
      left = MAX_TOKENS;
      previous = undefined;
    }
    left -= addedTokens(passage, previous);
    previous = passage;
    addTo(last, passage);
  }
  const [first, ...rest] = lines;
  return [...parts.slice(0, -1), { ...own, ...first }, ...rest] as (Part & LinePart)[];
}

function addedTokens(
  { list, state, savedOn, field, text }: Passage,
  previous: Passage | undefined,
): number {
  const isSameState = previous?.list === list && previous.state === state;
  const itsField = isSameState && previous.field === field ? {} : { [field]: [] };
  const place = isSameState ? itsField : { state, savedOn, ...itsField };
  return estimateTokens(`${JSON.stringify(place)}${JSON.stringify(text)}`);
}

function addTo(part: LinePart, { list, state, savedOn, field, text }: Passage): void {
  const states = (part[list] ??= []);
  let last = states.at(-1);
  if (last?.state !== state) states.push((last = { state, savedOn }));
  (last[field] ??= []).push(text);
}
