// Tier full: a resumed state at each width
import { expect, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { expectNoViolations } from '../axe.js';
import { open } from '../shared-browser.js';
import { button, composer, messages, say } from './chat-window.js';
import { vaultAfter } from './settings-window.js';

test.each([1280, 380, 320])(
  'without a model, a resumed state shows its next steps first and links its files, at %i px',
  async (width) => {
    const made = await vaultAfter(async (vault) => {
      await vault.call(
        'createState',
        stateNamed('Beds drawn', {
          description: 'South side',
          nextSteps: ['Order seeds', 'Water them'],
          activeFiles: ['Garden/Beds.md', 'Gone.md'],
        }),
      );
    });
    const host = await open({
      files: { ...made, 'Garden/Beds.md': 'Beds' },
      width,
      height: 700,
      isMobile: width < 400,
    });
    await host.runCommand('Savepoint: Resume state');
    await host.page.keyboard.type('Beds');
    await host.press('Enter');
    const card = host.page.locator('.savepoint-data-card[open]');
    await card.waitFor();
    const text = await card.locator('.savepoint-data-text').innerText();
    expect(text).toMatch(/^Next steps\n+1\. Order seeds\n2\. Water them\n+Description/);
    expect(await card.getByRole('link').allInnerTexts()).toEqual(['Garden/Beds.md']);
    expect(text).toContain('Gone.md');
    await expectNoViolations(host.page, '.savepoint-chat');
    expect(await button(host, 'Copy as prompt').count()).toBe(1);

    await composer(host).waitFor();
    await say(host, 'Seeds are ordered.');
    await expect.poll(() => messages(host).count()).toBe(2);
    await button(host, 'Copy as prompt').click();
    await expect
      .poll(() => host.page.evaluate(() => navigator.clipboard.readText()))
      .toContain('Order seeds');
    await card.getByRole('link').focus();
    await host.press('Enter');
    await expect
      .poll(() => host.page.evaluate(() => window.__host.host.app.workspace.getActiveFile()?.path))
      .toBe('Garden/Beds.md');
  },
);

test('in German, a resumed state has German headings', async () => {
  const files = await vaultAfter((vault) =>
    vault.data(
      'createState',
      stateNamed('Beete', {
        description: 'Südseite',
        nextSteps: ['Samen bestellen'],
        activeFiles: ['Gone.md'],
      }),
    ),
  );
  const host = await open({ files, language: 'de' });
  await host.runCommand(`Savepoint: ${germanTexts().commands.names.resumeState}`);
  await host.page.keyboard.type('Beete');
  await host.press('Enter');
  const card = host.page.locator('.savepoint-data-card[open] .savepoint-data-text');
  await card.waitFor();
  const shown = await card.innerText();
  for (const heading of ['Nächste Schritte', 'Beschreibung', 'Kontext', 'Dateien'])
    expect(shown).toMatch(new RegExp(`^${heading}$`, 'mu'));
  expect(shown).not.toMatch(/Next steps|Description|Context|Active task|Files/u);
});
