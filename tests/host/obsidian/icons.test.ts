import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import icons from './icons/icons.json';

/** Matches how the plugin names an icon: as a property or attribute, or in a call of the app. */
const ICON = /\b(?:icon(?:=|: )|setIcon\([^,()]+, |addRibbonIcon\(|getIcon\()["']([a-z0-9-]+)["']/g;

it('has each icon that the plugin names', () => {
  const folder = join(import.meta.dirname, '../../../src/obsidian');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(ICON)])
    .map(([, name]) => name);
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !Object.hasOwn(icons, name!))).toEqual([]);
});
