import { joinBytes } from '../../platform/bytes/bytes.js';
import { Mutex } from '../../platform/mutex.js';
import { createWriterId } from '../../platform/random.js';
import { folderStamps, isRecordedVault } from '../data-folder/readme.js';
import { dayOf, healedPath } from '../format/lanes.js';
import { NEWLINE } from '../format/line.js';
import {
  COPY_DELAY_MS,
  HEAL_DELAY_MS,
  SYNC_DELAY_MS,
  type HealerOptions,
} from './healer-options.js';
import { UncopiedLines } from '../copies/uncopied-lines.js';
import { WaitingCopies } from '../copies/waiting-copies.js';
import { dismissedIn, keptOf, type VaultRecord } from '../copies/copies.js';
import { joinLines, readCopies, type CoreLine } from '../copies/core-copies.js';
import {
  isWaiting,
  lostRemovals,
  readCoreLane,
  restorableIn,
  waitingTimes,
  type CoreLane,
} from './core-lane.js';

const NO_RECORD: VaultRecord = { ids: [] };

/** Copies core lines outside the vault, and restores those that another program has removed. */
export class Healer {
  readonly #options: HealerOptions;
  readonly #mutex = new Mutex();
  readonly #uncopied: Uint8Array[] = [];
  #record: VaultRecord | undefined;
  /** Number of copied lines that the vault lacks, as of the last comparison. */
  missing = 0;
  readonly waiting: WaitingCopies;
  readonly #failed: UncopiedLines;
  #isCopyFailing = false;
  /** True if the vault, or `#failed`, has lines that the next comparison has yet to copy. */
  #isBehind = false;
  #cancelComparing: (() => void) | undefined;
  #cancelHealing: (() => void) | undefined;
  #cancelSync: (() => void) | undefined;

  constructor(options: HealerOptions) {
    this.#options = options;
    const { copies, scheduler, vaultIds } = options;
    this.waiting = new WaitingCopies({ copies, scheduler, vaultIds, known: this });
    this.#failed = new UncopiedLines(copies);
  }

  /** True if the last lines could not be copied. */
  get isCopyFailing(): boolean {
    return this.#isCopyFailing;
  }

  /** Returns the ids by which this device knows the vault. */
  async recordedIds(): Promise<readonly string[]> {
    const { copies } = this.#options;
    this.#record = await copies.loadRecord().catch(() => this.#record); // others write it too
    if (!this.#record) await this.#takeOverRecord().catch((error: unknown) => this.#warnOf(error));
    return this.#record?.ids ?? [];
  }

  /** If the vault was moved here, continues the record of its old path. */
  async #takeOverRecord(): Promise<void> {
    const moved = await this.#options.copies.loadMovedRecord?.();
    if (!moved) return;
    this.#record = moved;
    await this.#update((record = moved) => record);
  }

  /** The missing events that the user has dismissed, by writer, as of the last read. */
  get dismissed(): ReturnType<typeof dismissedIn> {
    return dismissedIn(this.#record);
  }

  /** Returns true if the data folder, none of whose lines has a vault's id, is the recorded one. */
  async isSameFolder(): Promise<boolean> {
    const { files, root } = this.#options;
    await this.recordedIds();
    const content = { ids: [], hasLines: true };
    return isRecordedVault(this.#record, content, await folderStamps(files, root));
  }

  /** After the user removed the data folder, the next one is another, even with its identity. */
  async forgetFolder(): Promise<void> {
    await this.recordedIds();
    if (this.#record?.folder === undefined) return;
    await this.#attemptCopy(() =>
      this.#update((record = NO_RECORD) => ({ ...record, folder: undefined })),
    );
  }

  /** Copies lines of this device that were just appended to the core lane. Never rejects. */
  async copy(lines: Uint8Array): Promise<void> {
    const id = this.#options.vaultId();
    if (id === undefined) return;
    await this.#attemptAdd(id, lines, 'own');
    this.#cancelSync ??= this.#options.clock.after(SYNC_DELAY_MS, () => void this.#sync());
  }

  async #sync(): Promise<void> {
    const { copies, vaultId } = this.#options;
    this.#cancelSync?.();
    this.#cancelSync = undefined;
    const id = vaultId();
    if (id === undefined) return;
    await this.#attemptCopy(async () => {
      await copies.sync(id);
      if (await this.#isNewlyRecorded(id)) this.#copySoon();
    });
  }

  /** Records the id unless it is. True after the copies were removed while this process ran. */
  async #isNewlyRecorded(id: string): Promise<boolean> {
    if ((await this.recordedIds()).includes(id)) return false;
    await this.#recordId(id);
    return true;
  }

  #copySoon(): void {
    this.#isBehind = true;
    this.#cancelComparing?.();
    this.#cancelComparing = undefined;
    this.schedule(COPY_DELAY_MS);
  }

  /** Stores an id of the vault, unless this may be another vault, which a comparison decides. */
  async #recordId(id: string): Promise<void> {
    const { files, root } = this.#options;
    const stamps = await folderStamps(files, root);
    await this.#update((record = NO_RECORD) =>
      record.ids.length === 0 || isRecordedVault(record, { ids: [id], hasLines: true }, stamps)
        ? { ...record, ids: [...new Set([id, ...record.ids])], ...stamps }
        : record,
    );
  }

  /** Takes in a line of another process, to be copied by `copyOthers`. */
  collect(line: Uint8Array): void {
    this.#uncopied.push(line.slice(), NEWLINE);
  }

  /** Copies the collected lines. Never rejects. */
  async copyOthers(): Promise<void> {
    const id = this.#options.vaultId();
    const lines = this.#uncopied.splice(0);
    if (id === undefined || lines.length === 0) return;
    await this.#attemptAdd(id, joinBytes(lines), 'other');
  }

  /** If it fails, or has failed before, the next comparison copies what is missing. */
  async #attemptAdd(id: string, lines: Uint8Array, origin: 'own' | 'other'): Promise<void> {
    await this.#attemptCopy(() => this.#add(id, lines, origin));
    if (this.#isCopyFailing && origin === 'own')
      await this.#failed.add(lines).catch((error: unknown) => this.#warnOf(error));
    if (this.#isBehind) this.schedule();
  }

  /** Copies under an id that is not recorded would never be found. */
  async #add(id: string, lines: Uint8Array, origin: 'own' | 'other'): Promise<void> {
    const wasRecorded = this.#record?.ids.includes(id) ?? false;
    const isSyncPending = this.#cancelSync !== undefined; // then the record was read a moment ago
    if ((!wasRecorded || !isSyncPending) && (await this.#isNewlyRecorded(id)) && wasRecorded)
      this.#copySoon();
    await this.#options.copies.add(id, await this.#options.withoutDue(lines), origin);
  }

  /**
   * Looks, after the first scan, for copied lines that the vault lacks. Restores those missing for
   * a minute before it resolves, others later. Returns how many it restored. Never rejects.
   */
  async check(): Promise<number> {
    this.schedule();
    return this.#mutex
      .run(() => this.#check())
      .catch((error: unknown) => {
        this.#warnOf(error);
        return 0;
      });
  }

  /** Schedules a comparison of the copies with the vault. */
  schedule(delayMs = HEAL_DELAY_MS): void {
    this.#cancelComparing ??= this.#options.clock.after(delayMs, () => {
      this.#cancelComparing = undefined;
      this.#run('if due');
    });
  }

  /** Restores what is missing, or a memory that was removed as a whole; returns how many lines. */
  healNow(memoryId?: string): Promise<number> {
    return this.#mutex.run(async () => {
      if (memoryId === undefined) return this.#compare('now');
      const { files, root, copies, scheduler, forgotten } = this.#options;
      const copied = await readCopies(copies, [memoryId], scheduler);
      const missing = restorableIn(await readCoreLane(files, root, scheduler), copied, forgotten);
      if (missing.length > 0) await this.#restore(missing);
      return missing.length;
    });
  }

  async close(): Promise<void> {
    for (const cancel of [this.#cancelHealing, this.#cancelComparing]) cancel?.();
    this.#cancelHealing = this.#cancelComparing = undefined;
    if (this.#cancelSync) await this.#sync();
    // A process that ends before the scheduled comparison would never copy anything.
    await this.#mutex
      .run(() => (this.#isBehind ? this.#compare('if due') : Promise.resolve(0)))
      .catch((error: unknown) => this.#warnOf(error));
    await this.#attemptCopy(() => this.#options.copies.close());
  }

  /** To be called when a file has disappeared or shrunk. */
  scheduleHealing(): void {
    this.#cancelHealing ??= this.#options.clock.after(HEAL_DELAY_MS, () => {
      this.#cancelHealing = undefined;
      this.#run('now');
    });
  }

  #run(when: 'now' | 'if due'): void {
    this.#mutex.run(() => this.#compare(when)).catch((error: unknown) => this.#warnOf(error));
  }

  #warnOf(error: unknown): void {
    this.#options.warn(`Missing entries could not be restored: ${String(error)}`);
  }

  async #attemptCopy(task: () => Promise<void>): Promise<void> {
    try {
      await task();
      this.#isCopyFailing = false;
    } catch (error) {
      if (!this.#isCopyFailing)
        this.#options.warn(`No backup copy was made for healing: ${String(error)}`);
      this.#isCopyFailing = this.#isBehind = true;
    }
  }

  async #update(change: (record: VaultRecord | undefined) => VaultRecord): Promise<void> {
    await this.#options.copies.updateRecord((record) => (this.#record = change(record)));
  }

  /** Compares the last line of each writer, and only if one differs, all lines. */
  async #check(): Promise<number> {
    const { copies, vaultIds, writers } = this.#options;
    const ids = new Set([...(await this.recordedIds()), ...vaultIds()]);
    const copied = new Map<string, number>();
    for (const id of ids) {
      for (const [writer, { n, c }] of await copies.heads(id)) {
        if (![c, ''].includes(writers.get(writer)?.crcs[n - 1] ?? '-'))
          return this.#compare('if due');
        copied.set(writer, Math.max(n, copied.get(writer) ?? 0));
      }
    }
    const isBehind = [...writers].some(
      ([writer, { lane, lastNumber }]) => lane === 'core' && lastNumber > (copied.get(writer) ?? 0),
    );
    this.#isBehind = isBehind;
    if (isBehind) this.#copySoon();
    return 0;
  }

  /** Restores what was missing long enough, or with `now` everything. Copies what is new. */
  async #compare(when: 'now' | 'if due'): Promise<number> {
    const { files, root, copies, clock, scheduler, forgotten, withoutDue } = this.#options;
    this.#isBehind = false;
    const known = await this.recordedIds();
    const copied = await readCopies(copies, known, scheduler); // a line is written before it is copied
    const lane = await readCoreLane(files, root, scheduler);
    const ids = await this.#identify(lane);
    const [id] = ids;
    if (id === undefined) return 0;
    const more = ids.filter((each) => !known.includes(each));
    for (const line of await readCopies(copies, more, scheduler)) copied.add(line);
    const isSameVault = known.length === 0 || ids.some((each) => known.includes(each));
    const now = clock.now();
    const waitingSince = waitingTimes(lane, this.#record?.waitingSince, now);
    // at once, before lines that were removed from the copies are copied again
    const urgent = isSameVault ? lostRemovals(lane, copied, waitingSince, now) : [];
    if (urgent.length > 0) await this.#restore(urgent);
    for (const line of urgent) lane.lines.add(line);
    const lost = this.#failed.lostFrom(lane.lines);
    const added = [...lane.lines.without(copied), ...lost.filter((line) => !copied.has(line))];
    await this.#attemptCopy(async () => {
      if (added.length > 0) {
        const events = [...lane.lines].map(({ event }) => event);
        await copies.add(id, await withoutDue(joinLines(added), events), 'other');
      }
      const known = [...copied, ...added, ...lane.lines];
      for (const last of await this.#failed.settle(known)) this.#options.onLost(last);
    });
    for (const line of lost) copied.add(line);
    const missing = isSameVault ? restorableIn(lane, copied, forgotten) : [];
    const free = missing.filter((line) => !isWaiting(line, waitingSince, now));
    const healable = when === 'now' || this.#isDue(now) ? free : [];
    if (healable.length > 0) await this.#restore(healable);
    this.missing = free.length - healable.length;
    const hasLoss = missing.length > healable.length;
    await this.#remember(ids, hasLoss, waitingSince, now);
    if (hasLoss) this.scheduleHealing();
    return urgent.length + healable.length;
  }

  /** Returns true if a loss was seen long ago, perhaps by an earlier process. */
  #isDue(now: number): boolean {
    const since = this.#record?.lossSeenAt ?? now;
    return now - since >= HEAL_DELAY_MS || now < since;
  }

  async #restore(lines: readonly CoreLine[]): Promise<void> {
    const { files, root, clock, random, warn } = this.#options;
    const path = healedPath(root, 'core', dayOf(clock.now()), createWriterId(random));
    await files.append(path, joinLines(lines), { expect: 'new', durable: true });
    warn(`${lines.length} entries had disappeared from the vault and were restored to ${path}.`);
  }

  /** Stores the vault's ids, and since when lines are missing and files are waiting. */
  async #remember(
    ids: readonly string[],
    hasLoss: boolean,
    waitingSince: Record<string, number> | undefined,
    now: number,
  ): Promise<void> {
    const { files, root } = this.#options;
    const since = Math.min(this.#record?.lossSeenAt ?? now, now);
    const stamps = await folderStamps(files, root);
    const seen = { ...(hasLoss && { lossSeenAt: since }), ...(waitingSince && { waitingSince }) };
    const next = (record = NO_RECORD) => {
      const isSame = isRecordedVault(record, { ids, hasLines: true }, stamps);
      return { ...keptOf(record, ids, isSame), ...stamps, ...seen };
    };
    if (JSON.stringify(next(this.#record)) !== JSON.stringify(this.#record))
      await this.#update(next);
  }

  /** Returns the vault's ids on the disk, the one in force first, and those of its record. */
  async #identify({ namedIds, repeatedIds, lines, waiting }: CoreLane): Promise<string[]> {
    const { files, root } = this.#options;
    const recorded = await this.recordedIds();
    const stamps = await folderStamps(files, root);
    const onDisk = [...new Set([...namedIds, ...(stamps.readme === undefined ? [] : repeatedIds)])];
    const content = { ids: onDisk, hasLines: !lines.isEmpty || waiting.length > 0 };
    return isRecordedVault(this.#record, content, stamps)
      ? [...new Set([...onDisk, ...recorded])]
      : onDisk;
  }
}
