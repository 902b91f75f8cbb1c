import type { Scope } from './keymap';

export interface SuggestionOwner<T> {
  renderSuggestion(value: T, el: HTMLElement): void;
  selectSuggestion(value: T, event: MouseEvent | KeyboardEvent): void;
}

let ids = 0;

/** The list below an input: its items, its selection and its keys. */
export class SuggestionList<T> {
  readonly #owner: SuggestionOwner<T>;
  readonly #el: HTMLElement;
  readonly #inputEl: () => HTMLElement | null;
  #values: readonly T[] = [];
  #items: HTMLElement[] = [];
  #selected = 0;

  constructor(
    owner: SuggestionOwner<T>,
    el: HTMLElement,
    scope: Scope,
    inputEl: () => HTMLElement | null,
  ) {
    this.#owner = owner;
    this.#el = el;
    this.#inputEl = inputEl;
    el.setAttrs({ role: 'listbox', id: `suggestions-${++ids}`, 'aria-label': 'Suggestions' });
    const move = (step: number) => () => {
      if (this.#items.length === 0) return undefined;
      this.select((this.#selected + step + this.#items.length) % this.#items.length);
      return false as const;
    };
    scope.register([], 'ArrowDown', move(1));
    scope.register([], 'ArrowUp', move(-1));
    scope.register([], 'PageDown', () =>
      this.select(Math.min(this.#selected + 10, this.#items.length - 1)),
    );
    scope.register([], 'PageUp', () => this.select(Math.max(this.#selected - 10, 0)));
  }

  /** Links the list and its input for screen readers. */
  describe(input: HTMLElement): void {
    input.setAttrs({
      role: 'combobox',
      'aria-expanded': 'true',
      'aria-autocomplete': 'list',
      'aria-controls': this.#el.id,
    });
  }

  show(values: readonly T[]): void {
    this.#values = values;
    this.#el.empty();
    this.#items = values.map((value, index) => {
      const item = this.#el.createDiv({
        cls: 'suggestion-item',
        attr: { role: 'option', id: `${this.#el.id}-${index}` },
      });
      this.#owner.renderSuggestion(value, item);
      item.addEventListener('mousemove', () => this.select(index));
      item.addEventListener('click', (event) => this.#owner.selectSuggestion(value, event));
      item.addEventListener('mousedown', (event) => event.preventDefault()); // keeps the focus
      return item;
    });
    this.select(0);
  }

  select(index: number): false {
    this.#selected = index;
    this.#items.forEach((item, each) => {
      item.toggleClass('is-selected', each === index);
      item.setAttr('aria-selected', each === index);
    });
    const item = this.#items[index];
    item?.scrollIntoView({ block: 'nearest' });
    this.#inputEl()?.setAttr('aria-activedescendant', item?.id ?? null);
    return false;
  }

  useSelected(event: MouseEvent | KeyboardEvent): boolean {
    if (this.#items.length === 0) return false;
    this.#owner.selectSuggestion(this.#values[this.#selected] as T, event);
    return true;
  }
}
