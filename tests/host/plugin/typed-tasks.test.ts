// Tier full: typing into the tasks note in the app; tests/transfer covers each case without it
import type { MarkdownView } from 'obsidian';
import { describe, expect, test } from 'vitest';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { en } from '../../../src/obsidian/i18n/en.js';
import { garden } from '../../fakes/test-vault.js';
import { AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost, HostOptions } from '../chromium.js';
import { open } from '../shared-browser.js';
import { textIn, vaultAfter } from './settings-window.js';

const FOLDER = 'Savepoint/notes/Garden';
const NOTE = `${FOLDER}/Tasks.md`;

const filled = () =>
  vaultAfter(async (vault) => {
    await vault.data('createWorkspace', garden);
    for (const title of ['Dig', 'Sow'])
      await vault.data('createRecord', { resource: 'issue', title });
  });

const noteOf = async (host: ChromiumHost) => textIn(await host.snapshot(), NOTE) ?? '';

/** Properties of the task's own note, which the mirror writes from the memory. */
const recordOf = async (host: ChromiumHost, title: string) =>
  textIn(await host.snapshot(), `${FOLDER}/Records/${title}.md`) ?? '';

const area = ({ page }: ChromiumHost) =>
  page.locator('.workspace-leaf.mod-active textarea').first();

const shown = (host: ChromiumHost) => area(host).inputValue();

/** Opens an app that writes the notes, with the tasks note in a tab. */
async function openNote(mode: 'source' | 'preview', options: HostOptions = {}) {
  const host = await open({ files: await filled(), ...options });
  await host.page.evaluate(() => window.__host.host.app.saveLocalStorage('savepoint-mirror', true));
  await host.page.evaluate(async () => {
    const { plugins } = window.__host.host.app;
    await plugins.disablePlugin('savepoint');
    await plugins.enablePlugin('savepoint');
  });
  await expect.poll(() => noteOf(host)).toMatch(/- \[ \] Dig \^[\w-]+\n- \[ \] Sow/u);
  await host.page.evaluate(
    async ([path, state]) => {
      const { vault, workspace } = window.__host.host.app;
      await workspace
        .getLeaf('tab')
        .openFile(vault.getFileByPath(path)!, { state: { mode: state } });
    },
    [NOTE, mode] as const,
  );
  return host;
}

/** Puts the cursor at the end of the line that contains a text, or at its start. */
const putCursor = (host: ChromiumHost, text: string, atStart = false) =>
  area(host).evaluate(
    (element, [part, isAtStart]) => {
      const field = element as HTMLTextAreaElement;
      const at = field.value.indexOf(part);
      const [start, end] = [field.value.lastIndexOf('\n', at) + 1, field.value.indexOf('\n', at)];
      field.focus();
      const to = isAtStart ? start : end < 0 ? field.value.length : end;
      field.setSelectionRange(to, to);
    },
    [text, atStart] as const,
  );

/** The text before the cursor in its line. */
const beforeCursor = (host: ChromiumHost) =>
  area(host).evaluate((element) => {
    const { value, selectionStart } = element as HTMLTextAreaElement;
    return value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart);
  });

const copies = async (host: ChromiumHost) =>
  Object.keys(await host.snapshot()).filter((path) => path.includes('(edited'));

describe('a line typed into the tasks note', () => {
  for (const isMobile of [false, true])
    test(`becomes a task once the cursor has left it, ${isMobile ? 'on a phone' : 'on desktop'}`, async () => {
      const host = await openNote('source', { isMobile });
      await putCursor(host, '- [ ] Sow');
      await host.page.keyboard.press('Enter');
      await host.page.keyboard.type('- [ ] Buy bread', { delay: 120 });
      expect(await shown(host)).toContain('\n- [ ] Buy bread');
      await host.page.keyboard.press('Enter');
      await host.page.keyboard.type('and a thought');
      await expect.poll(() => shown(host)).toMatch(/\n- \[ \] Buy bread \^sp-\w+\nand a thought/u);
      expect(await beforeCursor(host)).toBe('and a thought');
      await expect.poll(() => recordOf(host, 'Buy bread')).toContain('status: "open"');
      await expect.poll(() => noteOf(host)).toContain('and a thought');
      expect(await copies(host)).toEqual([]);
    });

  test('becomes a task after 10 seconds, and its words may still change', async () => {
    const host = await openNote('source');
    const { clock } = host.page;
    await clock.install();
    await putCursor(host, '- [ ] Sow');
    await host.page.keyboard.press('Enter');
    await host.page.keyboard.type('- [ ] Buy bread');
    await clock.fastForward(11_000);
    await expect.poll(() => recordOf(host, 'Buy bread')).toContain('status: "open"');
    expect(await shown(host)).toMatch(/- \[ \] Buy bread\n/u);
    await host.page.keyboard.type(' and milk');
    await putCursor(host, '- [ ] Dig');
    await clock.fastForward(61_000);
    await expect.poll(() => shown(host)).toMatch(/- \[ \] Buy bread and milk \^sp-\w+\n/u);
    await expect.poll(() => recordOf(host, 'Buy bread and milk')).toContain('status: "open"');
    expect((await shown(host)).match(/Buy bread/gu)).toHaveLength(1);
    expect(await copies(host)).toEqual([]);
  });
});

test('words typed at the end of a line edit its task', async () => {
  const host = await openNote('source');
  await putCursor(host, '- [ ] Dig');
  await host.page.keyboard.type(' the bed', { delay: 50 });
  await putCursor(host, '# Tasks');
  await expect.poll(() => recordOf(host, 'Dig the bed')).toContain('status: "open"');
  expect(await shown(host)).toMatch(/- \[ \] Dig the bed \^sp-\w{8}\n/u);
  expect(await beforeCursor(host)).toBe('# Tasks');
  expect(await copies(host)).toEqual([]);
});

test('a change of the memory keeps the cursor and what is being typed', async () => {
  const host = await openNote('source');
  await host.runCommand('Savepoint: Switch workspace');
  await host.page.locator('.prompt-input').fill('Garden');
  await host.page.locator('.suggestion-item', { hasText: 'Garden' }).first().waitFor();
  await host.page.keyboard.press('Enter');
  await putCursor(host, '- [ ] Sow');
  await host.page.keyboard.press('Enter');
  await host.page.keyboard.type('- [ ] Buy');
  await host.runCommand('Savepoint: New task');
  await host.page.getByLabel('Title').fill('Weed');
  await host.page.keyboard.press('Control+Enter');
  await expect.poll(() => shown(host)).toMatch(/\n- \[ \] Weed \^sp-\w+/u);
  await area(host).focus();
  expect(await beforeCursor(host)).toBe('- [ ] Buy');
  await host.page.keyboard.type(' bread');
  expect(await shown(host)).toContain('\n- [ ] Buy bread\n');
  expect(await copies(host)).toEqual([]);
});

test('a box clicked in live preview completes its task, and the cursor stays', async () => {
  const host = await openNote('source');
  await putCursor(host, '- [ ] Dig');
  await host.page.evaluate(() => {
    const { editor } = window.__host.host.app.workspace.getLeavesOfType('markdown').at(-1)!
      .view as unknown as MarkdownView;
    const line = editor
      .getValue()
      .split('\n')
      .findIndex((each) => each.includes('] Sow'));
    const [from, to] = [3, 4].map((ch) => ({ line, ch }));
    editor.transaction({ changes: [{ from: from!, to: to!, text: 'x' }] }, 'input.toggle');
  });
  await expect.poll(() => recordOf(host, 'Sow')).toContain('status: "done"');
  expect(await shown(host)).toMatch(/- \[x\] Sow \^sp-\w+/u);
  expect(await beforeCursor(host)).toMatch(/^- \[ \] Dig \^sp-\w+$/u);
});

test('a list that Enter continues in live preview becomes tasks', async () => {
  const host = await openNote('source');
  await putCursor(host, '- [ ] Sow');
  for (const title of ['Buy bread', 'Weed']) {
    await host.page.evaluate(() => {
      const { editor } = window.__host.host.app.workspace.getLeavesOfType('markdown').at(-1)!
        .view as unknown as MarkdownView;
      const from = editor.getCursor();
      const selection = { from: { line: from.line + 1, ch: 6 } };
      editor.transaction({ changes: [{ from, text: '\n- [ ] ' }], selection }, 'input');
    });
    await host.page.keyboard.type(title);
  }
  await putCursor(host, '# Tasks');
  for (const title of ['Buy bread', 'Weed'])
    await expect.poll(() => recordOf(host, title)).toContain('status: "open"');
  expect(await shown(host)).toMatch(/Buy bread \^sp-\w+\n- \[ \] Weed \^sp-\w+\n/u);
  expect(await copies(host)).toEqual([]);
});

test('a box ticked in reading view completes its task', async () => {
  const host = await openNote('preview');
  await host.page.evaluate(async (path) => {
    const { vault } = window.__host.host.app;
    await vault.process(vault.getFileByPath(path)!, (text) =>
      text.replace('- [ ] Sow', '- [x] Sow'),
    );
  }, NOTE);
  await expect.poll(() => recordOf(host, 'Sow')).toContain('status: "done"');
  expect(await noteOf(host)).toMatch(/- \[ \] Dig \^sp-\w+\n- \[x\] Sow/u);
});

test('a removed line archives its task when the note is closed, and Undo brings it back', async () => {
  const host = await openNote('source');
  await putCursor(host, '- [ ] Sow', true);
  await host.page.keyboard.press('Shift+ArrowDown');
  await host.page.keyboard.press('Delete');
  expect(await shown(host)).not.toContain('Sow');
  await host.page.evaluate(() => {
    window.__host.host.app.workspace.getLeavesOfType('markdown').at(-1)!.detach();
  });
  await expect.poll(() => recordOf(host, 'Sow')).toContain('archived: true');
  const notice = host.page.locator('.notice', { hasText: 'Archived "Sow".' });
  await notice.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => noteOf(host)).toMatch(/- \[ \] Dig \^sp-\w+\n- \[ \] Sow \^sp-\w+/u);
  expect(await copies(host)).toEqual([]);
});

test('a line that is cut and pasted keeps its task, and a copy becomes a new one', async () => {
  const host = await openNote('source');
  const before = (await shown(host)).match(/\^[\w-]+/gu)!;
  /** Changes the text in the editor as the keyboard does. */
  const edit = (from: string, to: string) =>
    area(host).evaluate(
      (element, [old, next]) => {
        const field = element as HTMLTextAreaElement;
        const at = field.value.indexOf(old);
        field.setRangeText(next, at, at + old.length, 'end');
        field.dispatchEvent(new Event('input', { bubbles: true }));
      },
      [from, to] as const,
    );
  const [dig, sow] = [`- [ ] Dig ${before[0]}\n`, `- [ ] Sow ${before[1]}\n`];
  await edit(dig, '');
  await edit(sow, `${sow}${dig}${dig}`);
  await putCursor(host, '# Tasks');
  await expect.poll(() => shown(host)).toMatch(/Dig \^sp-\w+\n- \[ \] Dig (?!\S+ )\^sp-\w+\n$/u);
  const lines = async () => (await shown(host)).match(/- \[ \] .*\n/gu)!;
  await expect.poll(async () => new Set(await lines()).size).toBe(3);
  expect((await lines()).slice(0, 2)).toEqual([sow, dig]);
  const records = async () =>
    Object.keys(await host.snapshot()).filter((path) => path.startsWith(`${FOLDER}/Records/Dig`));
  await expect.poll(records).toHaveLength(2);
  expect(await recordOf(host, 'Dig')).toContain('archived: false');
  expect(await copies(host)).toEqual([]);
});

test('a note that is emptied lists its tasks again once it is closed', async () => {
  const host = await openNote('source');
  const before = await noteOf(host);
  await area(host).focus();
  await host.page.keyboard.press('Control+A');
  await host.page.keyboard.press('Delete');
  await expect.poll(() => noteOf(host)).toBe('');
  await host.page.evaluate(() => {
    window.__host.host.app.workspace.getLeavesOfType('markdown').at(-1)!.detach();
  });
  await expect.poll(() => noteOf(host)).toBe(before);
  expect(await recordOf(host, 'Sow')).toContain('archived: false');
  expect(await copies(host)).toEqual([]);
});

const LONG = 'x'.repeat(2001);
const HIDDEN = 'Buy\u200B bread';

/** Writes a line behind that of a task, and leaves it. */
async function writeLine(host: ChromiumHost, line: string) {
  await putCursor(host, '- [ ] Sow');
  await host.page.keyboard.press('Enter');
  await host.page.keyboard.insertText(line);
  await putCursor(host, '# Tasks');
}

/** Replaces a text in the editor, as a person does with the clipboard. */
async function paste(host: ChromiumHost, from: string, to: string) {
  await area(host).evaluate((element, old) => {
    const field = element as HTMLTextAreaElement;
    const at = field.value.indexOf(old);
    field.focus();
    field.setSelectionRange(at, at + old.length);
  }, from);
  await host.page.keyboard.insertText(to);
}

const notices = ({ page }: ChromiumHost) => page.locator('.notice-message');

describe('what keeps a line or the note from being merged is said', () => {
  for (const [cause, title, said, repaired] of [
    ['is too long', LONG, en.records.longLine(`${'x'.repeat(59)}…`), 'x'.repeat(2000)],
    ['is not visible', HIDDEN, en.records.hiddenInLine('Buy⟨U+200B⟩ bread'), 'Buy bread'],
  ] as const)
    test(`once if a title ${cause}, until it is repaired`, async () => {
      const host = await openNote('source');
      const { clock } = host.page;
      await clock.install();
      await writeLine(host, `- [ ] ${title}`);
      await clock.fastForward(2000);
      await expect.poll(() => notices(host).allTextContents()).toEqual([said]);
      expect(await shown(host)).toContain(`\n- [ ] ${title}\n`);

      await clock.fastForward(20_000);
      await expect.poll(() => notices(host).count()).toBe(0);
      await putCursor(host, `- [ ] ${title}`);
      await host.page.keyboard.type('!');
      await clock.fastForward(2000);
      await putCursor(host, '- [ ] Dig');
      await clock.fastForward(2000);
      await host.page.keyboard.type(' deep');
      await putCursor(host, '# Tasks');
      await clock.fastForward(2000);
      await expect.poll(() => recordOf(host, 'Dig deep')).toContain('status: "open"');
      expect(await notices(host).count()).toBe(0);

      await paste(host, `${title}!`, repaired);
      await putCursor(host, '# Tasks');
      await clock.fastForward(2000);
      await expect.poll(() => shown(host)).toMatch(new RegExp(`${repaired} \\^sp-\\w+\\n`, 'u'));
      await clock.fastForward(61_000);
      await paste(host, repaired, title);
      await putCursor(host, '# Tasks');
      await clock.fastForward(2000);
      await expect.poll(() => notices(host).allTextContents()).toEqual([said]);
      expect(await shown(host)).toContain(`\n- [ ] ${title} ^sp-`);
      expect(await copies(host)).toEqual([]);
    });

  test('while a line is being typed, nothing is', async () => {
    const host = await openNote('source');
    const { clock } = host.page;
    await clock.install();
    await putCursor(host, '- [ ] Sow');
    await host.page.keyboard.press('Enter');
    await host.page.keyboard.insertText(`- [ ] ${HIDDEN}`);
    await clock.fastForward(9000);
    expect(await notices(host).count()).toBe(0);
    await clock.fastForward(3000);
    await expect.poll(() => notices(host).count()).toBe(1);
  });

  test('if the note no longer shows which tasks it lists, and Undo repairs it', async () => {
    const host = await openNote('source');
    const { clock } = host.page;
    await clock.install();
    const before = await shown(host);
    const said = en.records.unlinkedNote(NOTE);
    for (let round = 0; round < 2; round++) {
      await paste(host, await shown(host), 'My list\n- [ ] Weed\n');
      await clock.fastForward(2000);
      await expect.poll(() => notices(host).allTextContents()).toEqual([said]);
      await clock.fastForward(20_000);
      await expect.poll(() => notices(host).count()).toBe(0);
      await host.page.keyboard.type('more');
      await clock.fastForward(2000);
      expect(await shown(host)).toBe('My list\n- [ ] Weed\nmore');
      expect(await notices(host).count()).toBe(0);
      await paste(host, await shown(host), before);
      await clock.fastForward(2000);
      await putCursor(host, '- [ ] Sow');
      await host.page.keyboard.type(` ${round}`);
      await putCursor(host, '# Tasks');
      await clock.fastForward(61_000);
      await expect.poll(() => recordOf(host, `Sow ${round}`)).toContain('status: "open"');
    }
    expect(await copies(host)).toEqual([]);
  });

  test('and a note that is renamed then makes room for a new one', async () => {
    const host = await openNote('source');
    await paste(host, await shown(host), 'My list\n- [ ] Weed\n');
    await notices(host).waitFor();
    await expect.poll(() => noteOf(host)).toContain('My list');
    const path = `${FOLDER}/Mine.md`;
    await host.page.evaluate(
      async ([from, to]) => {
        const { fileManager, vault } = window.__host.host.app;
        await fileManager.renameFile(vault.getFileByPath(from)!, to);
      },
      [NOTE, path] as const,
    );
    await expect.poll(() => noteOf(host)).toMatch(/- \[ \] Dig \^[\w-]+\n- \[ \] Sow/u);
    expect(textIn(await host.snapshot(), path)).toBe('My list\n- [ ] Weed\n');
  });
});

test.each([
  [1280, 'ltr', 'en'],
  [380, 'rtl', 'de'],
  [320, 'ltr', 'de'],
] as const)(
  'a notice about the note fits, at %i px, %s, %s',
  async (width, direction, language) => {
    const host = await openNote('source', { width, language, isMobile: width < 400 });
    const { page } = host;
    await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
    const { longLine, hiddenInLine, unlinkedNote } = (language === 'de' ? germanTexts() : en)
      .records;
    const check = async (said: string) => {
      const notice = page.locator('.notice', { hasText: said });
      await notice.waitFor();
      expect(await notice.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
      for (const theme of AXE_THEMES) {
        await host.setTheme(theme);
        await expectNoViolations(page, '.notice');
      }
    };
    await writeLine(host, `- [ ] ${LONG}`);
    await check(longLine(`${'x'.repeat(59)}…`));
    await paste(host, LONG, HIDDEN);
    await putCursor(host, '# Tasks');
    await check(hiddenInLine('Buy⟨U+200B⟩ bread'));
    await paste(host, await shown(host), 'My list');
    await check(unlinkedNote(NOTE));
  },
);
