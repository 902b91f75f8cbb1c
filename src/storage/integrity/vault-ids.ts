import { compareStamps, type LogEvent } from '../../model/event.js';

/**
 * The ids that events give to the vault they belong to, earliest first: the first is the one that counts. Those that segments only
 * repeat come last: they count where the naming itself has vanished.
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
