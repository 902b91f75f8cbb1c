/** Effect of a key that the suggestion list has not handled. */
export type ComposerAction = 'submit' | 'stop';

/** Returns the composer's action for a key; undefined if the key is for the text area. */
export function composerAction(
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  isBusy: boolean,
): ComposerAction | undefined {
  if (key === 'Enter' && !shiftKey) return 'submit';
  return key === 'Escape' && isBusy ? 'stop' : undefined;
}

/** Effect of a key on the suggestion list. `current` is the index of the selected suggestion. */
export type SuggestionAction =
  { readonly type: 'dismiss' | 'pick' } | { readonly type: 'select'; readonly current: number };

/** Returns the list's action for a key; undefined if the composer handles it. Selection wraps. */
export function suggestionAction(
  key: string,
  current: number,
  count: number,
): SuggestionAction | undefined {
  if (key === 'Escape') return { type: 'dismiss' };
  if (count === 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return { type: 'select', current: (current + 1) % count };
    case 'ArrowUp':
      return { type: 'select', current: (current + count - 1) % count };
    case 'Enter':
    case 'Tab':
      return { type: 'pick' };
    default:
      return undefined;
  }
}
