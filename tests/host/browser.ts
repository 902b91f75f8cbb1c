import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserServer,
} from 'playwright-core';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The shell is Chromium without the windows of a browser, which take half of the time to open a
 * page.
 */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const MISSING =
  'No Chromium was found, and these tests need a real one: install the Debian package "chromium-headless-shell" or "chromium", ' +
  'or without root "npm install --no-save @sparticuz/chromium", or set CHROME_BIN to the path of a Chromium or Chrome.';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface WindowOptions {
  readonly width: number;
  readonly height: number;
  /** Whether it has a touch screen instead of a mouse. */
  readonly isMobile: boolean;
  /** Pixels per CSS pixel; 1 by default. */
  readonly scale?: number;
}

export interface LaunchOptions extends WindowOptions {
  /** Folder of the browser's profile. Passing the same folder again restarts the browser. */
  readonly userDataDir: string;
  readonly flags: readonly string[];
}

/** Starts Chromium with a profile. Throws a one-line error if no Chromium is installed. */
export async function launch({
  userDataDir,
  flags,
  ...window
}: LaunchOptions): Promise<BrowserContext> {
  const { executablePath, args } = await findBrowser();
  const program = { executablePath, headless: true, args: [...FLAGS, ...args, ...flags] };
  return chromium.launchPersistentContext(userDataDir, { ...program, ...windowOptions(window) });
}

/** Starts a Chromium for several processes. It ends with the process that started it. */
export async function launchServer(): Promise<BrowserServer> {
  const { executablePath, args } = await findBrowser();
  return chromium.launchServer({ executablePath, headless: true, args: [...FLAGS, ...args] });
}

/** Connects to a running Chromium. */
export function connectTo(address: string): Promise<Browser> {
  return chromium.connect(address);
}

/** Opens an isolated window, whose storage is deleted when it closes. */
export function openWindow(browser: Browser, options: WindowOptions): Promise<BrowserContext> {
  return browser.newContext(windowOptions(options));
}

function windowOptions({
  width,
  height,
  isMobile,
  scale = 1,
}: WindowOptions): BrowserContextOptions {
  return {
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width, height },
    deviceScaleFactor: scale,
    hasTouch: isMobile,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  };
}

/** Looks for CHROME_BIN, then on the PATH, then for the browser from npm. */
export async function findBrowser(
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ executablePath: string; args: string[] }> {
  const named = env['CHROME_BIN'];
  if (named !== undefined && named !== '') {
    if (!isProgram(named))
      throw new Error(`CHROME_BIN is "${named}", where no program is. ${MISSING}`);
    return { executablePath: named, args: [] };
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(
    isProgram,
  );
  if (found !== undefined) return { executablePath: found, args: [] };
  const packed = await loadPacked();
  if (!packed) throw new Error(MISSING);
  return { executablePath: await packed.executablePath(), args: packed.args };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return false;
    throw error;
  }
}

interface PackedChromium {
  readonly args: string[];
  executablePath(): Promise<string>;
}

async function loadPacked(): Promise<PackedChromium | undefined> {
  const name = '@sparticuz/chromium';
  try {
    const module = (await import(/* @vite-ignore */ name)) as { default: PackedChromium };
    return module.default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
