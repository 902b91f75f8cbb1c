import type { App, TAbstractFile } from 'obsidian';
import { allWorkspaces, eachState } from '../model/lookup.js';
import type { Memory } from '../model/memory.js';
import { moveData } from '../model/moves/move-data.js';
import { isAtOrIn } from '../model/moves/path-moves.js';
import { isHidden, isWithin, toAppSpelling, toVaultPath, type VaultPath } from '../model/paths.js';
import { allRecords } from '../model/records/lookup-record.js';
import { yieldToHost, yieldWhenIdle } from '../obsidian/host/browser-ports.js';
import { report } from '../obsidian/host/logger.js';
import { allTraceEntries } from '../obsidian/memory/note-pane/calls-of-note.js';
import type { Savepoint } from '../obsidian/savepoint.js';
import { createEntityId } from '../platform/random.js';
import { Scheduler } from '../platform/scheduler.js';
import { findOutsideRenames, type Rename, type VaultList } from './outside-renames.js';

/** The app reports a folder and everything in it one by one. */
const COLLECT_MS = 50;
/** A sync service may still be at work when the app reports what another program has renamed. */
const OUTSIDE_MS = 10_000;
/** Number of the newest tool calls that count as memory of a note. */
const MAX_TRACES = 500;

/** Records renames of what memory refers to: the user's at once, other programs' later. */
export class RenameRecorder {
  readonly #app: App;
  readonly #savepoint: Savepoint;
  readonly #scheduler: Scheduler;
  readonly #stops: readonly (() => void)[];
  #collected: Rename[] = [];
  #cancel: (() => void) | undefined;
  #cancelSearch: (() => void) | undefined;
  #isClosed = false;
  #writing: Promise<void> = Promise.resolve();

  /** `isPaused` returns true while the user wants nothing to be recorded unasked. */
  constructor(app: App, savepoint: Savepoint, isPaused: () => boolean) {
    this.#app = app;
    this.#savepoint = savepoint;
    this.#scheduler = new Scheduler(savepoint.clock, yieldToHost);
    const { vault } = app;
    const search = () => {
      this.#cancelSearch = undefined;
      this.#writing = this.#writing.then(() => this.#recordOutside(isPaused)).catch(report);
    };
    // the app reports such a rename as one file that is gone and another one that is new
    const seen = new Set<string>();
    const note = (event: string, { path }: TAbstractFile) => {
      if (this.#isExcluded(path) || seen.add(event).size < 2) return;
      seen.clear();
      this.#cancelSearch ??= savepoint.clock.after(OUTSIDE_MS, search);
    };
    const refs = [
      vault.on('rename', (file: TAbstractFile, from: string) => {
        this.#collected.push({ from, to: file.path });
        this.#cancel ??= savepoint.clock.after(COLLECT_MS, () => this.#write());
      }),
      vault.on('create', (file) => note('create', file)),
      vault.on('delete', (file) => note('delete', file)),
    ];
    const stopWaiting = savepoint.memoryStatus.subscribe(() => {
      if (savepoint.memoryStatus.get().phase !== 'ready') return;
      stopWaiting();
      search();
    });
    this.#stops = [...refs.map((ref) => () => vault.offref(ref)), stopWaiting];
  }

  /** Records what has been renamed so far, and stops. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    this.#cancelSearch?.();
    if (this.#cancel) this.#write();
    await this.#writing;
  }

  #write(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#writing = this.#writing.then(() => this.#recordCollected()).catch(report);
  }

  async #recordCollected(): Promise<void> {
    const renames = withoutContents(this.#collected);
    this.#collected = [];
    await this.#record(renames);
  }

  async #recordOutside(isPaused: () => boolean): Promise<void> {
    await yieldWhenIdle();
    if (this.#isClosed || isPaused()) return;
    const { clock, services: access, memory } = this.#savepoint;
    const scheduler = new Scheduler(clock, async () => {
      if (!this.#isClosed) await yieldWhenIdle();
    });
    let renames: Rename[];
    do {
      await this.#recordCollected();
      const [list, now] = [this.#listVault(), clock.now()];
      renames = await findOutsideRenames({ memory: memory.get(), list, access, now, scheduler });
    } while (this.#collected.length > 0); // the user has renamed something meanwhile
    await this.#record(renames);
  }

  #listVault(): VaultList {
    const { vault } = this.#app;
    const isExcluded = (path: VaultPath) => isHidden(path) || this.#isExcluded(path);
    return {
      files: vault
        .getFiles()
        .flatMap(({ path, stat: { size } }) => (isExcluded(path) ? [] : [{ path, size }])),
      has: (path) => vault.getAbstractFileByPath(toAppSpelling(path)) !== null,
      isExcluded,
    };
  }

  async #record(renames: readonly Rename[]): Promise<void> {
    const { services } = this.#savepoint;
    const { log, random } = services;
    for (const { from, to } of renames) {
      if (this.#isExcluded(from)) continue;
      const memory = await this.#savepoint.readMemory();
      if (!(await this.#refersTo(memory, from))) continue;
      const isKnown = !this.#isExcluded(to);
      await log.write((current) => ({
        drafts: [
          {
            t: 'path.moved',
            e: createEntityId(random),
            d: moveData(current, { from, to: isKnown ? to : undefined }),
          },
        ],
        answer: undefined,
      }));
      await this.#savepoint.refresh();
    }
  }

  #isExcluded(path: VaultPath): boolean {
    const { services, settings } = this.#savepoint;
    return [services.dataFolder, this.#app.vault.configDir, ...settings.excludedFolders].some(
      (folder) => isWithin(path, folder),
    );
  }

  /** Returns true if memory refers to the path, or to something in it. */
  async #refersTo(memory: Memory, path: VaultPath): Promise<boolean> {
    const names = (paths: readonly string[]) =>
      paths.some((each) => {
        const inVault = toVaultPath(each);
        return inVault !== undefined && (isAtOrIn(inVault, path) || `${inVault}.md` === path);
      });
    const workspaces = allWorkspaces(memory);
    for (const { item } of workspaces) {
      if (names([item.rootFolder, ...item.keyFiles])) return true;
      if (allRecords(memory, item.id).some(({ files }) => names(Object.keys(files)))) return true;
      for (const state of eachState(memory, item.id)) {
        if (this.#scheduler.isDue) await this.#scheduler.yieldIfDue();
        if (names(state.item.activeFiles)) return true;
      }
    }
    const { log } = this.#savepoint.services;
    const ids = workspaces.map(({ item }) => item.id);
    const entries = (await allTraceEntries(log, ids)).slice(0, MAX_TRACES);
    const start = JSON.stringify(path.replace(/\.md$/u, '')).slice(0, -1);
    return (await log.readTraces(entries)).some(
      ({ files = [], input }) => names(files) || input.includes(start),
    );
  }
}

/** Leaves out what was renamed only because the folder that contains it was. */
function withoutContents(renames: readonly Rename[]): Rename[] {
  return renames.filter(
    ({ from, to }) =>
      !renames.some(
        (outer) =>
          outer.from.length < from.length &&
          isAtOrIn(from, outer.from) &&
          to === outer.to + from.slice(outer.from.length),
      ),
  );
}
