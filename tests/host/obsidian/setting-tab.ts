import type { SettingDefinitionItem } from 'obsidian';
import type { App } from './app';
import { DefinitionRenderer } from './declarative-settings';
import type { Plugin } from './plugin';
import { refuse } from './refuse';

export abstract class SettingTab {
  icon = 'settings';
  app!: App;
  containerEl: HTMLElement = createDiv('vertical-tab-content');
  settingItems: SettingDefinitionItem[] = [];
  readonly renderer = new DefinitionRenderer(this);

  getSettingDefinitions(): SettingDefinitionItem[] {
    return [];
  }

  update(): void {
    this.settingItems = this.getSettingDefinitions();
    this.renderer.render();
  }

  getControlValue(_key: string): unknown {
    return refuse('Vault.getConfig, which SettingTab.getControlValue reads');
  }

  setControlValue(_key: string, _value: unknown): void | Promise<void> {
    refuse('Vault.setConfig, which SettingTab.setControlValue writes');
  }

  refreshDomState(): void {
    this.renderer.refresh();
  }

  display(): void {}

  hide(): void {
    this.renderer.close();
    this.containerEl.empty();
  }

  /**
   * Called by the settings window to show the tab, which draws the stored items. The documentation
   * ("Settings") says that they are read when the tab is added and by `update`; 1.13.1 does so
   * (`renderTab`, as quoted in ljcoder2015/obsidian-sheet-plus#158 and
   * writerP-777/obsidian-writing-studio#135). Only the type definitions say "on every display()".
   */
  show(): void {
    if (this.settingItems.length > 0) this.renderer.open();
    else this.display();
  }
}

export abstract class PluginSettingTab extends SettingTab {
  readonly plugin: Plugin;

  constructor(app: App, plugin: Plugin) {
    super();
    this.app = app;
    this.plugin = plugin;
  }

  override getControlValue(key: string): unknown {
    return (this.plugin.settings as Record<string, unknown> | undefined)?.[key];
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    const settings = (this.plugin.settings ??= {}) as Record<string, unknown>;
    settings[key] = value;
    await this.plugin.saveData(settings);
  }
}

/** A custom page below a tab. */
export abstract class SettingPage {
  rootEl: HTMLElement = createDiv('setting-page');
  titlebarEl: HTMLElement = this.rootEl.createDiv('setting-page-titlebar');
  containerEl: HTMLElement = this.rootEl.createDiv('setting-page-content');
  title = '';

  abstract display(): void;

  hide(): void {
    this.containerEl.empty();
  }
}
