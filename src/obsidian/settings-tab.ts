import { PluginSettingTab, type Plugin } from 'obsidian';
import type { Savepoint } from './savepoint.js';
import type { Settings } from './settings.js';
import type { Store } from './store.js';

export class SavepointSettingTab extends PluginSettingTab {
  constructor(
    plugin: Plugin,
    private readonly savepoint: Store<Savepoint | undefined>,
    private readonly change: (settings: Settings) => Promise<void>,
  ) {
    super(plugin.app, plugin);
  }
}
