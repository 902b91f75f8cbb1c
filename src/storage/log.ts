import { CALL_KEY, compareText, type Draft, type Json, type LogEvent } from '../model/event.js';
import { effectOf, emptyMemory, fold, type Memory } from '../model/memory.js';
import type { VaultPath } from '../model/paths.js';
import { Refusal } from '../model/refusal.js';
import { traceOf, type Trace } from '../model/trace.js';
import { dayOf, type Lane } from './lanes.js';
import { writeAbout } from './about.js';
import { nextClockText, type Clock } from './clock.js';
import type { Copies } from './copies.js';
import { FileChanged, type Files } from './files.js';
import { createHealer } from './heal.js';
import { isFork, type Holdings } from './holdings.js';
import type { Identities } from './identity.js';
import { createMarks } from './marks.js';
import { createEntityId, type Random } from './ids.js';
import { createReader, readPlaced, type PlacedEvent, type PlacedRange } from './reader.js';
import { createSegmentWriter } from './segment-writer.js';

export interface LogOptions {
  readonly files: Files;
  /** The data folder, a vault path. */
  readonly root: VaultPath;
  readonly identities: Identities;
  /** Where copies are kept of what this device writes; without them nothing heals. */
  readonly copies?: Copies;
  readonly clock: Clock;
  readonly random: Random;
  /** Program and version, for people who look into a segment. */
  readonly app: string;
  /** What this device is called in its segments: no more than tells it from the person's others. */
  readonly device: string;
  /** What a failed background write has to say. */
  readonly warn: (message: string) => void;
}

/** What a write makes of the memory it finds: events to add, and the answer for the caller. Throws a `Refusal` to write nothing. */
export type Decide<T> = (memory: Memory) => { drafts: readonly Draft[]; answer: T };

/** Where a trace stands, and what of it is needed to find it. */
export interface TraceEntry extends PlacedRange {
  readonly workspaceId: Json | undefined;
  readonly h: string;
}

/** The event log of one vault: the truth, and the memory folded from it. */
export interface Log {
  /** The memory with everything in it that lies in the folder when this is called. */
  memory(): Promise<Memory>;
  /**
   * Decides on the memory as it was last read and adds what was decided; resolves once it would survive a power cut, where the
   * platform can promise that. Ask for `memory()` first to see what others have written until now. With a `call` key that has taken effect before, nothing is written and undefined is answered.
   */
  write<T>(decide: Decide<T>, call?: string): Promise<T | undefined>;
  /** Adds to the trace lane; resolves once written, without waiting for the disk. */
  writeTrace(draft: Draft): Promise<void>;
  /** Every trace of a workspace, newest first. */
  traceEntries(workspaceId: string): Promise<TraceEntry[]>;
  readTraces(entries: readonly TraceEntry[]): Promise<Trace[]>;
  /** Says what it has seen of others, where it has written itself, and lays its writers down. No call may follow. */
  close(): Promise<void>;
}

const FORMAT = 1;

/** So often in a row a write is tried with a new writer where something has changed the file. */
const CHANGES_LIMIT = 5;

const RESTLESS =
  'Cannot save: something else changes the files in the data folder as fast as they are written. Nothing was saved; wait until your sync has finished and try again.';

/** One thing to write, waiting for its turn. */
interface Entry {
  decide(memory: Memory): readonly Draft[];
  resolve(): void;
  reject(error: unknown): void;
}

export function createLog(options: LogOptions): Log {
  const { files, root, clock, random } = options;
  const holdings: Holdings = new Map();
  const traces: TraceEntry[] = [];
  const vaultIds = new Set<string>();
  let memory = emptyMemory;
  let hasRead = false;
  let lastClock = '';

  const lanes = { core: createLane('core'), trace: createLane('trace') };
  const marks = createMarks({
    ...{ holdings, clock, warn: options.warn },
    ownWriters: () => ({ core: lanes.core.writer.writer(), trace: lanes.trace.writer.writer() }),
    write: (draft) => add('core', draft),
  });
  const healer =
    options.copies &&
    createHealer({
      ...{ files, root, copies: options.copies, holdings, clock, random, warn: options.warn },
      vaultId: () => textIn(memory.vault, 'id'),
      vaultIds: () => vaultIds,
    });

  function createLane(lane: Exclude<Lane, 'chat'>) {
    const reader = createReader(files, root, lane, holdings);
    const writer = createSegmentWriter({
      ...{ files, root, lane, identities: options.identities, random },
      tick: () => (lastClock = nextClockText(lastClock, clock.now())),
      sawClock,
      today: () => dayOf(clock.now()),
      mayTakeUp({ writer, n }) {
        const holding = holdings.get(writer);
        return !holding || (holding.last <= n && holding.forks.size === 0);
      },
      gaveUp({ writer, n }) {
        if (lane === 'core') marks.claim(writer, n); // the last traces may go in a power cut, and nobody need worry
      },
      preamble: () => (lane === 'core' ? [...vaultDraft(), ...marks.draft('all')] : []),
      header: { fmt: FORMAT, app: options.app, device: options.device },
      wrote(path, info, lines, bytes) {
        reader.note(path, info, lines);
        takeIn(lane, lines);
        if (lane === 'core') healer?.keep(bytes);
      },
    });
    return {
      reader,
      writer,
      queue: [] as Entry[],
      exclusive: createMutex(),
      pendingScan: undefined as Promise<void> | undefined,
      isFlushing: false,
      changesInARow: 0,
    };
  }

  function sawClock(h: string): void {
    if (h > lastClock) lastClock = h;
  }

  /** Lets events that were not held before take effect here. */
  function takeIn(lane: Lane, lines: readonly PlacedEvent[]): void {
    for (const { event, path, from, to } of lines) {
      sawClock(event.h);
      if (event.v === 1 && event.t === 'trace.new') traces.push({ workspaceId: event.d['ws'], h: event.h, path, from, to });
      if (event.v === 1 && event.t === 'log.vault') vaultIds.add(textIn(event, 'id') ?? '');
      marks.note(event);
    }
    if (lines.length > 0) marks.plan();
    if (lane === 'core')
      memory = fold(
        memory,
        lines.map(({ event }) => event),
      );
  }

  /** Reads what has come. Calls that come while a scan runs share the next one: theirs began too early for them. */
  function catchUp(name: keyof typeof lanes): Promise<void> {
    const lane = lanes[name];
    lane.pendingScan ??= lane.exclusive(async () => {
      lane.pendingScan = undefined;
      await scan(name);
    });
    return lane.pendingScan;
  }

  async function scan(name: keyof typeof lanes): Promise<void> {
    const { reader, writer } = lanes[name];
    const found = await reader.scan();
    takeIn(name, found);
    if (name === 'core') planHealing();
    if (name === 'core') hasRead = true;
    // Somebody else uses our writer, or a file was rolled back and has grown anew.
    if (found.some(({ event }) => event.w === writer.writer() && (event.n > writer.lastNumber() || isFork(holdings, event))))
      writer.abandon();
  }

  function planHealing(): void {
    if (!hasRead) healer?.plan();
    if (lanes.core.reader.hasLost()) healer?.suspect();
  }

  function add(name: keyof typeof lanes, decide: Entry['decide']): Promise<void> {
    return new Promise((resolve, reject) => {
      lanes[name].queue.push({ decide, resolve, reject });
      void flush(name);
    });
  }

  /** One flush at a time for each lane; all that waits when an append begins goes out with it (group commit). */
  async function flush(name: keyof typeof lanes): Promise<void> {
    const lane = lanes[name];
    if (lane.isFlushing) return;
    lane.isFlushing = true;
    while (lane.queue.length > 0) await lane.exclusive(() => flushOnce(name));
    lane.isFlushing = false;
  }

  async function flushOnce(name: keyof typeof lanes): Promise<void> {
    const lane = lanes[name];
    const { writer, queue } = lane;
    const batch: Entry[] = [];
    try {
      await writer.prepare();
      const isFull = stageAll(name, queue, batch);
      const lines = await writer.commit(name === 'core');
      lane.changesInARow = 0;
      if (lines.some(({ event }) => event.t === 'log.vault')) await writeAbout(files, root).catch(warnOfAbout);
      for (const entry of batch.splice(0)) entry.resolve();
      if (isFull) await writer.seal();
    } catch (error) {
      writer.unstage();
      marks.plan(); // one may have been laid ready
      const isChanged = error instanceof FileChanged;
      if (isChanged && ++lane.changesInARow < CHANGES_LIMIT) return void queue.unshift(...batch); // nothing was written; a new writer will
      lane.changesInARow = 0;
      const failed = batch.length > 0 ? batch : queue.splice(0);
      for (const entry of failed) entry.reject(isChanged ? new Refusal(RESTLESS) : error);
    }
  }

  /** Moves what fits from the queue to the batch, each decided on what those before it will have made of the memory. */
  function stageAll(name: keyof typeof lanes, queue: Entry[], batch: Entry[]): boolean {
    const { writer } = lanes[name];
    let tentative = memory;
    for (let entry = queue[0]; entry; entry = queue[0]) {
      try {
        const drafts = entry.decide(tentative);
        const mark = name === 'core' && drafts.length > 0 && marks.isDue() ? marks.draft('untold') : [];
        const events = drafts.length > 0 ? writer.stage([...drafts, ...mark]) : [];
        if (events === 'full') return true;
        if (name === 'core') tentative = fold(tentative, events);
        batch.push(entry);
      } catch (error) {
        marks.plan(); // one may have been laid ready
        entry.reject(error);
      }
      queue.shift();
    }
    return false;
  }

  function vaultDraft(): Draft[] {
    return memory.vault ? [] : [{ t: 'log.vault', e: '', d: { id: createEntityId(random) } }];
  }

  function warnOfAbout(error: unknown): void {
    options.warn(`README.md was not written: ${String(error)}`);
  }

  async function write<T>(decide: Decide<T>, call?: string): Promise<T | undefined> {
    if (!hasRead) await catchUp('core');
    let answer: T | undefined;
    await add('core', (current) => {
      answer = undefined;
      if (effectOf(current, call) !== undefined) return [];
      const decided = decide(current);
      answer = decided.answer;
      return call === undefined ? decided.drafts : decided.drafts.map((draft) => ({ ...draft, d: { [CALL_KEY]: call, ...draft.d } }));
    });
    return answer;
  }

  return {
    async memory() {
      await catchUp('core');
      return memory;
    },
    write,
    writeTrace: (draft) => add('trace', () => [draft]),
    async traceEntries(workspaceId) {
      await catchUp('trace');
      return traces.filter((trace) => trace.workspaceId === workspaceId).sort((a, b) => compareText(b.h, a.h));
    },
    async readTraces(entries) {
      const events = await readPlaced(files, entries);
      return events.flatMap((event) => (event ? (traceOf(event) ?? []) : []));
    },
    async close() {
      const busy = (['core', 'trace'] as const).filter((name) => lanes[name].isFlushing);
      await Promise.allSettled(busy.map((name) => add(name, () => []))); // each caller hears of its own failure
      await marks.tell();
      marks.stop();
      await healer?.stop();
      const released = Object.values(lanes).map(({ writer, exclusive }) => exclusive(() => writer.release()));
      await Promise.all(released).catch((error: unknown) => options.warn(`A writer could not be kept for next time: ${String(error)}`));
    },
  };
}

function textIn(event: LogEvent | undefined, key: string): string | undefined {
  const value = event?.d[key];
  return typeof value === 'string' ? value : undefined;
}

/** Runs tasks one after another, in the order in which they came. */
function createMutex(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const run = last.then(task, task);
    last = run;
    return run;
  };
}
