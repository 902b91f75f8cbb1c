// Tier full: tests the simulated desktop app, not the plugin
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startNodeHost, type NodeHost } from './node-host.js';

const manifest = {
  id: 'mine',
  name: 'Mine',
  version: '1.0.0',
  minAppVersion: '1.13.0',
  author: 'Me',
  description: 'Tries things.',
};
const source = `
  const o = require('obsidian');
  module.exports = class extends o.Plugin {
    onload() {
      this.addCommand({ id: 'remember', name: 'Remember', callback: () => this.app.saveLocalStorage('kept', 'yes') });
      this.addCommand({ id: 'fail', name: 'Fail', callback: () => setTimeout(() => { throw new Error('in the plugin'); }) });
      this.registerEvent(this.app.vault.on('modify', (file) => { window.modified = file.path; }));
    }
  };`;

let folder: string;
let running: NodeHost[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'node-host-'));
  mkdirSync(join(folder, 'vault'));
  writeFileSync(join(folder, 'vault/a.md'), '# A');
  writeFileSync(join(folder, 'main.js'), source);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
});

afterEach(async () => {
  await Promise.all(running.map((host) => host.kill()));
  running = [];
  rmSync(folder, { recursive: true, force: true });
});

async function start(options = {}): Promise<NodeHost> {
  const paths = {
    vault: join(folder, 'vault'),
    plugin: join(folder, 'main.js'),
    storageFile: join(folder, 'storage.json'),
  };
  const host = await startNodeHost({ ...paths, ...options });
  running.push(host);
  return host;
}

test('the Node host is a desktop renderer with Node’s modules and the DOM', async () => {
  const host = await start();
  const seen = await host.evaluate(async ({ app }) => ({
    isOne: window === globalThis && document.defaultView === window && activeDocument === document,
    type: Reflect.get(process, 'type') as unknown,
    connect: typeof (Reflect.get(window, 'require') as (name: string) => { connect: unknown })(
      'node:net',
    ).connect,
    database: typeof indexedDB.open,
    isElement: createDiv() instanceof HTMLElement,
    isArray: new Uint8Array(await app.vault.adapter.readBinary('a.md')).length,
    timer: typeof setTimeout(() => undefined, 0),
    path: (app.vault.adapter as unknown as { getBasePath(): string }).getBasePath(),
  }));
  const expected = {
    isOne: true,
    type: 'renderer',
    connect: 'function',
    database: 'function',
    isElement: true,
    isArray: 3,
    timer: 'number',
  };
  expect(seen).toEqual({ ...expected, path: join(folder, 'vault') });
  expect(host.errors).toEqual([]);
});

test('the Node host notices changes of the folder by other programs', async () => {
  const host = await start();
  writeFileSync(join(folder, 'vault/a.md'), '# Changed');
  await vi.waitFor(
    async () =>
      expect(await host.evaluate(() => Reflect.get(window, 'modified') as unknown)).toBe('a.md'),
    {
      timeout: 60_000,
    },
  );
});

test('the Node host keeps local storage and the workspace across restarts', async () => {
  const first = await start();
  expect(await first.evaluate((app, id) => app.runCommand(id), 'mine:remember')).toBe(true);
  await first.kill();
  const second = await start();
  expect(await second.evaluate(({ app }) => app.loadLocalStorage('kept'))).toBe('yes');
  await second.evaluate(({ app }) => app.workspace.openLinkText('a', ''));
  await second.quit();
  expect(readFileSync(join(folder, 'vault/.obsidian/workspace.json'), 'utf8')).toContain(
    '"file": "a.md"',
  );
  const third = await start();
  expect(await third.evaluate(({ app }) => app.workspace.getActiveFile()?.path)).toBe('a.md');
});

test('the Node host reports uncaught errors, and rejects a failed call', async () => {
  const host = await start();
  await host.evaluate((app) => app.runCommand('mine:fail'));
  await vi.waitFor(() => expect(host.errors.join()).toContain('in the plugin'), {
    timeout: 60_000,
  });
  await expect(host.evaluate(() => Promise.reject(new Error('asked for')))).rejects.toThrow(
    'asked for',
  );
});

test('the Node host has no Node modules on mobile', async () => {
  const host = await start({ isMobile: true });
  expect(
    await host.evaluate(({ module }) => [
      module.Platform.isMobile,
      typeof Reflect.get(window, 'require'),
    ]),
  ).toEqual([true, 'undefined']);
});

test('the Node host fails to start if the plugin fails to load', async () => {
  writeFileSync(
    join(folder, 'main.js'),
    'module.exports = class { load() { throw new Error("broken"); } unload() {} };',
  );
  await expect(start()).rejects.toThrow('broken');
});
