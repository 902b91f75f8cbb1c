import { compareStamps, type LogEvent } from '../model/event.js';

/** The ids that events give to the vault they belong to, earliest first: the first is the one that counts. */
export function vaultIdsIn(events: Iterable<LogEvent>): string[] {
  const namings = [...events].filter(({ v, t }) => v === 1 && t === 'log.vault').sort(compareStamps);
  return namings.flatMap(({ d: { id } }) => (typeof id === 'string' && id !== '' ? [id] : []));
}
