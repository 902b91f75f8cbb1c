// Tier full: the app on a phone and on desktop; tests/obsidian/memory tests each case in Node
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { garden } from '../../fakes/test-vault.js';
import type { ChromiumHost } from '../chromium.js';
import { startNodeHost } from '../node-host.js';
import { open } from '../shared-browser.js';
import { openSettings, press, row, textIn, vaultAfter } from './settings-window.js';

const MAIN = fileURLToPath(new URL('../../../main.js', import.meta.url));
const NOTE = 'Savepoint/notes/Garden/Tasks.md';

const filled = () =>
  vaultAfter(async (vault) => {
    await vault.data('createWorkspace', garden);
    for (const title of ['Dig', 'Sow'])
      await vault.data('createRecord', { resource: 'issue', title });
  });

const noteOf = async (host: ChromiumHost) => textIn(await host.snapshot(), NOTE) ?? '';

const recordOf = async (host: ChromiumHost) =>
  textIn(await host.snapshot(), 'Savepoint/notes/Garden/Records/Sow.md') ?? '';

const ticked = (title: string, isTicked = true) => [
  `- [${isTicked ? ' ' : 'x'}] ${title}`,
  `- [${isTicked ? 'x' : ' '}] ${title}`,
];

/** Ticks or unticks the box of a task in the note, as the app does. */
const tick = ({ page }: ChromiumHost, title: string, isTicked = true) =>
  page.evaluate(
    async ([path, [from, to]]) => {
      const { vault } = window.__host.host.app;
      await vault.process(vault.getFileByPath(path)!, (text) => text.replace(from!, to!));
    },
    [NOTE, ticked(title, isTicked)] as const,
  );

/** Brings the log and the notes of one device to the other one. */
async function carry(from: ChromiumHost, to: ChromiumHost): Promise<void> {
  const [files, known] = [await from.snapshot(), await to.snapshot()];
  for (const path of Object.keys(files)) {
    const text = textIn(files, path);
    if (text === undefined || !path.startsWith('Savepoint/') || textIn(known, path) === text)
      continue;
    await to.page.evaluate(
      async ([file, content]) => {
        const { adapter } = window.__host.host.app.vault;
        let folder = '';
        for (const part of file.split('/').slice(0, -1)) {
          folder = folder === '' ? part : `${folder}/${part}`;
          if (!(await adapter.exists(folder))) await adapter.mkdir(folder);
        }
        await adapter.write(file, content);
      },
      [path, text] as const,
    );
  }
}

test('a box that is ticked on a phone marks the task done, and others see it', async () => {
  const [phone, desk] = [
    await open({ files: await filled(), isMobile: true, height: 800 }),
    await open({ files: await filled() }),
  ];
  await openSettings(desk);
  const name = 'Write each state as a note';
  await press(desk.page, row(desk.page, name).locator('input, [role="switch"]').first(), 'Space');
  await expect.poll(() => noteOf(desk)).toMatch(/- \[ \] Dig \^sp-\w+\n- \[ \] Sow/u);
  await desk.page.keyboard.press('Escape');

  const { clock } = desk.page;
  await clock.install();
  // the phone does not write notes, so its tick counts once it has reached the desk
  await carry(desk, phone);
  await tick(phone, 'Sow');
  await carry(phone, desk);
  await clock.fastForward(11_000);
  await expect.poll(() => recordOf(desk)).toContain('status: "done"');
  expect(await noteOf(desk)).toMatch(/- \[ \] Dig \S+\n- \[x\] Sow \^sp-\w+\n$/u);

  await carry(desk, phone);
  await phone.runCommand('Savepoint: Open memory');
  const rows = phone.page.locator('.savepoint-line');
  await rows.filter({ hasText: 'Garden' }).first().click();
  await rows.filter({ hasText: 'Dig' }).first().waitFor();
  const done = phone.page.locator('[aria-checked="true"]');
  await expect.poll(() => done.allTextContents()).toEqual([expect.stringContaining('Sow')]);

  await tick(desk, 'Sow', false);
  await clock.fastForward(61_000);
  await expect.poll(() => recordOf(desk)).toContain('status: "open"');
  expect(Object.keys(await desk.snapshot()).filter((path) => path.includes('edited'))).toEqual([]);
});

test('a box that was ticked while the app was closed is read on desktop', async () => {
  const vault = await mkdtemp(join(tmpdir(), 'savepoint-tasks-'));
  onTestFinished(() => rm(vault, { recursive: true, force: true }));
  const storageFile = `${vault}-storage.json`;
  onTestFinished(() => rm(storageFile, { force: true }));
  const start = async () => {
    const node = await startNodeHost({ vault, plugin: MAIN, storageFile });
    onTestFinished(() => node.kill());
    const status = () =>
      node.evaluate(() =>
        [...document.querySelectorAll('.status-bar-item')].map((each) => each.textContent),
      );
    await expect.poll(status).toContain('Default');
    return node;
  };
  const first = await start();
  await first.evaluate((host) => host.app.saveLocalStorage('savepoint-mirror', true));
  await first.quit();
  const second = await start();
  const path = join(vault, 'Savepoint/notes/Default/Tasks.md');
  const note = () => readFile(path, 'utf8').catch(() => '');
  await second.evaluate((host) => host.runCommand('savepoint:new-task'));
  await expect
    .poll(() => second.evaluate(() => document.querySelectorAll('.savepoint-form label').length))
    .toBeGreaterThan(0);
  await second.evaluate(() => {
    const label = [...document.querySelectorAll('.savepoint-form label')].find(
      (each) => each.textContent === 'Title',
    );
    const input = document.getElementById(label?.getAttribute('for') ?? '') as HTMLInputElement;
    input.value = 'Dig';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }),
    );
  });
  await expect.poll(note).toContain('- [ ] Dig');
  expect(second.errors).toEqual([]);
  await second.quit();
  await writeFile(path, (await note()).replace('- [ ] Dig', '- [x] Dig'));
  const third = await start();
  const record = () => readFile(join(vault, 'Savepoint/notes/Default/Records/Dig.md'), 'utf8');
  await expect.poll(record).toContain('status: "done"');
  expect(await note()).toMatch(/- \[x\] Dig \^sp-\w+\n$/u);
  expect(third.errors).toEqual([]);
});
