import { expect, it } from 'vitest';
import { openWindow } from '../browser.js';
import { sharedBrowser } from '../shared-browser.js';

export function useAndKill(): void {
  it('the browser works, and is killed', async () => {
    const browser = await sharedBrowser();
    const context = await openWindow(browser, { width: 400, height: 400, isMobile: false });
    const page = await context.newPage();
    expect(await page.evaluate(() => 6 * 7)).toBe(42);
    const died = new Promise((resolve) => browser.once('disconnected', resolve));
    const debuggerOfBrowser = await browser.newBrowserCDPSession();
    await expect(debuggerOfBrowser.send('Browser.crash')).rejects.toThrow('closed');
    await died;
  });
}
