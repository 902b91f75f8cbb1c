import type { App, EventRef, TAbstractFile } from 'obsidian';
import type { WriteStage } from '../acp/session-options.js';
import { ChangeTracker } from '../acp/changes/change-tracker.js';
import type { FileContent, TrackedFiles } from '../acp/changes/tracked-files.js';
import { filesFolder } from '../agents/storage-manager/shared/storage-scope.js';
import { fileNameOf, isAbsolutePath, isHidden, isWithin, type VaultPath } from '../model/paths.js';
import { Refusal } from '../model/refusal.js';
import { visibleText } from '../model/text/visible-text.js';
import { CHANGES_FOLDER, createFolderChangeStore } from '../node/chat-agents/change-store.js';
import { createVaultTexts, type VaultTexts } from '../node/chat-agents/vault-texts.js';
import { vaultDeviceFolder } from '../node/serve/vault-server.js';
import { report } from '../obsidian/host/logger.js';
import { text } from '../obsidian/i18n/index.js';
import type { Savepoint } from '../obsidian/savepoint.js';
import type { Scheduler } from '../platform/scheduler.js';
import {
  isRetirable,
  isSegmentName,
  LANES,
  readmePath,
  withAppendedEvents,
} from '../storage/index.js';
import { mirrorFolder } from '../transfer/mirror/mirror-notes.js';
import type { Disk } from './disk.js';
import { replaceVaultFile } from './replace-vault-file.js';

interface VaultChangesOptions {
  readonly app: App;
  readonly disk: Disk;
  readonly savepoint: Savepoint;
}

/** The app does not report changes of hidden files, so protected folders are polled. */
const WATCH_INTERVAL_MS = 1000;

/** Passes the app's events to a tracker of agents' changes, which is opened on first use. */
export class VaultChanges {
  readonly #options: VaultChangesOptions;
  readonly #scheduler: Scheduler;
  readonly #onChange: () => void;
  readonly #refs: readonly EventRef[];
  readonly #typing: EventRef;
  readonly #texts: VaultTexts;
  #opening: Promise<ChangeTracker> | undefined;
  #opened: ChangeTracker | undefined;

  constructor(options: VaultChangesOptions, scheduler: Scheduler, onChange: () => void) {
    const { vault, workspace } = options.app;
    this.#options = options;
    this.#scheduler = scheduler;
    this.#onChange = onChange;
    const { disk, savepoint } = options;
    this.#texts = createVaultTexts(disk.node, {
      vault: disk.vault,
      protectedFolders: this.#protectedFolders(),
      // Savepoint itself takes care of its notes.
      excludedFolders: () => [
        mirrorFolder(savepoint.services.dataFolder),
        ...savepoint.settings.excludedFolders,
      ],
    });
    const observe = ({ path }: TAbstractFile) => this.#follow((tracker) => tracker.observe(path));
    this.#refs = [
      vault.on('create', observe),
      vault.on('modify', observe),
      vault.on('delete', observe),
      vault.on('rename', (file, from) =>
        this.#follow((tracker) => tracker.renamed(from, file.path)),
      ),
    ];
    this.#typing = workspace.on('editor-change', (_, { file }) => {
      if (file) this.#follow((tracker) => tracker.typed(file.path));
    });
  }

  /** Undefined until the tracker is used. */
  get opened(): ChangeTracker | undefined {
    return this.#opened;
  }

  open(): Promise<ChangeTracker> {
    this.#opening ??= this.#create();
    return this.#opening;
  }

  /** Reports files of the settings and the memory that an agent changes, once each, until ended. */
  watchProtected(
    tracker: ChangeTracker,
    turn: { readonly conversationId: string; readonly turnId: string },
    onFound: (path: string) => void,
  ): () => void {
    const folders = this.#protectedFolders();
    const { clock, services } = this.#options.savepoint;
    const files = filesFolder(services.dataFolder);
    const found = new Set<string>();
    const pass = () => {
      for (const { turnId, path } of tracker.changes(turn.conversationId)) {
        if (turnId !== turn.turnId || found.has(path) || isWithin(path, files)) continue;
        if (!folders.some((folder) => isWithin(path, folder))) continue;
        found.add(path);
        onFound(path);
      }
    };
    let isWatching = true;
    let cancel: () => void = ignore;
    const look = async () => {
      try {
        for (const folder of folders) if (isHidden(folder)) await tracker.observeFolder(folder);
        pass();
      } finally {
        if (isWatching) schedule();
      }
    };
    const schedule = () => {
      cancel = clock.after(WATCH_INTERVAL_MS, () => void look().catch(report));
    };
    schedule();
    return () => {
      isWatching = false;
      cancel();
      pass();
    };
  }

  /** Keeps a file before an agent changes it. Returns false if that cannot be undone. */
  async keep(path: VaultPath): Promise<boolean> {
    return !this.#texts.isExcluded(path) && (await this.open()).keep(path);
  }

  /** Writes an agent's text. */
  async write(path: VaultPath, written: string): Promise<void> {
    const tracker = await this.open();
    await this.keep(path);
    await this.#replace(path, undefined, new TextEncoder().encode(written));
    await tracker.observe(path);
  }

  /** Follows a file where an agent must not write. Protected folders are followed anyway. */
  async followForbidden(path: string, stage: WriteStage): Promise<void> {
    if (this.#protectedFolders().some((folder) => isWithin(path, folder))) return;
    const tracker = await this.open();
    if (stage === 'named') await this.keep(path);
    if (stage === 'written') await tracker.observe(path);
  }

  close(): void {
    const { vault, workspace } = this.#options.app;
    for (const ref of this.#refs) vault.offref(ref);
    workspace.offref(this.#typing);
  }

  async #create(): Promise<ChangeTracker> {
    const { disk, savepoint } = this.#options;
    const { dataFolder } = savepoint.services;
    const { node, vault } = disk;
    const { env, platform } = node.process;
    const device = await vaultDeviceFolder(node, { vault, env, platform });
    const texts = this.#texts;
    this.#opened = new ChangeTracker(
      {
        list: (folder) => texts.list(folder),
        isTracked: (file) => texts.isTracked(file),
        read: (file) => texts.read(file),
        ownWrites: (file) => ownWrites(dataFolder, file),
        replace: (file, current, changed) => this.#replace(file, current, changed),
      },
      createFolderChangeStore(node, node.path.join(device, CHANGES_FOLDER)),
      savepoint.clock,
      this.#scheduler,
      this.#onChange,
    );
    return this.#opened;
  }

  async #replace(
    path: string,
    current: FileContent | undefined,
    changed: Uint8Array | undefined,
  ): Promise<boolean> {
    if (isAbsolutePath(path)) {
      await this.#texts.write(path, changed);
      return true;
    }
    if (await this.#texts.isLinked(path))
      throw new Refusal(text.chatAgents.changes.linked(visibleText(path)));
    return replaceVaultFile(this.#options.app, path, current, changed);
  }

  #protectedFolders(): readonly string[] {
    const { app, savepoint } = this.#options;
    return [app.vault.configDir, savepoint.services.dataFolder];
  }

  #follow(task: (tracker: ChangeTracker) => Promise<void>): void {
    if (this.#opened) void task(this.#opened).catch(report);
  }
}

/** Returns how Savepoint writes a file of the data folder; undefined for other files. */
function ownWrites(dataFolder: string, path: string): ReturnType<TrackedFiles['ownWrites']> {
  if (path === readmePath(dataFolder)) return (before, after) => before ?? after;
  const lane = LANES.find((each) => isWithin(path, `${dataFolder}/${each}`));
  if (lane === undefined || !isSegmentName(fileNameOf(path))) return undefined;
  return (before, after) =>
    // Retention deletes these.
    isRetirable(lane) && after === undefined ? undefined : withAppendedEvents(before, after);
}

function ignore(): void {
  // Nothing is scheduled yet.
}
