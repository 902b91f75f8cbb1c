import { FileSystemAdapter, Plugin } from 'obsidian';
import { createFolderFiles } from './node/folder-files.js';
import { breathe, createWindowClock, createWindowRandom } from './obsidian/browser-ports.js';
import { addCommands } from './obsidian/commands/index.js';
import { loadNodeModules } from './obsidian/desktop.js';
import { readDevice } from './obsidian/device.js';
import { createLocalIdentities } from './obsidian/local-identities.js';
import { report } from './obsidian/logger.js';
import { createSavepoint, type Savepoint } from './obsidian/savepoint.js';
import { SavepointSettingTab } from './obsidian/settings-tab.js';
import { readSettings, type Settings } from './obsidian/settings.js';
import { showStatus } from './obsidian/status-bar.js';
import { createStore } from './obsidian/store.js';
import { addViews, openMemory } from './obsidian/ui/index.js';
import { createVaultFiles } from './obsidian/vault-files.js';
import type { Clock } from './storage/clock.js';
import type { Files } from './storage/files.js';

/** The plugin. Its `onload` registers and returns; what there is to read is read once the layout is ready. */
export default class SavepointPlugin extends Plugin {
  private readonly savepoint = createStore<Savepoint | undefined>(undefined);
  private readonly clock = createWindowClock();

  override onload(): void {
    const { app, savepoint } = this;
    addViews(this, savepoint);
    addCommands(this, savepoint);
    this.addSettingTab(new SavepointSettingTab(this, savepoint, (settings) => this.change(settings)));
    this.register(showStatus(this.addStatusBarItem(), savepoint, () => void openMemory(app)));
    this.registerEvent(app.workspace.on('quit', (tasks) => tasks.add(() => this.close())));
    app.workspace.onLayoutReady(() => void this.open().catch(report));
  }

  override onunload(): void {
    void this.close().catch(report);
  }

  override async onExternalSettingsChange(): Promise<void> {
    await this.open();
  }

  private async change(settings: Settings): Promise<void> {
    await this.saveData(settings);
    await this.open();
  }

  /** Opens the memory as the settings say, in place of the one that is open. */
  private async open(): Promise<void> {
    const { app, clock } = this;
    const random = createWindowRandom();
    const opened = createSavepoint({
      ...{ obsidian: app, clock, random, report, breathe },
      settings: readSettings(await this.loadData()),
      files: await openFiles(app.vault.adapter, clock),
      identities: createLocalIdentities(app),
      device: readDevice(app, random).name,
      app: `savepoint/${this.manifest.version}`,
    });
    await this.close();
    this.savepoint.set(opened);
    await opened.start();
  }

  private async close(): Promise<void> {
    const opened = this.savepoint.get();
    this.savepoint.set(undefined);
    await opened?.close();
  }
}

/** On a desktop the disk itself, which can promise that what was saved survives a power cut; else the app's own adapter. */
async function openFiles(adapter: Plugin['app']['vault']['adapter'], clock: Clock): Promise<Files> {
  const node = adapter instanceof FileSystemAdapter ? await loadNodeModules() : undefined;
  return node && adapter instanceof FileSystemAdapter ? createFolderFiles(node, adapter.getBasePath()) : createVaultFiles(adapter, clock);
}
