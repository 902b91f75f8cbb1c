// Tier full: tests the simulated Obsidian, not the plugin
// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import { manifest, openHost, pluginSource, press, settle, startHost, texts } from './start.js';

const globals = window as unknown as Record<string, unknown>;

describe('the module', () => {
  test('throws for missing exports, and for Node modules on mobile', async () => {
    const host = openHost({}, { isMobile: true });
    await expect(host.loadPlugin(pluginSource('new o.Nonsense()'), manifest)).rejects.toThrow(
      'The stand-in has no Nonsense',
    );
    await expect(
      host.loadPlugin(pluginSource("require('node:fs')"), manifest, () => ({})),
    ).rejects.toThrow("Cannot find module 'node:fs'");
    await expect(
      host.loadPlugin(pluginSource("require('@codemirror/view')"), manifest),
    ).rejects.toThrow('The stand-in has no @codemirror/view');
    expect(host.module.Platform).toMatchObject({ isMobile: true, isDesktop: false });
  });

  test('supports one app at a time', () => {
    const host = openHost();
    expect(() => openHost()).toThrow('There is a host in this window already');
    expect(host.module.requireApiVersion('1.13.0')).toBe(true);
    expect(host.module.requireApiVersion('1.14.0')).toBe(false);
  });
});

describe('a plugin', () => {
  test('leaves nothing behind when unloaded', async () => {
    const onload = `
      this.addCommand({ id: 'go', name: 'Go', callback() {}, hotkeys: [{ modifiers: ['Mod'], key: 'j' }] });
      this.addStatusBarItem().setText('status');
      this.addRibbonIcon('dice-1', 'Roll dice', () => {});
      this.addSettingTab(new (class extends o.PluginSettingTab { display() {} })(this.app, this));
      this.registerObsidianProtocolHandler('mine', () => {});
      this.registerHoverLinkSource('mine', { display: 'Mine', defaultMod: false });
      this.registerCliHandler('mine', 'Does', null, () => 'done');
      this.registerExtensions(['xyz'], 'markdown');
      this.registerEvent(this.app.vault.on('create', () => { window.heard = true; }));`;
    const host = await startHost({}, { onload });
    expect([
      texts('.status-bar-item.plugin-mine'),
      document.querySelectorAll('[aria-label="Roll dice"]').length,
    ]).toEqual([['status'], 1]);
    const counts = () => [
      host.app.commands.findCommand('mine:go'),
      host.app.protocolHandlers.get('mine'),
      host.app.hoverLinkSources.get('mine'),
      host.app.cliCommands.get('mine'),
      host.app.viewRegistry.typeOfExtension('xyz'),
      host.app.setting.openTabById('mine'),
    ];
    expect(counts().every(Boolean)).toBe(true);
    await host.unloadPlugin();
    expect(counts().some(Boolean)).toBe(false);
    await host.app.vault.create('a.md', '');
    expect([
      texts('.status-bar-item'),
      document.querySelector('[aria-label="Roll dice"]'),
      globals['heard'],
    ]).toEqual([[], null, undefined]);
    expect(await host.app.plugins.enablePlugin('mine')).toBeDefined();
  });

  test('is unloaded when it fails to load', async () => {
    const host = openHost();
    const failing = host.loadPlugin(
      pluginSource(
        "this.addCommand({ id: 'x', name: 'X', callback() {} }); throw new Error('broken');",
      ),
      manifest,
    );
    await expect(failing).rejects.toThrow('broken');
    expect([
      Object.keys(host.app.plugins.plugins),
      host.app.commands.findCommand('mine:x'),
    ]).toEqual([[], undefined]);
  });

  test('is notified when the user enables it, but not on startup', async () => {
    const host = openHost();
    await host.loadPlugin(
      pluginSource('', 'onUserEnable() { window.enabled = (window.enabled ?? 0) + 1; }'),
      manifest,
    );
    await host.layoutReady();
    expect(globals['enabled']).toBeUndefined();
    host.app.setting.open();
    const input = () => document.querySelector('.checkbox-container input') as HTMLInputElement;
    input().click();
    await settle();
    expect(host.app.plugins.plugins).toEqual({});
    input().click();
    await settle();
    expect(globals['enabled']).toBe(1);
  });

  test('keeps its data, and is notified when another program changes it', async () => {
    const host = openHost();
    const source = pluginSource(
      '',
      'onExternalSettingsChange() { window.external = (window.external ?? 0) + 1; }',
    );
    const plugin = await host.loadPlugin(source, manifest);
    await host.layoutReady();
    expect(await plugin.loadData()).toBeNull();
    await plugin.saveData({ a: 1 });
    await settle();
    expect([await plugin.loadData(), globals['external']]).toEqual([{ a: 1 }, undefined]);
    await host.medium.write(
      '.obsidian/plugins/mine/data.json',
      new TextEncoder().encode('{"a":2}'),
    );
    await settle();
    expect([await plugin.loadData(), globals['external']]).toEqual([{ a: 2 }, 1]);
  });
});

describe('commands', () => {
  const onload = `
    const add = (id, more) => this.addCommand({ id, name: id, ...more });
    add('plain', { callback: () => { window.ran = 'plain'; }, hotkeys: [{ modifiers: ['Mod', 'Shift'], key: 'K' }] });
    add('never', { checkCallback: () => false });
    add('maybe', { checkCallback: (checking) => { if (!checking) window.ran = 'maybe'; return true; } });
    add('editor', { editorCallback: (editor) => { window.ran = editor.getValue(); } });
    add('phone', { mobileOnly: true, callback() {} });`;

  test('are available only where they apply', async () => {
    const host = await startHost({ 'a.md': 'text' }, { onload });
    const mine = () =>
      host.app.commands.listCommands().flatMap(({ id }) => (id.startsWith('mine:') ? [id] : []));
    expect(mine()).toEqual(['mine:plain', 'mine:maybe']);
    await host.app.workspace.openLinkText('a', '');
    expect(mine()).toEqual(['mine:plain', 'mine:maybe', 'mine:editor']);
    expect([host.runCommand('mine:never'), host.runCommand('mine:editor'), globals['ran']]).toEqual(
      [false, true, 'text'],
    );
  });

  test('run from the palette and by their hotkeys', async () => {
    await startHost({}, { onload });
    press('p', { ctrlKey: true });
    const input = document.querySelector('.prompt-input') as HTMLInputElement;
    input.value = 'mine maybe';
    input.dispatchEvent(new Event('input'));
    expect(texts('.suggestion-item')).toEqual(['Mine: maybe']);
    press('Enter');
    expect(globals['ran']).toBe('maybe');
    press('K', { ctrlKey: true, shiftKey: true });
    expect(globals['ran']).toBe('plain');
  });
});

test('local storage and secrets are separate for each vault', async () => {
  const host = openHost({}, { vaultName: 'One' });
  host.app.saveLocalStorage('key', { a: 1 });
  host.app.secretStorage.setSecret('api-key', 'hush');
  for (const id of ['Not An Id', 'a'.repeat(65)])
    expect(() => host.app.secretStorage.setSecret(id, 'x')).toThrow('Invalid secret ID');
  expect([host.app.loadLocalStorage('key'), host.app.secretStorage.listSecrets()]).toEqual([
    { a: 1 },
    ['api-key'],
  ]);
  await host.dispose();
  const other = openHost({}, { vaultName: 'Two' });
  expect([other.app.loadLocalStorage('key'), other.app.secretStorage.getSecret('api-key')]).toEqual(
    [null, null],
  );
  await other.dispose();
  const again = openHost({}, { vaultName: 'One' });
  expect(again.app.secretStorage.getSecret('api-key')).toBe('hush');
  again.app.saveLocalStorage('key', null);
  expect(again.app.loadLocalStorage('key')).toBeNull();
});

test('quitting waits for the pending work of plugins', async () => {
  const host = openHost();
  const finished = vi.fn();
  host.app.workspace.on('quit', (tasks: { addPromise(promise: Promise<unknown>): void }) =>
    tasks.addPromise(settle().then(finished)),
  );
  await host.layoutReady();
  await host.quit();
  expect([finished.mock.calls.length, document.body.childElementCount]).toEqual([1, 0]);
});

test('the theme is dark or light, and can be queried', async () => {
  const host = await startHost({}, { theme: 'dark' });
  expect([host.app.isDarkMode(), document.body.hasClass('theme-dark')]).toEqual([true, true]);
  host.setTheme('light');
  expect([host.app.isDarkMode(), document.body.hasClass('theme-light')]).toEqual([false, true]);
});
