import type { KeymapContext, KeymapEventHandler, Modifier, PaneType, UserEvent } from 'obsidian';
import { Platform } from './platform';

type Listener = (event: KeyboardEvent, context: KeymapContext) => unknown;
type Handler = KeymapEventHandler & { readonly func: Listener };

const order: Modifier[] = ['Alt', 'Ctrl', 'Meta', 'Shift'];
const modKey = (): 'Meta' | 'Ctrl' => (Platform.isMacOS ? 'Meta' : 'Ctrl');

const spell = (modifiers: readonly Modifier[]) =>
  order
    .filter((each) =>
      modifiers.some((modifier) => (modifier === 'Mod' ? modKey() : modifier) === each),
    )
    .join(',');

const isHeld = (event: MouseEvent | TouchEvent | KeyboardEvent, modifier: Modifier): boolean => {
  const key = modifier === 'Mod' ? modKey() : modifier;
  return { Ctrl: event.ctrlKey, Meta: event.metaKey, Alt: event.altKey, Shift: event.shiftKey }[
    key
  ];
};

export class Scope {
  readonly #parent: Scope | undefined;
  #handlers: Handler[] = [];

  constructor(parent?: Scope) {
    this.#parent = parent;
  }

  register(modifiers: Modifier[] | null, key: string | null, func: Listener): KeymapEventHandler {
    const handler = { scope: this as never, modifiers: modifiers && spell(modifiers), key, func };
    this.#handlers.push(handler);
    return handler;
  }

  unregister(handler: KeymapEventHandler): void {
    this.#handlers = this.#handlers.filter((other) => other !== handler);
  }

  /**
   * The first handler that returns a value ends the search; `false` means that it handled the key.
   */
  handleKey(event: KeyboardEvent, context: KeymapContext): unknown {
    for (const { modifiers, key, func } of [...this.#handlers]) {
      const fits =
        (modifiers === null || modifiers === context.modifiers) &&
        (key === null || key.toLowerCase() === context.key?.toLowerCase() || key === context.vkey);
      if (!fits) continue;
      const result = func(event, context);
      if (result !== undefined) return result;
    }
    return this.#parent?.handleKey(event, context);
  }
}

export class Keymap {
  #scopes: Scope[] = [];

  pushScope(scope: Scope): void {
    this.popScope(scope);
    this.#scopes.push(scope);
  }

  popScope(scope: Scope): void {
    this.#scopes = this.#scopes.filter((other) => other !== scope);
  }

  /**
   * Passes the keys of a window to the scopes before the focused element. Returns a stop function.
   */
  listen(win: Window): () => void {
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing) return;
      const modifiers = spell(order.filter((modifier) => isHeld(event, modifier)));
      const result = this.#scopes
        .at(-1)
        ?.handleKey(event, { modifiers, key: event.key, vkey: event.code });
      if (result !== false) return;
      event.preventDefault();
      event.stopPropagation();
    };
    win.addEventListener('keydown', onKey, true);
    return () => win.removeEventListener('keydown', onKey, true);
  }

  static isModifier(event: MouseEvent | TouchEvent | KeyboardEvent, modifier: Modifier): boolean {
    return isHeld(event, modifier);
  }

  static isModEvent(event?: UserEvent | null): PaneType | boolean {
    if (!event) return false;
    const isMiddle = 'button' in event && event.button === 1;
    if (!isHeld(event, 'Mod') && !isMiddle) return false;
    if (!event.altKey) return 'tab';
    return event.shiftKey ? 'window' : 'split';
  }
}
