// Tier full: tests the simulated Obsidian, not the plugin
// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Menu } from './menu.js';
import { Notice } from './notice.js';
import { press, startHost, texts } from './start.js';

afterEach(() => void vi.useRealTimers());

describe('a notice', () => {
  test('disappears after its duration, or stays until hidden if that is 0', async () => {
    await startHost();
    vi.useFakeTimers();
    new Notice('short', 1000);
    const stays = new Notice('stays', 0);
    vi.advanceTimersByTime(1001);
    expect(texts('.notice-container > .notice > .notice-message')).toEqual(['stays']);
    stays.setMessage('other');
    expect(stays.messageEl.textContent).toBe('other');
    stays.hide();
    expect(document.querySelector('.notice-container')).toBeNull();
  });

  test('disappears when clicked', async () => {
    await startHost();
    const notice = new Notice(
      createFragment((fragment) => fragment.createEl('b', { text: 'bold' })),
    );
    expect(notice.messageEl.innerHTML).toBe('<b>bold</b>');
    notice.containerEl.click();
    expect(notice.containerEl.isConnected).toBe(false);
  });
});

describe('a menu', () => {
  test('supports the keyboard, and skips disabled items', async () => {
    await startHost();
    const used: string[] = [];
    const menu = new Menu();
    for (const title of ['One', 'Two', 'Three'])
      menu.addItem((item) =>
        item
          .setTitle(title)
          .setDisabled(title === 'Two')
          .onClick(() => used.push(title)),
      );
    const hidden = vi.fn();
    menu.onHide(hidden);
    menu.showAtPosition({ x: 0, y: 0 });
    press('ArrowDown');
    press('ArrowDown');
    press('Enter');
    expect([used, hidden.mock.calls.length, document.querySelector('.menu')]).toEqual([
      ['Three'],
      1,
      null,
    ]);
  });

  test('keeps the items of a section together', async () => {
    await startHost();
    const menu = new Menu();
    for (const [title, section] of [
      ['a', ''],
      ['b', 'danger'],
      ['c', ''],
    ] as const)
      menu.addItem((item) => item.setTitle(title).setSection(section));
    menu.showAtPosition({ x: 0, y: 0 });
    expect(texts('.menu-group')).toEqual(['ac', 'b']);
    expect(document.querySelectorAll('.menu-separator')).toHaveLength(1);
    menu.hide();
  });

  test('closes on Escape or an outside click, and restores the focus', async () => {
    await startHost();
    const button = document.body.createEl('button');
    button.focus();
    const menu = new Menu().addItem((item) => item.setTitle('x'));
    menu.showAtPosition({ x: 0, y: 0 });
    press('Escape');
    expect([document.querySelector('.menu'), document.activeElement]).toEqual([null, button]);
    menu.showAtPosition({ x: 0, y: 0 });
    document.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
    expect(document.querySelector('.menu')).toBeNull();
  });
});
