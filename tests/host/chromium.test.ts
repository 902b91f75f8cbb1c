// Tier full: tests the page that hosts the plugin, not the plugin
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PluginManifest } from 'obsidian';
import { expect, onTestFinished, test } from 'vitest';
import { AXE_DEVICES, AXE_THEMES, expectNoViolations } from './axe.js';
import type { FileSet } from './obsidian/index.js';
import { openHost, type ChromiumHost, type HostOptions, type PluginUnderTest } from './chromium.js';

const manifest: PluginManifest = {
  id: 'probe',
  name: 'Probe',
  version: '1.0.0',
  minAppVersion: '1.13.0',
  description: 'Looks around.',
  author: 'Tests',
  isDesktopOnly: false,
};

const probe = (body: string): PluginUnderTest => ({
  manifest,
  source: `const { Plugin, Notice, Platform } = require('obsidian'); module.exports = class extends Plugin { async onload() { ${body} } };`,
});

const vault = {
  'Welcome.md': '# Welcome\n\nTo [[Plan]] and [[Nowhere]], #moth.\n\n> [!note] A note\n> Text\n',
  'Notes/Plan.md': '- [ ] Sow',
};

const textOf = (file: FileSet[string] | undefined) =>
  typeof file === 'object' && 'text' in file ? file.text : file;

async function open(options: HostOptions): Promise<ChromiumHost> {
  const host = await openHost(options);
  onTestFinished(() => host.close());
  return host;
}

test('the page starts without an error and returns its files', async () => {
  const { page, snapshot } = await open({ files: vault, plugin: null });
  await expect(page.locator('.nav-file-title').allTextContents()).resolves.toEqual(['Welcome']);
  expect(
    Object.fromEntries(
      Object.entries(await snapshot()).map(([path, file]) => [path, textOf(file)]),
    ),
  ).toMatchObject(vault);
});

test('a plugin on mobile runs its command and cannot load Node modules', async () => {
  const { page, runCommand, commands } = await open({
    isMobile: true,
    plugin: probe(`
      const reachable = ['fs', 'node:net', 'electron', 'path'].filter((name) => { try { require(name); return true; } catch { return false; } });
      const globals = ['process', 'Buffer', 'require', 'global'].filter((name) => name in window);
      this.addCommand({ id: 'look', name: 'Look around', callback: () => new Notice(JSON.stringify([Platform.isMobile, reachable, globals])) });`),
  });
  expect(await commands('Look')).toEqual(['Probe: Look around']);
  await runCommand('Probe: Look around');
  expect(await page.locator('.notice').textContent()).toBe('[true,[],[]]');
});

test('storage survives a browser restart, and the vault can be passed on', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'savepoint-profile-'));
  onTestFinished(() =>
    rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  );
  const store = (
    mode: 'readonly' | 'readwrite',
    act: string,
  ) => `await new Promise((resolve, reject) => {
    const opening = indexedDB.open('kept', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('values');
    opening.onerror = reject;
    opening.onsuccess = () => {
      const asked = opening.result.transaction('values', '${mode}').objectStore('values').${act};
      asked.onsuccess = () => resolve(asked.result);
    };
  })`;
  const first = await openHost({
    userDataDir: profile,
    plugin: probe(`${store('readwrite', "put('moth', 'key')")};
      this.app.saveLocalStorage('device', 'laptop');
      this.app.workspace.onLayoutReady(() => this.app.vault.create('Made.md', 'by the plugin'));`),
  });
  await first.page.waitForFunction(() => 'Made.md' in window.__host.snapshot());
  const files = await first.snapshot();
  await first.close();
  const second = await open({
    userDataDir: profile,
    files,
    plugin: probe(`const kept = ${store('readonly', "get('key')")};
      this.app.workspace.onLayoutReady(async () => {
        const made = await this.app.vault.read(this.app.vault.getFileByPath('Made.md'));
        new Notice([kept, this.app.loadLocalStorage('device'), made].join(', '), 0);
      });`),
  });
  expect(await second.page.locator('.notice').textContent()).toBe('moth, laptop, by the plugin');
});

test.each(['quit', 'crash'] as const)(
  'a restart after a %s keeps the vault and the profile',
  async (how) => {
    const opened = await openHost({
      plugin: probe(`const before = Number(this.app.loadLocalStorage('starts') ?? 0);
      this.app.saveLocalStorage('starts', before + 1);
      this.app.workspace.onLayoutReady(() => this.app.vault.adapter.append('Starts.md', 'start ' + before + ';'));`),
    });
    const host = await opened.restart(how);
    onTestFinished(() => host.close());
    await expect
      .poll(async () => textOf((await host.snapshot())['Starts.md']))
      .toBe('start 0;start 1;');
  },
);

test('switching the theme changes the colors', async () => {
  const { page, setTheme } = await open({ plugin: null, theme: 'light' });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await background()).toBe('rgb(255, 255, 255)');
  await setTheme('dark');
  expect(await background()).toBe('rgb(30, 30, 30)');
});

test('text is drawn in a font', async () => {
  const { page } = await open({ plugin: null });
  const [narrow = 0, wide = 0] = await page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    context.font = getComputedStyle(document.body).font;
    return ['iiii', 'WWWW'].map((text) => context.measureText(text).width);
  });
  expect(narrow).toBeGreaterThan(0);
  expect(wide).toBeGreaterThan(narrow);
});

test.each(AXE_DEVICES)(
  "on %s axe-core finds no violation in the app's own UI, dark and light",
  async (_, isMobile) => {
    const { page, setTheme, openPalette, press } = await open({
      files: vault,
      plugin: probe("new Notice('Hello', 0);"),
      isMobile,
    });
    await page.evaluate(() => window.__host.host.app.workspace.openLinkText('Welcome', ''));
    await page.locator('.markdown-rendered .callout').waitFor();
    for (const theme of AXE_THEMES) {
      await setTheme(theme);
      await expectNoViolations(page);
      await openPalette();
      await expectNoViolations(page, '.modal-container');
      await press('Escape');
      await page.evaluate(() => window.__host.host.app.setting.open());
      await expectNoViolations(page, '.modal-container');
      await press('Escape');
    }
  },
);

test('an error in the page makes closing the host fail', async () => {
  const host = await openHost({
    plugin: probe("window.setTimeout(() => { throw new Error('Broken wing'); }, 0);"),
  });
  await expect.poll(() => host.pageErrors.length).toBe(1);
  await expect(host.close()).rejects.toThrow('Broken wing');
});

test('the page can reach only its own server', async () => {
  const host = await openHost({ plugin: null });
  const reached = await host.page.evaluate(() =>
    fetch('http://127.0.0.1:9/').then(String, (error: Error) => error.message),
  );
  expect(reached).toBe('Failed to fetch');
  await expect(host.close()).rejects.toThrow('Content Security Policy');
});
