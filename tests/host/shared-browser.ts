import type { Browser } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { launchForMany } from './browser.js';
import { openHost, type ChromiumHost, type HostOptions } from './chromium.js';

export interface OpenOptions extends HostOptions {
  /** Whether the browser is restarted, which is then one of this test's own. */
  readonly isRestarted?: boolean;
}

let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

/** Opens a host until the end of the test, in a browser for all tests of the file: to start one takes longer than most of them. */
export async function open({
  isRestarted = false,
  ...options
}: OpenOptions): Promise<ChromiumHost> {
  const host = await openHost(
    isRestarted ? options : { browser: await (browser ??= launchForMany()), ...options },
  );
  onTestFinished(() => host.close());
  return host;
}
