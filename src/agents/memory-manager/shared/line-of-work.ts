import * as z from 'zod';
import type { Memory } from '../../../model/memory.js';
import { newerStates, otherNewestStates } from '../../../model/states/pieces.js';
import { standingRecords, type StandingRecord } from '../../../model/records/piece-records.js';
import type { State } from '../../../model/state.js';
import { estimateTokens } from '../../../model/text/estimate-tokens.js';
import { visibleText } from '../../../model/text/visible-text.js';

/** Maximum tokens of decisions and questions of earlier states. */
const MAX_TOKENS = 400;
/** Maximum number of other states that an answer names. */
const MAX_NAMED = 5;

/** The other states of a piece of work, as `loadState` returns them. */
export const earlierWorkOutput = {
  earlier: z
    .array(
      z.object({
        state: z.string(),
        savedOn: z.string(),
        decisions: z.array(z.string()).optional(),
        questions: z.array(z.string()).optional(),
      }),
    )
    .optional()
    .describe('What earlier states of this work decided and asked, and still stands'),
};

type EarlierState = NonNullable<z.output<(typeof earlierWorkOutput)['earlier']>>[number];

/** Names the newest states of a state's work, if it is not the only one. */
export function positionInPiece(memory: Memory, state: State) {
  const namesOf = (states: ReturnType<typeof newerStates>) =>
    states.slice(0, MAX_NAMED).map(({ displayName }) => displayName);
  const newer = namesOf(newerStates(memory, state));
  if (newer.length > 0) return { newer };
  const alsoNewest = namesOf(otherNewestStates(memory, state, MAX_NAMED));
  return alsoNewest.length > 0 ? { alsoNewest } : {};
}

interface EarlierWork {
  readonly fields: { readonly earlier?: EarlierState[] };
  readonly notice: string | undefined;
  readonly shownIds: readonly (string | undefined)[];
}

/**
 * Returns what earlier states of the work decided and asked and still stands, as far as there is
 * room. The notice counts the rest and says how to read it. `shownIds` are ids of records.
 */
export function earlierWork(memory: Memory, state: State): EarlierWork {
  const standing = standingRecords(memory, state);
  const earlier: EarlierState[] = [];
  let listed: StandingRecord[] = [];
  for (const [at, record] of standing.entries()) {
    const next = withRecord(earlier, record);
    if (estimateTokens(JSON.stringify(next)) > MAX_TOKENS) break;
    earlier.splice(0, earlier.length, ...next);
    listed = standing.slice(0, at + 1);
  }
  const rest = standing.length - listed.length;
  const next = JSON.stringify(visibleText(standing[listed.length]?.stateName ?? ''));
  return {
    fields: earlier.length > 0 ? { earlier } : {},
    notice:
      rest > 0
        ? `${rest} more that earlier states decided or asked still stand. Call loadState with name ${next} to see its own. Use listRecords to list all.`
        : undefined,
    shownIds: listed.map(({ recordId }) => recordId),
  };
}

function withRecord(
  earlier: readonly EarlierState[],
  { kind, text, stateName, savedOn }: StandingRecord,
): EarlierState[] {
  const field = kind === 'decision' ? 'decisions' : 'questions';
  const at = earlier.findIndex(({ state }) => state === stateName);
  const before = earlier[at] ?? { state: stateName, savedOn };
  const after = { ...before, [field]: [...(before[field] ?? []), text] };
  return at < 0 ? [...earlier, after] : earlier.map((each, index) => (index === at ? after : each));
}
