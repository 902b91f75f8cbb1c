import { compareStamps, type LogEvent } from '../../model/event.js';
import { vaultIdIn } from '../data-folder/vault-identity.js';

/**
 * Returns the ids that events give to their vault: those of `log.vault`, earliest (in force) first,
 * then those that segments repeat, latest first, in case every `log.vault` event is lost.
 */
export function vaultIdsIn(events: Iterable<LogEvent>): string[] {
  const { namedIds, repeatedIds } = vaultIdsByOrigin(events);
  return [...new Set([...namedIds, ...repeatedIds])];
}

/** Returns the ids of `log.vault` events and those of segments, each sorted as in `vaultIdsIn`. */
export function vaultIdsByOrigin(events: Iterable<LogEvent>): {
  namedIds: string[];
  repeatedIds: string[];
} {
  const known = [...events]
    .filter(({ v, t }) => v === 1 && (t === 'log.vault' || t === 'log.seg'))
    .sort(compareStamps);
  const idsOf = (type: string) =>
    known.flatMap((event) => (event.t === type ? (vaultIdIn(event) ?? []) : []));
  return {
    namedIds: [...new Set(idsOf('log.vault'))],
    repeatedIds: [...new Set(idsOf('log.seg').reverse())],
  };
}
