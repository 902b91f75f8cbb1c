import type { SettingDefinitionItem } from 'obsidian';
import { expect, test } from 'vitest';
import { drawnTexts, withEntering, type PartsPage } from '../../../src/obsidian/settings/redraw.js';

const apps = (part: object | undefined, seen: readonly string[] = []): PartsPage => ({
  type: 'page',
  name: 'Apps',
  desc: 'About apps',
  parts: [part],
  items: [
    { name: 'Connect', render: () => undefined },
    { type: 'group', heading: 'Seen', items: seen.map((name) => ({ name })) },
  ],
});

/** Returns the paths of the pages that are drawn differently. */
function changed(
  before: readonly SettingDefinitionItem[],
  after: readonly SettingDefinitionItem[],
): string[] {
  const texts = drawnTexts(before);
  return [...drawnTexts(after)].flatMap(([page, text]) => (texts.get(page) === text ? [] : [page]));
}

test('a page changes with its rows, and the page around it only with its entry', () => {
  const part = {};
  expect(changed([apps(part)], [apps(part)])).toEqual([]);
  expect(changed([apps(part)], [apps(part, ['claude'])])).toEqual(['/Apps']);
  expect(changed([apps(part)], [{ ...apps(part), desc: 'Other' }])).toEqual(['']);
  expect(changed([apps(part)], [apps(part), { name: 'More' }])).toEqual(['']);
  const inGroup = (page: PartsPage): SettingDefinitionItem[] => [{ type: 'group', items: [page] }];
  expect(changed(inGroup(apps(part)), inGroup(apps(part, ['claude'])))).toEqual(['/Apps']);
});

test('a page changes when one of its parts is replaced', () => {
  expect(changed([apps({})], [apps({})])).toEqual(['/Apps']);
  expect(changed([apps(undefined)], [apps({})])).toEqual(['/Apps']);
  expect(changed([apps(undefined)], [apps(undefined)])).toEqual([]);
});

test('the entry of a page changes with the value it displays', () => {
  let model = 'a';
  const items: SettingDefinitionItem[] = [
    { type: 'page', name: 'Models', displayValue: () => model, items: [] },
  ];
  const before = drawnTexts(items);
  expect(drawnTexts(items)).toEqual(before);
  model = 'b';
  expect(drawnTexts(items).get('')).not.toBe(before.get(''));
});

test('a row tells its page when it is drawn and removed', () => {
  const told: string[] = [];
  const enter = (page: string) => {
    told.push(`enter ${page}`);
    return () => told.push(`leave ${page}`);
  };
  const row: SettingDefinitionItem = { name: 'Row', render: () => () => told.push('removed') };
  const [inTab, page] = withEntering(
    [row, { type: 'page', name: 'Apps', items: [{ type: 'group', items: [row] }] }],
    enter,
  );
  const draw = (item: unknown) => (item as { render: () => () => void }).render()();
  draw(inTab);
  draw((page as { items: { items: unknown[] }[] }).items[0]!.items[0]);
  expect(told).toEqual(['enter ', 'removed', 'leave ', 'enter /Apps', 'removed', 'leave /Apps']);
});
