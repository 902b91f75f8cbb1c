import type { App } from './app';
import { Scope } from './keymap';
import { SuggestionList } from './suggestions';

export abstract class PopoverSuggest<T> {
  app: App;
  scope: Scope;
  readonly suggestEl: HTMLElement;
  protected readonly list: SuggestionList<T>;
  protected isOpen = false;

  constructor(app: App, scope: Scope = new Scope(app.scope)) {
    this.app = app;
    this.scope = scope;
    this.suggestEl = createDiv('suggestion-container');
    this.list = new SuggestionList<T>(
      this,
      this.suggestEl.createDiv('suggestion'),
      this.scope,
      () => this.inputOf(),
    );
    this.scope.register([], 'Escape', () => {
      this.close();
      return false;
    });
    this.scope.register([], 'Enter', (event) => (this.list.useSelected(event) ? false : undefined));
  }

  open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.app.keymap.pushScope(this.scope);
    (this.inputOf()?.doc ?? activeDocument).body.appendChild(this.suggestEl);
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.app.keymap.popScope(this.scope);
    this.suggestEl.detach();
    this.inputOf()?.setAttrs({ 'aria-expanded': 'false', 'aria-activedescendant': null });
  }

  protected inputOf(): HTMLElement | null {
    return null;
  }

  abstract renderSuggestion(value: T, el: HTMLElement): void;
  abstract selectSuggestion(value: T, event: MouseEvent | KeyboardEvent): void;
}

type Input = HTMLInputElement | HTMLDivElement;

export abstract class AbstractInputSuggest<T> extends PopoverSuggest<T> {
  limit = 100;
  readonly #inputEl: Input;
  #callback: ((value: T, event: MouseEvent | KeyboardEvent) => unknown) | null = null;
  #round = 0;

  constructor(app: App, textInputEl: Input) {
    super(app);
    this.#inputEl = textInputEl;
    textInputEl.addEventListener('input', () => void this.#update());
    textInputEl.addEventListener('focus', () => void this.#update());
    textInputEl.addEventListener('blur', () => this.close());
  }

  protected override inputOf(): HTMLElement {
    return this.#inputEl;
  }

  setValue(value: string): void {
    if (this.#inputEl.instanceOf(HTMLInputElement)) this.#inputEl.value = value;
    else this.#inputEl.setText(value);
  }

  getValue(): string {
    return this.#inputEl.instanceOf(HTMLInputElement)
      ? this.#inputEl.value
      : this.#inputEl.textContent;
  }

  protected abstract getSuggestions(query: string): T[] | Promise<T[]>;

  selectSuggestion(value: T, event: MouseEvent | KeyboardEvent): void {
    this.#callback?.(value, event);
  }

  onSelect(callback: (value: T, event: MouseEvent | KeyboardEvent) => unknown): this {
    this.#callback = callback;
    return this;
  }

  async #update(): Promise<void> {
    const round = ++this.#round;
    const values = (await this.getSuggestions(this.getValue())).slice(0, this.limit || undefined);
    if (round !== this.#round) return;
    if (values.length === 0 || !this.#inputEl.isActiveElement()) return this.close();
    this.open();
    this.list.describe(this.#inputEl);
    this.list.show(values);
    const { bottom, left, width } = this.#inputEl.getBoundingClientRect();
    this.suggestEl.setCssStyles({
      top: `${bottom}px`,
      left: `${left}px`,
      width: `${Math.max(width, 200)}px`,
    });
  }
}
