import { compareStamps, type LogEvent } from '../../model/event.js';

/**
 * Returns the ids that events give to their vault. First those of `log.vault` events, earliest first: the first of all is the one in
 * force. Then those that segments repeat, latest first, which matter if every `log.vault` event is lost.
 */
export function vaultIdsIn(events: Iterable<LogEvent>): string[] {
  const known = [...events]
    .filter(({ v, t }) => v === 1 && (t === 'log.vault' || t === 'log.seg'))
    .sort(compareStamps);
  const named = known.flatMap(({ t, d: { id } }) => (t === 'log.vault' ? [id] : []));
  const repeated = known
    .flatMap(({ t, d: { vault } }) => (t === 'log.seg' ? [vault] : []))
    .reverse();
  return [...new Set([...named, ...repeated])]
    .filter((id) => typeof id === 'string' && id !== '')
    .map(String);
}
