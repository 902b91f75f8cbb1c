import type { TestProject } from 'vitest/node';
import { launchServer } from './browser.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address at which the Chromium of this run takes connections. */
    readonly chromium: string;
  }
}

/** Starts one Chromium for all tests of the run, and ends it with the run. Throws in one line if there is none. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await launchServer();
  provide('chromium', server.wsEndpoint());
  return () => server.close();
}
