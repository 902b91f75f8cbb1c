import type {
  SettingDefinition,
  SettingDefinitionControl,
  SettingDefinitionGroup,
  SettingDefinitionItem,
  SettingDefinitionList,
  SettingDefinitionPage,
  SettingGroupItem,
} from 'obsidian';
import { addControl } from './declarative-controls';
import { iconButton, pressable, setIcon } from './icons';
import { Platform } from './platform';
import { Setting, SettingGroup } from './setting';
import type { SettingPage, SettingTab } from './setting-tab';

/*
 * Settings that a tab declares: rows, groups, lists and nested pages.
 */

type Flag = boolean | (() => boolean) | undefined;
const holds = (flag: Flag, otherwise: boolean) =>
  typeof flag === 'function' ? flag() : (flag ?? otherwise);
const isPage = (item: SettingDefinitionItem): item is SettingDefinitionPage =>
  'type' in item && item.type === 'page';
const isGroup = (item: SettingDefinitionItem): item is SettingDefinitionGroup =>
  'type' in item && (item.type === 'group' || item.type === 'list');
const textOf = (text: string | DocumentFragment | undefined) =>
  typeof text === 'object' ? text.textContent : (text ?? '');
/** The fragment of a definition is rendered repeatedly, so each row gets a copy. */
const copyOf = (text: string | DocumentFragment | undefined) =>
  typeof text === 'object' ? (text.cloneNode(true) as DocumentFragment) : (text ?? '');

export interface FoundSetting {
  readonly name: string;
  readonly desc: string;
  /** The names of the pages to open, from the tab down. */
  readonly pages: readonly string[];
}

/** Returns the matches of the settings search in the definitions of a tab. */
export function searchDefinitions(
  items: readonly SettingDefinitionItem[],
  query: string,
  pages: readonly string[] = [],
): FoundSetting[] {
  const wanted = query.toLowerCase();
  return items.flatMap((item): FoundSetting[] => {
    if (!holds(item.visible, true)) return [];
    if (isGroup(item)) return searchDefinitions(item.items ?? [], query, pages);
    const texts = [
      item.name,
      textOf(item.desc),
      ...('aliases' in item ? (item.aliases ?? []) : []),
    ];
    const fits =
      (!('searchable' in item) || holds(item.searchable, true)) &&
      texts.some((text) => text.toLowerCase().includes(wanted));
    const own = fits ? [{ name: item.name, desc: textOf(item.desc), pages }] : [];
    return isPage(item)
      ? [...own, ...searchDefinitions(item.items ?? [], query, [...pages, item.name])]
      : own;
  });
}

export class DefinitionRenderer {
  readonly #tab: SettingTab;
  #isOpen = false;
  /** Open pages, by name because each update replaces the definitions. */
  #pages: string[] = [];
  #customPage: SettingPage | null = null;
  #refreshers: (() => void)[] = [];
  #cleanups: (() => void)[] = [];
  #queries = new Map<string, string>();

  constructor(tab: SettingTab) {
    this.#tab = tab;
  }

  open(pages: readonly string[] = []): void {
    this.#isOpen = true;
    this.#pages = [...pages];
    this.render();
  }

  close(): void {
    this.#clear();
    this.#isOpen = false;
    this.#pages = [];
  }

  refresh(): void {
    for (const refresher of this.#refreshers) refresher();
  }

  /** Redraws the open page; the focus stays on the control that had it. */
  render(): void {
    if (!this.#isOpen) return;
    const { containerEl } = this.#tab;
    const controls = () => containerEl.findAll('input, select, textarea, button, [tabindex]');
    const focused = controls().findIndex((el) => el.isActiveElement());
    const top = containerEl.scrollTop;
    this.#clear();
    const page = this.#openPage();
    if (page) this.#drawTitle(page.name);
    if (page?.page) this.#drawCustomPage(page.page());
    else this.#drawItems(page ? (page.items ?? []) : this.#tab.settingItems);
    this.refresh();
    containerEl.scrollTop = top;
    if (focused >= 0) controls()[focused]?.focus();
  }

  #clear(): void {
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
    this.#customPage?.hide();
    this.#customPage = null;
    this.#refreshers = [];
    this.#tab.containerEl.empty();
  }

  /** Returns the innermost page that is still declared, and closes the removed ones. */
  #openPage(): SettingDefinitionPage | null {
    let [items, page]: [readonly SettingDefinitionItem[], SettingDefinitionPage | null] = [
      this.#tab.settingItems,
      null,
    ];
    const found: string[] = [];
    for (const name of this.#pages) {
      const flat = items.flatMap((item) =>
        isGroup(item) ? ((item.items ?? []) as SettingDefinitionItem[]) : [item],
      );
      const next = flat.find(
        (item): item is SettingDefinitionPage => isPage(item) && item.name === name,
      );
      if (!next) break;
      [page, items] = [next, next.items ?? []];
      found.push(name);
    }
    this.#pages = found;
    return page;
  }

  #turnTo(pages: string[]): void {
    this.#pages = pages;
    this.render();
    this.#tab.containerEl.find('[tabindex], input, button, select, textarea')?.focus();
  }

  #drawTitle(name: string): void {
    const bar = this.#tab.containerEl.createDiv('setting-page-titlebar');
    iconButton(
      bar,
      'arrow-left',
      'Back',
      () => this.#turnTo(this.#pages.slice(0, -1)),
      'setting-page-back-button',
    );
    bar.createDiv({
      cls: 'setting-page-title',
      text: name,
      attr: { role: 'heading', 'aria-level': 2 },
    });
  }

  #drawCustomPage(page: SettingPage): void {
    this.#customPage = page;
    this.#tab.containerEl.appendChild(page.rootEl);
    page.display();
  }

  /** Draws rows outside groups in a group without a heading. */
  #drawItems(items: readonly SettingDefinitionItem[]): void {
    let loose: SettingGroup | null = null;
    let index = 0;
    for (const item of items) {
      if (isGroup(item)) {
        loose = null;
        index = 0;
        this.#drawGroup(item);
      } else {
        loose ??= new SettingGroup(this.#tab.containerEl);
        this.#drawRow(item, loose, index++);
      }
    }
  }

  #drawGroup(definition: SettingDefinitionGroup | SettingDefinitionList): void {
    const group = new SettingGroup(this.#tab.containerEl);
    const { groupEl } = group;
    if (definition.type === 'list') group.addClass('mod-list');
    if (definition.cls !== undefined) group.addClass(definition.cls);
    if (definition.heading !== undefined) group.setHeading(definition.heading);
    for (const add of definition.extraButtons ?? []) group.addExtraButton(add as never);
    this.#refreshers.push(() => groupEl.toggle(holds(definition.visible, true)));
    const items = definition.items ?? [];
    const rows = items.map((item, index) => this.#drawRow(item, group, index));
    if (definition.type === 'list')
      this.#drawListParts(definition as SettingDefinitionList, group, rows);
    if (definition.search) this.#drawSearch(definition, group, rows);
  }

  #drawListParts(list: SettingDefinitionList, group: SettingGroup, rows: Setting[]): void {
    const { addItem, emptyState, onDelete, onReorder } = list;
    if (rows.length === 0 && emptyState !== undefined)
      group.listEl.createDiv('setting-list-empty').setText(copyOf(emptyState));
    rows.forEach((row, index) => {
      if (onReorder) this.#addMover(row, index, rows.length, onReorder);
      if (!onDelete) return;
      row.addExtraButton((button) =>
        button
          .setIcon('trash-2')
          .setTooltip('Delete')
          .onClick(() => onDelete(index)),
      );
      row.settingEl.addEventListener('keydown', (event) => {
        const isTyping = (event.target as HTMLElement).matches('input, textarea, select');
        if (!isTyping && (event.key === 'Delete' || event.key === 'Backspace')) onDelete(index);
      });
    });
    if (!addItem) return;
    if (Platform.isMobile) {
      const row = group.groupEl.createDiv({
        cls: 'setting-item mod-add-item',
        text: `+ ${addItem.name}`,
        attr: { role: 'button', tabindex: 0 },
      });
      pressable(row, () => addItem.action(row));
    } else {
      group.addExtraButton((button) =>
        button
          .setIcon('plus')
          .setTooltip(addItem.name)
          .onClick(() => addItem.action(button.extraSettingsEl)),
      );
    }
  }

  /** A drag handle that can also be moved with the arrow keys. */
  #addMover(
    row: Setting,
    index: number,
    count: number,
    onReorder: (from: number, to: number) => void,
  ): void {
    const handle = createDiv({
      cls: 'clickable-icon setting-drag-handle',
      attr: { role: 'button', tabindex: 0, 'aria-label': 'Move' },
    });
    setIcon(handle, 'grip-vertical');
    row.controlEl.prepend(handle);
    const move = (to: number) => {
      if (to !== index && to >= 0 && to < count) onReorder(index, to);
    };
    handle.addEventListener('keydown', ({ key }) => {
      if (key === 'ArrowUp') move(index - 1);
      if (key === 'ArrowDown') move(index + 1);
    });
    handle.draggable = true;
    handle.addEventListener('dragstart', (event) =>
      event.dataTransfer?.setData('text/plain', String(index)),
    );
    row.settingEl.addEventListener('dragover', (event) => event.preventDefault());
    row.settingEl.addEventListener('drop', (event) => {
      event.preventDefault();
      const from = Number(event.dataTransfer?.getData('text/plain'));
      if (from !== index) onReorder(from, index);
    });
  }

  #drawSearch(
    { search, items = [], heading = '' }: SettingDefinitionGroup,
    group: SettingGroup,
    rows: Setting[],
  ): void {
    if (!search) return;
    const key = [...this.#pages, heading].join('/');
    const filter = () => {
      const query = this.#queries.get(key) ?? '';
      items.forEach((item, index) => {
        const bypasses = isPage(item) || !holds(item.searchable, true);
        rows[index]?.settingEl.toggleClass(
          'is-filtered-out',
          !(query === '' || bypasses || search.match(item, query)),
        );
      });
      this.refresh();
    };
    group.addSearch((input) =>
      input
        .setPlaceholder(search.placeholder ?? 'Search…')
        .setValue(this.#queries.get(key) ?? '')
        .onChange((query) => {
          this.#queries.set(key, query);
          filter();
        }),
    );
    filter();
  }

  #drawRow(item: SettingGroupItem, group: SettingGroup, index: number): Setting {
    let row!: Setting;
    group.addSetting((setting) => {
      row = setting.setName(item.name).setDesc(copyOf(item.desc));
    });
    this.#refreshers.push(() =>
      row.settingEl.toggle(holds(item.visible, true) && !row.settingEl.hasClass('is-filtered-out')),
    );
    if (isPage(item)) this.#fillPageRow(item, row);
    else this.#fillRow(item, row, group, index);
    return row;
  }

  #fillPageRow(page: SettingDefinitionPage, row: Setting): void {
    const { displayValue, status } = page;
    if (displayValue !== undefined || status !== undefined)
      row.addDisplayValue((value) =>
        value
          .setValue(typeof displayValue === 'function' ? displayValue() : (displayValue ?? null))
          .setStatus(typeof status === 'function' ? status() : (status ?? null)),
      );
    setIcon(row.controlEl.createDiv('setting-item-chevron'), 'chevron-right');
    this.#makePressable(
      row,
      () => this.#turnTo([...this.#pages, page.name]),
      () => false,
    );
  }

  #fillRow(item: SettingDefinition, row: Setting, group: SettingGroup, index: number): void {
    if (item.control) this.#fillControl(item, row);
    else if (item.render) {
      const cleanup = item.render(row, group);
      if (cleanup) this.#cleanups.push(cleanup);
    } else if (item.action) {
      const { action, disabled } = item;
      this.#makePressable(
        row,
        () => action(row.settingEl, index),
        () => holds(disabled, false),
      );
    }
  }

  #makePressable(row: Setting, press: () => unknown, isDisabled: () => boolean): void {
    row.setClass('mod-clickable').settingEl.setAttrs({ role: 'button', tabindex: 0 });
    pressable(row.settingEl, (event) => {
      const isOwnButton = (event.target as Element).closest(
        '.extra-setting-button, .setting-drag-handle',
      );
      if (!isOwnButton && !isDisabled()) press();
    });
    this.#refreshers.push(() => void row.setDisabled(isDisabled()));
  }

  #fillControl({ control }: SettingDefinitionControl, row: Setting): void {
    const validate = (control.validate ?? (() => undefined)) as (
      value: unknown,
    ) => string | void | Promise<string | void>;
    let round = 0;
    /** Returns whether the value is valid; a slower result for an older value is dropped. */
    const check = async (value: unknown): Promise<boolean> => {
      const own = ++round;
      const answer = validate(value);
      const message = answer instanceof Promise ? await answer : answer;
      if (own !== round) return false;
      row.setErrorMessage(message ? message : null);
      return !message;
    };
    const value = this.#tab.getControlValue(control.key) ?? control.defaultValue;
    addControl(this.#tab.app, row, control, value, async (next: unknown) => {
      if (!(await check(next))) return;
      await this.#tab.setControlValue(control.key, next);
      this.#tab.refreshDomState();
    });
    if (value !== undefined) void check(value);
    this.#refreshers.push(() => void row.setDisabled(holds(control.disabled, false)));
  }
}
