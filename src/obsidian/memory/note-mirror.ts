import { TFile, TFolder, type App, type EventRef, type TAbstractFile } from 'obsidian';
import type { Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import { isWithin, type VaultPath } from '../../model/paths.js';
import type { State } from '../../model/state.js';
import type { Clock } from '../../platform/clock.js';
import {
  isStaleNote,
  mirrorFolder,
  mirrorNotes,
  mirrorText,
  readMark,
  type MirrorMark,
  type MirrorNote,
} from '../../transfer/mirror-notes.js';
import { Scheduler } from '../../platform/scheduler.js';
import type { Savepoint } from '../savepoint.js';
import { createStore, type Store } from '../store.js';
import { text } from '../i18n/index.js';

const KEY = 'savepoint-mirror';

/** What changes within so many milliseconds is written in one go. */
const CALM = 400;

/** A disk that refuses so many notes refuses all. */
const FAILURES_LIMIT = 5;

export type MirrorStatus =
  | { readonly phase: 'off' | 'waiting' | 'writing' }
  /** `passed` are paths where a note of the person's stands, so that ours took another name. */
  | { readonly phase: 'done'; readonly notes: number; readonly passed: number }
  | { readonly phase: 'failed'; readonly error: string };

/** The states as notes in the vault, for its graph, search and bases: written from the memory where this device has it on, never read. */
export interface Mirror {
  readonly isOn: Store<boolean>;
  readonly status: Store<MirrorStatus>;
  /** Kept on this device alone. What is written already stays when it is turned off. */
  turn(on: boolean): void;
  /** Removes the notes that nobody has changed, and answers how many: for when it is off. */
  clear(): Promise<number>;
  /** Resolves when nothing is being written. */
  rest(): Promise<void>;
  /** Begins to follow the memory and the notes; answers how to stop. */
  start(): () => void;
}

export interface MirrorOptions {
  readonly app: App;
  readonly savepoint: Store<Savepoint | undefined>;
  readonly clock: Clock;
  readonly yieldToHost: () => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** A note as it was last seen to be right. */
type Seen = Pick<MirrorNote, 'workspaceName'> & Pick<Named<State>, 'entity' | 'displayName'>;

export function createMirror({
  app,
  savepoint,
  clock,
  yieldToHost,
  report,
}: MirrorOptions): Mirror {
  const { vault } = app;
  const scheduler = new Scheduler(clock, yieldToHost);
  const isOn = createStore(app.loadLocalStorage(KEY) === true);
  const status = createStore<MirrorStatus>({ phase: 'off' });
  /** By path in lower case: some disks know no other. */
  const seen = new Map<string, Seen>();
  /** Where a note of the person's stands. */
  const passed = new Set<VaultPath>();
  const writing = new Set<VaultPath>();
  /** What somebody else has changed since it was seen, in lower case. */
  const changed = new Set<string>();
  let isStarted = false;
  let isDue = false;
  let running: Promise<void> | undefined;
  let cancel: () => void = () => undefined;

  function plan(): void {
    cancel();
    if (isStarted && isOn.get()) cancel = clock.after(CALM, run);
  }

  function run(): void {
    isDue = true;
    running ??= keepUp().finally(() => (running = undefined));
  }

  /** One pass at a time; what comes meanwhile is for the next. */
  async function keepUp(): Promise<void> {
    while (isDue) {
      isDue = false;
      const opened = savepoint.get();
      if (!isWanted(opened)) return;
      status.set({ phase: 'writing' });
      try {
        const notes = await pass(opened);
        if (notes !== undefined) status.set({ phase: 'done', notes, passed: passed.size });
      } catch (error) {
        report(error);
        const why = error instanceof Error ? error.message : String(error);
        status.set({
          phase: 'failed',
          error: text.settings.mirrorFailed(mirrorFolder(opened.services.dataFolder), why),
        });
      }
    }
  }

  function isWanted(opened: Savepoint | undefined): opened is Savepoint {
    return (
      isStarted &&
      isOn.get() &&
      opened !== undefined &&
      opened === savepoint.get() &&
      opened.memoryStatus.get().phase === 'ready'
    );
  }

  /** Writes what is not as it should be; answers how many notes there are, undefined where it was stopped. */
  async function pass(opened: Savepoint): Promise<number | undefined> {
    const folder = mirrorFolder(opened.services.dataFolder);
    const memory = opened.memory.get();
    const found = await compare(opened, memory, folder);
    if (!found) return undefined;
    const failures: unknown[] = [];
    for (const { note, file } of found.stale) {
      await scheduler.yieldIfDue();
      if (!isWanted(opened)) return undefined;
      await write(note, file).catch((error: unknown) => failures.push(error));
      if (failures.length >= FAILURES_LIMIT) break;
    }
    for (const [key, file] of found.present) {
      if (!isWanted(opened)) return undefined;
      if (!found.wanted.has(key)) await removeLeftOver(file, memory);
    }
    if (failures.length > 0) throw failures[0];
    return found.wanted.size;
  }

  interface Comparison {
    readonly present: ReadonlyMap<string, TFile>;
    readonly wanted: ReadonlySet<string>;
    readonly stale: readonly { readonly note: MirrorNote; readonly file: TFile | undefined }[];
  }

  /** Compares every note with what it should be. Where one is a person's, the names are given out again around it. */
  async function compare(
    opened: Savepoint,
    memory: Memory,
    folder: VaultPath,
  ): Promise<Comparison | undefined> {
    for (;;) {
      const present = notesIn(vault.getFolderByPath(folder));
      const wanted = new Set<string>();
      const stale: Comparison['stale'][number][] = [];
      const known = passed.size;
      for (const note of mirrorNotes(memory, folder, passed)) {
        await scheduler.yieldIfDue();
        if (!isWanted(opened)) return undefined;
        if (!note) continue;
        const key = note.path.toLowerCase();
        const file = present.get(key);
        wanted.add(key);
        if (file && isAsSeen(seen.get(key), note)) continue;
        const held = file && (await vault.read(file));
        const mark = held === undefined ? undefined : readMark(held);
        if (held === undefined) stale.push({ note, file: undefined });
        else if (!mark) passed.add(note.path);
        else if (held === mirrorText(note) || isByAnother(key, mark, note)) see(note);
        else stale.push({ note, file });
      }
      if (passed.size === known) return { present, wanted, stale };
    }
  }

  /** Another device mirrors too, and knows more or less than this one: two that wrote over each other would never come to rest. */
  function isByAnother(
    key: string,
    { id, isUntouched }: MirrorMark,
    { state: shown }: MirrorNote,
  ): boolean {
    return changed.has(key) && isUntouched && id === shown.item.id;
  }

  function see({ path, state: { entity, displayName }, workspaceName }: MirrorNote): void {
    const key = path.toLowerCase();
    changed.delete(key);
    seen.set(key, { entity, displayName, workspaceName });
  }

  async function write(note: MirrorNote, file: TFile | undefined): Promise<void> {
    const path = file?.path ?? note.path;
    writing.add(path);
    try {
      if (file) await vault.process(file, (held) => (readMark(held) ? mirrorText(note) : held));
      else await create(path, mirrorText(note));
      see(note);
    } finally {
      writing.delete(path);
    }
  }

  async function create(path: VaultPath, content: string): Promise<void> {
    const folder = path.slice(0, path.lastIndexOf('/'));
    // What another program has made the app may not know yet.
    if (!vault.getFolderByPath(folder) && !(await vault.adapter.exists(folder)))
      await vault.createFolder(folder);
    await vault.create(path, content);
  }

  /** Only what is ours to the letter, and the folder that this empties. */
  async function removeLeftOver(file: TFile, memory: Memory): Promise<boolean> {
    await scheduler.yieldIfDue();
    if (!isStaleNote(await vault.read(file), memory)) return false;
    const { parent } = file;
    await app.fileManager.trashFile(file);
    seen.delete(file.path.toLowerCase());
    if (parent?.children.length === 0) await app.fileManager.trashFile(parent);
    return true;
  }

  /** What somebody else does to a note is looked at again. */
  function touched(file: TAbstractFile, oldPath?: string): void {
    const opened = savepoint.get();
    if (!opened || writing.has(file.path)) return;
    const folder = mirrorFolder(opened.services.dataFolder);
    const paths = [file.path, ...(oldPath === undefined ? [] : [oldPath])].filter((path) =>
      isWithin(path, folder),
    );
    for (const path of paths) {
      const key = path.toLowerCase();
      seen.delete(key);
      changed.add(key);
      passed.delete(path);
    }
    if (paths.length > 0) plan();
  }

  function follow(): () => void {
    const opened = savepoint.get();
    seen.clear();
    passed.clear();
    if (!opened) return () => undefined;
    const stops = [opened.memoryStatus, opened.memory].map((store) => store.subscribe(plan));
    plan();
    return () => stops.forEach((stop) => stop());
  }

  return {
    isOn,
    status,
    turn(on) {
      app.saveLocalStorage(KEY, on ? true : null);
      isOn.set(on);
      cancel();
      status.set({ phase: on ? 'waiting' : 'off' });
      if (on && isStarted) run();
    },
    async clear() {
      await running;
      const opened = savepoint.get();
      if (!opened) return 0;
      let removed = 0;
      const memory = opened.memory.get();
      for (const file of notesIn(
        vault.getFolderByPath(mirrorFolder(opened.services.dataFolder)),
      ).values())
        if (await removeLeftOver(file, memory)) removed++;
      return removed;
    },
    rest: () => running ?? Promise.resolve(),
    start() {
      isStarted = true;
      if (isOn.get()) status.set({ phase: 'waiting' });
      let stopFollowing = follow();
      const stopWatching = savepoint.subscribe(() => {
        stopFollowing();
        stopFollowing = follow();
      });
      const events: EventRef[] = [
        vault.on('create', touched),
        vault.on('modify', touched),
        vault.on('delete', touched),
        vault.on('rename', touched),
      ];
      return () => {
        isStarted = false;
        cancel();
        stopWatching();
        stopFollowing();
        for (const event of events) vault.offref(event);
      };
    },
  };
}

function isAsSeen(seen: Seen | undefined, { state: shown, workspaceName }: MirrorNote): boolean {
  return (
    seen?.entity === shown.entity &&
    seen.displayName === shown.displayName &&
    seen.workspaceName === workspaceName
  );
}

/** Every note below a folder, by its path in lower case. */
function notesIn(folder: TFolder | null): Map<string, TFile> {
  const found = new Map<string, TFile>();
  const folders = folder ? [folder] : [];
  for (const each of folders) {
    for (const child of each.children) {
      if (child instanceof TFolder) folders.push(child);
      else if (child instanceof TFile && child.extension === 'md')
        found.set(child.path.toLowerCase(), child);
    }
  }
  return found;
}
