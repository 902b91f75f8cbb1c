import type { MenuPositionDef } from 'obsidian';
import { Component } from './component';
import { currentApp } from './current-app';
import { setIcon } from './icons';
import { Scope } from './keymap';

type OnClick = (event: MouseEvent | KeyboardEvent) => unknown;

export class MenuItem {
  readonly dom: HTMLElement = createDiv({
    cls: 'menu-item tappable',
    attr: { role: 'menuitem', tabindex: -1 },
  });
  section = '';
  disabled = false;
  readonly #menu: Menu;
  readonly #iconEl = this.dom.createDiv('menu-item-icon');
  readonly #titleEl = this.dom.createDiv('menu-item-title');
  #callback: OnClick | null = null;

  constructor(menu: Menu) {
    this.#menu = menu;
    this.dom.addEventListener('click', (event) => this.use(event));
    this.dom.addEventListener('mouseover', () => menu.select(this));
  }

  setTitle(title: string | DocumentFragment): this {
    this.#titleEl.setText(title);
    return this;
  }

  setIcon(icon: string | null): this {
    if (icon === null) this.#iconEl.empty();
    else setIcon(this.#iconEl, icon);
    return this;
  }

  setChecked(checked: boolean | null): this {
    this.dom.toggleClass('mod-checked', checked === true);
    this.dom.setAttrs({
      role: checked === null ? 'menuitem' : 'menuitemcheckbox',
      'aria-checked': checked,
    });
    if (checked) setIcon(this.dom.createDiv('menu-item-icon mod-checked'), 'check');
    else this.dom.find('.menu-item-icon.mod-checked')?.detach();
    return this;
  }

  setDisabled(disabled: boolean): this {
    this.disabled = disabled;
    this.dom.toggleClass('is-disabled', disabled);
    this.dom.setAttr('aria-disabled', disabled ? 'true' : null);
    return this;
  }

  setWarning(isWarning: boolean): this {
    this.dom.toggleClass('is-warning', isWarning);
    return this;
  }

  setIsLabel(isLabel: boolean): this {
    this.disabled = isLabel;
    this.dom.toggleClass('is-label', isLabel);
    return this;
  }

  onClick(callback: OnClick): this {
    this.#callback = callback;
    return this;
  }

  setSection(section: string): this {
    this.section = section;
    return this;
  }

  use(event: MouseEvent | KeyboardEvent): void {
    if (this.disabled) return;
    this.#menu.hide();
    void this.#callback?.(event);
  }
}

export class MenuSeparator {
  readonly dom: HTMLElement = createDiv({ cls: 'menu-separator', attr: { role: 'separator' } });
  readonly section = '';
}

const menusOfEvents = new WeakMap<Event, Menu>();

export class Menu extends Component {
  readonly dom: HTMLElement = createDiv({ cls: 'menu', attr: { role: 'menu', tabindex: -1 } });
  #entries: (MenuItem | MenuSeparator)[] = [];
  #scope = new Scope();
  #selected: MenuItem | null = null;
  #onHide: (() => unknown)[] = [];
  #focusBefore: HTMLElement | null = null;

  constructor() {
    super();
    const used = (act: (event: KeyboardEvent) => unknown) => (event: KeyboardEvent) => {
      act(event);
      return false as const;
    };
    this.#scope.register(
      [],
      'ArrowDown',
      used(() => this.#move(1)),
    );
    this.#scope.register(
      [],
      'ArrowUp',
      used(() => this.#move(-1)),
    );
    this.#scope.register(
      [],
      'Enter',
      used((event) => this.#selected?.use(event)),
    );
    this.#scope.register(
      [],
      ' ',
      used((event) => this.#selected?.use(event)),
    );
    this.#scope.register(
      [],
      'Escape',
      used(() => this.hide()),
    );
    this.#scope.register(
      null,
      'Tab',
      used(() => this.hide()),
    );
  }

  setNoIcon(): this {
    this.dom.addClass('mod-no-icon');
    return this;
  }

  /** There are no native menus here. The app shows its own, as on Linux and mobile. */
  setUseNativeMenu(_useNativeMenu: boolean): this {
    return this;
  }

  addItem(callback: (item: MenuItem) => unknown): this {
    const item = new MenuItem(this);
    this.#entries.push(item);
    callback(item);
    return this;
  }

  addSeparator(): this {
    this.#entries.push(new MenuSeparator());
    return this;
  }

  setParentElement(_el: HTMLElement): this {
    return this;
  }

  showAtMouseEvent(event: MouseEvent): this {
    const target = event.target as Node | null;
    const box = (event.currentTarget as Element | null)?.getBoundingClientRect?.();
    const isKeyboard = event.clientX === 0 && event.clientY === 0 && box;
    const position = isKeyboard
      ? { x: box.left, y: box.bottom }
      : { x: event.clientX, y: event.clientY };
    return this.showAtPosition(position, target?.doc);
  }

  showAtPosition(
    { x, y, width = 0, left = false }: MenuPositionDef,
    doc: Document = activeDocument,
  ): this {
    void this.load();
    this.#focusBefore = doc.activeElement as HTMLElement | null;
    this.#draw();
    doc.body.appendChild(this.dom);
    const own = this.dom.getBoundingClientRect();
    const win = doc.win;
    const wanted = left ? x + width - own.width : x;
    this.dom.setCssStyles({
      left: `${Math.max(0, Math.min(wanted, win.innerWidth - own.width))}px`,
      top: `${Math.max(0, Math.min(y, win.innerHeight - own.height))}px`,
    });
    currentApp().keymap.pushScope(this.#scope);
    this.dom.focus();
    const onDown = (event: Event) => {
      if (!this.dom.contains(event.target as Node)) this.hide();
    };
    doc.addEventListener('mousedown', onDown, true);
    this.register(() => doc.removeEventListener('mousedown', onDown, true));
    return this;
  }

  hide(): this {
    if (!this.dom.isConnected) return this;
    this.dom.detach();
    currentApp().keymap.popScope(this.#scope);
    if (this.#focusBefore?.isConnected) this.#focusBefore.focus();
    this.unload();
    for (const callback of this.#onHide) callback();
    return this;
  }

  close(): void {
    this.hide();
  }

  onHide(callback: () => unknown): void {
    this.#onHide.push(callback);
  }

  /** The menu of an event. All listeners can add to it before it is shown. */
  static forEvent(event: PointerEvent | MouseEvent): Menu {
    const known = menusOfEvents.get(event);
    if (known) return known;
    const menu = new Menu();
    menusOfEvents.set(event, menu);
    event.preventDefault();
    window.setTimeout(() => menu.showAtMouseEvent(event), 0);
    return menu;
  }

  select(item: MenuItem): void {
    this.#selected?.dom.removeClass('selected');
    this.#selected = item.disabled ? null : item;
    if (item.disabled) return;
    item.dom.addClass('selected');
    item.dom.focus();
  }

  #move(step: number): void {
    const items = this.#entries
      .filter((entry) => entry instanceof MenuItem)
      .filter((item) => !item.disabled);
    if (items.length === 0) return;
    const now = this.#selected ? items.indexOf(this.#selected) : step > 0 ? -1 : 0;
    const next = items[(now + step + items.length) % items.length];
    if (next) this.select(next);
  }

  /** Groups items by section, with a line between sections. */
  #draw(): void {
    this.dom.empty();
    const box = this.dom.createDiv({ cls: 'menu-scroll', attr: { role: 'presentation' } });
    const sections = [...new Set(this.#entries.map(({ section }) => section))];
    sections.forEach((section, index) => {
      if (index > 0) box.createDiv({ cls: 'menu-separator', attr: { role: 'separator' } });
      const group = box.createDiv({ cls: 'menu-group', attr: { role: 'group' } });
      for (const entry of this.#entries)
        if (entry.section === section) group.appendChild(entry.dom);
    });
  }
}
