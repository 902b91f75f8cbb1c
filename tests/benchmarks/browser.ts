import { openHost, type ChromiumHost, type HostOptions } from '../host/chromium.js';
import { NoBrowserError } from '../host/find-browser.js';
import { NotRunError } from './lib.js';

/** Opens the plugin in a simulated Obsidian. Throws a NotRunError where no Chromium runs. */
export async function openBrowser(options?: HostOptions): Promise<ChromiumHost> {
  try {
    return await openHost(options);
  } catch (error) {
    if (error instanceof NoBrowserError) throw new NotRunError(error.message);
    throw error;
  }
}
