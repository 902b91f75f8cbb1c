import { expect, test } from 'vitest';
import { stateNamed } from '../../fakes/test-vault.js';
import { open } from '../shared-browser.js';
import { vaultAfter } from './settings-window.js';
import { inFull } from '../../tier.js';

const testInFull = test.runIf(inFull('notices on each screen'));

const LONG = `Beds and ${'pots '.repeat(30)}drawn`;

/** Opens the state with the long name, in a window of this kind. */
async function openLong(options: { readonly isMobile?: boolean; readonly direction?: string }) {
  const files = await vaultAfter((vault) =>
    vault.data('createState', stateNamed(LONG, { nextSteps: ['Order seeds'] })),
  );
  const host = await open({ files, ...options });
  const { page } = host;
  await page.evaluate(
    (direction) => (document.documentElement.dir = direction),
    options.direction ?? '',
  );
  await host.runCommand('Savepoint: Open memory');
  for (const title of ['Default', 'Beds and'])
    await page.locator('.savepoint-line', { hasText: title }).first().click();
  await page.getByRole('article').waitFor();
  return host;
}

testInFull.for([false, true])(
  'a notice is short and covers no button (phone: %s)',
  async (isMobile) => {
    const { page } = await openLong({ isMobile });
    const archive = page.getByRole('button', { name: 'Archive state' });
    await archive.click();
    const notice = page.locator('.notice', { hasText: 'Archived state "Beds and' });
    await notice.waitFor();
    expect((await notice.locator('.notice-message').innerText()).length).toBeLessThan(90);
    const restore = page.getByRole('button', { name: 'Restore state' });
    await restore.waitFor();
    const [above, below] = [await restore.boundingBox(), await notice.boundingBox()];
    expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
  },
);

test('the number of a step is visible in an app from right to left', async () => {
  const { page } = await openLong({ direction: 'rtl' });
  const step = page.locator('.savepoint-part ol > li');
  const view = await page.locator('.savepoint-scroller').boundingBox();
  const box = await step.boundingBox();
  expect(box!.x - view!.x).toBeGreaterThan(20);
});
