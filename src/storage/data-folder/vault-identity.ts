import { compareStamps, type Draft, type LogEvent } from '../../model/event.js';
import type { Memory } from '../../model/memory.js';
import { createEntityId, type Random } from '../../platform/random.js';

/** The ids that events of the core lane give to the vault. */
export class VaultIdentity {
  readonly #ids = new Set<string>();
  /** The latest opening of a segment that repeats the vault's id, for when the `log.vault` event is lost. */
  #opening: LogEvent | undefined;
  #hasLostVaultEvent = false;

  /** All ids of `log.vault` events: devices that began before they synced gave the vault several. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** Takes in an event of the core lane. */
  observe(event: LogEvent): void {
    if (event.v !== 1 || (event.t !== 'log.vault' && event.t !== 'log.seg')) return; // before `d`, which makes a lazy event parse its line
    const id = textIn(event, event.t === 'log.vault' ? 'id' : 'vault');
    if (id === undefined) return;
    if (event.t === 'log.vault') this.#ids.add(id);
    else if (!this.#opening || compareStamps(this.#opening, event) < 0) this.#opening = event;
  }

  /** Returns the vault's id; undefined before it has one. */
  idIn(memory: Memory): string | undefined {
    const repeated = this.#hasLostVaultEvent ? textIn(this.#opening, 'vault') : undefined;
    return textIn(memory.vault, 'id') ?? repeated;
  }

  /** Returns the event that gives the vault an id, or the lost one again; nothing if the memory has one. */
  draftFor(memory: Memory, random: Random): Draft[] {
    if (memory.vault) return [];
    return [{ t: 'log.vault', e: '', d: { id: this.idIn(memory) ?? createEntityId(random) } }];
  }

  /**
   * Checks after a scan if the `log.vault` event is lost, but not the vault: if the README is gone too, the data folder was removed as a
   * whole, and its present content is a fresh start.
   */
  async update(memory: Memory, hasReadme: () => Promise<boolean>): Promise<void> {
    this.#hasLostVaultEvent = !memory.vault && this.#opening !== undefined && (await hasReadme());
  }
}

function textIn(event: LogEvent | undefined, key: string): string | undefined {
  const value = event?.d[key];
  return typeof value === 'string' ? value : undefined;
}
