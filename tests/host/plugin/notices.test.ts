import { describe, expect, test } from 'vitest';
import { stateNamed } from '../../fakes/test-vault.js';
import { open } from '../shared-browser.js';
import { composer, openChat } from './chat-window.js';
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

describe('notices', () => {
  testInFull('replace each other, but not a failure', async () => {
    const { page } = await openLong({});
    const notices = page.locator('.notice');
    await page.getByRole('button', { name: 'Archive state' }).click();
    await notices.filter({ hasText: 'Archived state' }).waitFor();
    await page.getByRole('button', { name: 'Restore state' }).click();
    await notices.filter({ hasText: 'Restored state' }).waitFor();
    expect(await notices.count()).toBe(1);
    await page.evaluate(() => (window.__host.medium.faults.isFull = true));
    await page.getByRole('button', { name: 'Archive state' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /full|space/u })
      .waitFor();
    await page.evaluate(() => (window.__host.medium.faults.isFull = false));
    await page.getByRole('button', { name: 'Archive state' }).click();
    await notices.filter({ hasText: 'Archived state' }).waitFor();
    await page
      .getByRole('alert')
      .filter({ hasText: /full|space/u })
      .waitFor();
  });

  testInFull('that stay until they are clicked are neither replaced nor covered', async () => {
    const { page } = await openLong({});
    await page.evaluate(async () => {
      const { app } = window.__host.host;
      app.saveLocalStorage('savepoint-import', 'chats.zip');
      await app.plugins.disablePlugin('savepoint');
      await app.plugins.enablePlugin('savepoint');
    });
    const lasting = page.locator('.notice', { hasText: 'chats.zip was interrupted' });
    await lasting.waitFor();
    await page.getByRole('button', { name: 'Archive state' }).click();
    const brief = page.locator('.notice', { hasText: 'Archived state' });
    await brief.waitFor();
    const [above, below] = [await lasting.boundingBox(), await brief.boundingBox()];
    expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
    await page.getByRole('button', { name: 'Restore state' }).click();
    await page.locator('.notice', { hasText: 'Restored state' }).waitFor();
    expect(await page.locator('.notice').count()).toBe(2);
  });

  testInFull('without a button stay for four seconds', async () => {
    const { page } = await openLong({});
    await page.clock.install();
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
    await page.getByRole('button', { name: 'Copy as prompt' }).click();
    const notice = page.locator('.notice', { hasText: 'as a prompt' });
    await notice.waitFor();
    await page.clock.runFor(3_900);
    expect(await notice.count()).toBe(1);
    await page.clock.runFor(200);
    expect(await notice.count()).toBe(0);
  });

  testInFull.for([{}, { isMobile: true }, { isMobile: true, width: 380, height: 420 }])(
    'are above the composer, however high it is (%j)',
    async (options) => {
      const files = await vaultAfter((vault) => vault.data('createState', stateNamed('Beds')));
      const { host } = await openChat([], { files, ...options });
      const { page } = host;
      await composer(host).fill('One\nTwo\nThree\nFour');
      await host.runCommand('Savepoint: Archive state');
      await page.locator('.suggestion-item', { hasText: 'Beds' }).click();
      const notice = page.locator('.notice', { hasText: 'Archived state' });
      const [above, below] = [
        await notice.boundingBox(),
        await page.locator('.savepoint-composer').boundingBox(),
      ];
      expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
      expect(above!.y).toBeGreaterThan(0);
      expect(above!.x).toBeGreaterThanOrEqual(0);
    },
  );
});

testInFull('Undo is the first command of Savepoint once there is something to undo', async () => {
  const files = await vaultAfter((vault) => vault.data('createState', stateNamed('Beds')));
  const host = await open({ files });
  expect(await host.commands('savepoint')).not.toContain('Savepoint: Undo');
  await host.runCommand('Savepoint: Archive state');
  await host.page.locator('.suggestion-item', { hasText: 'Beds' }).click();
  await host.page.locator('.notice').waitFor();
  expect((await host.commands('savepoint'))[0]).toBe('Savepoint: Undo');
});

testInFull('Undo takes one action after the other back, and its notice offers Redo', async () => {
  const names = ['Beds', 'Paths'];
  const files = await vaultAfter(async (vault) => {
    for (const name of names) await vault.data('createState', stateNamed(name));
  });
  const host = await open({ files });
  const notice = host.page.locator('.savepoint-notice');
  for (const name of names) {
    await host.runCommand('Savepoint: Archive state');
    await host.page.locator('.suggestion-item', { hasText: name }).click();
    await notice.filter({ hasText: `Archived state "${name}".` }).waitFor();
  }
  for (const name of names.toReversed()) {
    await host.runCommand('Savepoint: Undo');
    await notice.filter({ hasText: `Restored state "${name}".` }).waitFor();
  }
  expect(await host.commands('savepoint')).not.toContain('Savepoint: Undo');
  await notice.getByRole('button', { name: 'Redo' }).click();
  await notice.filter({ hasText: 'Archived state "Beds".' }).waitFor();
  await host.runCommand('Savepoint: Undo');
  await notice.filter({ hasText: 'Restored state "Beds".' }).waitFor();
});
