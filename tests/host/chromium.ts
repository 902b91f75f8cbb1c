import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PluginManifest } from 'obsidian';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { readPlugin } from '../../scripts/host-page.mjs';
import type { BrowserHost } from './browser-entry';
import { launch, openWindow } from './browser.js';
import type { FileSet } from './obsidian';
import { PAGE_ADDRESS, servePage, type PageServer } from './page-server.js';

declare global {
  interface Window {
    __host: BrowserHost;
    /** The text of the plugin's `main.js`; empty without a plugin. */
    __pluginSource: string;
    __started: Promise<void>;
  }
}

export interface PluginUnderTest {
  /** The text of its `main.js`. */
  readonly source: string;
  readonly manifest: PluginManifest;
  readonly styles?: string;
}

export interface HostOptions {
  /** The vault's files. */
  readonly files?: FileSet;
  /** Default: the compiled plugin of this repository; `null` for none. */
  readonly plugin?: PluginUnderTest | null;
  readonly isMobile?: boolean;
  readonly theme?: 'dark' | 'light';
  /** CSS pixels; by default 1280 by 800, on mobile 320 by 640. */
  readonly width?: number;
  readonly height?: number;
  /** Pixels per CSS pixel; 1 by default. */
  readonly scale?: number;
  /** A running browser to open an isolated window in. By default a new browser is started. */
  readonly browser?: Browser;
  /** Profile of the browser: that of an earlier run restarts it. By default it is temporary. */
  readonly userDataDir?: string;
  /** Origins that the page may connect to besides its own. */
  readonly connect?: readonly string[];
  /** The language of the app, by Obsidian's code for it; English by default. */
  readonly language?: string;
  /** The page's current time (milliseconds since 1970); its timers run as usual. */
  readonly now?: number;
}

export interface ChromiumHost {
  readonly page: Page;
  /**
   * Errors of the page and its console. `close` throws if any are left: remove the expected ones.
   */
  readonly pageErrors: string[];
  /** Opens the command palette and types. */
  readonly openPalette: (query?: string) => Promise<void>;
  /** Runs a command from the palette by its title. Throws if it is not the first result. */
  readonly runCommand: (title: string) => Promise<void>;
  /** Returns the titles that the palette lists. */
  readonly commands: (query?: string) => Promise<string[]>;
  readonly press: (...keys: string[]) => Promise<void>;
  readonly setTheme: (theme: 'dark' | 'light') => Promise<void>;
  /** Returns all files in the vault as they are now. */
  readonly snapshot: () => Promise<FileSet>;
  /**
   * Ends the app (by quitting or a crash) and the browser, and starts both again with the same
   * vault and profile. Throws if the browser is shared.
   */
  readonly restart: (how?: 'quit' | 'crash') => Promise<ChromiumHost>;
  readonly close: () => Promise<void>;
}

/** Profile folder of a browser. */
interface Profile {
  readonly folder: string;
  readonly isTemporary: boolean;
}

/** A running browser, or the profile to start one with. */
type Place = { readonly browser: Browser } | Profile;

/**
 * Opens a real Chromium that runs the simulated Obsidian over a vault in memory, with the plugin
 * loaded.
 */
export async function openHost(options: HostOptions = {}): Promise<ChromiumHost> {
  const { browser, userDataDir } = options;
  if (browser) return open(options, { browser });
  if (userDataDir !== undefined) return open(options, { folder: userDataDir, isTemporary: false });
  return open(options, {
    folder: await mkdtemp(join(tmpdir(), 'savepoint-browser-')),
    isTemporary: true,
  });
}

async function open(options: HostOptions, place: Place): Promise<ChromiumHost> {
  const {
    files = {},
    isMobile = false,
    theme = 'dark',
    connect = [],
    language = 'en',
    now,
  } = options;
  const plugin =
    options.plugin === undefined
      ? ((await readPlugin()) as unknown as PluginUnderTest)
      : options.plugin;
  const server = await servePage({
    source: plugin?.source ?? '',
    styles: plugin?.styles ?? '',
    connect,
  });
  const context = await openContext(options, server, place).catch(async (error: unknown) => {
    await server.close();
    await forget(place);
    throw error;
  });
  context.setDefaultTimeout(90_000); // a busy machine must not fail the test
  const pageErrors: string[] = [];
  context.on('weberror', (error) => pageErrors.push(error.error().stack ?? error.error().message));
  context.on(
    'console',
    (message) => void (message.type() === 'error' && pageErrors.push(message.text())),
  );
  const page = context.pages()[0] ?? (await context.newPage());
  if (now !== undefined) await page.clock.setFixedTime(now);
  await page.goto('browser' in place ? server.address : PAGE_ADDRESS);
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
      const first = await page
        .locator('.prompt-results .suggestion-item')
        .first()
        .textContent({ timeout: 60_000 });
      if (first !== title)
        throw new Error(`The palette offers "${first ?? 'nothing'}" first for "${title}".`);
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
      if ('browser' in place)
        throw new Error('Only a host with a browser of its own can be restarted.');
      const left = await page.evaluate(async (isQuit) => {
        const { medium } = window.__host;
        if (isQuit) await window.__host.host.quit();
        return medium.snapshot();
      }, how === 'quit');
      await stop();
      failOn(pageErrors);
      return open({ ...options, files: left }, place);
    },
    async close() {
      await stop();
      await forget(place);
      failOn(pageErrors);
    },
  };
  const start = { files, isMobile, theme };
  await page
    .evaluate(
      ([given, manifest]) => {
        // Held, because the browser's debugger does not keep a promise alive that it waits for.
        window.__started = window.__host.start({
          ...given,
          ...(manifest && { plugin: { source: window.__pluginSource, manifest } }),
        });
        return window.__started;
      },
      [start, plugin?.manifest] as const,
    )
    .catch(async (error: unknown) => {
      await stop();
      await forget(place);
      throw error;
    });
  return host;
}

function openContext(
  options: HostOptions,
  { flags }: PageServer,
  place: Place,
): Promise<BrowserContext> {
  const { isMobile = false, scale = 1 } = options;
  const { width = isMobile ? 320 : 1280, height = isMobile ? 640 : 800 } = options;
  const window = { width, height, isMobile, scale };
  return 'browser' in place
    ? openWindow(place.browser, window)
    : launch({ userDataDir: place.folder, flags, ...window });
}

/** Processes of the browser may still write after it has closed. */
async function forget(place: Place): Promise<void> {
  if ('isTemporary' in place && place.isTemporary)
    await rm(place.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function failOn(pageErrors: readonly string[]): void {
  if (pageErrors.length > 0)
    throw new Error(`The page has reported errors:\n${pageErrors.join('\n')}`);
}
