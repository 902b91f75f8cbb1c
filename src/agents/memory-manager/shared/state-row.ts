import * as z from 'zod';
import { displayName, saverName } from '../../../apps/index.js';
import type { Named } from '../../../model/lookup.js';
import type { SavedBy } from '../../../model/states/provenance.js';
import type { State } from '../../../model/state.js';
import { estimateTokens } from '../../../model/text/estimate-tokens.js';
import { truncate } from '../../../model/text/truncate.js';
import { visibleText } from '../../../model/text/visible-text.js';

/** Maximum number of tokens of a row, unless its name alone has more. */
const MAX_ROW_TOKENS = 40;
/** Tokens of a row without its texts: names of fields, and the day. */
const FIELD_TOKENS = 18;
const MAX_DESCRIPTION_LENGTH = 160;

/** A state in a list. */
export const stateRow = z.object({
  name: z.string(),
  description: z.string().optional(),
  savedOn: z.string(),
  savedBy: z.string().optional().describe('If it was not you'),
  isArchived: z.literal(true).optional(),
});

type StateRow = z.output<typeof stateRow>;

/**
 * Returns a state as a row, whose description is shortened until the row is cheap to read. `reader`
 * is who asks for it.
 */
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

/** Estimates the tokens of a row with these texts, of which empty ones are left out. */
function tokensOf(texts: readonly string[]): number {
  const own = texts.map((text) => estimateTokens(JSON.stringify(text).slice(1, -1)));
  const saverTokens = texts[2] === '' ? 0 : 4;
  return own.reduce((sum, tokens) => sum + tokens, FIELD_TOKENS + saverTokens);
}

/** Returns the text without its last tenth, or an empty text if it has become too short to help. */
function shortened(text: string): string {
  const length = Math.floor(text.length * 0.9);
  return length < 12 ? '' : truncate(text.replace(/…$/u, ''), length);
}

/**
 * Returns who saved a state, and on which device; undefined if it was the reader on this device.
 */
function otherSaver(
  saver: SavedBy,
  { client, device }: Pick<SavedBy, 'client' | 'device'>,
): string | undefined {
  const isSameClient = displayName(saver.client) === displayName(client);
  if (isSameClient && saver.device === device) return undefined;
  return saver.device === device ? saverName(saver) : `${saverName(saver)} on ${saver.device}`;
}
