import type { TestProject } from 'vitest/node';
import { launchServer } from './browser.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address at which the Chromium of this run accepts connections. */
    readonly chromium: string;
  }
}

/** Starts one Chromium for all tests of the run. Throws a one-line error if none is installed. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await launchServer();
  provide('chromium', server.wsEndpoint());
  return () => server.close();
}
