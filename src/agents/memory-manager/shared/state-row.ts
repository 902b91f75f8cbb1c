import * as z from 'zod';
import { displayName, saverName } from '../../../apps/index.js';
import type { Named } from '../../../model/lookup.js';
import { entityName, entityOf, type Memory } from '../../../model/memory.js';
import type { SavedBy } from '../../../model/states/provenance.js';
import type { State } from '../../../model/state.js';
import { localMinute } from '../../../model/text/local-minute.js';
import { truncate } from '../../../model/text/truncate.js';
import { visibleText } from '../../../model/text/visible-text.js';

/** Characters of a row's description. */
const MAX_DESCRIPTION_LENGTH = 80;

export const stateRow = z.object({
  name: z.string(),
  description: z.string().optional(),
  savedOn: z.string().describe('Local time'),
  continues: z.string().optional(),
  savedBy: z.string().optional().describe('If it was not you'),
  isArchived: z.literal(true).optional(),
});

type StateRow = z.output<typeof stateRow>;

/** Returns what tells a state from others. */
export function toStateRow(
  memory: Memory,
  { item, displayName: name }: Named<State>,
  reader: Pick<SavedBy, 'client' | 'device'>,
): StateRow {
  const { createdAt, savedBy, isArchived, description, activeTask, continues } = item;
  const saver = savedBy && otherSaver(savedBy, reader);
  const earlier = continues === undefined ? '' : entityName(entityOf(memory, continues));
  return {
    name,
    description: visibleText(truncate(description ?? activeTask, MAX_DESCRIPTION_LENGTH)),
    savedOn: localMinute(createdAt),
    ...(earlier !== '' && { continues: visibleText(earlier) }),
    ...(saver !== undefined && { savedBy: saver }),
    ...(isArchived && { isArchived: true }),
  };
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
