import { describe, expect, onTestFinished, test } from 'vitest';
import type { FileSet } from '../obsidian/memory-medium.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { createMemoryFiles, type MemoryFiles } from '../../fakes/memory-files.js';
import { stateDraft, workspaceDraft } from '../../fakes/events.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';
import { AXE_DEVICES, AXE_THEMES, expectNoViolations } from '../axe.js';
import { openHost, type ChromiumHost, type HostOptions } from '../chromium.js';
import { open as openShared, type OpenOptions } from '../shared-browser.js';
import { inFull } from '../../tier.js';
import { readSampleVault } from '../../../scripts/host-page.mjs';

const testInFull = test.runIf(inFull('further cases of the memory view'));

const IMAGE = '<img src=x onerror="document.title=\'run\'">';

/** Returns a vault with the given notes, and with the memory that `tell` writes. */
async function vaultOf(
  tell: (vault: TestVault) => Promise<unknown>,
  notes: FileSet = {},
): Promise<FileSet> {
  return { ...notes, ...(await toldBy(createMemoryFiles(), 1, tell)) };
}

/** Returns the data folder after another device has run `tell` on the same files. */
async function toldBy(
  files: MemoryFiles,
  seed: number,
  tell: (vault: TestVault) => Promise<unknown>,
): Promise<FileSet> {
  const vault = createTestVault({ files, seed, clock: createTestClock(Date.now()) });
  await tell(vault);
  await vault.idle();
  await vault.log.close();
  return Object.fromEntries(files.paths().map((path) => [path, files.text(path)]));
}

function open(files: FileSet, options: OpenOptions = {}): Promise<ChromiumHost> {
  return openShared({ files, ...options });
}

async function openMemory(files: FileSet, options: HostOptions = {}): Promise<ChromiumHost> {
  const host = await open(files, options);
  await host.runCommand('Savepoint: Open memory');
  await row(host, 'Default').waitFor();
  return host;
}

function row({ page }: ChromiumHost, name: string) {
  const exactly = new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'u');
  return page
    .locator('.savepoint-line')
    .filter({ has: page.locator('.savepoint-line-title > bdi', { hasText: exactly }) });
}

async function go(host: ChromiumHost, ...names: string[]): Promise<void> {
  for (const name of names) await row(host, name).click();
}

/** Returns the titles of the rendered rows. */
function titles({ page }: ChromiumHost): Promise<string[]> {
  return page.locator('.savepoint-line-title > bdi').allTextContents();
}

/** Returns the title of the row that is current for the keyboard. */
function currentTitle({ page }: ChromiumHost): Promise<string | null> {
  return page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant') ?? '';
    return document.getElementById(id)?.querySelector('bdi')?.textContent ?? null;
  });
}

function button({ page }: ChromiumHost, label: string) {
  return page.locator('.savepoint-view').getByRole('button', { name: label, exact: true });
}

function filter({ page }: ChromiumHost) {
  return page.locator('.savepoint-view input');
}

/** Dismisses the notice, which covers the view. */
async function dismiss({ page }: ChromiumHost): Promise<void> {
  await page.locator('.notice').first().click();
  await expect.poll(() => page.locator('.notice').count()).toBe(0);
}

/** Returns the role or the tag of the focused element. */
function focused({ page }: ChromiumHost): Promise<string> {
  return page.evaluate(
    () => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName ?? '',
  );
}

async function withGarden(vault: TestVault): Promise<void> {
  await vault.call('createWorkspace', garden);
  await vault.call(
    'createState',
    stateNamed('Beds drawn', {
      activeTask: 'Choose plants',
      tags: ['winter'],
      nextSteps: ['Ask Ana', 'Order'],
    }),
  );
  // A trace gets its time when it is written, so wait before the clock advances.
  await vault.idle();
  vault.clock.advance(60_000);
  await vault.call('loadState', { name: 'No such state' });
  await vault.idle();
  vault.clock.advance(60_000);
  await vault.call(
    'createState',
    stateNamed('Seeds ordered', {
      activeTask: 'Wait for the parcel',
      nextSteps: ['Ask Ana', 'Sow'],
    }),
  );
}

const gardenVault = () => vaultOf(withGarden);

describe('the memory view', () => {
  test('opens a workspace and a state by keyboard, and returns to the row', async () => {
    const host = await openMemory(await gardenVault());
    for (let presses = 0; presses < 30 && (await focused(host)) !== 'tree'; presses++)
      await host.press('Tab');
    await host.press('End');
    expect(await currentTitle(host)).toBe('Garden');
    await host.press('Enter');
    await expect.poll(() => currentTitle(host)).toBe('Seeds ordered');
    await host.press('End', 'ArrowUp', 'Home', 'ArrowDown');
    expect(await currentTitle(host)).toBe('Beds drawn');
    await host.press('Enter');
    await expect.poll(() => focused(host)).toBe('ARTICLE');
    await host.press('Escape');
    await expect.poll(() => currentTitle(host)).toBe('Beds drawn');
    await host.press('Alt+ArrowLeft');
    await expect.poll(() => currentTitle(host)).toBe('Garden');
  });

  testInFull('expands calls, opens one and collapses them by keyboard', async () => {
    const host = await openMemory(await gardenVault());
    await go(host, 'Garden');
    await expect.poll(() => titles(host)).toContain('Load state failed');
    await host.page.locator('.savepoint-tree').focus();
    await host.press('End', 'ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowDown');
    expect(await currentTitle(host)).toBe('Load state failed');
    await host.press('Enter');
    await expect
      .poll(() => host.page.locator('.modal dl').first().textContent())
      .toContain('State "No such state" not found.');
    await host.press('Escape');
    await expect.poll(() => currentTitle(host)).toBe('Load state failed');
    await host.press('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
    await expect
      .poll(async () => (await titles(host)).filter((title) => title.startsWith('Load state')))
      .toHaveLength(1); // the group
  });

  testInFull('shows a logged trace with its kind and fields', async () => {
    const told = {
      kind: 'quality_gate',
      content: 'Checked\nthe seedlings',
      outcome: 'Two have mildew',
      files: ['Garden/Beds.md'],
    };
    const host = await openMemory(
      await vaultOf((vault) =>
        vault.data('logTrace', { ...told, context: { goal: 'Healthy plants' } }),
      ),
    );
    await go(host, 'Default', 'Healthy plants');
    await row(host, 'Healthy plants').last().click();
    await expect
      .poll(() => row(host, 'Quality gate').textContent())
      .toMatch(/Checked\sthe seedlings · Two have mildew/);
    await go(host, 'Quality gate');
    const modal = host.page.locator('.savepoint-call');
    await modal.waitFor();
    expect(await modal.locator('.modal-title').textContent()).toBe('Quality gate');
    const shown = (await modal.locator('dl').allTextContents()).join('\n');
    for (const text of [
      'Checked\nthe seedlings',
      'Two have mildew',
      'Garden/Beds.md',
      'Healthy plants',
    ])
      expect(shown).toContain(text);
    expect(shown).not.toContain('Parameters');
  });

  testInFull('opens the context menu of a row by keyboard', async () => {
    const host = await openMemory(await gardenVault());
    await host.page.locator('.savepoint-tree').focus();
    await host.press('End', 'Shift+F10');
    expect(await host.page.locator('.menu-item').allTextContents()).toEqual([
      'Open',
      'Switch to "Garden"',
      'Archive workspace',
      'Forget earlier texts…',
    ]);
    await host.press('ArrowDown', 'ArrowDown', 'Enter');
    await expect
      .poll(() => host.page.locator('.savepoint-flair').allTextContents())
      .toEqual(['Current']);
    expect(await row(host, 'Garden').textContent()).toContain('Current');
  });
});

describe('the timeline of the sample vault', () => {
  testInFull('shows states and records on the first screen of a phone, and calm days', async () => {
    const files = await readSampleVault();
    const now = Math.max(...Object.values(files).map(({ mtime }) => mtime)) + 9 * 60_000;
    const host = await open(files, { isMobile: true, width: 320, height: 640, now });
    await host.runCommand('Savepoint: Open memory');
    await go(host, 'Thesis');
    await row(host, 'Finish chapter 3 for Prof. Lindqvist').waitFor();
    const visible = await host.page.locator('.savepoint-line').evaluateAll((lines) => {
      const bottom = document.querySelector('.savepoint-scroller')!.getBoundingClientRect().bottom;
      return lines
        .filter((line) => line.getBoundingClientRect().bottom <= bottom)
        .map((line) => line.querySelector('bdi')?.textContent);
    });
    expect(visible).toEqual([
      'To do',
      'Send chapter 3 to Prof. Lindqvist',
      'Begin the discussion',
      'Chapter 3',
      'Micro-moths go to an appendix with weekly sums',
    ]);
    await host.page.locator('.savepoint-tree').focus();
    await host.press('End');
    await row(host, 'Figures for chapter 3').waitFor();
    const ends = await host.page
      .locator('.savepoint-line[aria-expanded="false"]', { hasText: /\d calls?/u })
      .evaluateAll((lines) =>
        lines.map((line) => line.querySelector('time')?.dateTime.slice(0, 10)),
      );
    expect(ends.length).toBeGreaterThan(1);
    expect(new Set(ends).size).toBe(ends.length);
    const closed = host.page.locator('.savepoint-line', { hasText: '2 closed' });
    await closed.click();
    await row(host, 'Replace the estimates in 3.3').waitFor();
  });
});

describe('the filter', () => {
  testInFull('narrows while typing, announces the count, and searches all on Enter', async () => {
    const host = await openMemory(await gardenVault());
    await go(host, 'Garden');
    await filter(host).fill('winter');
    await expect.poll(() => titles(host)).toEqual(['Beds drawn']);
    expect(await host.page.locator('.savepoint-view [aria-live]').textContent()).toBe(
      '1 state found',
    );
    await filter(host).fill('no such');
    await expect.poll(async () => host.page.getByText('No matches for "no such"').count()).toBe(1);
    await host.press('Enter');
    await host.page.locator('.prompt .suggestion-item', { hasText: 'No such' }).first().click();
    await host.page.locator('.modal', { hasText: 'memoryManager' }).waitFor();
    await host.press('Escape');
    await filter(host).fill('zebra');
    await host.press('Escape');
    expect(await filter(host).inputValue()).toBe('');
  });

  testInFull('handles 10,000 states, and renders only the visible rows', async () => {
    const files = await vaultOf(async ({ log }) => {
      await log.memory();
      for (let from = 0; from < 10_000; from += 500) {
        const wanted = Array.from({ length: 500 }, (_, index) => from + index);
        const drafts = await Promise.all(
          wanted.map((number) =>
            stateDraft(`State ${number}`, `s${String(number).padStart(15, 'a')}`),
          ),
        );
        await log.write(() => ({ drafts, answer: undefined }));
      }
    });
    const host = await openMemory(files);
    await go(host, 'Default');
    await expect.poll(async () => (await titles(host))[0]).toBe('State 9999');
    expect(await host.page.locator('.savepoint-line').count()).toBeLessThan(60);
    await host.page.locator('.savepoint-tree').focus();
    await host.press('End');
    await expect.poll(() => currentTitle(host)).toBe('State 0');
    const withSevens = Array.from({ length: 10_000 }, (_, number) => `${number}`).filter((number) =>
      number.includes('77'),
    ).length;
    await filter(host).pressSequentially('state 77');
    await expect
      .poll(async () => host.page.locator('.savepoint-view [aria-live]').textContent())
      .toBe(`${withSevens} states found`);
    await filter(host).fill('state 7777');
    await expect.poll(() => titles(host)).toEqual(['State 7777']);
  });
});

describe('a state', () => {
  testInFull('links its files, and marks changed, missing and outside ones', async () => {
    const host = await openMemory(
      await vaultOf(
        async (vault) => {
          const activeFiles = ['Old.md', 'New.md', 'Gone.md', '../Outside.md'];
          vault.files.put('Old.md', 'old');
          vault.files.put('New.md', 'before');
          await vault.call('createState', stateNamed('Files', { activeFiles }), {
            defaults: { sessionId: 's', client: 'claude-code', model: 'm1' },
          });
          for (const path of ['Old.md', 'New.md']) await vault.files.remove(path);
        },
        {
          'Old.md': { text: 'old', mtime: Date.now() + 3_600_000 },
          'New.md': { text: 'new', mtime: 1000 },
        },
      ),
    );
    await go(host, 'Default', 'Files');
    const files = () => host.page.locator('.savepoint-files li').allTextContents();
    await expect
      .poll(files)
      .toEqual([
        'Old.md',
        'New.mdChanged since',
        'Gone.mdMissing',
        '../Outside.mdOutside this vault',
      ]);
    expect(await host.page.locator('.savepoint-page > .savepoint-quiet').textContent()).toBe(
      'Saved by Claude Code (m1) now on Laptop; 1 of 4 files changed since',
    );
    expect(await host.page.locator('.savepoint-files a').allTextContents()).toEqual([
      'Old.md',
      'New.md',
    ]);
    expect(await host.page.locator('.savepoint-files s').allTextContents()).toEqual(['Gone.md']);
    const previewed = host.page.evaluate(
      () =>
        new Promise((resolve) =>
          window.__host.host.app.workspace.on('hover-link', (link: { linktext: string }) =>
            resolve(link.linktext),
          ),
        ),
    );
    await host.page.getByRole('link', { name: 'Old.md' }).hover();
    expect(await previewed).toBe('Old.md');
    await host.page.getByRole('link', { name: 'Old.md' }).click();
    await expect
      .poll(() => host.page.evaluate(() => window.__host.host.app.workspace.getActiveFile()?.path))
      .toBe('Old.md');
    await host.page.getByRole('link', { name: 'New.md' }).click({ modifiers: ['Control'] });
    await expect
      .poll(() =>
        host.page.evaluate(
          () => window.__host.host.app.workspace.getLeavesOfType('markdown').length,
        ),
      )
      .toBe(2);
    await host.page.evaluate(() => window.__host.host.app.vault.create('Gone.md', 'back'));
    await expect.poll(async () => (await files())[2]).toBe('Gone.mdCreated since');
  });

  testInFull('shows what git had checked out', async () => {
    const host = await openMemory(
      await vaultOf(async ({ log }) => {
        const draft = await stateDraft('Plan');
        const git = { head: 'b'.repeat(40), branch: 'fix/beds' };
        await log.write(() => ({
          drafts: [{ ...draft, d: { ...draft.d, git } }],
          answer: undefined,
        }));
      }),
    );
    await go(host, 'Default', 'Plan');
    const quiet = host.page.locator('.savepoint-page > .savepoint-quiet');
    await expect
      .poll(async () => (await quiet.allTextContents())[1])
      .toBe('Git branch fix/beds Commit bbbbbbbbbb');
  });

  testInFull(
    'warns of content that is not what was saved, and says nothing of other content',
    async () => {
      const host = await openMemory(
        await vaultOf(async ({ log }) => {
          const whole = await stateDraft('Whole', 'whole');
          const forged = await stateDraft('Forged', 'forged');
          await log.write(() => ({
            drafts: [whole, { ...forged, d: { ...forged.d, activeTask: 'Pay Mallory' } }],
            answer: undefined,
          }));
        }),
      );
      await go(host, 'Default', 'Whole');
      await host.page.getByRole('article', { name: 'Whole' }).waitFor();
      await host.press('Escape');
      await go(host, 'Forged');
      await host.page.getByText('Content differs from what was saved').waitFor();
      await host.press('Escape');
      await go(host, 'Whole');
      await host.page.getByRole('article', { name: 'Whole' }).waitFor();
      expect(await host.page.locator('.savepoint-check').count()).toBe(0);
    },
  );

  testInFull('can be copied as a prompt, and exported as a note with a free name', async () => {
    const host = await openMemory({ ...(await gardenVault()), 'Beds drawn.md': 'mine' });
    await go(host, 'Garden', 'Beds drawn');
    await button(host, 'Copy as prompt').click();
    await expect
      .poll(() => host.page.evaluate(() => navigator.clipboard.readText()))
      .toContain('"Beds drawn", workspace "Garden"');
    await dismiss(host);
    await button(host, 'More actions').click();
    await host.page.locator('.menu-item', { hasText: 'Export as note' }).click();
    await expect
      .poll(async () => Object.keys(await host.snapshot()))
      .toContain('Beds drawn (2).md');
    const files = await host.snapshot();
    expect(files['Beds drawn (2).md']).toMatchObject({
      text: expect.stringContaining('workspace: "Garden"') as string,
    });
    expect(files['Beds drawn.md']).toMatchObject({ text: 'mine' });
    await expect
      .poll(() => host.page.evaluate(() => window.__host.host.app.workspace.getActiveFile()?.path))
      .toBe('Beds drawn (2).md');
  });

  testInFull('can be resumed in a new conversation', async () => {
    const host = await openMemory(await gardenVault());
    await go(host, 'Garden', 'Beds drawn');
    await button(host, 'Resume').click();
    await expect
      .poll(() =>
        host.page.locator('.workspace-leaf-content[data-type="savepoint-chat"]').innerText(),
      )
      .toContain('Beds drawn');
  });

  testInFull('can be compared with another state, field by field', async () => {
    const host = await openMemory(await gardenVault());
    await go(host, 'Garden', 'Seeds ordered');
    await button(host, 'Compare with another state').focus();
    await host.press('Enter');
    await host.page.locator('.suggestion-item').waitFor();
    await host.press('Enter');
    await host.page.locator('.savepoint-compared').waitFor();
    expect(await host.page.locator('.savepoint-compared bdi').allTextContents()).toEqual([
      'Beds drawn',
      'Seeds ordered',
    ]);
    const changed = (kind: string) =>
      host.page
        .locator(`${kind}`)
        .evaluateAll((found) => found.map(({ lastChild }) => lastChild?.textContent));
    expect(await changed('del')).toEqual(['Choose plants', 'Order', 'winter']);
    expect(await changed('ins')).toEqual(['Wait for the parcel', 'Sow']);
    await host.page.getByText('Unchanged: Description, Context, Files').waitFor();
    await host.press('Escape');
    await expect.poll(() => focused(host)).toBe('ARTICLE');
    await host.page.getByRole('heading', { name: 'Seeds ordered' }).waitFor();
  });
});

describe('archiving', () => {
  testInFull('removes a state from the timeline, and Undo restores it', async () => {
    const host = await openMemory(await gardenVault());
    await go(host, 'Garden', 'Beds drawn');
    await button(host, 'Archive state').click();
    await host.page.getByText('This state is archived').waitFor();
    await host.press('Escape');
    expect(await titles(host)).not.toContain('Beds drawn');
    await host.page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => titles(host)).toContain('Beds drawn');
  });

  testInFull('moves a state to the archived ones, where it can be restored', async () => {
    const host = await openMemory(await gardenVault());
    await go(host, 'Garden');
    await button(host, 'Show archived').click();
    await host.page.getByText('No archived states').waitFor();
    await button(host, 'Show archived').click();
    await go(host, 'Beds drawn');
    await button(host, 'Archive state').click();
    await button(host, 'Restore state').waitFor();
    await dismiss(host);
    await button(host, 'Back').click();
    await button(host, 'Show archived').click();
    await expect.poll(() => titles(host)).toEqual(['Beds drawn']);
    await go(host, 'Beds drawn');
    await button(host, 'Restore state').click();
    await button(host, 'Archive state').waitFor();
  });

  testInFull('moves a workspace to the archived ones', async () => {
    const host = await openMemory(await gardenVault());
    await go(host, 'Garden');
    await button(host, 'More actions').click();
    await host.page.locator('.menu-item', { hasText: 'Archive workspace' }).click();
    await host.page.getByText('This workspace is archived').waitFor();
    await dismiss(host);
    await button(host, 'Back').click();
    expect(await titles(host)).toEqual(['Default']);
    await button(host, 'Show archived').click();
    await expect.poll(() => titles(host)).toEqual(['Garden']);
  });
});

describe('the memory view', () => {
  const names = [IMAGE, '__proto__', '😀'.repeat(200), 'constructor'];
  const old = { name: '\u202eevil', shown: '⟨U+202E⟩evil' };

  testInFull('shows hostile names and texts as text, and loads or runs nothing', async () => {
    const host = await openMemory(
      await vaultOf(async (vault) => {
        for (const name of names) {
          await vault.data('createWorkspace', {
            ...garden,
            name,
            description: IMAGE,
            purpose: IMAGE,
            preferences: { constructor: IMAGE, toString: { [IMAGE]: IMAGE } },
          });
          const text = `${IMAGE} ![x](http://127.0.0.1:9/x.png) [[x]] javascript:alert(1)`;
          const content = {
            conversationContext: text,
            activeTask: text,
            nextSteps: [text],
            activeFiles: [IMAGE],
            tags: [IMAGE],
            description: text,
          };
          await vault.data('createState', stateNamed(name, content));
        }
        const drafts = [
          workspaceDraft(old.name, 'workspacewithold'),
          await stateDraft(old.name, 'statewithanoldid', 'workspacewithold', {
            activeTask: `${old.name} javascript:alert(1)`,
          }),
        ];
        await vault.log.write(() => ({ drafts, answer: undefined }));
      }),
    );
    const shown = [...names, old.shown];
    expect((await titles(host)).sort()).toEqual(['Default', ...shown].sort());
    for (const name of shown) {
      await go(host, name);
      await host.page.locator('summary').click();
      expect(await host.page.locator('body').innerHTML()).not.toMatch(/\p{Bidi_Control}/u);
      await go(host, name);
      await host.page.getByRole('article').getByText('javascript:alert(1)').first().waitFor();
      expect(await host.page.locator('body').innerHTML()).not.toMatch(/\p{Bidi_Control}/u);
      expect(await host.page.locator('.savepoint-view img').count()).toBe(0);
      await host.press('Escape', 'Escape');
      await row(host, 'Default').waitFor();
    }
    expect(await host.page.title()).toBe('Vault');
  });

  testInFull('fits a width of 320 pixels with long names', async () => {
    const host = await openMemory(
      await vaultOf(async (vault) => {
        const long = 'x'.repeat(200);
        await vault.data('createWorkspace', {
          ...garden,
          name: long,
          keyFiles: [`${long}/${long}.md`],
          workflows: [long],
        });
        await vault.data(
          'createState',
          stateNamed(long, {
            tags: [long],
            nextSteps: [long],
            activeFiles: [`${long}.md`],
            activeTask: long,
          }),
        );
      }),
      { isMobile: true },
    );
    const overflow = () =>
      host.page.evaluate(() =>
        [...document.querySelectorAll('.savepoint-view, .savepoint-view .savepoint-scroller')].map(
          (el) => el.scrollWidth - el.clientWidth,
        ),
      );
    for (const step of ['x'.repeat(200), 'x'.repeat(200)]) {
      expect(Math.max(...(await overflow()))).toBeLessThanOrEqual(0);
      await go(host, step);
      await host.page.waitForTimeout(100);
    }
    await host.page.getByRole('article').waitFor();
    expect(Math.max(...(await overflow()))).toBeLessThanOrEqual(0);
  });

  testInFull('has targets at least 44 pixels high on mobile', async () => {
    const host = await openMemory(await gardenVault(), { isMobile: true });
    await go(host, 'Garden');
    await host.page.locator('.savepoint-view summary').waitFor();
    const lowest = () =>
      host.page
        .locator('.savepoint-view :is(button, summary, input, [role="treeitem"])')
        .evaluateAll((found) =>
          Math.min(...found.map((el) => Math.round(el.getBoundingClientRect().height))),
        );
    // an element that is being replaced has no height
    await expect.poll(lowest).toBeGreaterThanOrEqual(44);
  });
});

describe('a change by another device', () => {
  testInFull('appears without losing the filter, the position or the focus', async () => {
    const files = createMemoryFiles();
    const before = await toldBy(files, 1, async (vault) => {
      for (let number = 0; number < 60; number++)
        await vault.data('createState', stateNamed(`Old ${number}`));
    });
    const host = await openMemory(before);
    await go(host, 'Default');
    await filter(host).fill('o');
    await host.page.locator('.savepoint-tree').focus();
    await host.press('End');
    await expect.poll(() => currentTitle(host)).toBe('Old 0');
    const place = () =>
      host.page.evaluate(
        () =>
          document.querySelector('[aria-activedescendant] .is-current')?.getBoundingClientRect()
            .top,
      );
    const top = await place();
    const after = await toldBy(files, 2, async (vault) => {
      await vault.data('createState', stateNamed('From another device'));
    });
    const arrived = Object.entries(after).filter(([path, text]) => before[path] !== text);
    await host.page.evaluate(async (entries) => {
      const { medium, host: running } = window.__host;
      for (const [path, text] of entries) {
        const folder = path.split('/').slice(0, -1).join('/');
        if (!(await running.app.vault.adapter.exists(folder))) await medium.mkdir(folder);
        await medium.write(path, new TextEncoder().encode(text as string));
      }
    }, arrived);
    await expect
      .poll(() => host.page.locator('.savepoint-view [aria-live]').textContent())
      .toBe('61 states found');
    expect(await currentTitle(host)).toBe('Old 0');
    expect(await place()).toBe(top);
    expect(await filter(host).inputValue()).toBe('o');
    await host.press('Home');
    await expect.poll(() => currentTitle(host)).toBe('From another device');
  });
});

describe('the memory view', () => {
  testInFull('shows a message for each empty list', async () => {
    const host = await openMemory({});
    await host.page.getByText('No workspace of your own yet').waitFor();
    await button(host, 'Show archived').click();
    await host.page.getByText('No archived workspaces').waitFor();
    await button(host, 'Show archived').click();
    await filter(host).fill('zebra');
    await host.page.getByText('No matches for "zebra"').waitFor();
    await filter(host).fill('');
    await go(host, 'Default');
    await host.page.getByText('No states yet').waitFor();
  });

  testInFull('shows the states of a missing workspace', async () => {
    const files = await vaultOf(async ({ log }) => {
      const stray = await stateDraft('Stray', 'stray', 'k3v9q2m7x4tbk3v9');
      await log.write(() => ({ drafts: [stray], answer: undefined }));
    });
    const host = await openMemory(files);
    await go(host, 'Workspace missing', 'Stray');
    await host.page.getByRole('article', { name: 'Stray' }).waitFor();
    expect(await button(host, 'Archive state').count()).toBe(0);
  });
});

testInFull('the memory view is restored after a restart', async () => {
  const host = await openHost({ files: await gardenVault() });
  await host.runCommand('Savepoint: Open memory');
  await go(host, 'Garden');
  await filter(host).fill('order');
  await go(host, 'Seeds ordered');
  await host.page.getByRole('article').waitFor();
  const again = await host.restart();
  onTestFinished(() => again.close());
  await again.page.getByRole('heading', { name: 'Seeds ordered' }).waitFor();
  await button(again, 'Back').click();
  await expect.poll(() => filter(again).inputValue()).toBe('order');
});

describe('the notes pane', () => {
  testInFull('follows the active note, and opens its states', async () => {
    const files = await vaultOf(
      async (vault) => {
        await vault.call('createWorkspace', { ...garden, keyFiles: ['Garden/Beds.md'] });
        await vault.call(
          'createState',
          stateNamed('Beds drawn', { activeFiles: ['Garden/Beds.md'] }),
        );
      },
      { 'Garden/Beds.md': 'Beds', 'Other.md': 'Other' },
    );
    const host = await open(files);
    const openNote = (path: string) =>
      host.page.evaluate((to) => window.__host.host.app.workspace.openLinkText(to, ''), path);
    await openNote('Garden/Beds');
    await host.runCommand('Savepoint: Open memory of this note');
    await expect
      .poll(() => titles(host))
      .toEqual([
        'States',
        'Beds drawn',
        'Workspaces',
        'Garden',
        'Sessions',
        'Saved state “Beds drawn” · Created workspace “Garden”',
      ]);
    await expectNoViolations(host.page, '.mod-right-split');
    await openNote('Other');
    await host.page.getByText('No memory of this note').waitFor();
    await openNote('Garden/Beds');
    await go(host, 'Beds drawn');
    await host.page.getByRole('article').getByRole('heading', { name: 'Beds drawn' }).waitFor();
  });
});

testInFull.each(AXE_DEVICES)(
  'axe-core finds no violation in the memory view, dark and light, on %s',
  async (_, isMobile) => {
    const host = await openMemory(await gardenVault(), { isMobile });
    const check = async () => {
      for (const theme of AXE_THEMES) {
        await host.setTheme(theme);
        await expectNoViolations(host.page, '.savepoint-view');
      }
    };
    await check();
    await go(host, 'Garden');
    await host.page.locator('summary').click();
    await host.page.locator('.savepoint-line[aria-expanded]').first().click();
    await check();
    await filter(host).fill('zebra');
    await check();
    await filter(host).fill('beds');
    await check();
    await go(host, 'Beds drawn');
    await host.page.getByRole('article', { name: 'Beds drawn' }).waitFor();
    await check();
    if (isMobile) {
      await button(host, 'More actions').click();
      await host.page.locator('.menu-item', { hasText: 'Compare with another state' }).click();
    } else await button(host, 'Compare with another state').click();
    await host.page.locator('.suggestion-item').waitFor();
    await host.press('Enter');
    await host.page.locator('.savepoint-compared').waitFor();
    await check();
  },
);
