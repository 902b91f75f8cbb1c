// Tier full: tests the simulated Obsidian, not the plugin
// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import type { App } from './app.js';
import { ConfirmationModal } from './confirmation-modal.js';
import { Modal } from './modal.js';
import { press, settle, startHost, texts } from './start.js';
import { FuzzySuggestModal, SuggestModal } from './suggest-modal.js';

const active = () => document.activeElement;

describe('a modal', () => {
  test('takes the focus, and restores it on close', async () => {
    const { app } = await startHost();
    const button = document.body.createEl('button');
    button.focus();
    const closed = vi.fn();
    const modal = new Modal(app).setTitle('Title').setContent('Text').setCloseCallback(closed);
    modal.open();
    expect(modal.modalEl.contains(active())).toBe(true);
    expect(
      document.querySelector('.modal-container > .modal > .modal-header > .modal-title')
        ?.textContent,
    ).toBe('Title');
    expect(modal.modalEl.getAttr('aria-labelledby')).toBe(modal.titleEl.id);
    press('Escape');
    expect([document.querySelector('.modal'), active(), closed.mock.calls.length]).toEqual([
      null,
      button,
      1,
    ]);
  });

  test('traps Tab', async () => {
    const { app } = await startHost();
    const modal = new Modal(app);
    modal.open();
    const last = modal.contentEl.createEl('button');
    const first = modal.modalEl.find('.modal-close-button');
    last.focus();
    press('Tab');
    expect(active()).toBe(first);
    press('Tab', { shiftKey: true });
    expect(active()).toBe(last);
  });

  test('blocks the hotkeys of the app', async () => {
    const { app } = await startHost();
    new Modal(app).open();
    press('p', { ctrlKey: true });
    expect(document.querySelector('.prompt')).toBeNull();
  });
});

describe('a confirmation', () => {
  test('closes after a button click unless the handler returns true', async () => {
    const { app } = await startHost();
    const stays = vi.fn(() => Promise.resolve(true));
    const goes = vi.fn();
    const modal = new ConfirmationModal(app)
      .addCheckbox('Never again', goes)
      .addButton((button) => button.setButtonText('Stay').onClick(stays))
      .addButton((button) => button.setButtonText('Go').setInitialFocus().onClick(goes))
      .addCancelButton();
    modal.open();
    expect(active()?.textContent).toBe('Go');
    const [stay, go] = modal.buttonContainerEl.findAll('button');
    stay?.click();
    await settle();
    expect(modal.containerEl.isConnected).toBe(true);
    modal.buttonContainerEl.find('input').click();
    expect(goes).toHaveBeenCalledWith(true);
    go?.click();
    await settle();
    expect(modal.containerEl.isConnected).toBe(false);
  });
});

class Fruit extends FuzzySuggestModal<string> {
  chosen: string[] = [];

  getItems(): string[] {
    return ['Apple', 'Banana', 'Blackberry'];
  }

  getItemText(item: string): string {
    return item;
  }

  onChooseItem(item: string): void {
    this.chosen.push(item);
  }
}

function type(modal: SuggestModal<never> | Fruit, text: string): void {
  modal.inputEl.value = text;
  modal.inputEl.dispatchEvent(new Event('input'));
}

describe('a fuzzy picker', () => {
  async function open(): Promise<Fruit> {
    const modal = new Fruit((await startHost()).app);
    modal.open();
    return modal;
  }

  test('shows all items, then the matches with highlighted letters', async () => {
    const modal = await open();
    expect(active()).toBe(modal.inputEl);
    expect(texts('.suggestion-item')).toEqual(['Apple', 'Banana', 'Blackberry']);
    type(modal, 'bby');
    expect(texts('.suggestion-item')).toEqual(['Blackberry']);
    expect(texts('.suggestion-highlight').join('')).toBe('bby'.replace('b', 'B'));
  });

  test('moves through its list with the arrow keys and chooses with Enter', async () => {
    const modal = await open();
    press('ArrowUp');
    expect(texts('.suggestion-item.is-selected')).toEqual(['Blackberry']);
    press('ArrowDown');
    press('ArrowDown');
    expect(modal.inputEl.getAttr('aria-activedescendant')).toBe(
      document.querySelector('.is-selected')?.id,
    );
    press('Enter');
    expect([modal.chosen, modal.containerEl.isConnected]).toEqual([['Banana'], false]);
  });

  test('shows a message if nothing matches', async () => {
    const modal = await open();
    modal.emptyStateText = 'No fruit.';
    type(modal, 'xyz');
    press('Enter');
    expect([texts('.suggestion-empty'), modal.chosen]).toEqual([['No fruit.'], []]);
  });

  test('shows its instructions', async () => {
    const modal = await open();
    modal.setInstructions([{ command: '↵', purpose: 'to choose' }]);
    expect(texts('.prompt-instruction')).toEqual(['↵to choose']);
  });
});

class Slow extends SuggestModal<string> {
  constructor(
    app: App,
    private readonly answers: Record<string, Promise<string[]>>,
  ) {
    super(app);
    this.limit = 2;
  }

  getSuggestions(query: string): Promise<string[]> {
    return this.answers[query]!;
  }

  renderSuggestion(value: string, el: HTMLElement): void {
    el.setText(value);
  }

  onChooseSuggestion(): void {}
}

test('a picker shows only results of the latest query, up to its limit', async () => {
  const { app } = await startHost();
  const slow = new Promise<string[]>((resolve) => setTimeout(() => resolve(['old']), 30));
  const modal = new Slow(app, {
    '': Promise.resolve([]),
    a: slow,
    ab: Promise.resolve(['x', 'y', 'z']),
  });
  modal.open();
  type(modal as never, 'a');
  type(modal as never, 'ab');
  await settle(60);
  expect(texts('.suggestion-item')).toEqual(['x', 'y']);
});
