import { PluginSettingTab, type Plugin, type SettingDefinitionItem } from 'obsidian';
import { appsPage } from './apps.js';
import { generalDefinitions } from './general.js';
import { MIRROR, type SettingsHost } from './host.js';
import { meaningPage } from './meaning.js';
import { modelsPage } from './models.js';
import { outflowPage } from './outflow.js';
import { storagePage } from './storage.js';
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
      ...generalDefinitions(host, update),
      modelsPage(host, update),
      meaningPage(host),
      appsPage(host, update),
      storagePage(host),
      outflowPage(host),
    ];
  }

  override getControlValue(key: string): unknown {
    return key === MIRROR
      ? this.host.mirror.isOn.get()
      : this.host.chosen.get()[key as keyof typeof settingsShape.shape];
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    const { mirror, chosen, change } = this.host;
    if (key === MIRROR) mirror.turn(value === true);
    else await change(settingsShape.parse({ ...chosen.get(), [key]: value }));
  }
}
