import * as z from 'zod';
import { displayName, saverName } from '../../../apps/index.js';
import type { Named } from '../../../model/lookup.js';
import type { SavedBy } from '../../../model/states/provenance.js';
import type { State } from '../../../model/state.js';
import { estimateTokens } from '../../../model/text/estimate-tokens.js';
import { truncate } from '../../../model/text/truncate.js';
import { visibleText } from '../../../model/text/visible-text.js';

/** Maximum tokens of a row, unless its name alone has more. */
const MAX_ROW_TOKENS = 40;
/** Tokens of a row's field names and day. */
const FIELD_TOKENS = 18;
const MAX_DESCRIPTION_LENGTH = 160;

export const stateRow = z.object({
  name: z.string(),
  description: z.string().optional(),
  savedOn: z.string(),
  savedBy: z.string().optional().describe('If it was not you'),
  isArchived: z.literal(true).optional(),
});

type StateRow = z.output<typeof stateRow>;

/** Returns a row whose description is short enough to be cheap to read. */
export function toStateRow(
  { item, displayName: name }: Named<State>,
  reader: Pick<SavedBy, 'client' | 'device'>,
): StateRow {
  const { createdAt, savedBy, isArchived } = item;
  const saver = savedBy && otherSaver(savedBy, reader);
  const rowWith = (description: string): StateRow => ({
    name,
    ...(description !== '' && { description }),
    savedOn: createdAt.slice(0, 10),
    ...(saver !== undefined && { savedBy: saver }),
    ...(isArchived && { isArchived: true }),
  });
  let description = visibleText(truncate(item.description ?? '', MAX_DESCRIPTION_LENGTH));
  while (description !== '' && tokensOf([name, description, saver ?? '']) > MAX_ROW_TOKENS)
    description = shortened(description);
  return rowWith(description);
}

/** Estimates the tokens of a row with these texts; empty ones are left out. */
function tokensOf(texts: readonly string[]): number {
  const own = texts.map((text) => estimateTokens(JSON.stringify(text).slice(1, -1)));
  const saverTokens = texts[2] === '' ? 0 : 4;
  return own.reduce((sum, tokens) => sum + tokens, FIELD_TOKENS + saverTokens);
}

/** Returns the text without its last tenth, or '' if it would be too short to help. */
function shortened(text: string): string {
  const length = Math.floor(text.length * 0.9);
  return length < 12 ? '' : truncate(text.replace(/…$/u, ''), length);
}

/** Names who saved a state and on which device; undefined if it was the reader on this device. */
function otherSaver(
  saver: SavedBy,
  { client, device }: Pick<SavedBy, 'client' | 'device'>,
): string | undefined {
  const isSameClient = displayName(saver.client) === displayName(client);
  if (isSameClient && saver.device === device) return undefined;
  return saver.device === device ? saverName(saver) : `${saverName(saver)} on ${saver.device}`;
}
