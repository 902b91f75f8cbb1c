import type { Browser } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import { connectTo } from './browser.js';
import { openHost, type ChromiumHost, type HostOptions } from './chromium.js';

export interface OpenOptions extends HostOptions {
  /** Whether the test restarts the browser, which is then not shared. */
  readonly isRestarted?: boolean;
}

/** The connection of this worker, shared by its files. It ends with the worker. */
let browser: Promise<Browser> | undefined;

/**
 * Opens a host until the end of the test, in an isolated window of the run's browser
 * (launch-browser.ts).
 */
export async function open({
  isRestarted = false,
  ...options
}: OpenOptions): Promise<ChromiumHost> {
  const host = await openHost(
    isRestarted
      ? options
      : { browser: await (browser ??= connectTo(inject('chromium'))), ...options },
  );
  onTestFinished(() => host.close());
  return host;
}
