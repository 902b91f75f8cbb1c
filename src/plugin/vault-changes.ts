import type { App, EventRef, TAbstractFile } from 'obsidian';
import { ChangeTracker } from '../acp/changes/change-tracker.js';
import { isWithin } from '../model/paths.js';
import { FolderChangeStore } from '../node/agent-programs/change-store.js';
import { VaultTexts } from '../node/agent-programs/vault-texts.js';
import { vaultDeviceFolder } from '../node/serve/vault-server.js';
import { report } from '../obsidian/host/logger.js';
import type { Savepoint } from '../obsidian/savepoint.js';
import type { Scheduler } from '../platform/scheduler.js';
import type { Disk } from './disk.js';
import { editVaultText } from './edit-vault-text.js';

interface VaultChangesOptions {
  readonly app: App;
  readonly disk: Disk;
  readonly savepoint: Savepoint;
}

/** The app does not report changes of its settings, so they are looked at this often. */
const SETTINGS_INTERVAL_MS = 1000;

/** Passes the app's events to a tracker of agents' changes, which is opened when it is first used. */
export class VaultChanges {
  readonly #options: VaultChangesOptions;
  readonly #scheduler: Scheduler;
  readonly #onChange: () => void;
  readonly #refs: readonly EventRef[];
  readonly #typing: EventRef;
  #opening: Promise<ChangeTracker> | undefined;
  #opened: ChangeTracker | undefined;

  constructor(options: VaultChangesOptions, scheduler: Scheduler, onChange: () => void) {
    const { vault, workspace } = options.app;
    this.#options = options;
    this.#scheduler = scheduler;
    this.#onChange = onChange;
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

  /**
   * Watches the app's settings during a turn and passes on each file that the agent has changed there, once. Returns a function that
   * passes on the rest and ends the watch.
   */
  watchSettings(
    tracker: ChangeTracker,
    turn: { readonly conversationId: string; readonly turnId: string },
    onFound: (path: string) => void,
  ): () => void {
    const { configDir } = this.#options.app.vault;
    const { clock } = this.#options.savepoint;
    const found = new Set<string>();
    const pass = () => {
      for (const { turnId, path } of tracker.changes(turn.conversationId)) {
        if (turnId !== turn.turnId || !isWithin(path, configDir) || found.has(path)) continue;
        found.add(path);
        onFound(path);
      }
    };
    let isWatching = true;
    let cancel: () => void = ignore;
    const look = async () => {
      try {
        await tracker.observeFolder(configDir);
        pass();
      } finally {
        if (isWatching) schedule();
      }
    };
    const schedule = () => {
      cancel = clock.after(SETTINGS_INTERVAL_MS, () => void look().catch(report));
    };
    schedule();
    return () => {
      isWatching = false;
      cancel();
      pass();
    };
  }

  close(): void {
    const { vault, workspace } = this.#options.app;
    for (const ref of this.#refs) vault.offref(ref);
    workspace.offref(this.#typing);
  }

  async #create(): Promise<ChangeTracker> {
    const { app, disk, savepoint } = this.#options;
    const { node, vault } = disk;
    const { env, platform } = node.process;
    const device = await vaultDeviceFolder(node, { vault, env, platform });
    const texts = new VaultTexts(node, {
      vault,
      configFolder: app.vault.configDir,
      excludedFolders: () => [savepoint.services.dataFolder, ...savepoint.settings.excludedFolders],
    });
    this.#opened = new ChangeTracker(
      {
        list: (folder) => texts.list(folder),
        read: (file) => texts.read(file),
        edit: (file, change) => editVaultText(app, file, change),
      },
      new FolderChangeStore(node, node.path.join(device, 'agent-changes')),
      savepoint.clock,
      this.#scheduler,
      this.#onChange,
    );
    return this.#opened;
  }

  #follow(task: (tracker: ChangeTracker) => Promise<void>): void {
    if (this.#opened) void task(this.#opened).catch(report);
  }
}

function ignore(): void {
  // Nothing is scheduled yet.
}
