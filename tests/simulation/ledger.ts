import { createHash } from 'node:crypto';
import { CALL_KEY, type Draft, type LogEvent, type Stamp } from '../../src/model/event.js';
import { entityOf, type Memory } from '../../src/model/memory.js';
import type { VaultPath } from '../../src/model/paths.js';
import { mapGet } from '../../src/model/persistent-map.js';
import { CHAIN_START } from '../../src/storage/format/line-hash.js';
import { nameKey } from '../../src/model/names.js';
import type { Excuses } from './checks.js';
import { ROOT, type Disk } from './disk.js';
import { stampsNamedBy, stubOf } from './forgetting.js';

/** A line that some program has tried to write. */
export interface Line {
  readonly event: LogEvent;
  /** Its bytes as Latin-1, without the newline. */
  readonly text: string;
  /** First 32 hex digits of the SHA-256 of its bytes. */
  readonly hash: string;
  readonly device: string;
  readonly isTrace: boolean;
  /** True for an event of a later version of the program: kept, but without effect on this one. */
  readonly isInert: boolean;
  /** The stamps (`stampKey`) of the registers that its writer saw and meant to overwrite. */
  readonly overwrites: readonly string[];
  /** What last destroyed it on a disk; empty if nothing did. */
  lostBy: string;
  /**
   * What took its copy, or the knowledge that there is none, from its writer's device; empty if
   * nothing did. `device`: the device was replaced as a whole, and nothing else had the line.
   */
  copyLostBy: '' | 'copies' | 'device';
  /** Devices that have copied it and have not lost their copies since. */
  readonly copiedOn: Set<string>;
  hasLanded: boolean;
  isDurable: boolean;
  isAcknowledged: boolean;
}

/**
 * An author of events. `isSetBack`: its writers and files were restored to an earlier time.
 * `isHidden`: its device has a line in no file that it can read, and in no copy.
 */
export interface Author {
  readonly name: string;
  readonly device: string;
  isSetBack(): boolean;
  isHidden(text: string): boolean;
}

/** The drafts of a call as of its last decision. */
interface Intent {
  drafts: readonly Draft[];
  overwrites: readonly string[];
  readonly lines: Line[];
}

/** Record of everything ever written and acknowledged, independent of the code under test. */
export interface Ledger {
  readonly lines: ReadonlyMap<string, Line>;
  /** The first failure. */
  violation(): string | undefined;
  blame(what: string): void;
  /** Records what a call decided to write. It may decide again before anything is written. */
  decided(author: Author, key: string, drafts: readonly Draft[], memory: Memory): void;
  appended(
    author: Author,
    path: VaultPath,
    bytes: Uint8Array,
    how: { isNew: boolean; isDurable: boolean; hasLanded: boolean; kept?: number },
  ): void;
  /**
   * Called before the author deletes a file. Its disk, or a copy with which it heals its disk, must
   * list everything in the file as retired.
   */
  removing(
    author: Author,
    path: VaultPath,
    bytes: Uint8Array,
    held: { disk: Disk; copies: Iterable<Uint8Array> },
  ): void;
  /**
   * Called when the author has read all of the core lane that it can. It must not reuse the numbers
   * found there.
   */
  hasRead(author: Author, disk: Disk): void;
  /** Records that the caller got an acknowledgement. Returns the events. */
  acknowledged(author: Author, key: string): LogEvent[];
  /** Records lines that were not written by this version of the program. */
  foreign(
    path: VaultPath,
    bytes: Uint8Array,
    how: { isInert?: boolean; isAcknowledged: boolean; device: string },
  ): void;
  /** Records that something other than Savepoint changed or removed bytes of a file. */
  damaged(before: Uint8Array, after: Uint8Array | undefined): void;
  /** Records that one device was copied to another, with all its files. */
  cloned(from: string, to: string): void;
  /** Records that a device has copied lines. */
  copied(device: string, bytes: Uint8Array): void;
  /**
   * Records that something other than Savepoint has removed copies of a device, and the last lines
   * by writer that it had not copied. `isWhole`: its disk was replaced, too.
   */
  lostCopies(
    device: string,
    copies: { before: Iterable<Uint8Array>; after: Iterable<Uint8Array> },
    lacking: ReadonlyMap<string, Pick<LogEvent, 'n'>>,
    isWhole: boolean,
  ): void;
  /** Names what changes or removes bytes from now on. */
  setCause(cause: string): void;
  /**
   * Acknowledged core lines that a disk had and lost. Most are still elsewhere, or were restored.
   */
  readonly lost: ReadonlySet<Line>;
  /** Returns the lines that the disk has in full, in any file, found by their bytes alone. */
  heldOn(disk: Disk): Line[];
  /** Returns the lines whose stubs the disk has. */
  stubsOn(disk: Disk): Line[];
  /** Lines that may become stubs, by the text of the stub. */
  readonly stubs: ReadonlyMap<string, Line>;
  /** Records that somebody replaces a line by its stub. */
  addStub(line: Line): void;
  /** Records stubs that stand for no line. */
  addFalseStubs(bytes: Uint8Array): void;
  /** Returns the `log.forget` events of the core lane that name a line, wherever they are. */
  forgetsNaming(stamp: Stamp): readonly LogEvent[];
  /** Writers with two events of the same number. */
  forks(): number;
}

export function stampKey({ w, n, c }: Stamp): string {
  return `${w} ${n} ${c}`;
}

/** Creates an empty ledger. `isAnywhere`: a disk, a copy or the sync service has the line. */
export function createLedger(
  excuses: Pick<Excuses, 'mayLose'>,
  isAnywhere: (line: Line) => boolean,
): Ledger {
  const lines = new Map<string, Line>();
  const stubs = new Map<string, Line>();
  const falseStubs = new Set<string>();
  const forgets = new Map<string, LogEvent[]>();
  /** The last line of each number, and whether its append was cut off within it. */
  const numbers = new Map<string, { readonly line: Line; readonly isCut: boolean }>();
  const intents = new Map<string, Intent>();
  const owners = new Map<string, string>();
  /** The seals of files with the names of their authors, by device and path. */
  const sealed = new Map<string, { readonly line: Line; readonly author: string }>();
  /** The text of the line that saved a state, by author and name. */
  const stateNames = new Map<string, string>();
  const lost = new Set<Line>();
  let cause = '';
  let hasForgeries = false;
  const numbersRead = new Map<string, Set<string>>();
  let violation: string | undefined;
  let forks = 0;

  function blame(what: string): void {
    violation ??= what;
  }

  function noteForget({ event, isTrace, isInert }: Line): void {
    const stamps = new Set(isTrace || isInert ? [] : stampsNamedBy(event));
    for (const stamp of stamps) forgets.set(stamp, [...(forgets.get(stamp) ?? []), event]);
    for (const line of stamps.size > 0 ? lines.values() : []) {
      if (!stamps.has(stampKey(line.event)) || line.event.t.startsWith('log.')) continue;
      stubs.set(stubOf(line), line);
      // its name may be used again
      if (line.event.t === 'state.new')
        for (const name of [...stateNames.keys()])
          if (name.endsWith(stateNameOf(line.event))) stateNames.delete(name);
    }
  }

  function intentOf(author: Author, key: string): Intent {
    const name = `${author.name} ${key}`;
    const intent = intents.get(name) ?? { drafts: [], overwrites: [], lines: [] };
    intents.set(name, intent);
    return intent;
  }

  function checkOwner(
    author: Author,
    path: VaultPath,
    isNew: boolean,
    written: readonly Line[],
    whole: readonly string[],
  ): void {
    const file = `${author.device} ${path}`;
    if (isNew) {
      owners.set(file, written[0]?.event.w ?? '');
      sealed.delete(file);
    }
    for (const line of written) {
      const { event, text } = line;
      const seal = sealed.get(file)?.line;
      if (owners.get(file) !== event.w)
        blame(`${author.name} writes as ${event.w} to ${path}, which it has not created`);
      if (seal && (seal.hasLanded || isAnywhere(seal)) && !author.isSetBack())
        blame(`${author.name} writes to ${path}, which is sealed`);
      if (event.t === 'log.seal' && whole.includes(text))
        sealed.set(file, { line, author: author.name });
    }
  }

  /** A device may write a core line that it has a copy of again, unchanged, into a new file. */
  function checkHealing(author: Author, path: VaultPath, isNew: boolean, line: Line): void {
    // A restored device may write the same bytes under the same number.
    if (author.isSetBack()) return;
    if (!isNew || line.isTrace)
      blame(`${author.name} writes ${line.event.t} of ${line.device} again, to ${path}`);
  }

  function checkNumber(author: Author, line: Line, isCut: boolean): void {
    const { event, hash } = line;
    const { w, n, p } = event;
    if (numbersRead.get(author.name)?.has(`${w} ${n}`))
      blame(`${author.name} writes number ${n} of ${w}, which it has read`);
    const twin = numbers.get(`${w} ${n}`);
    if (twin && twin.line.hash !== hash && !isFree(twin)) {
      forks++;
      if (!author.isSetBack())
        blame(
          `${author.name} writes number ${n} of ${w} a second time, as ${event.t} after ${twin.line.event.t}`,
        );
    }
    const before = numbers.get(`${w} ${n - 1}`)?.line;
    const isNext = n === 1 ? p === CHAIN_START : before?.hash === p;
    if (!isNext && !author.isSetBack())
      blame(`${author.name} writes number ${n} of ${w}, which does not follow its last`);
    numbers.set(`${w} ${n}`, { line, isCut });
  }

  /**
   * Returns true for a number that may be written again, as another line: its append was cut off
   * within the line, or never answered, and the power was cut before the system had written it.
   */
  function isFree({ line, isCut }: { readonly line: Line; readonly isCut: boolean }): boolean {
    return isCut || !(line.hasLanded || isAnywhere(line));
  }

  /**
   * Only traces are retired, and only the device that writes a segment may retire it while it is
   * open.
   */
  function checkRetirement(author: Author, event: LogEvent): void {
    const taken = retiredBy([event]);
    const gone = [...lines.values()].filter((line) => taken(line.event));
    if (event.d['lane'] !== 'trace' || gone.some(({ isTrace }) => !isTrace))
      blame(`${author.name} retires what is no trace`);
    const isSealed = gone.some(({ event: { t, n } }) => t === 'log.seal' && n === event.d['to']);
    // A restored or cloned device shares numbers with what another one writes.
    const isShared = author.isSetBack();
    if (!isSealed && !isShared && gone.some(({ device }) => device !== author.device))
      blame(`${author.name} retires what another may still write to`);
  }

  /**
   * States are never renamed, so a log can never save two with the same name, unless a forged line
   * renames one, or the first was hidden when the log last read everything.
   */
  function checkStateName(author: Author, { event: { t, d }, text }: Line): void {
    if (t !== 'state.new' || hasForgeries) return;
    const name = `${author.name} ${stateNameOf({ d })}`;
    const first = stateNames.get(name);
    if (first !== undefined && !author.isHidden(first))
      blame(`${author.name} saves a second state of one name: ${name}`);
    stateNames.set(name, text);
  }

  function heldOn(disk: Disk, isRead = (_path: VaultPath) => true): Line[] {
    const found = new Set<Line>();
    const odd: string[] = [];
    for (const path of disk.segments().filter(isRead)) {
      for (const piece of latin1(disk.get(path)).split('\n')) {
        const line = lines.get(piece);
        if (line) found.add(line);
        else if (piece !== '' && !falseStubs.has(piece)) odd.push(piece);
      }
    }
    for (const piece of odd)
      for (const line of lines.values())
        if (!found.has(line) && piece.includes(line.text)) found.add(line);
    return [...found];
  }

  /** Returns the lines of which there is a copy, or one of their stub. */
  function copiesIn(files: Iterable<Uint8Array>): ReadonlySet<Line> {
    const texts = [...files].flatMap(textsIn);
    return new Set(texts.flatMap((text) => lines.get(text) ?? stubs.get(text) ?? []));
  }

  return {
    lines,
    lost,
    stubs,
    addStub: (line) => void stubs.set(stubOf(line), line),
    addFalseStubs(bytes) {
      for (const text of textsIn(bytes)) falseStubs.add(text);
    },
    forgetsNaming: (stamp) => forgets.get(stampKey(stamp)) ?? [],
    stubsOn(disk) {
      const texts = disk.segments().map((path) => latin1(disk.get(path)));
      return [...stubs].flatMap(([stub, line]) =>
        texts.some((text) => text.includes(stub)) ? [line] : [],
      );
    },
    cloned(from, to) {
      for (const [file, writer] of [...owners])
        if (file.startsWith(`${from} `)) owners.set(`${to} ${file.slice(from.length + 1)}`, writer);
    },
    copied(device, bytes) {
      for (const line of copiesIn([bytes])) {
        line.copiedOn.add(device);
        if (line.device === device) line.copyLostBy = '';
      }
    },
    lostCopies(device, { before, after }, lacking, isWhole) {
      const copied = copiesIn(before);
      const kept = copiesIn(after);
      for (const line of lines.values()) {
        const { w, n } = line.event;
        const isGone = copied.has(line) && !kept.has(line);
        if (isGone) line.copiedOn.delete(device);
        const isLacking = !kept.has(line) && n <= (lacking.get(w)?.n ?? 0);
        if (line.device === device && (isGone || isLacking))
          line.copyLostBy = isWhole && !isAnywhere(line) ? 'device' : 'copies';
      }
    },
    setCause: (next) => void (cause = next),
    damaged(before, after) {
      const kept = new Set(after ? textsIn(after) : []);
      for (const text of textsIn(before)) {
        const line = kept.has(text) ? undefined : lines.get(text);
        if (!line?.isAcknowledged || line.isTrace) continue;
        line.lostBy = cause;
        lost.add(line);
      }
    },
    heldOn,
    violation: () => violation,
    blame,
    decided(author, key, drafts, memory) {
      const intent = intentOf(author, key);
      intent.drafts = drafts;
      intent.overwrites = drafts
        .filter(({ t }) => t === 'set')
        .flatMap((draft) => overwrittenBy(draft, memory));
    },
    appended(author, path, bytes, { isNew, isDurable, hasLanded, kept = bytes.length }) {
      if (!path.endsWith('.jsonl')) return;
      const whole = latin1(bytes.subarray(0, kept)).split('\n');
      const written = textsIn(bytes).flatMap((text): Line[] => {
        if (stubs.has(text) || falseStubs.has(text)) return []; // healed
        const known = lines.get(text);
        if (known) {
          const number = numbers.get(`${known.event.w} ${known.event.n}`);
          // an append that was never answered may be repeated
          if (number?.line === known && (number.isCut || !known.hasLanded))
            numbers.set(`${known.event.w} ${known.event.n}`, { line: known, isCut: false });
          else checkHealing(author, path, isNew, known);
          known.hasLanded ||= hasLanded;
          known.isDurable ||= isDurable;
          return [];
        }
        const event = eventIn(text);
        const key = event.d[CALL_KEY] ?? event.e;
        const intent =
          event.t.startsWith('log.') || typeof key !== 'string' ? undefined : intentOf(author, key);
        // The append of a call with several events may be cut off after one of them.
        const overwrites = (intent?.overwrites ?? []).filter((key) =>
          Object.keys(event.d).some((path) => key.startsWith(`${event.e}${path} `)),
        );
        const copies = { copyLostBy: '' as const, copiedOn: new Set<string>() };
        const promises = { ...copies, lostBy: '', hasLanded, isDurable, isAcknowledged: false };
        const line: Line = {
          event,
          text,
          hash: hashOf(text),
          device: author.device,
          isTrace: isTracePath(path),
          isInert: false,
          overwrites,
          ...promises,
        };
        intent?.lines.push(line);
        return [line];
      });
      if (written.length > 0) checkOwner(author, path, isNew, written, whole);
      for (const line of written) {
        checkNumber(author, line, !whole.includes(line.text));
        if (line.event.t === 'log.retire') checkRetirement(author, line.event);
        if (hasLanded) checkStateName(author, line);
        lines.set(line.text, line);
        noteForget(line);
      }
    },
    removing(author, path, bytes, { disk, copies }) {
      const copied = [...copies].flatMap(textsIn).flatMap((text) => lines.get(text) ?? []);
      // The retirement may have been damaged since the author read it.
      const told = excuses.mayLose ? [...lines.values()] : [...heldOn(disk), ...copied];
      const isRetired = retiredBy(told.filter(isOfCore).map(({ event }) => event));
      const isNamed =
        isTracePath(path) &&
        told
          .filter(isOfCore)
          .some(
            ({ event: { t, d } }) => t === 'log.retire' && path.endsWith(`/${d['file'] as string}`),
          );
      const texts = textsIn(bytes);
      const ended = texts.length - textsIn(bytes.subarray(bytes.lastIndexOf(0x0a) + 1)).length;
      for (const [at, text] of texts.entries()) {
        const bare = text.replace(/^\0+|[\r\0]+$/g, '');
        const line = lines.get(bare) ?? stubs.get(bare);
        const isCutOff = !line && at === texts.length - 1;
        // What begins like a line was the beginning of one of the file, whole or damaged. A merge
        // of two beginnings of the file joins them without a newline.
        if (!line && at >= ended && isNamed && text.startsWith('{"v":')) continue;
        const meant = isCutOff
          ? [...lines.values()].filter((each) => isBeginning(text, each))
          : [line];
        if (!isTracePath(path) || !meant.some((each) => each && isRetired(each.event)))
          blame(`${author.name} deletes ${path}, of which not all was retired`);
      }
    },
    hasRead(author, disk) {
      // A process does not look again at once into what it has sealed.
      const isSealedHere = (path: VaultPath) =>
        sealed.get(`${author.device} ${path}`)?.author === author.name;
      const unreadable = new Set(disk.unreadable());
      const isRead = (path: VaultPath) => !unreadable.has(path) && !isSealedHere(path);
      if (author.isSetBack())
        numbersRead.set(
          author.name,
          new Set(
            heldOn(disk, isRead)
              .filter(({ isTrace }) => !isTrace)
              .map(({ event: { w, n } }) => `${w} ${n}`),
          ),
        );
    },
    acknowledged(author, key) {
      const { drafts, lines: own } = intentOf(author, key);
      for (const { t, e } of drafts) {
        const found = own.filter(
          ({ event, hasLanded, isTrace, isDurable }) =>
            event.t === t && event.e === e && hasLanded && (isTrace || isDurable),
        );
        if (found.length === 0)
          blame(`${author.name} was told that ${t} ${e} is saved, and it is not safe on the disk`);
        for (const line of found) line.isAcknowledged = true;
      }
      return own.filter(({ isAcknowledged }) => isAcknowledged).map(({ event }) => event);
    },
    foreign(path, bytes, { isInert = false, isAcknowledged, device }) {
      hasForgeries ||= !isAcknowledged;
      for (const text of textsIn(bytes)) {
        const copies = { copyLostBy: '' as const, copiedOn: new Set<string>() };
        const landed = { hasLanded: true, isDurable: true, isAcknowledged };
        const promises = { ...copies, ...landed, lostBy: '' };
        const line = {
          event: eventIn(text),
          text,
          hash: hashOf(text),
          device,
          isTrace: isTracePath(path),
          isInert,
          overwrites: [],
          ...promises,
        };
        lines.set(text, line);
        noteForget(line);
      }
    },
    forks: () => forks,
  };
}

function isOfCore({ isTrace, isInert }: Line): boolean {
  return !isTrace && !isInert;
}

/** Returns the events that the retirements among these events remove. */
export function retiredBy(events: readonly LogEvent[]): (event: LogEvent) => boolean {
  const retirements = events
    .filter(({ t, d }) => t === 'log.retire' && d['lane'] === 'trace')
    .map(({ d }) => d as { w: string; from: number; to: number });
  return ({ w, n }) => retirements.some((each) => each.w === w && each.from <= n && n <= each.to);
}

function overwrittenBy({ e, d }: Draft, memory: Memory): string[] {
  const { registers } = entityOf(memory, e);
  return Object.keys(d).flatMap((path) => {
    const held = mapGet(registers, path);
    return held ? [`${e}${path} ${stampKey(held.at)}`] : [];
  });
}

/** Identifies the name of a state in its workspace. */
function stateNameOf({ d }: Pick<LogEvent, 'd'>): string {
  return JSON.stringify([d['ws'], nameKey(d['name'] as string)]);
}

function hashOf(text: string): string {
  return createHash('sha256').update(Buffer.from(text, 'latin1')).digest('hex').slice(0, 32);
}

/** Returns the lines of a file, also one that continues a line which a power cut has cut off. */
function textsIn(bytes: Uint8Array): string[] {
  return latin1(bytes)
    .split(/\n|(?=\{"v":1,"w":)/)
    .filter((text) => text !== '');
}

function eventIn(text: string): LogEvent {
  return JSON.parse(Buffer.from(text, 'latin1').toString()) as LogEvent;
}

function isTracePath(path: VaultPath): boolean {
  return path.startsWith(`${ROOT}/trace/`);
}

function latin1(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** Returns true if a text may be the beginning of the line, even with a damaged bit. */
function isBeginning(text: string, { event: { w, n }, text: whole }: Line): boolean {
  return whole.startsWith(text) || text.startsWith(`{"v":1,"w":"${w}","n":${n},`);
}
