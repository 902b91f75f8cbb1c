import { describe, expect, it } from 'vitest';
import {
  composerAction,
  suggestionAction,
} from '../../../../../src/obsidian/chat/ui/composer/composer-keys.js';

const press = (key: string, shiftKey = false) => ({ key, shiftKey });

describe('composerAction', () => {
  it('submits on Enter, but not on Shift+Enter', () => {
    expect(composerAction(press('Enter'), false)).toBe('submit');
    expect(composerAction(press('Enter', true), false)).toBeUndefined();
  });

  it('stops a running turn on Escape', () => {
    expect(composerAction(press('Escape'), true)).toBe('stop');
    expect(composerAction(press('Escape'), false)).toBeUndefined();
  });

  it('ignores other keys', () => {
    expect(composerAction(press('a'), true)).toBeUndefined();
  });
});

describe('suggestionAction', () => {
  it('moves the selection and wraps around', () => {
    expect(suggestionAction('ArrowDown', 0, 3)).toEqual({ type: 'select', current: 1 });
    expect(suggestionAction('ArrowDown', 2, 3)).toEqual({ type: 'select', current: 0 });
    expect(suggestionAction('ArrowUp', 0, 3)).toEqual({ type: 'select', current: 2 });
  });

  it.each(['Enter', 'Tab'])('picks the selection on %s', (key) => {
    expect(suggestionAction(key, 1, 3)).toEqual({ type: 'pick' });
  });

  it('closes the list on Escape, even if it is empty', () => {
    expect(suggestionAction('Escape', 0, 3)).toEqual({ type: 'dismiss' });
    expect(suggestionAction('Escape', 0, 0)).toEqual({ type: 'dismiss' });
  });

  it.each(['Enter', 'Tab', 'ArrowDown', 'ArrowUp'])(
    'leaves %s to the composer if the list is empty',
    (key) => {
      expect(suggestionAction(key, 0, 0)).toBeUndefined();
    },
  );

  it('leaves other keys to the composer', () => {
    expect(suggestionAction('a', 0, 3)).toBeUndefined();
  });
});
