import { beforeAll, describe, expect, test } from 'vitest';
import type { Savepoint } from '../../../src/obsidian/savepoint.js';
import type { Store } from '../../../src/obsidian/store.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { createTestVault, garden, stateNamed } from '../../fakes/test-vault.js';
import { AXE_DEVICES, AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { open as openShared, type OpenOptions } from '../shared-browser.js';
import type { FileSet } from '../obsidian/index.js';
import { inFull } from '../../tier.js';
import { showAllFields } from './settings-window.js';

const testInFull = test.runIf(inFull('further cases of forms and pickers'));

const NOTES: FileSet = Object.fromEntries(
  ['Plan.md', 'Garden/Beds.md', 'Garden/Seeds.md'].map((path) => [
    path,
    { text: `# ${path}`, mtime: START_TIME },
  ]),
);
const HOSTILE = ['<img src=x onerror=alert(1)>', '__proto__', '🌱'.repeat(200), 'حالة الحديقة'];
const THREE_DAYS_LATER = START_TIME + 3 * 86_400_000 + 60_000;

/**
 * A vault with the workspaces Default, Garden and House, and some states in them; the device is in
 * Default.
 */
let remembered: FileSet;

beforeAll(async () => {
  const vault = createTestVault();
  const inWorkspace = (workspaceId: string) => ({ context: { workspaceId } });
  await vault.data('createWorkspace', garden);
  await vault.data('createWorkspace', {
    ...garden,
    name: 'House',
    description: 'Repairs',
    rootFolder: '/',
  });
  await vault.data('createState', {
    ...stateNamed('Roof tiles', { activeTask: 'Count the tiles' }),
    ...inWorkspace('House'),
  });
  for (const name of HOSTILE)
    await vault.data('createState', { ...stateNamed(name), ...inWorkspace('Garden') });
  const beds = stateNamed('Beds drawn', {
    description: 'Three beds by the wall',
    tags: ['spring'],
    activeFiles: ['Garden/Beds.md'],
  });
  await vault.data('createState', { ...beds, ...inWorkspace('Garden') });
  await vault.data('createState', { ...stateNamed('In the open'), ...inWorkspace('default') });
  await vault.idle();
  await vault.log.close();
  remembered = {
    ...NOTES,
    ...Object.fromEntries(vault.files.paths().map((path) => [path, vault.files.text(path)])),
  };
});

/** Opens the app on mobile, without Node modules, for use by keyboard. */
async function open(options: OpenOptions = {}) {
  const host = await openShared({
    files: NOTES,
    isMobile: true,
    now: THREE_DAYS_LATER,
    ...options,
  });
  await expect.poll(() => memoryOf(host)).toEqual(['ready', 'Default']);
  return by(host);
}

/**
 * Returns the status of the memory and the current workspace, which no status bar shows on mobile.
 */
function memoryOf({ page }: Pick<ChromiumHost, 'page'>): Promise<unknown> {
  return page.evaluate(() => {
    const plugin = window.__host.host.app.plugins.plugins['savepoint'] as unknown as {
      sessions: { savepoint: Store<Savepoint | undefined> };
    };
    const opened = plugin.sessions.savepoint.get();
    return [opened?.memoryStatus.get().phase, opened?.workspace().name];
  });
}

function by(host: ChromiumHost) {
  const { page, pageErrors } = host;
  const row = () => page.locator('.prompt .suggestion-item');
  return {
    page,
    pageErrors,
    run: (name: string) => host.runCommand(`Savepoint: ${name}`),
    commands: (query?: string) => host.commands(query),
    press: (...keys: string[]) => host.press(...keys),
    setTheme: (theme: 'dark' | 'light') => host.setTheme(theme),
    snapshot: () => host.snapshot(),
    titles: () => row().locator('.suggestion-title').allTextContents(),
    rows: row,
    /** Types into a picker and waits until it shows `count` rows. */
    narrow: async (query: string, count: number) => {
      await page.keyboard.press('Control+a');
      await page.keyboard.type(query);
      await expect.poll(() => row().count()).toBe(count);
    },
    /** Types into the field that Tab has reached. */
    fill: async (label: string, value: string) => {
      await tabTo(page, label);
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(value);
    },
    field: (label: string) => page.getByLabel(label, { exact: true }),
    problem: (label: string) =>
      page
        .locator('.setting-item', { has: page.getByLabel(label, { exact: true }) })
        .locator('.setting-item-error'),
    notices: () => page.locator('.notice-message').allTextContents(),
    memory: () => memoryOf(host),
    workspace: async () => ((await memoryOf(host)) as string[])[1],
    modals: () => page.locator('.modal, .prompt').count(),
    dismissNotices: async () => {
      await page.evaluate(() =>
        document.querySelectorAll<HTMLElement>('.notice').forEach((notice) => notice.click()),
      );
    },
    submit: () => host.press('Control+Enter'),
  };
}

/** Presses Tab until the field with this label has the focus. */
async function tabTo(page: ChromiumHost['page'], label: string): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const name = await page.evaluate(
      () => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent,
    );
    if (name === label) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No field "${label}" is reached by Tab`);
}

const own = (titles: readonly string[]) =>
  titles.filter((title) => title.startsWith('Savepoint: ')).map((title) => title.slice(11));

const ANYTIME = [
  'Create workspace',
  'Open memory',
  'Rebuild cache',
  'Save state',
  'Search memory',
  'Verify memory',
];
const WITH_STATES = [
  'Archive state',
  'Archive workspace',
  'Compare states',
  'Resume state',
  'Switch workspace',
];

describe('the palette', () => {
  testInFull('offers only applicable commands in an empty vault', async () => {
    const { commands } = await open();
    const offered = own(await commands());
    expect(offered).toEqual(expect.arrayContaining(ANYTIME));
    for (const name of [
      ...WITH_STATES,
      'Restore state',
      'Restore workspace',
      'Undo',
      'Open memory of this note',
    ])
      expect(offered).not.toContain(name);
  });

  testInFull('offers commands for existing workspaces, states and notes', async () => {
    const { commands, page } = await open({ files: remembered });
    await page.evaluate(() => window.__host.host.app.workspace.openLinkText('Plan', ''));
    const offered = own(await commands());
    expect(offered).toEqual(
      expect.arrayContaining([...ANYTIME, ...WITH_STATES, 'Open memory of this note']),
    );
    expect(offered).not.toContain('Restore state');
  });

  testInFull('opens the memory view and the notes pane', async () => {
    const { page, run } = await open({ files: remembered });
    await page.evaluate(() => window.__host.host.app.workspace.openLinkText('Garden/Beds', ''));
    for (const [name, view] of [
      ['Open memory', 'savepoint-memory'],
      ['Open memory of this note', 'savepoint-note-memory'],
    ] as const) {
      await run(name);
      await page.waitForFunction(
        (type) => window.__host.host.app.workspace.getLeavesOfType(type).length === 1,
        view,
      );
    }
  });

  testInFull('reports that the memory cannot be read, and works once it can', async () => {
    const { page, pageErrors, memory, run, notices, dismissNotices, press, titles, snapshot } =
      await open({ files: remembered });
    const paths = Object.keys(await snapshot()).filter((path) => /core.*jsonl$/.test(path));
    await page.evaluate(async (broken) => {
      const { host, medium } = window.__host;
      for (const path of broken) medium.faults.broken.add(path);
      medium.faults.broken.add('Savepoint');
      const { manifest } = host.app.plugins.plugins['savepoint']!;
      await host.app.plugins.disablePlugin(manifest.id);
      await host.app.plugins.enablePlugin(manifest.id);
    }, paths);
    await expect.poll(memory).toEqual(['failed', 'Default']);
    await run('Resume state');
    await expect.poll(async () => (await notices()).join()).toContain('Savepoint');
    await dismissNotices();
    await page.evaluate(() => window.__host.medium.faults.broken.clear());
    await run('Resume state');
    await expect.poll(titles).toContain('Roof tiles');
    await press('Escape');
    pageErrors.length = 0;
  });
});

describe('Create workspace', () => {
  testInFull('creates a workspace with all fields, and switches to it', async () => {
    const { run, fill, press, submit, notices, workspace, page, snapshot } = await open();
    await run('Create workspace');
    await page.keyboard.type('Kitchen garden');
    await fill('Description', 'Beds and seeds');
    await fill('Purpose', 'Vegetables\nall the year');
    await showAllFields(page);
    await fill('Folder', 'Projects/New garden');
    await fill('Key files', 'seeds');
    await page.locator('.suggestion-container .suggestion-item').first().waitFor();
    await press('Enter');
    await page.keyboard.type('Not there yet.md');
    await fill('Workflows', 'Dig\n\n  Sow  ');
    await fill('Preferences', 'tone: plain\nunits: metric');
    await submit();
    await expect.poll(notices).toEqual(['Created workspace "Kitchen garden" and switched to it.']);
    expect(await workspace()).toBe('Kitchen garden');
    expect(Object.keys(await snapshot())).toContain('Projects/New garden/');
    const core = Object.entries(await snapshot()).filter(([path]) =>
      path.startsWith('Savepoint/core/'),
    );
    const written = JSON.stringify(core).replaceAll('\\', '');
    for (const part of [
      '"keyFiles":["Garden/Seeds.md","Not there yet.md"]',
      '"workflows":["Dig","Sow"]',
      '"preferences":{"tone":"plain","units":"metric"}',
    ])
      expect(written).toContain(part);
  });

  testInFull('shows each problem at its field, and keeps the input', async () => {
    const { run, fill, submit, problem, field, page, notices, workspace } = await open({
      files: remembered,
    });
    await run('Create workspace');
    await submit();
    for (const label of ['Name', 'Description', 'Purpose'])
      await expect.poll(() => problem(label).textContent()).toContain(`${label} is empty`);
    expect(
      await page.evaluate(
        () => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent,
      ),
    ).toBe('Name');

    await page.keyboard.insertText('x'.repeat(10_000));
    await expect.poll(() => problem('Name').count()).toBe(0);
    await fill('Description', 'Some');
    await fill('Purpose', 'Other');
    await showAllFields(page);
    await fill('Preferences', 'tone: plain\nno colon here');
    await submit();
    expect(await problem('Name').textContent()).toBe('Name has 10000 characters; use at most 200.');
    expect(await problem('Preferences').textContent()).toBe(
      'Write line 2 as a name, a colon and a value, such as "tone: plain".',
    );

    await fill('Preferences', '__proto__: x');
    await fill('Name', ' garden ');
    await submit();
    await expect
      .poll(() => problem('Name').textContent())
      .toBe('A workspace named "garden" already exists, possibly archived. Choose another name.');

    await fill('Name', 'Shed');
    await submit();
    await expect
      .poll(() => problem('Preferences').textContent())
      .toContain('"__proto__" cannot be used as a name here');
    await fill('Preferences', '');
    for (const [folder, words] of [
      ['../outside', 'leads outside the vault'],
      ['.obsidian/plugins', 'is in a hidden folder'],
      ['Savepoint/core', "in Savepoint's data folder"],
      ['C:\\Users', 'has a backslash'],
    ] as const) {
      await fill('Folder', folder);
      await submit();
      await expect.poll(() => problem('Folder').textContent()).toContain(words);
      expect(await field('Folder').getAttribute('aria-invalid')).toBe('true');
    }
    expect(
      await Promise.all(
        ['Name', 'Description', 'Purpose'].map((label) => field(label).inputValue()),
      ),
    ).toEqual(['Shed', 'Some', 'Other']);
    expect(await notices()).toEqual([]);
    expect(await workspace()).toBe('Default');
  });

  testInFull('shows other problems above the buttons, and saves on retry', async () => {
    const { run, fill, submit, page, notices, modals } = await open({ files: remembered });
    await page.evaluate(() => (window.__host.medium.faults.isFull = true));
    await run('Create workspace');
    await fill('Name', HOSTILE[0]!);
    await fill('Description', 'Some');
    await fill('Purpose', 'Other');
    await submit();
    await expect
      .poll(() => page.locator('.savepoint-form-problem').textContent())
      .toMatch(/full|space/);
    await page.evaluate(() => (window.__host.medium.faults.isFull = false));
    await submit();
    await expect.poll(notices).toEqual([`Created workspace "${HOSTILE[0]}" and switched to it.`]);
    expect(await modals()).toBe(0);
  });

  testInFull('asks before it discards input', async () => {
    const { run, press, page, modals, field } = await open();
    await run('Create workspace');
    await press('Escape');
    expect(await modals()).toBe(0);
    await run('Create workspace');
    await page.keyboard.type('Shed');
    await press('Escape');
    await page.getByText('Discard what you typed?').waitFor();
    await press('Escape');
    await expect.poll(modals).toBe(1);
    expect(await field('Name').inputValue()).toBe('Shed');
    await press('Escape', 'Enter'); // the default answer keeps the input
    await expect.poll(modals).toBe(1);
    await press('Escape');
    await page.getByText('Discard', { exact: true }).focus();
    await press('Enter');
    await expect.poll(modals).toBe(0);
  });
});

describe('Save state', () => {
  testInFull('proposes a name and the open notes, and saves all fields', async () => {
    const { page, run, fill, field, submit, notices, rows, press } = await open({
      files: remembered,
    });
    await page.evaluate(async () => {
      const { workspace } = window.__host.host.app;
      await workspace.openLinkText('Garden/Beds', '');
      await workspace.openLinkText('Plan', '', 'tab');
    });
    await run('Save state');
    await showAllFields(page);
    expect(await field('Name').inputValue()).toBe('');
    expect(await page.locator('.savepoint-list-entry').allTextContents()).toEqual([
      'Plan.md',
      'Garden/Beds.md',
    ]);
    await fill('Where are you?', 'Measured the beds');
    await fill('What next?', 'Choose plants\nAsk Ana\nBuy soil');
    await fill('Active files', 'Seeds');
    await page.locator('.suggestion-container .suggestion-item').first().waitFor();
    await press('Enter');
    await fill('Tags', '#spring, beds');
    await press('Enter');
    expect(await page.locator('.savepoint-list-entry').allTextContents()).toEqual([
      'Plan.md',
      'Garden/Beds.md',
      'Garden/Seeds.md',
      'spring',
      'beds',
    ]);
    await page.getByLabel('Remove Plan.md').focus();
    await press('Enter');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Remove Garden/Beds.md',
    );
    await submit();
    await expect.poll(notices).toEqual(['Saved state "Measured the beds".']);

    await run('Save state');
    await fill('Where are you?', 'Measured the beds');
    await fill('What next?', 'Rest');
    await submit();
    await expect.poll(notices).toEqual(['Saved state "Measured the beds 2".']);
    await run('Resume state');
    await expect.poll(() => rows().first().textContent()).toContain('Measured the beds');
    await press('Enter');
    const chat = page.locator('[data-type="savepoint-chat"]');
    await expect.poll(() => chat.innerText()).toContain('Measured the beds');
  });

  testInFull('shows each problem at its field, and rejects a taken name', async () => {
    const { run, fill, submit, problem, page } = await open({ files: remembered });
    await run('Save state');
    await submit();
    expect(await problem('Where are you?').textContent()).toBe('Write a few words here.');
    await fill('Where are you?', 'Much');
    await fill('What next?', '   ');
    await submit();
    expect(await problem('What next?').textContent()).toBe('Write a few words here.');
    await fill('What next?', 'Some');
    await showAllFields(page);
    await page.keyboard.insertText(' in the  OPEN');
    await fill('Active files', 'x'.repeat(1001));
    await submit();
    expect(await problem('Active files').textContent()).toContain('1001 characters');
    await page.locator('.savepoint-list-entry button').last().press('Enter');
    await submit();
    await expect
      .poll(() => problem('Name').textContent())
      .toBe('A state named "in the  OPEN" already exists in this workspace. Choose another name.');
  });

  testInFull('restores unsaved input until it is saved or discarded', async () => {
    const { run, fill, press, field, submit, notices, modals, page } = await open({
      files: remembered,
    });
    await run('Save state');
    await fill('Where are you?', 'Half a thought');
    await showAllFields(page);
    await fill('Tags', 'unfinished');
    await press('Escape');
    if ((await modals()) > 0) await press('Escape');
    await run('Save state');
    expect(await field('Where are you?').inputValue()).toBe('Half a thought');
    expect(await page.locator('.savepoint-list-entry').allTextContents()).toEqual(['unfinished']);
    await page.getByText('Start over').press('Enter');
    expect(await field('Where are you?').inputValue()).toBe('');
    await fill('Where are you?', 'A whole thought');
    await fill('What next?', 'Think');
    await submit();
    await expect.poll(notices).toHaveLength(1);
    await run('Save state');
    expect(await field('Where are you?').inputValue()).toBe('');
    expect(await page.getByText('Start over').count()).toBe(0);
  });
});

describe('the pickers and dialogs', () => {
  testInFull('list the current workspace first, with details as plain text', async () => {
    const { run, titles, rows, narrow, page } = await open({ files: remembered });
    await run('Resume state');
    await expect
      .poll(titles)
      .toEqual(['In the open', 'Beds drawn', ...[...HOSTILE].reverse(), 'Roof tiles']);
    const beds = rows().filter({ hasText: 'Beds drawn' });
    expect(await beds.locator('.suggestion-note').textContent()).toBe(
      'Garden · Three beds by the wall · 3 days ago',
    );
    expect(await beds.locator('time').getAttribute('title')).toMatch(/November 20, 2026/);
    await narrow('rooftiles', 1);
    expect(await rows().locator('.suggestion-highlight').allTextContents()).toEqual([
      'Roof',
      'tiles',
    ]);
    await narrow('three wall', 1);
    expect(
      await rows().locator('.suggestion-note .suggestion-highlight').first().textContent(),
    ).toBe('Three');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('qqqqq');
    await expect
      .poll(() => page.locator('.suggestion-empty').textContent())
      .toBe('No matches. Try fewer letters.');
    expect(await page.locator('.prompt img').count()).toBe(0);
  });

  testInFull('archive a state by keyboard, and undo it from a notice or command', async () => {
    const { run, narrow, press, notices, commands, page, titles, dismissNotices } = await open({
      files: remembered,
    });
    await run('Archive state');
    await narrow('img', 1);
    await press('Enter');
    await expect.poll(notices).toEqual([`Archived state "${HOSTILE[0]}".`]);
    expect(own(await commands('Restore state'))).toContain('Restore state');
    await page.locator('.notice button').press('Enter');
    await expect.poll(notices).toEqual([`Restored state "${HOSTILE[0]}".`]);
    expect(own(await commands())).not.toContain('Restore state');

    await dismissNotices();
    await run('Archive state');
    await narrow('proto', 1);
    await press('Enter');
    await expect.poll(notices).toEqual(['Archived state "__proto__".']);
    await run('Undo');
    await expect.poll(notices).toEqual(['Restored state "__proto__".']);

    await dismissNotices();
    await run('Archive state');
    await narrow('Beds', 1);
    await press('Enter');
    await expect.poll(notices).toHaveLength(1);
    await run('Restore state');
    await expect.poll(titles).toEqual(['Beds drawn']);
    await press('Enter');
    await expect.poll(async () => (await notices()).at(-1)).toBe('Restored state "Beds drawn".');
  });

  testInFull('compare a state with another of its workspace', async () => {
    const { run, narrow, press, titles, page } = await open({ files: remembered });
    await run('Compare states');
    expect(await page.locator('.prompt-input').getAttribute('placeholder')).toBe('Compare states…');
    await narrow('beds drawn', 1);
    await press('Enter');
    await expect.poll(titles).toEqual([...HOSTILE].reverse());
    await press('Enter');
    await page.locator('.savepoint-view', { hasText: 'Comparison' }).waitFor();
    expect(await page.locator('.savepoint-compared').innerText()).toContain('Beds drawn');
    expect(await page.locator('.savepoint-compared').innerText()).toContain(HOSTILE.at(-1));
  });

  testInFull('restore the focus after an undo', async () => {
    const { run, narrow, press, notices, page } = await open({
      files: remembered,
      isMobile: false,
    });
    await run('Archive state');
    await narrow('Beds', 1);
    await press('Enter');
    await expect.poll(notices).toHaveLength(1);
    await page.locator('.status-bar-item', { hasText: 'Default' }).focus();
    await page.locator('.notice button').focus();
    await press('Enter');
    await expect.poll(notices).toEqual(['Restored state "Beds drawn".']);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Default');
  });

  testInFull('switch, archive and restore workspaces, even the current one', async () => {
    const { run, titles, rows, narrow, press, notices, workspace, dismissNotices, commands } =
      await open({ files: remembered });
    await run('Switch workspace');
    await expect.poll(titles).toEqual(['Default', 'Garden', 'House']);
    expect(
      await rows().filter({ hasText: 'Current' }).locator('.suggestion-title').allTextContents(),
    ).toEqual(['Default']);
    await narrow('gard', 1);
    await press('Enter');
    await expect.poll(workspace).toBe('Garden');

    await dismissNotices();
    await run('Archive workspace');
    await expect.poll(titles).toEqual(['Garden', 'House']);
    await press('Enter');
    await expect.poll(notices).toEqual(['Archived workspace "Garden". Switched to "Default".']);
    expect(await workspace()).toBe('Default');
    await run('Undo');
    await expect.poll(notices).toEqual(['Restored workspace "Garden".']);
    await expect.poll(workspace).toBe('Garden');

    await dismissNotices();
    await run('Archive workspace');
    await narrow('house', 1);
    await press('Enter');
    await expect.poll(notices).toEqual(['Archived workspace "House".']);
    await run('Restore workspace');
    await expect.poll(titles).toEqual(['House']);
    await press('Enter');
    await expect.poll(async () => (await notices()).at(-1)).toBe('Restored workspace "House".');
    expect(own(await commands())).not.toContain('Restore workspace');
  });

  testInFull('report that the clipboard cannot be written to', async () => {
    const { run, notices, page } = await open({ files: remembered });
    await page.evaluate(
      () => (navigator.clipboard.writeText = () => Promise.reject(new Error('no'))),
    );
    await run('Verify memory');
    await page.getByRole('button', { name: 'Copy report' }).click();
    await expect
      .poll(notices)
      .toEqual(['Could not write to the clipboard. Click into the window, then try again.']);
  });
});

describe('Search memory', () => {
  test('finds states and calls while typing, opens them, and logs no query', async () => {
    const { run, titles, press, page, workspace, narrow, snapshot } = await open({
      files: remembered,
    });
    await run('Switch workspace');
    await narrow('garden', 1);
    await press('Enter');
    await expect.poll(workspace).toBe('Garden');
    await run('Search memory');
    expect(await page.locator('.prompt-input').getAttribute('placeholder')).toBe(
      'Search memory and notes…',
    );
    await page.keyboard.type('drawn beds', { delay: 20 });
    await expect.poll(async () => (await titles())[0]).toBe('Beds drawn');
    await press('Enter');
    await page.waitForFunction(
      () => window.__host.host.app.workspace.getLeavesOfType('savepoint-memory').length === 1,
    );
    await page.locator('.savepoint-view', { hasText: 'Three beds by the wall' }).waitFor();

    await run('Search memory');
    await page.keyboard.type('repairs');
    await expect.poll(titles).toContain('Created workspace “House”');
    await page.locator('.prompt .suggestion-item', { hasText: 'Tool call' }).first().click();
    await page.locator('.modal', { hasText: 'memoryManager' }).waitFor();
    await press('Escape');

    await run('Search memory');
    await page.keyboard.type('zeppelin');
    await expect
      .poll(() => page.locator('.suggestion-empty').textContent())
      .toBe('No matches for "zeppelin".');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('???');
    await expect
      .poll(() => page.locator('.suggestion-empty').textContent())
      .toBe('No matches for "???".');
    expect(JSON.stringify(await snapshot())).not.toContain('zeppelin');
  });
});

describe('Verify memory', () => {
  testInFull('reports that everything is intact, and copies the report', async () => {
    const { run, page, notices } = await open({ files: remembered });
    await run('Verify memory');
    await page.getByText('Everything is intact').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Close');
    await page.getByText('Copy report').press('Enter');
    await expect.poll(notices).toEqual(['Copied the report.']);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^Verify memory: Everything is intact\n.*\n\n\d+ events from \d writers\nDigest: [0-9a-f]{64}\n/,
    );
  });

  testInFull('reports missing events and edited lines', async () => {
    const { run, page } = await open({
      files: Object.fromEntries(
        Object.entries(remembered).map(([path, file]) => {
          if (!path.startsWith('Savepoint/core/') || typeof file !== 'string') return [path, file];
          const lines = file.replace('by the wall', 'by the well').split('\n');
          return [path, lines.filter((_, index) => index !== 4).join('\n')];
        }),
      ),
    });
    await run('Verify memory');
    await page.getByText('Some data is missing or damaged').waitFor();
    await page.getByText('Events that were written but are not here: ').waitFor();
    await page
      .getByText('Lines that were changed by a person or a program and have no effect: 1')
      .waitFor();
    await page.locator('.modal summary', { hasText: 'Details' }).click();
    expect(await page.locator('.savepoint-writers tbody tr').count()).toBe(2);
    await page.getByRole('button', { name: 'Dismiss on this device' }).click();
    await page
      .getByText('Events that are not here and that you dismissed on this device: ')
      .waitFor();
    expect(await page.getByText('Events that were written but are not here: ').count()).toBe(0);
  });

  testInFull('handles an empty vault, and files that cannot be read', async () => {
    const empty = await open();
    await empty.run('Verify memory');
    await empty.page.getByText('Nothing is saved yet').waitFor();

    const { run, page, press, snapshot } = await open({ files: remembered });
    const segments = Object.keys(await snapshot()).filter((path) => /core.*jsonl$/.test(path));
    await page.evaluate(
      (paths) => paths.forEach((path) => window.__host.medium.faults.broken.add(path)),
      segments,
    );
    await run('Verify memory');
    await page.locator('.savepoint-verdict.is-bad').waitFor();
    expect(await page.locator('.savepoint-verdict').textContent()).toMatch(
      /^The memory could not be verified.*EIO/,
    );
    await page.evaluate(() => window.__host.medium.faults.broken.clear());
    await press('Escape');
    await run('Verify memory');
    await page.getByText('Everything is intact').waitFor();
  });
});

describe.each(AXE_DEVICES)('on %s', (_, isMobile) => {
  testInFull(
    'axe-core finds no violation in any picker, form or report, dark and light',
    async () => {
      const { run, press, page, setTheme, submit, narrow, titles } = await open({
        files: remembered,
        isMobile,
      });
      const check = async () => {
        for (const theme of AXE_THEMES) {
          await setTheme(theme);
          await expectNoViolations(page, '.modal-container');
        }
      };
      await run('Create workspace');
      await submit();
      await page.locator('.setting-item-error').first().waitFor();
      await check();
      await page.keyboard.type('Shed');
      await press('Escape');
      await page.getByText('Discard what you typed?').waitFor();
      await check();
      await page.getByText('Discard', { exact: true }).press('Enter');

      await run('Save state');
      await showAllFields(page);
      await tabTo(page, 'Tags');
      await page.keyboard.type('one, two');
      await press('Enter');
      await check();
      await press('Escape');
      await run('Save state');
      await page.getByText('Start over').waitFor();
      await check();
      await press('Escape');

      await run('Archive state');
      await expect.poll(titles).toContain('Roof tiles');
      await narrow('beds', 1);
      await check();
      await press('Enter');
      await page.locator('.notice button').waitFor();
      for (const theme of AXE_THEMES) {
        await setTheme(theme);
        await expectNoViolations(page, '.notice-container');
      }
      await run('Switch workspace');
      await expect.poll(titles).toContain('House');
      await check();
      await press('Escape');
      await run('Search memory');
      await check();
      await page.keyboard.type('open');
      await expect.poll(titles).toContain('In the open');
      await check();
      await press('Escape');
      await run('Verify memory');
      await page.getByText('Everything is intact').waitFor();
      await check();
    },
  );

  testInFull('no form, report or picker is wider than the window', async () => {
    const { run, press, page, titles } = await open({ files: remembered, isMobile });
    const overflow = () =>
      page.evaluate(() => {
        const boxes = [...document.querySelectorAll('.modal, .prompt')];
        return boxes
          .map((box) => box.scrollWidth - box.clientWidth)
          .concat(document.documentElement.scrollWidth - window.innerWidth);
      });
    for (const name of ['Create workspace', 'Save state', 'Verify memory', 'Resume state']) {
      await run(name);
      if (name === 'Verify memory') await page.getByText('Everything is intact').waitFor();
      if (name === 'Resume state') await expect.poll(titles).toContain('Roof tiles');
      expect([name, Math.max(...(await overflow()))]).toEqual([name, 0]);
      await press('Escape');
    }
  });
});

testInFull('open dialogs are closed when the plugin is unloaded', async () => {
  const { run, page, modals } = await open({ files: remembered });
  await run('Create workspace');
  await page.keyboard.type('Unsaved');
  await page.keyboard.press('Escape');
  await expect.poll(modals).toBe(2);
  await page.evaluate(() => window.__host.host.unloadPlugin());
  await expect.poll(modals).toBe(0);
});
