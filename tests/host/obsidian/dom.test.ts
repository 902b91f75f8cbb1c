// Tier full: tests the simulated Obsidian, not the plugin
// @vitest-environment happy-dom
import { beforeAll, expect, test, vi } from 'vitest';
import { installDom } from './dom.js';

beforeAll(() => installDom(window));

test('createEl applies its options and position', () => {
  const parent = createDiv();
  parent.createSpan({ text: 'second' });
  const el = parent.createEl('a', {
    cls: ['one', 'two three'],
    text: 'first',
    href: 'x',
    title: 'T',
    attr: { 'data-n': 1, hidden: null },
    prepend: true,
  });
  expect(parent.firstChild).toBe(el);
  expect([
    el.className,
    el.textContent,
    el.getAttr('href'),
    el.title,
    el.getAttr('data-n'),
    el.hasAttribute('hidden'),
  ]).toEqual(['one two three', 'first', 'x', 'T', '1', false]);
  expect(createDiv('only-class').className).toBe('only-class');
  expect(createSvg('path', { attr: { d: 'M0 0' } }).namespaceURI).toBe(
    'http://www.w3.org/2000/svg',
  );
});

test('setText does not parse markup', () => {
  const el = createDiv({ text: '<img src=x>' });
  expect(el.childElementCount).toBe(0);
  el.setText(createFragment((fragment) => fragment.createSpan({ text: 'part' })));
  expect(el.innerHTML).toBe('<span>part</span>');
});

test('a delegated listener receives the matched element until removed', () => {
  const list = document.body.createDiv();
  const item = list.createDiv('item');
  const listener = vi.fn();
  list.on('click', '.item', listener);
  item.createSpan().click();
  list.click();
  expect(listener.mock.calls.map((call) => call[1] as unknown)).toEqual([item]);
  list.off('click', '.item', listener);
  item.click();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('matchParent searches ancestors up to the given element', () => {
  const outer = createDiv('a');
  const inner = outer.createDiv('b').createDiv('c');
  expect(inner.matchParent('.a')).toBe(outer);
  expect(inner.matchParent('.a', inner.parentElement ?? undefined)).toBeNull();
});

test('setChildrenInPlace keeps the children that remain', () => {
  const parent = createDiv();
  const [a, b, c] = ['a', 'b', 'c'].map((text) => createSpan({ text }));
  parent.append(a!, b!);
  parent.setChildrenInPlace([c!, b!]);
  expect(parent.textContent).toBe('cb');
  expect(parent.indexOf(b!)).toBe(1);
});

test('isShown is false inside a hidden element', () => {
  const inner = document.body.createDiv().createDiv();
  expect(inner.isShown()).toBe(true);
  inner.parentElement?.hide();
  expect(inner.isShown()).toBe(false);
  inner.parentElement?.show();
  expect(inner.isShown()).toBe(true);
});

test('onNodeInserted reports when an element enters the document', async () => {
  const el = createDiv();
  const inserted = vi.fn();
  el.onNodeInserted(inserted, true);
  document.body.appendChild(el);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(inserted).toHaveBeenCalledTimes(1);
});

test('helpers on built-in objects are not enumerable', () => {
  expect([
    [1, 2, 2].unique(),
    [1, 2].last(),
    ['a'].contains('a'),
    'ab'.contains('b'),
    Math.clamp(9, 1, 5),
    Object.isEmpty({}),
  ]).toEqual([[1, 2], 2, true, true, 5, true]);
  const own = [
    Array.prototype,
    String.prototype,
    Math,
    Node.prototype,
    HTMLElement.prototype,
  ].flatMap((target) => Object.keys(target));
  expect(['contains', 'clamp', 'createEl', 'show'].filter((name) => own.includes(name))).toEqual(
    [],
  );
});
