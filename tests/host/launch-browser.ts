import type { TestProject } from 'vitest/node';
import { launchServer } from './browser.js';
import { NoBrowserError } from './find-browser.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address at which the Chromium of this run accepts connections; empty if none runs here. */
    readonly chromium: string;
  }
}

/**
 * Starts one Chromium for all tests of the run. If none runs on this machine, it says so in one
 * line, and skip-without-browser.ts skips the tests.
 */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  try {
    const server = await launchServer();
    provide('chromium', server.wsEndpoint());
    return () => server.close();
  } catch (error) {
    if (!(error instanceof NoBrowserError)) throw error;
    process.stdout.write(`The browser tests are skipped. ${error.message}\n`);
    provide('chromium', '');
    return () => Promise.resolve();
  }
}
