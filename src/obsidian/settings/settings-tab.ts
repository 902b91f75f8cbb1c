import { debounce, PluginSettingTab, type Plugin, type SettingDefinitionItem } from 'obsidian';
import { text } from '../i18n/index.js';
import { follow, followInside, stopAll } from '../store.js';
import { appsPage } from './apps.js';
import { chatAgentsPage } from './chat-agents.js';
import { promptFolderRow } from './prompt-folder.js';
import { memoryDefinitions, numberRow, searchDefinitions, storageDefinitions } from './general.js';
import type { SettingsHost } from './host.js';
import { permissionsPage, modelsPage } from './models.js';
import { drawnTexts, redrawKeepingFocus, withEntering } from './redraw.js';

const UPDATE_DELAY_MS = 100;

/**
 * The settings. The app reads the definitions at registration and at each `update`, not when the
 * tab is shown. So rows follow what they show, and the tab updates when texts or rows change. It
 * does not redraw an unchanged page, which may show a result, until the user leaves it.
 */
export class SavepointSettingTab extends PluginSettingTab {
  override icon = 'bookmark';
  readonly #host: SettingsHost;
  /** The page of each row that is shown and drawn by a function. */
  readonly #shownPages: string[] = [];
  #drawn: ReadonlyMap<string, string> = new Map();
  #isStale = false;

  constructor(plugin: Plugin, host: SettingsHost) {
    super(plugin.app, plugin);
    this.#host = host;
  }

  /** Updates the definitions when they change, until the returned function is called. */
  start(): () => void {
    const { savepoint, chat, connections, http, settings, chatAgents, activity, ownModel, mirror } =
      this.#host;
    const updateSoon = debounce(() => this.#updateIfChanged(), UPDATE_DELAY_MS);
    const stores = [savepoint, connections, http, settings, chatAgents.entries, activity];
    return stopAll(
      follow([...stores, ownModel.settings, mirror.isOn], updateSoon),
      followInside(chat, ({ capture }) => [capture.settings], updateSoon),
      () => updateSoon.cancel(),
    );
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    const host = this.#host;
    return withEntering(
      [
        {
          type: 'group',
          heading: text.pages.headings.chat,
          items: [
            modelsPage(host),
            chatAgentsPage(host),
            appsPage(host),
            permissionsPage(host),
            numberRow(host, 'callLimit'),
            promptFolderRow(host),
          ],
        },
        ...memoryDefinitions(host),
        ...searchDefinitions(host),
        storageDefinitions(host),
      ],
      (page) => this.#enter(page),
    );
  }

  override update(): void {
    super.update();
    this.#drawn = drawnTexts(this.settingItems);
  }

  #enter(page: string): () => void {
    this.#shownPages.push(page);
    return () => {
      this.#shownPages.splice(this.#shownPages.indexOf(page), 1);
      if (this.#isStale) queueMicrotask(() => this.#isStale && this.#updateIfChanged());
    };
  }

  #updateIfChanged(): void {
    const drawn = drawnTexts(this.getSettingDefinitions());
    const hasChanged = (page: string) => drawn.get(page) !== this.#drawn.get(page);
    const shown = this.#shownPages;
    this.#isStale = [...drawn.keys()].some(hasChanged);
    if (this.#isStale && (shown.length === 0 || shown.some(hasChanged))) {
      this.#isStale = false;
      redrawKeepingFocus(this.containerEl, () => this.update());
    } else if (shown.length > 0) this.refreshDomState();
  }
}
