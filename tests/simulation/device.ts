import type { Cache } from '../../src/storage/read/cache.js';
import type { CopyHead, Copies, VaultRecord } from '../../src/storage/copies/copies.js';
import type { LastLine } from '../../src/storage/format/watermark.js';
import { parseSegment } from '../../src/storage/format/segment.js';
import type { Files } from '../../src/platform/files.js';
import type { Identities, WriterRecord } from '../../src/storage/write/writer-identity.js';
import type { LaneName } from '../../src/storage/format/lanes.js';
import type { Log } from '../../src/storage/vault-log.js';
import { createLog } from '../../src/storage/vault-log.js';
import type { TraceLimits } from '../../src/storage/log.js';
import type { ForgetDecisions } from '../../src/storage/forget/forget-decisions.js';
import type { ForgetStore } from '../../src/storage/forget/forgets.js';
import { Refusal } from '../../src/model/refusal.js';
import { createMemoryIdentities } from '../fakes/deterministic.js';
import { createMemoryCache } from '../fakes/memory-cache.js';
import type { Dice } from './dice.js';
import { createDisk, OPEN_GATE, ROOT, type Disk, type Gate, type Mishap } from './disk.js';
import { checkRemovedIds, checkRewritten, checkToldDays } from './forgetting.js';
import type { Author, Ledger, Line } from './ledger.js';

/** State that all devices of a world share. */
export interface Surroundings {
  readonly dice: Dice;
  readonly ledger: Ledger;
  /** Milliseconds since the world began. */
  time(): number;
  /** Calls `task` after `ms` of world time, unless it is cancelled. */
  after(ms: number, task: () => void): () => void;
  readonly tell: (what: string) => void;
  /** Breaks the program on purpose, to prove that the checks notice. */
  readonly sabotage?: Sabotage | undefined;
  /** True if devices cache parsed segments and start from the cache. */
  readonly isCaching: boolean;
  /** True if every process watches for file changes. */
  readonly isWatching: boolean;
  /** Retention of traces; undefined keeps them forever. */
  readonly traceLimits: TraceLimits | undefined;
  readonly count: (what: string) => void;
}

export interface Sabotage {
  files(files: Files, dice: Dice): Files;
  copies?(copies: Copies): Copies;
  forgetStore?(store: ForgetStore, now: () => number): ForgetStore;
}

/** One run of the program on a device. */
export interface Process extends Author {
  readonly disk: Disk;
  readonly log: Log;
  /** Resolves when the process dies. Its pending calls never settle. */
  readonly died: Promise<void>;
  /** Injected outcome of its next append to a segment. */
  doom?: Mishap | undefined;
  /** True if another program replaces the file during its next append. */
  isRaced?: boolean;
  /** Number of upcoming reads that fail. */
  failingReads: number;
  /** True if a failure was injected since this was last reset. */
  hasTrouble: boolean;
  isDead(): boolean;
  kill(): void;
  /** Number of notifications that its listener has received. */
  readonly heard: () => number;
  /** Value of `disk.losses()` at its start. */
  readonly lossesBefore: number;
  /** The copies that its device has lost since its start. */
  readonly lostCopies: Uint8Array[];
}

/** This device continues the writers of processes that have died. */
const PHONE = 'C';

interface WriterInUse {
  readonly lane: LaneName;
  readonly record: WriterRecord;
  /** Returns true if its process has died. */
  readonly isOrphan: () => boolean;
}

interface DeviceImage {
  readonly restoreDisk: (disk: Disk) => void;
  readonly identities: Map<LaneName, WriterRecord[]>;
  readonly copies: ReadonlyMap<string, Uint8Array>;
  readonly lacking: ReadonlyMap<string, LastLine>;
  readonly record: VaultRecord | undefined;
  readonly decisions: ForgetDecisions;
  readonly destroyed: ReadonlySet<Line>;
  readonly applied: ReadonlySet<string>;
  readonly movedRecord: VaultRecord | undefined;
  readonly cache: Map<LaneName, Map<string, Uint8Array>>;
}

export interface Device {
  readonly name: string;
  readonly disk: Disk;
  readonly processes: Process[];
  now(): number;
  moveClock(ms: number): void;
  start(): Process;
  cutPower(): void;
  /** Faults of the data outside the vault: stored writers, and copies for healing. */
  loseIdentities(): void;
  loseCopies(): void;
  /** Makes writes outside the vault fail, as on a full disk, until it is called with false. */
  fillState(isFull: boolean): void;
  /** Returns true if they have ever failed. */
  wasStateFull(): boolean;
  readonly isStateFull: () => boolean;
  /** Faults of the segment cache. */
  loseCache(): void;
  damageCache(): void;
  backUpCache(): void;
  restoreCache(): void;
  /** Copies for healing, by vault id. */
  readonly copies: () => ReadonlyMap<string, Uint8Array>;
  /** What this device has decided about what was forgotten. */
  readonly decisions: () => ForgetDecisions;
  /** True if the user has refused in this moment, while files may be rewritten. */
  readonly isRefusing: (forgetKey: string) => boolean;
  /** Allows the program to store decisions of the user, until it is called with false. */
  decide(isDeciding: boolean): void;
  /** Tells the user about these events (`forgetKey`), until it is called with none. */
  telling(keys: readonly string[]): void;
  /** Lines that its program has destroyed in the vault, as far as the device can remember. */
  readonly destroyed: () => Set<Line>;
  /** Events (`forgetKey`) of which it has once destroyed everything. */
  readonly applied: () => ReadonlySet<string>;
  /** Adds lines of a vault to the copies, as another version of the program does. */
  addCopies(vaultId: string, lines: Uint8Array): void;
  /** The same as a port that never fails. */
  readonly copiesPort: () => Copies;
  backUpIdentities(): void;
  restoreIdentities(): void;
  /**
   * Takes a snapshot of the whole device, like that of a virtual machine. The returned function
   * restores it, here or on another device.
   */
  backUp(): (target?: Device) => void;
  load(image: DeviceImage): void;
  /**
   * Ends all processes and gives the vault another path: writers and caches of the old one are not
   * used any more.
   */
  moveVault(): void;
}

/** Time after which the system has written a file back to the disk. */
const WRITE_BACK_MS = 30_000;

/** A log that exceeds this is in an endless loop. */
const TOO_MANY_OPERATIONS = 50_000;

export function createDevice(
  name: string,
  world: Surroundings,
  clock: { offset: number; drift: number },
): Device {
  const { dice, ledger } = world;
  let { offset } = clock;
  const now = () => Math.floor(offset + world.time() * (1 + clock.drift));
  const disk = createDisk(dice, now, (before, after) => ledger.damaged(before, after));
  const store = createMemoryIdentities();
  /** On a phone, the writers of processes that have not released them, by id. */
  const inUse = new Map<string, WriterInUse>();
  const isPhone = name === PHONE;
  let backup = new Map<LaneName, WriterRecord[]>();
  let copies = new Map<string, Uint8Array>();
  let record: VaultRecord | undefined;
  /** Record of the path at which the vault was before. */
  let movedRecord: VaultRecord | undefined;
  /** Sizes of the copies after each write. */
  const writes: { readonly id: string; readonly at: number; readonly size: number }[] = [];
  const cache = createMemoryCache();
  let cacheBackup: typeof cache.records = new Map();
  let hasOldIdentities = false;
  let isCloned = false;
  let isStateFull = false;
  let wasStateFull = false;
  let lacking = new Map<string, LastLine>();
  let decisions: ForgetDecisions = {};
  let isDeciding = false;
  let told: readonly string[] = [];
  let destroyed = new Set<Line>();
  let applied = new Set<string>();
  const refusals = new Map<string, number>();
  const processes: Process[] = [];
  let started = 0;

  function cutPower(): void {
    for (const process of [...processes]) process.kill();
    disk.cutPower();
    if (dice.chance(0.3)) restoreIdentities(); // acquired records may be back in the store
    if (dice.chance(0.5)) damageCache();
    if (dice.chance(0.5)) cutCopies();
  }

  /** Truncates what the system had not written back yet, since copies are not synced. */
  function cutCopies(): void {
    const writtenBack = writes.filter(({ at }) => at < world.time() - WRITE_BACK_MS);
    for (const [id, bytes] of copies) {
      const sizes = writtenBack.filter((each) => each.id === id).map(({ size }) => size);
      const safe = Math.min(bytes.length, Math.max(0, ...sizes));
      const kept = bytes.subarray(0, safe + dice.below(bytes.length - safe + 1));
      replaceCopies(new Map(copies).set(id, kept), lacking);
    }
  }

  /** Replaces the copies, and what is known to be missing from them, as no program does. */
  function replaceCopies(next: typeof copies, nextLacking: typeof lacking, isWhole = false): void {
    const before = { copies, lacking };
    copies = next;
    lacking = nextLacking;
    const change = { before: before.copies.values(), after: next.values() };
    ledger.lostCopies(name, change, before.lacking, isWhole);
  }

  function addCopies(id: string, lines: Uint8Array): void {
    const joined = Buffer.concat([copies.get(id) ?? new Uint8Array(), lines]);
    copies.set(id, joined);
    writes.push({ id, at: world.time(), size: joined.length });
    ledger.copied(name, lines);
  }

  function backUpIdentities(): void {
    backup = new Map([...store.records].map(([lane, records]) => [lane, [...records]]));
    for (const { lane, record } of inUse.values())
      backup.set(lane, [...(backup.get(lane) ?? []), record]);
  }

  /** Makes the writers of dead processes available, and hides those of living ones. */
  function updateStore(): void {
    for (const [writer, { lane, record, isOrphan }] of [...inUse]) {
      const others = (store.records.get(lane) ?? []).filter((each) => each.writer !== writer);
      if (isOrphan()) inUse.delete(writer);
      store.records.set(lane, isOrphan() ? [...others, record] : others);
    }
  }

  function restoreIdentities(): void {
    hasOldIdentities = true;
    forgetOrphans();
    store.records.clear();
    for (const [lane, records] of backup) store.records.set(lane, [...records]);
  }

  function forgetOrphans(): void {
    for (const [writer, { isOrphan }] of [...inUse]) if (isOrphan()) inUse.delete(writer);
  }

  function copyOf(records: typeof cache.records): typeof cache.records {
    return new Map([...records].map(([lane, held]) => [lane, new Map(held)]));
  }

  /** Truncates some records, and flips a bit in others. */
  function damageCache(): void {
    for (const held of cache.records.values()) {
      for (const [path, bytes] of held) {
        const damaged = bytes.slice();
        if (damaged.length > 0) damaged[dice.below(damaged.length)]! ^= 1 << dice.below(8);
        if (dice.chance(0.3))
          held.set(
            path,
            dice.chance(0.5) ? damaged : bytes.subarray(0, dice.below(bytes.length + 1)),
          );
      }
    }
  }

  function restoreCache(): void {
    cache.records.clear();
    for (const [lane, held] of copyOf(cacheBackup)) cache.records.set(lane, held);
  }

  function cacheOf(gate: Gate): Cache {
    const pass = async () => {
      await gate.pass('write');
      if (dice.chance(0.02)) throw new Error('The cache does not answer.');
    };
    return {
      async load(lane) {
        await pass();
        const records = await cache.load(lane);
        records.forEach(() => world.count('record of a segment loaded'));
        return records;
      },
      save: (lane, records, gone) => pass().then(() => cache.save(lane, records, gone)),
      clear: () => pass().then(() => cache.clear()),
    };
  }

  /** A name still fits into a full folder, but no content does. */
  function passIfRoom(gate: Gate): Promise<void> {
    if (gate !== OPEN_GATE && isStateFull) throw new Error('No space left on the device.');
    return gate.pass('write');
  }

  function copiesOf(gate: Gate): Copies {
    return {
      async add(vaultId, lines) {
        await passIfRoom(gate);
        addCopies(vaultId, lines);
      },
      async sync(vaultId) {
        await gate.pass('write');
        const size = copies.get(vaultId)?.length ?? 0;
        writes.push({ id: vaultId, at: world.time() - WRITE_BACK_MS - 1, size });
      },
      close: () => gate.pass('write'),
      async rewrite(vaultId, change) {
        await gate.pass('write');
        copies.set(vaultId, change(copies.get(vaultId) ?? new Uint8Array()));
      },
      async read(vaultId) {
        await gate.pass('write');
        return copies.get(vaultId) ?? new Uint8Array();
      },
      async heads(vaultId) {
        await gate.pass('write');
        const heads = new Map<string, CopyHead>();
        for (const { event } of parseSegment(copies.get(vaultId) ?? new Uint8Array()).lines)
          if (event.n >= (heads.get(event.w)?.n ?? 0))
            heads.set(event.w, { n: event.n, c: event.c });
        return heads;
      },
      async loadRecord() {
        await gate.pass('write');
        return record;
      },
      async updateRecord(change) {
        await passIfRoom(gate);
        record = change(record);
      },
      async loadMovedRecord() {
        await gate.pass('write');
        return movedRecord;
      },
      async setLacking(writer, last) {
        await gate.pass('write');
        if (last) lacking.set(writer, last);
        else lacking.delete(writer);
      },
      async lacking() {
        await gate.pass('write');
        return new Map(lacking);
      },
    };
  }

  function forgetStoreOf(gate: Gate): ForgetStore {
    return {
      async load() {
        await gate.pass('write');
        return decisions;
      },
      async update(change) {
        await passIfRoom(gate);
        const before = decisions;
        decisions = change(before);
        for (const [key, decision] of Object.entries(decisions)) {
          const { choice, seenAt, removed = [] } = decision;
          checkToldDays(own, told.includes(key), [before[key]?.told, decision.told], ledger);
          const known = new Set(before[key]?.removed);
          checkRemovedIds(
            own,
            key,
            removed.filter((id) => !known.has(id)),
            ledger,
          );
          if (decision.appliedBy?.length) applied.add(key);
          if (choice === before[key]?.choice) continue;
          if (choice === 'refused') refusals.set(key, world.time());
          if (choice === 'open' ? seenAt !== now() : !isDeciding)
            ledger.blame(`${name} stores that something is ${choice}, which nobody decided`);
        }
      },
    };
  }

  function start(): Process {
    let isDead = false;
    let operations = 0;
    let heard = 0;
    let announce = (): void => undefined;
    const timers = new Set<() => void>();
    const gate: Gate = {
      async pass(kind) {
        if (++operations > TOO_MANY_OPERATIONS) throw new Error(`${author.name} runs in circles`);
        for (let ticks = dice.below(3); ticks > 0; ticks--) await Promise.resolve();
        if (isDead) await new Promise(() => undefined);
        if (kind === 'read' && process.failingReads > 0) {
          process.failingReads--;
          process.hasTrouble = true;
          throw new Refusal('The disk does not answer.');
        }
      },
      mishap(path, size) {
        const { doom } = process;
        if (!doom || !path.endsWith('.jsonl')) return undefined;
        process.doom = undefined;
        process.hasTrouble = true;
        return { ...doom, kept: Math.min(doom.kept, size) };
      },
      isReplaced(path) {
        const isDue = process.isRaced === true && path.endsWith('.jsonl');
        if (isDue) process.isRaced = false;
        return isDue;
      },
      appended: (path, bytes, how) => ledger.appended(author, path, bytes, how),
      rewriting: (path, before, after) => checkRewritten(own, path, [before, after], ledger),
      removing(path, bytes) {
        world.count('file deleted');
        ledger.removing(author, path, bytes, { disk, copies: copies.values() });
      },
      die: (how) => (how === 'killed' ? process.kill() : cutPower()),
    };
    const author: Author = {
      name: `${name}${++started}`,
      device: name,
      isSetBack: () => isCloned || (hasOldIdentities && disk.losses() > 0),
      isHidden(text) {
        const files = disk.segments().filter((path) => !disk.evicted.has(path));
        const known = [...files.map((path) => disk.get(path) ?? []), ...copies.values()];
        return !known.some((bytes) => Buffer.from(bytes).includes(text, 0, 'latin1'));
      },
    };
    const files = disk.port(gate);
    const use = (lane: LaneName, record: WriterRecord) =>
      inUse.set(record.writer, { lane, record, isOrphan: () => isDead });
    const identities: Identities = {
      async acquire(lane) {
        await gate.pass('write');
        updateStore();
        const record = await store.acquire(lane);
        if (record && isPhone) use(lane, record);
        return record;
      },
      async release(lane, record) {
        await gate.pass('write');
        inUse.delete(record.writer);
        await store.release(lane, record);
      },
      ...(isPhone && {
        save: (lane, record) => gate.pass('write').then(() => void use(lane, record)),
        forget: (_, writer) => gate.pass('write').then(() => void inUse.delete(writer)),
      }),
    };
    const log = createLog({
      files: world.sabotage?.files(files, dice) ?? files,
      identities,
      copies: world.sabotage?.copies?.(copiesOf(gate)) ?? copiesOf(gate),
      forgetStore: world.sabotage?.forgetStore?.(forgetStoreOf(gate), now) ?? forgetStoreOf(gate),
      ...(world.isCaching && { cache: cacheOf(gate) }),
      ...(world.isWatching && { watch: { start: (changed) => disk.watch(changed) } }),
      ...(world.traceLimits && { traceLimits: world.traceLimits }),
      root: ROOT,
      random: dice,
      app: 'savepoint/simulated',
      device: name,
      onDestroy(removals) {
        const removed = new Set(Object.values(decisions).flatMap((each) => each.removed ?? []));
        // what another device has asked for is not remembered
        const isAsked = Object.values(decisions).some(({ choice }) => choice === 'open');
        for (const id of removals.flatMap(({ ids }) => ids))
          if (!removed.has(id) && !isAsked)
            ledger.blame(`${name} removes ${id}, and does not remember it`);
        return gate.pass('write');
      },
      warn(message) {
        world.tell(`${author.name} warns: ${message}`);
      },
      clock: {
        now,
        after(ms, task) {
          const cancel = world.after(ms, task);
          timers.add(cancel);
          return cancel;
        },
      },
    });
    const stopListening = world.isWatching ? log.onChange(() => void heard++) : () => undefined;
    const process: Process = {
      ...author,
      disk,
      log,
      failingReads: 0,
      hasTrouble: false,
      lossesBefore: disk.losses(),
      lostCopies: [],
      heard: () => heard,
      died: new Promise((resolve) => (announce = resolve)),
      isDead: () => isDead,
      kill() {
        isDead = true;
        stopListening();
        for (const cancel of timers) cancel();
        processes.splice(0, processes.length, ...processes.filter((other) => other !== process));
        announce();
      },
    };
    processes.push(process);
    return process;
  }

  const own: Device = {
    name,
    disk,
    processes,
    now,
    start,
    cutPower,
    restoreIdentities,
    backUpIdentities,
    backUp() {
      backUpIdentities();
      const image: DeviceImage = {
        restoreDisk: disk.backUp(),
        identities: backup,
        copies: new Map(copies),
        lacking: new Map(lacking),
        record,
        decisions,
        destroyed: new Set(destroyed),
        applied: new Set(applied),
        movedRecord,
        cache: copyOf(cache.records),
      };
      return (target = own) => {
        isCloned ||= target !== own;
        target.load(image);
      };
    },
    load(image) {
      for (const process of [...processes]) process.kill();
      image.restoreDisk(disk);
      backup = image.identities;
      replaceCopies(new Map(image.copies), new Map(image.lacking), true);
      ({ record, movedRecord, decisions } = image);
      [destroyed, applied] = [new Set(image.destroyed), new Set(image.applied)];
      restoreIdentities();
      // Half of the time, the newer cache stays, with files that are not on this disk yet.
      if (dice.chance(0.5)) return;
      cacheBackup = image.cache;
      restoreCache();
    },
    moveVault() {
      for (const process of [...processes]) process.kill();
      forgetOrphans();
      store.records.clear();
      cache.records.clear();
      movedRecord = record ?? movedRecord;
      record = undefined;
      decisions = {};
      [destroyed, applied] = [new Set(), new Set()];
    },
    moveClock: (ms) => void (offset += ms),
    copies: () => copies,
    decisions: () => decisions,
    isRefusing: (key) => refusals.get(key) === world.time(),
    decide: (next) => void (isDeciding = next),
    telling: (keys) => void (told = keys),
    destroyed: () => destroyed,
    applied: () => applied,
    loseCopies() {
      for (const { lostCopies } of processes) lostCopies.push(...copies.values());
      replaceCopies(new Map(), new Map());
      record = undefined;
      movedRecord = undefined;
    },
    addCopies,
    fillState(isFull) {
      isStateFull = isFull;
      wasStateFull ||= isFull;
    },
    wasStateFull: () => wasStateFull,
    isStateFull: () => isStateFull,
    copiesPort: () => copiesOf(OPEN_GATE),
    loseCache: () => cache.records.clear(),
    backUpCache: () => void (cacheBackup = copyOf(cache.records)),
    damageCache,
    restoreCache,
    loseIdentities() {
      forgetOrphans();
      store.records.clear();
    },
  };
  return own;
}
