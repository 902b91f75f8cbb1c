import type { Browser } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import { connectTo, launchBrowser } from './browser.js';
import { openHost, type ChromiumHost, type HostOptions } from './chromium.js';

export interface OpenOptions extends HostOptions {
  /** Whether the test restarts the browser, which is then not shared. */
  readonly isRestarted?: boolean;
}

let browser: Promise<Browser> | undefined;

/**
 * Returns the connection of this worker to the run's browser (launch-browser.ts), shared by its
 * files, or a browser of its own if that one has died. It ends with the worker.
 */
export async function sharedBrowser(): Promise<Browser> {
  const last = browser;
  if ((await last)?.isConnected() === true) return last as Promise<Browser>;
  if (browser === last) browser = connectTo(inject('chromium')).catch(launchBrowser);
  return browser as Promise<Browser>;
}

/** Opens a host until the end of the test, in an isolated window of the shared browser. */
export async function open({
  isRestarted = false,
  ...options
}: OpenOptions): Promise<ChromiumHost> {
  const host = await openHost(
    isRestarted ? options : { browser: await sharedBrowser(), ...options },
  );
  onTestFinished(() => host.close());
  return host;
}
