// Tier full: the app that the tests run the plugin in
// @vitest-environment happy-dom
import { beforeAll, expect, test, vi } from 'vitest';
import { installDom } from './dom.js';

beforeAll(() => installDom(window));

test('makes an element from its description, in the place that is said', () => {
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

test('sets text as text, never as markup', () => {
  const el = createDiv({ text: '<img src=x>' });
  expect(el.childElementCount).toBe(0);
  el.setText(createFragment((fragment) => fragment.createSpan({ text: 'part' })));
  expect(el.innerHTML).toBe('<span>part</span>');
});

test('passes a delegated listener the matched element until removed', () => {
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

test('finds among ancestors up to the last one asked for', () => {
  const outer = createDiv('a');
  const inner = outer.createDiv('b').createDiv('c');
  expect(inner.matchParent('.a')).toBe(outer);
  expect(inner.matchParent('.a', inner.parentElement ?? undefined)).toBeNull();
});

test('keeps the children that stay when others are put in their place', () => {
  const parent = createDiv();
  const [a, b, c] = ['a', 'b', 'c'].map((text) => createSpan({ text }));
  parent.append(a!, b!);
  parent.setChildrenInPlace([c!, b!]);
  expect(parent.textContent).toBe('cb');
  expect(parent.indexOf(b!)).toBe(1);
});

test('knows that what is in a hidden element is not shown', () => {
  const inner = document.body.createDiv().createDiv();
  expect(inner.isShown()).toBe(true);
  inner.parentElement?.hide();
  expect(inner.isShown()).toBe(false);
  inner.parentElement?.show();
  expect(inner.isShown()).toBe(true);
});

test('tells when an element comes into the document', async () => {
  const el = createDiv();
  const inserted = vi.fn();
  el.onNodeInserted(inserted, true);
  document.body.appendChild(el);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(inserted).toHaveBeenCalledTimes(1);
});

test('adds the helpers of the language without showing them in loops', () => {
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
