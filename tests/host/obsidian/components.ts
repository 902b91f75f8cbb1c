import { refuse } from './refuse';
import type { HSL, RGB, TooltipOptions } from 'obsidian';
import type { App } from './app';
import { setIcon } from './icons';
import { FuzzySuggestModal } from './suggest-modal';
import { Modal } from './modal';
import { setTooltip } from './tooltip';

export abstract class BaseComponent {
  disabled = false;

  then(callback: (component: this) => unknown): this {
    callback(this);
    return this;
  }

  setDisabled(disabled: boolean): this {
    this.disabled = disabled;
    return this;
  }
}

export abstract class ValueComponent<T> extends BaseComponent {
  abstract getValue(): T;
  abstract setValue(value: T): this;

  registerOptionListener(listeners: Record<string, (value?: T) => T>, key: string): this {
    listeners[key] = (value) => {
      if (value !== undefined) this.setValue(value);
      return this.getValue();
    };
    return this;
  }
}

export class ButtonComponent extends BaseComponent {
  buttonEl: HTMLButtonElement;
  #callback: ((event: MouseEvent) => unknown) | null = null;

  constructor(containerEl: HTMLElement) {
    super();
    this.buttonEl = containerEl.createEl('button');
    this.buttonEl.addEventListener('click', (event) => {
      if (this.#callback && !this.disabled) void this.#callback(event);
    });
  }

  override setDisabled(disabled: boolean): this {
    this.buttonEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  setCta(): this {
    return this.setClass('mod-cta');
  }

  removeCta(): this {
    this.buttonEl.removeClass('mod-cta');
    return this;
  }

  setWarning(): this {
    return this.setClass('mod-warning');
  }

  setDestructive(): this {
    return this.setClass('mod-destructive');
  }

  removeDestructive(): this {
    this.buttonEl.removeClass('mod-destructive');
    return this;
  }

  setTooltip(tooltip: string, options?: TooltipOptions): this {
    setTooltip(this.buttonEl, tooltip, options);
    return this;
  }

  setButtonText(name: string): this {
    this.buttonEl.setText(name);
    return this;
  }

  setIcon(icon: string): this {
    this.buttonEl.addClass('clickable-icon');
    setIcon(this.buttonEl, icon);
    return this;
  }

  setClass(cls: string): this {
    this.buttonEl.addClass(cls);
    return this;
  }

  onClick(callback: (event: MouseEvent) => unknown): this {
    this.#callback = callback;
    return this;
  }
}

export class ExtraButtonComponent extends BaseComponent {
  extraSettingsEl: HTMLElement;
  #callback: (() => unknown) | null = null;

  constructor(containerEl: HTMLElement) {
    super();
    this.extraSettingsEl = containerEl.createDiv({
      cls: 'clickable-icon extra-setting-button',
      attr: { role: 'button', tabindex: 0 },
    });
    this.setIcon('settings');
    const use = () => {
      if (!this.disabled) this.#callback?.();
    };
    this.extraSettingsEl.addEventListener('click', use);
    this.extraSettingsEl.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      use();
    });
  }

  override setDisabled(disabled: boolean): this {
    this.extraSettingsEl.toggleClass('is-disabled', disabled);
    this.extraSettingsEl.setAttr('aria-disabled', disabled ? 'true' : null);
    return super.setDisabled(disabled);
  }

  setTooltip(tooltip: string, options?: TooltipOptions): this {
    setTooltip(this.extraSettingsEl, tooltip, options);
    return this;
  }

  setIcon(icon: string): this {
    setIcon(this.extraSettingsEl, icon);
    return this;
  }

  onClick(callback: () => unknown): this {
    this.#callback = callback;
    return this;
  }
}

export class ToggleComponent extends ValueComponent<boolean> {
  toggleEl: HTMLElement;
  readonly #inputEl: HTMLInputElement;
  #callback: ((value: boolean) => unknown) | null = null;

  constructor(containerEl: HTMLElement) {
    super();
    this.toggleEl = containerEl.createEl('label', 'checkbox-container');
    this.#inputEl = this.toggleEl.createEl('input', { type: 'checkbox', attr: { role: 'switch' } });
    this.#inputEl.addEventListener('change', () => this.#set(this.#inputEl.checked));
  }

  override setDisabled(disabled: boolean): this {
    this.#inputEl.disabled = disabled;
    this.toggleEl.toggleClass('is-disabled', disabled);
    return super.setDisabled(disabled);
  }

  getValue(): boolean {
    return this.#inputEl.checked;
  }

  setValue(on: boolean): this {
    if (on !== this.getValue() || on !== this.toggleEl.hasClass('is-enabled')) this.#set(on);
    return this;
  }

  setTooltip(tooltip: string, options?: TooltipOptions): this {
    setTooltip(this.toggleEl, tooltip, options);
    return this;
  }

  onClick(): void {
    if (!this.disabled) this.setValue(!this.getValue());
  }

  onChange(callback: (value: boolean) => unknown): this {
    this.#callback = callback;
    return this;
  }

  #set(on: boolean): void {
    this.#inputEl.checked = on;
    this.toggleEl.toggleClass('is-enabled', on);
    void this.#callback?.(on);
  }
}

export class AbstractTextComponent<
  T extends HTMLInputElement | HTMLTextAreaElement,
> extends ValueComponent<string> {
  inputEl: T;
  #callback: ((value: string) => unknown) | null = null;

  constructor(inputEl: T) {
    super();
    this.inputEl = inputEl;
    inputEl.setAttr('spellcheck', 'false');
    inputEl.addEventListener('input', () => this.onChanged());
  }

  override setDisabled(disabled: boolean): this {
    this.inputEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  getValue(): string {
    return this.inputEl.value;
  }

  setValue(value: string): this {
    this.inputEl.value = value;
    return this;
  }

  setPlaceholder(placeholder: string): this {
    this.inputEl.placeholder = placeholder;
    return this;
  }

  onChanged(): void {
    void this.#callback?.(this.getValue());
  }

  onChange(callback: (value: string) => unknown): this {
    this.#callback = callback;
    return this;
  }
}

export class TextComponent extends AbstractTextComponent<HTMLInputElement> {
  constructor(containerEl: HTMLElement) {
    super(containerEl.createEl('input', { type: 'text' }));
  }
}

export class TextAreaComponent extends AbstractTextComponent<HTMLTextAreaElement> {
  constructor(containerEl: HTMLElement) {
    super(containerEl.createEl('textarea'));
  }
}

export class SearchComponent extends AbstractTextComponent<HTMLInputElement> {
  clearButtonEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    const box = containerEl.createDiv('search-input-container');
    super(box.createEl('input', { type: 'search', attr: { enterkeyhint: 'search' } }));
    this.clearButtonEl = box.createDiv({
      cls: 'search-input-clear-button',
      attr: { 'aria-hidden': 'true' },
    });
    setIcon(this.clearButtonEl, 'x');
    this.clearButtonEl.addEventListener('click', () => {
      this.setValue('').onChanged();
      this.inputEl.focus();
    });
    this.#refresh();
  }

  override setValue(value: string): this {
    super.setValue(value);
    this.#refresh();
    return this;
  }

  override onChanged(): void {
    this.#refresh();
    super.onChanged();
  }

  #refresh(): void {
    this.clearButtonEl.toggle(this.getValue() !== '');
  }
}

export class MomentFormatComponent extends TextComponent {
  sampleEl: HTMLElement = createDiv('u-pop');
  #default = '';

  setDefaultFormat(defaultFormat: string): this {
    this.#default = defaultFormat;
    return this.setPlaceholder(defaultFormat);
  }

  setSampleEl(sampleEl: HTMLElement): this {
    this.sampleEl = sampleEl;
    this.updateSample();
    return this;
  }

  override setValue(value: string): this {
    super.setValue(value);
    this.updateSample();
    return this;
  }

  override onChanged(): void {
    super.onChanged();
    this.updateSample();
  }

  updateSample(): void {
    refuse('MomentFormatComponent.updateSample');
  }
}

export class DropdownComponent extends ValueComponent<string> {
  selectEl: HTMLSelectElement;
  #callback: ((value: string) => unknown) | null = null;

  constructor(containerEl: HTMLElement) {
    super();
    this.selectEl = containerEl.createEl('select', 'dropdown');
    this.selectEl.addEventListener('change', () => void this.#callback?.(this.getValue()));
  }

  override setDisabled(disabled: boolean): this {
    this.selectEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  addOption(value: string, display: string): this {
    this.selectEl.createEl('option', { value, text: display });
    return this;
  }

  addOptions(options: Record<string, string>): this {
    for (const [value, display] of Object.entries(options)) this.addOption(value, display);
    return this;
  }

  getValue(): string {
    return this.selectEl.value;
  }

  setValue(value: string): this {
    this.selectEl.value = value;
    return this;
  }

  onChange(callback: (value: string) => unknown): this {
    this.#callback = callback;
    return this;
  }
}

export class SliderComponent extends ValueComponent<number> {
  sliderEl: HTMLInputElement;
  readonly #valueEl: HTMLElement;
  #callback: ((value: number) => unknown) | null = null;
  #format: ((value: number) => string) | null = null;
  #isInstant = false;

  constructor(containerEl: HTMLElement) {
    super();
    this.#valueEl = containerEl.createSpan('slider-value');
    this.sliderEl = containerEl.createEl('input', { cls: 'slider', type: 'range' });
    this.sliderEl.addEventListener('input', () => this.#onMove(this.#isInstant));
    this.sliderEl.addEventListener('change', () => this.#onMove(!this.#isInstant));
  }

  override setDisabled(disabled: boolean): this {
    this.sliderEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  /** Instant: reports values while it moves, not only when it is released. */
  setInstant(instant: boolean): this {
    this.#isInstant = instant;
    return this;
  }

  setLimits(min: number | null, max: number | null, step: number | 'any'): this {
    this.sliderEl.setAttrs({ min, max, step });
    return this;
  }

  getValue(): number {
    return this.sliderEl.valueAsNumber;
  }

  setValue(value: number): this {
    this.sliderEl.value = String(value);
    this.#onMove(false);
    return this;
  }

  getValuePretty(): string {
    return this.#format?.(this.getValue()) ?? String(this.getValue());
  }

  setDisplayFormat(format: (value: number) => string): this {
    this.#format = format;
    this.#onMove(false);
    return this;
  }

  setDynamicTooltip(): this {
    return this;
  }

  onChange(callback: (value: number) => unknown): this {
    this.#callback = callback;
    return this;
  }

  #onMove(tells: boolean): void {
    this.#valueEl.setText(this.getValuePretty());
    this.sliderEl.setAttr('aria-valuetext', this.getValuePretty());
    if (tells) void this.#callback?.(this.getValue());
  }
}

const parseHex = (hex: string): RGB => {
  const [r = 0, g = 0, b = 0] = (hex.slice(1).match(/../g) ?? []).map((pair) => parseInt(pair, 16));
  return { r, g, b };
};

const formatHex = ({ r, g, b }: RGB) =>
  `#${[r, g, b].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function rgbToHsl({ r, g, b }: RGB): HSL {
  const [red, green, blue] = [r / 255, g / 255, b / 255];
  const [max, min] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [l, range] = [(max + min) / 2, max - min];
  if (range === 0) return { h: 0, s: 0, l: Math.round(l * 100) };
  const turn =
    max === red
      ? ((green - blue) / range + 6) % 6
      : max === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  return {
    h: Math.round(turn * 60),
    s: Math.round((range / (1 - Math.abs(2 * l - 1))) * 100),
    l: Math.round(l * 100),
  };
}

function hslToRgb({ h, s, l }: HSL): RGB {
  const reach = (s / 100) * Math.min(l / 100, 1 - l / 100);
  const part = (n: number) => {
    const k = (n + h / 30) % 12;
    return 255 * (l / 100 - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return { r: part(0), g: part(8), b: part(4) };
}

export class ColorComponent extends ValueComponent<string> {
  readonly #inputEl: HTMLInputElement;
  #callback: ((value: string) => unknown) | null = null;

  constructor(containerEl: HTMLElement) {
    super();
    this.#inputEl = containerEl.createEl('input', { type: 'color' });
    this.#inputEl.addEventListener('change', () => void this.#callback?.(this.getValue()));
  }

  override setDisabled(disabled: boolean): this {
    this.#inputEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  getValue(): string {
    return this.#inputEl.value;
  }

  getValueRgb(): RGB {
    return parseHex(this.getValue());
  }

  getValueHsl(): HSL {
    return rgbToHsl(this.getValueRgb());
  }

  setValue(value: string): this {
    this.#inputEl.value = value;
    return this;
  }

  setValueRgb(rgb: RGB): this {
    return this.setValue(formatHex(rgb));
  }

  setValueHsl(hsl: HSL): this {
    return this.setValueRgb(hslToRgb(hsl));
  }

  onChange(callback: (value: string) => unknown): this {
    this.#callback = callback;
    return this;
  }
}

/** From 0 to 100. */
export class ProgressBarComponent extends ValueComponent<number> {
  readonly #barEl: HTMLElement;
  readonly #lineEl: HTMLElement;
  #value = 0;

  constructor(containerEl: HTMLElement) {
    super();
    this.#barEl = containerEl.createDiv({
      cls: 'setting-progress-bar',
      attr: {
        role: 'progressbar',
        'aria-valuemin': 0,
        'aria-valuemax': 100,
        'aria-label': 'Progress',
      },
    });
    this.#lineEl = this.#barEl.createDiv('setting-progress-bar-inner');
    this.setValue(0);
  }

  getValue(): number {
    return this.#value;
  }

  setValue(value: number): this {
    this.#value = value;
    this.#barEl.setAttr('aria-valuenow', Math.round(value));
    this.#lineEl.setCssStyles({ width: `${value}%` });
    return this;
  }
}

export class DisplayValueComponent {
  valueEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    this.valueEl = containerEl.createSpan('setting-item-display-value');
  }

  setValue(value: string | null): this {
    this.valueEl.setText(value ?? '');
    return this;
  }

  setStatus(status: 'warning' | null): this {
    this.valueEl.toggleClass('mod-warning', status === 'warning');
    return this;
  }
}

/**
 * Selects or creates a secret in the secret storage of the vault. The value is its id, not the
 * secret.
 */
export class SecretComponent extends BaseComponent {
  readonly #app: App;
  readonly #buttonEl: HTMLButtonElement;
  #value = '';
  #callback: ((value: string) => unknown) | null = null;

  constructor(app: App, containerEl: HTMLElement) {
    super();
    this.#app = app;
    this.#buttonEl = containerEl.createEl('button', 'secret-button');
    this.#buttonEl.addEventListener('click', () =>
      new SecretPicker(this.#app, (id) => this.#choose(id)).open(),
    );
    this.setValue('');
  }

  override setDisabled(disabled: boolean): this {
    this.#buttonEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  setValue(value: string): this {
    this.#value = value;
    this.#buttonEl.setText(value === '' ? 'Link…' : value);
    return this;
  }

  onChange(callback: (value: string) => unknown): this {
    this.#callback = callback;
    return this;
  }

  #choose(id: string): void {
    if (id === this.#value) return;
    this.setValue(id);
    void this.#callback?.(id);
  }
}

const newSecret = Symbol('new secret');

class SecretPicker extends FuzzySuggestModal<string | typeof newSecret> {
  readonly #choose: (id: string) => void;

  constructor(app: App, choose: (id: string) => void) {
    super(app);
    this.#choose = choose;
    this.setPlaceholder('Choose a secret');
  }

  getItems(): (string | typeof newSecret)[] {
    return [...this.app.secretStorage.listSecrets(), newSecret];
  }

  getItemText(item: string | typeof newSecret): string {
    return item === newSecret ? 'Add secret' : item;
  }

  onChooseItem(item: string | typeof newSecret): void {
    if (item === newSecret) new NewSecret(this.app, this.#choose).open();
    else this.#choose(item);
  }
}

class NewSecret extends Modal {
  constructor(app: App, choose: (id: string) => void) {
    super(app);
    this.setTitle('Add secret');
    const form = this.contentEl.createEl('form');
    const id = form.createEl('input', {
      type: 'text',
      placeholder: 'ID',
      attr: { 'aria-label': 'ID' },
    });
    const secret = form.createEl('input', {
      type: 'password',
      placeholder: 'Secret',
      attr: { 'aria-label': 'Secret' },
    });
    const error = form.createDiv({ cls: 'setting-item-error', attr: { role: 'alert' } });
    form.createEl('button', { cls: 'mod-cta', text: 'Save', type: 'submit' });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      try {
        app.secretStorage.setSecret(id.value, secret.value);
      } catch (problem) {
        error.setText(problem instanceof Error ? problem.message : String(problem));
        return;
      }
      this.close();
      choose(id.value);
    });
  }
}
