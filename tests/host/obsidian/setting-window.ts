import type { PluginManifest } from 'obsidian';
import type { App } from './app';
import { searchDefinitions } from './declarative-settings';
import { pressable, setIcon } from './icons';
import { Modal } from './modal';
import { Notice } from './notice';
import { SearchComponent } from './components';
import { Setting } from './setting';
import { SettingTab, type PluginSettingTab } from './setting-tab';

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly tab: SettingTab;
}

/** List of the installed plugins, each with a toggle. */
class CommunityPluginsTab extends SettingTab {
  override icon = 'puzzle';

  override display(): void {
    this.containerEl.empty();
    const { plugins } = this.app;
    new Setting(this.containerEl).setName('Installed plugins').setHeading();
    for (const { id, name, version, author, description } of Object.values(plugins.manifests)) {
      const row = new Setting(this.containerEl)
        .setName(name)
        .setDesc(`Version: ${version}. By ${author}. ${description}`);
      row.addToggle((toggle) =>
        toggle.setValue(id in plugins.plugins).onChange(async (on) => {
          try {
            await (on ? plugins.enablePlugin(id, { byUser: true }) : plugins.disablePlugin(id));
          } catch (error) {
            new Notice(`Failed to load plugin ${id}`);
            toggle.setValue(false);
            throw error;
          }
        }),
      );
    }
  }
}

/**
 * The settings window: the tabs and a search over their settings, and next to them the open tab.
 */
export class SettingWindow extends Modal {
  #entries: Entry[] = [];
  #open: Entry | null = null;
  #lastTab = 'community-plugins';
  readonly #navEl: HTMLElement;
  readonly #bodyEl: HTMLElement;
  readonly #search: SearchComponent;

  constructor(app: App) {
    super(app);
    this.modalEl.addClasses(['mod-settings', 'mod-sidebar-layout']);
    this.modalEl.setAttr('aria-label', 'Settings');
    this.contentEl.addClass('vertical-tabs-container');
    const header = this.contentEl.createDiv('vertical-tab-header');
    this.#search = new SearchComponent(header)
      .setPlaceholder('Search settings')
      .onChange((query) => this.#drawNav(query));
    this.#navEl = header.createDiv('vertical-tab-header-groups');
    this.#bodyEl = this.contentEl.createDiv('vertical-tab-content-container');
    const tab = new CommunityPluginsTab();
    tab.app = app;
    this.#entries.push({ id: 'community-plugins', name: 'Community plugins', tab });
  }

  override open(): void {
    super.open();
    this.#search.setValue('');
    this.openTabById(this.#lastTab);
  }

  override onClose(): void {
    this.#open?.tab.hide();
    this.#open = null;
  }

  /** Returns whether the tab exists. */
  openTabById(id: string, pages: readonly string[] = []): SettingTab | null {
    const entry = this.#entries.find((each) => each.id === id);
    if (!entry) return null;
    this.#open?.tab.hide();
    this.#open = entry;
    this.#lastTab = id;
    this.#bodyEl.empty();
    this.#bodyEl.appendChild(entry.tab.containerEl);
    entry.tab.show();
    if (pages.length > 0) entry.tab.renderer.open(pages);
    this.#drawNav(this.#search.getValue());
    return entry.tab;
  }

  addPluginTab(tab: PluginSettingTab, { id, name }: PluginManifest): void {
    tab.update();
    this.#entries.push({ id, name, tab });
    this.#drawNav('');
  }

  removePluginTab(tab: PluginSettingTab): void {
    this.#entries = this.#entries.filter((entry) => entry.tab !== tab);
    if (this.#open?.tab === tab) this.openTabById('community-plugins');
    else this.#drawNav('');
  }

  #drawNav(query: string): void {
    const hadFocus = this.#navEl.contains(this.#navEl.doc.activeElement);
    this.#navEl.empty();
    if (query.trim() !== '') return this.#drawFound(query.trim());
    const options = this.#entries.filter(({ id }) => id === 'community-plugins');
    this.#drawEntries('Options', options);
    this.#drawEntries(
      'Community plugins',
      this.#entries.filter((entry) => !options.includes(entry)),
    );
    if (hadFocus) this.#navEl.find('.is-active')?.focus();
  }

  #drawEntries(title: string, entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    const group = this.#navEl.createDiv('vertical-tab-header-group');
    group.createDiv({ cls: 'vertical-tab-header-group-title', text: title });
    const items = group.createDiv('vertical-tab-header-group-items');
    for (const { id, name, tab } of entries) {
      const el = items.createDiv({
        cls: 'vertical-tab-nav-item tappable',
        attr: { 'data-setting-id': id, role: 'button', tabindex: 0 },
      });
      const isActive = this.#open?.tab === tab;
      el.toggleClass('is-active', isActive);
      el.setAttr('aria-current', isActive ? 'page' : null);
      setIcon(el.createDiv('vertical-tab-nav-item-icon'), tab.icon);
      el.createDiv({ cls: 'vertical-tab-nav-item-title', text: name });
      pressable(el, () => this.openTabById(id));
    }
  }

  #drawFound(query: string): void {
    const group = this.#navEl.createDiv('vertical-tab-header-group');
    group.createDiv({ cls: 'vertical-tab-header-group-title', text: 'Found' });
    const items = group.createDiv('vertical-tab-header-group-items');
    const found = this.#entries.flatMap(({ id, name, tab }) =>
      searchDefinitions(tab.settingItems, query).map((setting) => ({
        id,
        place: [name, ...setting.pages].join(' › '),
        setting,
      })),
    );
    if (found.length === 0)
      items.createDiv({ cls: 'setting-search-empty', text: 'No settings found.' });
    for (const { id, place, setting } of found) {
      const el = items.createDiv({
        cls: 'vertical-tab-nav-item mod-found tappable',
        attr: { role: 'button', tabindex: 0 },
      });
      el.createDiv({ cls: 'vertical-tab-nav-item-title', text: setting.name });
      el.createDiv({ cls: 'vertical-tab-nav-item-place', text: place });
      pressable(el, () => this.openTabById(id, setting.pages));
    }
  }
}
