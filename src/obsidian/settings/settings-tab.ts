import { PluginSettingTab, type Plugin, type SettingDefinitionItem } from 'obsidian';
import { appsPage } from './apps.js';
import { chatAgentsPage } from './chat-agents.js';
import { memoryDefinitions, searchDefinitions, storageDefinitions } from './general.js';
import { MIRROR, type SettingsHost } from './host.js';
import { agentsPage, modelsPage } from './models.js';
import { settingsShape } from '../settings-schema.js';

export class SavepointSettingTab extends PluginSettingTab {
  override icon = 'bookmark';

  constructor(
    plugin: Plugin,
    private readonly host: SettingsHost,
  ) {
    super(plugin.app, plugin);
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    const { host } = this;
    const update = () => this.update();
    return [
      modelsPage(host),
      chatAgentsPage(host, update),
      appsPage(host, update),
      agentsPage(host, update),
      ...memoryDefinitions(host, update),
      ...searchDefinitions(host, update),
      storageDefinitions(host, update),
    ];
  }

  override getControlValue(key: string): unknown {
    return key === MIRROR
      ? this.host.mirror.isOn.get()
      : this.host.settings.get()[key as keyof typeof settingsShape.shape];
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    const { mirror, settings, change } = this.host;
    if (key === MIRROR) mirror.turn(value === true);
    else await change(settingsShape.parse({ ...settings.get(), [key]: value }));
  }
}
