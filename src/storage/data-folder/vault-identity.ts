import { compareStamps, type Draft, type LogEvent } from '../../model/event.js';
import { isVaultId, type Memory } from '../../model/memory.js';
import { createEntityId, type Random } from '../../platform/random.js';

/** The ids that events of the core lane and this device's record give to the vault. */
export class VaultIdentity {
  /** Those of `log.vault` events, and those that the openings of segments repeat. */
  readonly #ids = new Set<string>();
  /** Latest segment opening that repeats the vault's id, in case the `log.vault` event is lost. */
  #opening: LogEvent | undefined;
  /** The vault's ids if its `log.vault` event is lost, the one in force first; otherwise empty. */
  #lostIds: readonly string[] = [];
  #countBefore = 0;

  /** All ids of the vault: devices that began before they synced gave it several. */
  get ids(): ReadonlySet<string> {
    return new Set([...this.#ids, ...this.#lostIds]);
  }

  /** Takes in an event of the core lane. */
  observe(event: LogEvent): void {
    // before `d`, which makes a lazy event parse its line
    if (event.v !== 1 || (event.t !== 'log.vault' && event.t !== 'log.seg')) return;
    const id = vaultIdIn(event);
    if (id === undefined) return;
    this.#ids.add(id);
    if (event.t === 'log.vault') return;
    if (!this.#opening || compareStamps(this.#opening, event) < 0) this.#opening = event;
  }

  /** Returns the vault's id; undefined before it has one. */
  idIn(memory: Memory): string | undefined {
    return (memory.vault && vaultIdIn(memory.vault)) ?? this.#lostIds[0];
  }

  /** Returns the vault's id, or a new one; `drafts`: the `log.vault` event if the log lacks it. */
  forNewSegment(memory: Memory, random: Random): { id: string; drafts: Draft[] } {
    const id = this.idIn(memory) ?? createEntityId(random);
    return { id, drafts: memory.vault ? [] : [{ t: 'log.vault', e: '', d: { id } }] };
  }

  /**
   * Checks after a scan whether the vault has only lost its `log.vault` event; in another data
   * folder it is a fresh start instead. `recorded`: the vault's ids in this device's record.
   * Returns true if the vault has more ids than at the last call.
   */
  async update(
    memory: Memory,
    recorded: readonly string[],
    isSameFolder: () => Promise<boolean>,
  ): Promise<boolean> {
    const repeated = this.#opening && vaultIdIn(this.#opening);
    const known = [...(repeated === undefined ? [] : [repeated]), ...recorded];
    const isLost = !memory.vault && known.length > 0 && (await isSameFolder());
    this.#lostIds = isLost ? known : [];
    const before = this.#countBefore;
    this.#countBefore = this.ids.size;
    return this.#countBefore > before;
  }
}

/** Returns the valid vault id in a `log.vault` or `log.seg` event; undefined if there is none. */
export function vaultIdIn({ t, d }: LogEvent): string | undefined {
  const id = d[t === 'log.vault' ? 'id' : 'vault'];
  return isVaultId(id) ? id : undefined;
}

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
