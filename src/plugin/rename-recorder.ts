import type { App, TAbstractFile } from 'obsidian';
import { allWorkspaces, eachState } from '../model/lookup.js';
import type { Memory } from '../model/memory.js';
import { moveData } from '../model/moves/move-data.js';
import { isAtOrIn } from '../model/moves/path-moves.js';
import { isWithin, toVaultPath, type VaultPath } from '../model/paths.js';
import { allRecords } from '../model/records/lookup-record.js';
import { yieldToHost } from '../obsidian/host/browser-ports.js';
import { report } from '../obsidian/host/logger.js';
import { allTraceEntries } from '../obsidian/memory/note-pane/calls-of-note.js';
import type { Savepoint } from '../obsidian/savepoint.js';
import { createEntityId } from '../platform/random.js';
import { Scheduler } from '../platform/scheduler.js';

interface Rename {
  readonly from: VaultPath;
  readonly to: VaultPath;
}

/** The app reports a folder and everything in it one by one. */
const COLLECT_MS = 50;
/** Number of the newest tool calls that count as memory of a note. */
const MAX_TRACES = 500;

/** Records where notes and folders go that memory refers to, when the user renames them. */
export class RenameRecorder {
  readonly #app: App;
  readonly #savepoint: Savepoint;
  readonly #scheduler: Scheduler;
  readonly #stop: () => void;
  #collected: Rename[] = [];
  #cancel: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(app: App, savepoint: Savepoint) {
    this.#app = app;
    this.#savepoint = savepoint;
    this.#scheduler = new Scheduler(savepoint.clock, yieldToHost);
    const ref = app.vault.on('rename', (file: TAbstractFile, from: string) => {
      this.#collected.push({ from, to: file.path });
      this.#cancel ??= savepoint.clock.after(COLLECT_MS, () => this.#write());
    });
    this.#stop = () => app.vault.offref(ref);
  }

  /** Records what has been renamed so far, and stops. */
  async close(): Promise<void> {
    this.#stop();
    if (this.#cancel) this.#write();
    await this.#writing;
  }

  #write(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const renames = withoutContents(this.#collected);
    this.#collected = [];
    this.#writing = this.#writing.then(() => this.#record(renames)).catch(report);
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
