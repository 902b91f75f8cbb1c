import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PluginManifest } from 'obsidian';
import type { Page } from 'playwright-core';
import { readPlugin } from '../../scripts/host-page.mjs';
import type { BrowserHost } from './browser-entry';
import { launch } from './browser.js';
import type { FileSet } from './obsidian';
import { PAGE_ADDRESS, servePage } from './page-server.js';

declare global {
  interface Window {
    __host: BrowserHost;
  }
}

export interface PluginUnderTest {
  /** The text of its `main.js`. */
  readonly source: string;
  readonly manifest: PluginManifest;
  readonly styles?: string;
}

export interface HostOptions {
  /** What lies in the vault. */
  readonly files?: FileSet;
  /** Default: the compiled plugin of this repository; `null` for none. */
  readonly plugin?: PluginUnderTest | null;
  readonly isMobile?: boolean;
  readonly theme?: 'dark' | 'light';
  /** CSS pixels; by default 1280 by 800, on mobile 320 by 640. */
  readonly width?: number;
  readonly height?: number;
  /** The browser's profile. With the one of an earlier run the browser is started again; by default a new one, removed at the end. */
  readonly userDataDir?: string;
  /** Origins that the page may ask besides its own. */
  readonly connect?: readonly string[];
  /** The language of the app, by Obsidian's code for it; English by default. */
  readonly language?: string;
  /** What the page takes for now (milliseconds since 1970); its timers run on. */
  readonly now?: number;
}

export interface ChromiumHost {
  readonly page: Page;
  /** Errors of the page and on its console. `close` throws when there are any: take out what a test expects. */
  readonly pageErrors: string[];
  /** Opens the command palette and types. */
  readonly openPalette: (query?: string) => Promise<void>;
  /** Runs a command through the palette, by the title that a person reads there. Throws where it is not offered first. */
  readonly runCommand: (title: string) => Promise<void>;
  /** The titles that the palette offers. */
  readonly commands: (query?: string) => Promise<string[]>;
  readonly press: (...keys: string[]) => Promise<void>;
  readonly setTheme: (theme: 'dark' | 'light') => Promise<void>;
  /** All files as they lie in the vault now. */
  readonly snapshot: () => Promise<FileSet>;
  /** Ends the app (as a person does, or as a crash) and the browser, and starts both again over the same vault and profile. */
  readonly restart: (how?: 'quit' | 'crash') => Promise<ChromiumHost>;
  readonly close: () => Promise<void>;
}

/** Where the browser keeps what outlives it. */
interface Profile {
  readonly folder: string;
  readonly isTemporary: boolean;
}

/** Starts a real Chromium with the stand-in for Obsidian over a vault in memory, and the plugin in it. */
export async function openHost(options: HostOptions = {}): Promise<ChromiumHost> {
  const { userDataDir } = options;
  if (userDataDir !== undefined) return open(options, { folder: userDataDir, isTemporary: false });
  return open(options, { folder: await mkdtemp(join(tmpdir(), 'savepoint-browser-')), isTemporary: true });
}

async function open(options: HostOptions, profile: Profile): Promise<ChromiumHost> {
  const { files = {}, isMobile = false, theme = 'dark', connect = [], language = 'en', now } = options;
  const { width = isMobile ? 320 : 1280, height = isMobile ? 640 : 800 } = options;
  const plugin = options.plugin === undefined ? ((await readPlugin()) as unknown as PluginUnderTest) : options.plugin;
  const server = await servePage({ styles: plugin?.styles ?? '', connect });
  const context = await launch({ userDataDir: profile.folder, width, height, isMobile, flags: server.flags }).catch(
    async (error: unknown) => {
      await server.close();
      await forget(profile);
      throw error;
    },
  );
  const pageErrors: string[] = [];
  context.on('weberror', (error) => pageErrors.push(error.error().stack ?? error.error().message));
  context.on('console', (message) => void (message.type() === 'error' && pageErrors.push(message.text())));
  const page = context.pages()[0] ?? (await context.newPage());
  if (now !== undefined) await page.clock.setFixedTime(now);
  await page.goto(PAGE_ADDRESS);
  await page.evaluate((code) => window.localStorage.setItem('language', code), language);

  const stop = async () => {
    await context.close();
    await server.close();
  };
  const host: ChromiumHost = {
    page,
    pageErrors,
    async openPalette(query = '') {
      await page.keyboard.press('Control+p');
      await page.locator('.prompt-input').fill(query);
    },
    async runCommand(title) {
      await host.openPalette(title);
      const first = await page.locator('.prompt-results .suggestion-item').first().textContent({ timeout: 5000 });
      if (first !== title) throw new Error(`The palette offers "${first ?? 'nothing'}" first for "${title}".`);
      await page.keyboard.press('Enter');
    },
    async commands(query = '') {
      await host.openPalette(query);
      const titles = await page.locator('.prompt-results .suggestion-title').allTextContents();
      await page.keyboard.press('Escape');
      return titles;
    },
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    setTheme: (to) => page.evaluate((next) => window.__host.host.setTheme(next), to),
    snapshot: () => page.evaluate(() => window.__host.snapshot()),
    async restart(how = 'quit') {
      const left = await page.evaluate(async (isQuit) => {
        const { medium } = window.__host;
        if (isQuit) await window.__host.host.quit();
        return medium.snapshot();
      }, how === 'quit');
      await stop();
      failOn(pageErrors);
      return open({ ...options, files: left }, profile);
    },
    async close() {
      await stop();
      await forget(profile);
      failOn(pageErrors);
    },
  };
  const start = { files, isMobile, theme, ...(plugin && { plugin: { source: plugin.source, manifest: plugin.manifest } }) };
  await page
    .evaluate((given) => window.__host.start(given), start)
    .catch(async (error: unknown) => {
      await stop();
      await forget(profile);
      throw error;
    });
  return host;
}

/** The browser's helpers may still be writing when it has closed. */
async function forget({ folder, isTemporary }: Profile): Promise<void> {
  if (isTemporary) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function failOn(pageErrors: readonly string[]): void {
  if (pageErrors.length > 0) throw new Error(`The page has reported errors:\n${pageErrors.join('\n')}`);
}
