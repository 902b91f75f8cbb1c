import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserServer,
} from 'playwright-core';
import { findBrowser, type BrowserProgram } from './find-browser.js';

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

let program: Promise<BrowserProgram> | undefined;

/** Returns how to start the browser of this machine, which is looked for once per process. */
async function started(flags: readonly string[] = []) {
  return { ...(await (program ??= findBrowser())), headless: true, args: [...FLAGS, ...flags] };
}

/** Starts Chromium with a profile. Throws a one-line error if no Chromium runs here. */
export async function launch({
  userDataDir,
  flags,
  ...window
}: LaunchOptions): Promise<BrowserContext> {
  const options = { ...(await started(flags)), ...windowOptions(window) };
  return chromium.launchPersistentContext(userDataDir, options);
}

/** Starts a Chromium for this process alone. It ends with the process. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(await started());
}

/** Starts a Chromium for several processes. It ends with the process that started it. */
export async function launchServer(): Promise<BrowserServer> {
  return chromium.launchServer(await started());
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
