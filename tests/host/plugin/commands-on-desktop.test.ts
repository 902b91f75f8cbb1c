// Tier full: every command on a real disk; commands.test.ts runs each in memory
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startNodeHost, type NodeHost } from '../node-host.js';

const MAIN = fileURLToPath(new URL('../../../main.js', import.meta.url));

/** Opens a vault on a real disk in the desktop app. Commands and forms are used as a user would. */
async function open() {
  const vault = await mkdtemp(join(tmpdir(), 'savepoint-commands-'));
  await mkdir(join(vault, 'Garden'));
  await writeFile(join(vault, 'Garden/Beds.md'), '# Beds');
  const node = await startNodeHost({ vault, plugin: MAIN });
  onTestFinished(async () => {
    await node.kill();
    await rm(vault, { recursive: true, force: true });
  });
  const person = by(node);
  await expect.poll(() => person.texts('.status-bar-item')).toContain('Default');
  return { vault, node, ...person };
}

function by(node: NodeHost) {
  return {
    run: (id: string) =>
      node.evaluate((host, command) => host.runCommand(`savepoint:${command}`), id),
    /** Commands of the plugin that the palette offers. */
    offered: () =>
      node.evaluate((host) =>
        host.app.commands
          .listCommands()
          .flatMap(({ id }) => (id.startsWith('savepoint:') ? [id.slice(10)] : [])),
      ),
    fill: (fields: Record<string, string>) =>
      node.evaluate((_, given) => {
        for (const [label, value] of Object.entries(given)) {
          const name = [...document.querySelectorAll('.savepoint-form label')].find(
            (each) => each.textContent === label,
          );
          const input = document.getElementById(
            name?.getAttribute('for') ?? '',
          ) as HTMLInputElement;
          input.value = value;
          input.dispatchEvent(new Event('input', { bubbles: true }));
        }
      }, fields),
    press: (key: string, ctrlKey = false) =>
      node.evaluate(
        (_, given) => {
          const target = document.activeElement ?? document.body;
          target.dispatchEvent(
            new KeyboardEvent('keydown', { ...given, bubbles: true, cancelable: true }),
          );
        },
        { key, ctrlKey },
      ),
    texts: (selector: string) =>
      node.evaluate(
        (_, wanted) => [...document.querySelectorAll(wanted)].map((each) => each.textContent),
        selector,
      ),
  };
}

test('every command works on desktop with a real disk', async () => {
  const { vault, node, run, offered, fill, press, texts } = await open();
  expect(await offered()).toEqual(
    expect.arrayContaining([
      'create-workspace',
      'save-state',
      'search-memory',
      'verify-memory',
      'open-memory',
    ]),
  );
  expect(await offered()).not.toContain('resume-state');

  await run('create-workspace');
  await expect.poll(() => texts('.savepoint-form label')).toContain('Name');
  await fill({
    Name: 'Garden',
    Description: 'Beds',
    Purpose: 'Grow',
    Folder: 'Garden/New',
    Preferences: 'tone: plain',
  });
  await press('Enter', true);
  await expect
    .poll(() => texts('.notice-message'))
    .toEqual(['Created workspace "Garden" and switched to it.']);
  expect(await readdir(join(vault, 'Garden'))).toContain('New');

  await run('save-state');
  await expect.poll(() => texts('.savepoint-form label')).toContain('Tags');
  await fill({
    Name: 'x'.repeat(10_000),
    'Where are you?': 'Drew beds',
    'What next?': 'Choose plants',
  });
  await press('Enter', true);
  await expect
    .poll(() => texts('.setting-item-error'))
    .toEqual(['Name has 10000 characters; use at most 200.']);
  await fill({ Name: '<img src=x onerror=alert(1)>' });
  await press('Enter', true);
  await expect
    .poll(async () => (await texts('.notice-message')).at(-1))
    .toBe('Saved state "<img src=x onerror=alert(1)>".');

  await run('archive-state');
  await expect
    .poll(() => texts('.prompt .suggestion-title'))
    .toEqual(['<img src=x onerror=alert(1)>']);
  await press('Enter');
  await expect.poll(offered).toContain('restore-state');
  expect(await offered()).not.toContain('archive-state');
  await run('undo-last-action');
  await expect.poll(offered).toContain('archive-state');

  await run('archive-workspace');
  await expect.poll(() => texts('.prompt .suggestion-title')).toEqual(['Garden']);
  await press('Enter');
  await expect.poll(() => texts('.status-bar-item')).toContain('Default');
  await run('restore-workspace');
  await expect.poll(() => texts('.prompt .suggestion-title')).toEqual(['Garden']);
  await press('Enter');
  await expect.poll(offered).toContain('archive-workspace');
  await run('switch-workspace');
  await expect.poll(() => texts('.prompt .suggestion-title')).toEqual(['Default', 'Garden']);
  await press('ArrowDown');
  await press('Enter');
  await expect.poll(() => texts('.status-bar-item')).toContain('Garden');

  await run('verify-memory');
  await expect.poll(() => texts('.savepoint-verdict-title')).toEqual(['Everything is intact']);
  await press('Escape');
  expect(await texts('.modal, .prompt')).toEqual([]);
  expect(node.errors).toEqual([]);
});

test('verification reports a line that was edited by hand', async () => {
  const { vault, run, fill, press, texts } = await open();
  await run('create-workspace');
  await expect.poll(() => texts('.savepoint-form label')).toContain('Name');
  await fill({ Name: 'Garden', Description: 'Beds', Purpose: 'Grow' });
  await press('Enter', true);
  await expect.poll(() => texts('.notice-message')).toHaveLength(1);
  const [month] = await readdir(join(vault, 'Savepoint/core'));
  const folder = join(vault, 'Savepoint/core', month!);
  const [segment] = await readdir(folder);
  const lines = (await readFile(join(folder, segment!), 'utf8')).split('\n');
  await writeFile(
    join(folder, segment!),
    lines.map((line) => line.replace('Beds', 'Bets')).join('\n'),
  );
  await run('verify-memory');
  await expect
    .poll(() => texts('.savepoint-verdict-title'))
    .toEqual(['Some data is missing or damaged']);
  expect((await texts('.savepoint-finding-title')).join()).toContain(
    'Lines that were changed by a person or a program',
  );
});
