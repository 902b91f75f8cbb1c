import type { TooltipOptions } from 'obsidian';
import {
  ButtonComponent,
  ColorComponent,
  DisplayValueComponent,
  DropdownComponent,
  ExtraButtonComponent,
  MomentFormatComponent,
  ProgressBarComponent,
  SearchComponent,
  SliderComponent,
  TextAreaComponent,
  TextComponent,
  ToggleComponent,
  type BaseComponent,
} from './components';
import { setTooltip } from './tooltip';

let ids = 0;

export class Setting {
  settingEl: HTMLElement;
  infoEl: HTMLElement;
  nameEl: HTMLElement;
  descEl: HTMLElement;
  controlEl: HTMLElement;
  components: BaseComponent[] = [];
  errorEl: HTMLElement | null = null;

  constructor(containerEl: HTMLElement) {
    this.settingEl = containerEl.createDiv('setting-item');
    this.infoEl = this.settingEl.createDiv('setting-item-info');
    this.nameEl = this.infoEl.createDiv({
      cls: 'setting-item-name',
      attr: { id: `setting-name-${++ids}` },
    });
    this.descEl = this.infoEl.createDiv('setting-item-description');
    this.controlEl = this.settingEl.createDiv('setting-item-control');
  }

  setErrorMessage(message: string | null): this {
    this.errorEl?.detach();
    this.errorEl = null;
    this.settingEl.toggleClass('is-invalid', Boolean(message));
    if (message)
      this.errorEl = this.infoEl.createDiv({
        cls: 'setting-item-error',
        text: message,
        attr: { role: 'alert' },
      });
    return this;
  }

  addDisplayValue(callback: (component: DisplayValueComponent) => unknown): this {
    callback(new DisplayValueComponent(this.controlEl));
    return this;
  }

  setName(name: string | DocumentFragment): this {
    this.nameEl.setText(name);
    return this;
  }

  setDesc(desc: string | DocumentFragment): this {
    this.descEl.setText(desc);
    return this;
  }

  setClass(cls: string): this {
    this.settingEl.addClass(cls);
    return this;
  }

  setTooltip(tooltip: string, options?: TooltipOptions): this {
    setTooltip(this.nameEl, tooltip, options);
    return this;
  }

  setHeading(): this {
    this.settingEl.addClass('setting-item-heading');
    this.nameEl.setAttrs({ role: 'heading', 'aria-level': 3 });
    return this;
  }

  setDisabled(disabled: boolean): this {
    this.settingEl.toggleClass('is-disabled', disabled);
    for (const component of this.components) component.setDisabled(disabled);
    return this;
  }

  addButton(callback: (component: ButtonComponent) => unknown): this {
    return this.#add(new ButtonComponent(this.controlEl), callback);
  }

  addExtraButton(callback: (component: ExtraButtonComponent) => unknown): this {
    return this.#add(new ExtraButtonComponent(this.controlEl), callback);
  }

  addToggle(callback: (component: ToggleComponent) => unknown): this {
    this.settingEl.addClass('mod-toggle');
    return this.#add(new ToggleComponent(this.controlEl), callback);
  }

  addText(callback: (component: TextComponent) => unknown): this {
    return this.#add(new TextComponent(this.controlEl), callback);
  }

  addComponent<T extends BaseComponent>(callback: (el: HTMLElement) => T): this {
    this.components.push(callback(this.controlEl));
    return this;
  }

  addSearch(callback: (component: SearchComponent) => unknown): this {
    return this.#add(new SearchComponent(this.controlEl), callback);
  }

  addTextArea(callback: (component: TextAreaComponent) => unknown): this {
    return this.#add(new TextAreaComponent(this.controlEl), callback);
  }

  addMomentFormat(callback: (component: MomentFormatComponent) => unknown): this {
    return this.#add(new MomentFormatComponent(this.controlEl), callback);
  }

  addDropdown(callback: (component: DropdownComponent) => unknown): this {
    return this.#add(new DropdownComponent(this.controlEl), callback);
  }

  addColorPicker(callback: (component: ColorComponent) => unknown): this {
    return this.#add(new ColorComponent(this.controlEl), callback);
  }

  addProgressBar(callback: (component: ProgressBarComponent) => unknown): this {
    return this.#add(new ProgressBarComponent(this.controlEl), callback);
  }

  addSlider(callback: (component: SliderComponent) => unknown): this {
    return this.#add(new SliderComponent(this.controlEl), callback);
  }

  then(callback: (setting: this) => unknown): this {
    callback(this);
    return this;
  }

  clear(): this {
    this.controlEl.empty();
    this.components = [];
    return this;
  }

  /** Controls without a label are labeled by the name of the row. */
  #add<T extends BaseComponent>(component: T, callback: (component: T) => unknown): this {
    this.components.push(component);
    for (const el of this.controlEl.findAll('input, select, textarea'))
      if (!el.hasAttribute('aria-label') && !el.hasAttribute('aria-labelledby'))
        el.setAttr('aria-labelledby', this.nameEl.id);
    callback(component);
    return this;
  }
}

export class SettingGroup {
  listEl: HTMLElement;
  readonly groupEl: HTMLElement;
  #heading: Setting | null = null;

  constructor(containerEl: HTMLElement) {
    this.groupEl = containerEl.createDiv('setting-group');
    this.listEl = this.groupEl.createDiv('setting-items');
  }

  setHeading(text: string | DocumentFragment): this {
    this.#header().setName(text);
    return this;
  }

  addClass(...classes: string[]): this {
    this.groupEl.addClasses(classes);
    return this;
  }

  addSetting(callback: (setting: Setting) => void): this {
    callback(new Setting(this.listEl));
    return this;
  }

  addSearch(callback: (component: SearchComponent) => unknown): this {
    const box = createDiv('setting-group-search');
    this.groupEl.insertBefore(box, this.listEl);
    callback(new SearchComponent(box));
    return this;
  }

  addExtraButton(callback: (component: ExtraButtonComponent) => unknown): this {
    this.#header().addExtraButton(callback);
    return this;
  }

  #header(): Setting {
    if (this.#heading) return this.#heading;
    this.#heading = new Setting(this.groupEl).setHeading();
    this.groupEl.prepend(this.#heading.settingEl);
    return this.#heading;
  }
}
