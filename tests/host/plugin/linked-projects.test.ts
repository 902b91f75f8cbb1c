// Tier full: starts the desktop app and the program
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vaultStateFolder } from '../../../src/node/ports/state-folder.js';
import { runProgram, temporaryFolder } from '../../fakes/program.js';
import { node } from '../../node/folders.js';
import { createDesktopPlace, startDesktop, whenShown, type DesktopPlace } from './desktop-app.js';

/** What the shell shows of the links and excluded folders of a device. */
async function linksOf(state: string) {
  const { stdout } = await runProgram(['links', '--json', '--state', state]);
  const { links, excludedFolders } = JSON.parse(stdout) as {
    links: { folder: string; workspaceName: string; capture: string }[];
    excludedFolders: string[];
  };
  return {
    links: links.map(({ folder, workspaceName, capture }) => [folder, workspaceName, capture]),
    excludedFolders,
  };
}

/** Writes what a session of the vault's projects would be told. Returns its path. */
function prepareBrief({ vault, state }: DesktopPlace): string {
  const folder = join(vaultStateFolder(node, state, realpathSync(vault)), 'briefs');
  mkdirSync(folder, { recursive: true });
  const brief = join(folder, 'brief.json');
  writeFileSync(brief, '{}');
  return brief;
}

function toldIn({ state }: DesktopPlace): unknown {
  const stored = readFileSync(join(state, 'capture/settings.json'), 'utf8');
  const { links } = JSON.parse(stored) as { links: { tell?: string }[] };
  return links[0]?.tell;
}

test('projects are linked and folders excluded in the settings as in the shell', async () => {
  const place = createDesktopPlace();
  const project = realpathSync(temporaryFolder('project'));
  mkdirSync(join(project, 'src'));
  writeFileSync(join(project, 'src/a.ts'), '');
  const { host, texts, clickNow, openPage } = await startDesktop(place);
  const names = () => texts('.modal .setting-item-name');
  const problems = () => texts('.modal .setting-item-error');
  const fill = (folder: string) =>
    whenShown(() =>
      host.evaluate((_, value) => {
        const input = document.querySelector<HTMLInputElement>('.savepoint-form input');
        if (!input) throw new Error('There is no form');
        input.value = value;
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }, folder),
    );
  await openPage('Capture');
  await clickNow('.modal button, .modal .clickable-icon', 'Link a project');
  for (const wrong of [place.vault, 'src', join(project, 'gone')]) {
    await fill(wrong);
    await clickNow('.modal button', 'Link');
    await expect.poll(problems).toEqual([expect.stringContaining(`"${wrong}" is not a project`)]);
  }
  await fill(project);
  await clickNow('.modal button', 'Link');
  await expect.poll(names).toContain(project);
  expect((await linksOf(place.state)).links).toEqual([[project, 'Default', 'all']]);

  const told = `.modal select[aria-label="What agents in ${project} are told from memory"]`;
  const shown = () =>
    host.evaluate((_, at) => document.querySelector<HTMLSelectElement>(at)?.value, told);
  expect(await shown()).toBe('prompt');
  const brief = prepareBrief(place);
  await host.evaluate((_, at) => {
    const select = document.querySelector<HTMLSelectElement>(at)!;
    select.value = 'off';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, told);
  await expect.poll(() => existsSync(brief)).toBe(false);
  expect(toldIn(place)).toBe('off');
  expect(await shown()).toBe('off');

  await clickNow('.modal button, .modal .clickable-icon', 'Exclude a folder');
  await fill(join(project, 'none'));
  await clickNow('.modal button', 'Exclude');
  await expect.poll(problems).toEqual([expect.stringContaining('There is no folder')]);
  await fill(join(project, 'src'));
  await clickNow('.modal button', 'Exclude');
  await expect.poll(names).toContain(join(project, 'src'));
  expect((await linksOf(place.state)).excludedFolders).toEqual([join(project, 'src')]);

  await host.evaluate((_, name) => {
    const item = [...document.querySelectorAll('.modal .setting-item')].find(
      (each) => each.querySelector('.setting-item-name')?.textContent === name,
    );
    item?.querySelector<HTMLElement>('.clickable-icon')?.click();
  }, project);
  await expect.poll(names).not.toContain(project);
  expect((await linksOf(place.state)).links).toEqual([]);
  await clickNow('.notice button', 'Undo');
  await expect.poll(names).toContain(project);
  expect((await linksOf(place.state)).links).toEqual([[project, 'Default', 'all']]);
  expect(host.errors).toEqual([]);
});
