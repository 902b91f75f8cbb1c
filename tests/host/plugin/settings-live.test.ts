// Tier full: starts an app for each case; settings.test.ts covers the settings in one
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PROGRAM, temporaryFolder } from '../../fakes/program.js';
import { startNodeHost } from '../node-host.js';
import { personAt, whenShown } from './desktop-app.js';

/** The update is due after 0.1 s; a loaded machine takes longer. */
const SOON = { timeout: 10_000 };

/** Starts the app without opening the memory: `layoutReady` does. */
async function start() {
  const vault = temporaryFolder();
  const settingsFile = join(vault, '.obsidian/plugins/savepoint/data.json');
  mkdirSync(join(vault, 'Garden'));
  mkdirSync(dirname(settingsFile), { recursive: true });
  const host = await startNodeHost({
    vault,
    plugin: PROGRAM,
    env: { SAVEPOINT_STATE: temporaryFolder('state'), XDG_RUNTIME_DIR: '' },
    isReady: false,
  });
  onTestFinished(() => host.kill());
  const person = personAt(host);
  const shown = () => person.texts('.modal .setting-item-name');
  return {
    host,
    ...person,
    shown,
    layoutReady: () => host.evaluate((running) => running.layoutReady()),
    /** Writes the settings, as a sync service would. */
    sync: (settings: object) => writeFileSync(settingsFile, JSON.stringify(settings)),
    saved: () => JSON.parse(readFileSync(settingsFile, 'utf8')) as unknown,
    openTab: async () => {
      await host.evaluate((running) => {
        running.app.setting.open();
        running.app.setting.openTabById('savepoint');
      });
      expect(await shown()).toContain('Default workspace');
    },
    /** Presses a row or a button, by its name, in the settings. */
    press: (name: string) =>
      whenShown(() =>
        host.evaluate((_, wanted) => {
          const all = ['button', '.setting-item'].flatMap((kind) => [
            ...document.querySelectorAll<HTMLElement>(`.modal ${kind}`),
          ]);
          const found = all.find(
            (each) =>
              each.getAttribute('aria-label') === wanted ||
              (each.querySelector('.setting-item-name') ?? each).textContent === wanted,
          );
          if (!found) throw new Error(`There is no "${wanted}"`);
          found.click();
        }, name),
      ),
    back: () =>
      host.evaluate(() =>
        document.querySelector<HTMLElement>('.modal .setting-page-back-button')!.click(),
      ),
    /** Begins to type into a field, and stays there. */
    beginTyping: (label: string, typed: string) =>
      whenShown(() =>
        host.evaluate(
          (_, [wanted, value]) => {
            const field = document.querySelector<HTMLInputElement>(
              `.modal input[aria-label="${wanted}"]`,
            )!;
            field.focus();
            field.value = value;
            field.dispatchEvent(new Event('input', { bubbles: true }));
          },
          [label, typed] as const,
        ),
      ),
    /** Returns the label and the text of the field that has the focus. */
    focused: () =>
      host.evaluate(() => {
        const field = document.activeElement as HTMLInputElement;
        return [field.getAttribute('aria-label'), field.value];
      }),
    leaveField: () => host.evaluate(() => (document.activeElement as HTMLElement).blur()),
    value: (label: string) =>
      host.evaluate((_, wanted) => {
        const control = document.querySelector<HTMLInputElement>(`.modal [aria-label="${wanted}"]`);
        return control?.type === 'checkbox' ? control.checked : control?.value;
      }, label),
  };
}

test('settings opened before the memory show it once it opens, and keep an open field', async () => {
  const { layoutReady, openTab, press, back, beginTyping, focused, shown, texts } = await start();
  const workspaces = () => texts('.modal select[aria-label="Default workspace"] option');
  await openTab();
  expect(await workspaces()).toEqual(['Unknown workspace (default)']);
  await beginTyping('Device name', 'my lap');
  await layoutReady();
  await expect.poll(workspaces, SOON).toEqual(['Default']);
  expect(await focused()).toEqual(['Device name', 'my lap']);
  await press('AI apps');
  await expect.poll(shown, SOON).toContain('HTTP server');
  await back();
  await press('Capture');
  await expect.poll(shown, SOON).toContain('Pause');
});

test('a page that was opened before the memory fills when it opens', async () => {
  const { layoutReady, openPage, shown } = await start();
  await openPage('AI apps');
  expect(await shown()).toEqual(['The memory is not open.']);
  await layoutReady();
  await expect.poll(shown, SOON).toContain('HTTP server');
});

test('the search finds what came with the memory while the settings were hidden', async () => {
  const { host, layoutReady, texts } = await start();
  await layoutReady();
  const find = () =>
    host.evaluate((running) => {
      running.app.setting.open();
      const field = document.querySelector<HTMLInputElement>('.mod-settings input')!;
      field.value = 'HTTP server';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
  await expect
    .poll(() => find().then(() => texts('.mod-found .vertical-tab-nav-item-title')), SOON)
    .toContain('HTTP server');
});

test('settings that arrive by sync are shown, and a field that is edited stays', async () => {
  const {
    layoutReady,
    openTab,
    press,
    beginTyping,
    focused,
    leaveField,
    saved,
    shown,
    sync,
    value,
  } = await start();
  await layoutReady();
  await openTab();
  await expect.poll(() => value('Default workspace'), SOON).toBe('default');
  await beginTyping('Keep tool calls for', '3');
  sync({ traceDays: 12, traceMegabytes: 77, excludedFolders: ['Garden'], isReadOnly: true });
  await expect.poll(shown, SOON).toContain('Garden');
  expect(await value('Keep tool calls up to')).toBe('77');
  expect(await focused()).toEqual(['Keep tool calls for', '3']);
  await leaveField();
  await expect.poll(saved, SOON).toMatchObject({ traceDays: 3, isReadOnly: true });
  await press('AI apps');
  await expect.poll(() => value('Read-only for all'), SOON).toBe(true);
  sync({ isReadOnly: false });
  await expect.poll(() => value('Read-only for all'), SOON).toBe(false);
  sync({ isReadOnly: 'true' });
  await expect.poll(() => value('Read-only for all'), SOON).toBe(true);
  await expect.poll(shown, SOON).toContain('Some permissions are not understood');
});

test('a result stays shown while other pages change, which then show the change', async () => {
  const { layoutReady, openTab, press, back, shown, sync, texts } = await start();
  await layoutReady();
  await openTab();
  await press('Storage');
  await press('Rebuild');
  const result = () => texts('.modal .savepoint-setting-box');
  await expect.poll(result, SOON).toContainEqual(expect.stringMatching(/^Cache rebuilt in/));
  sync({ excludedFolders: ['Garden'] });
  await expect.poll(async () => (await texts('.modal .setting-item-name')).length, SOON).toBe(8);
  await press('Verify');
  await expect.poll(result, SOON).toContainEqual(expect.stringContaining('Nothing is saved yet'));
  expect(await result()).toContainEqual(expect.stringMatching(/^Cache rebuilt in/));
  await back();
  await expect.poll(shown, SOON).toContain('Garden');
});
