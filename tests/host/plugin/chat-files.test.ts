// Tier full: further imports and exports of conversations
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { zipFile } from '../../fakes/zip-file.js';
import { expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import { button, composer, messages, openChat, say, settled, startImport } from './chat-window.js';
import { open } from '../shared-browser.js';
import { textIn } from './settings-window.js';

const claude = (uuid: string, name: string, ...texts: string[]) => ({
  uuid,
  name,
  created_at: '2025-01-02T03:04:05Z',
  chat_messages: texts.map((text, at) => ({
    uuid: `${uuid}-${at}`,
    sender: at % 2 === 0 ? 'human' : 'assistant',
    text,
    created_at: `2025-01-02T03:04:${10 + at}Z`,
  })),
});

const chatGpt = {
  conversation_id: 'g',
  title: 'Tulips',
  create_time: 1_750_000_000,
  current_node: 'b',
  mapping: Object.fromEntries(
    [
      ['a', null, 'user', 'When do tulips flower?'] as const,
      ['b', 'a', 'assistant', 'In April, after a cold winter.'] as const,
    ].map(([id, parent, role, text]) => [
      id,
      {
        id,
        parent,
        children: [],
        message: {
          id,
          author: { role },
          create_time: 1_750_000_000,
          content: { content_type: 'text', parts: [text] },
          recipient: 'all',
        },
      },
    ]),
  ),
};

async function chooseFiles(
  { page }: ChromiumHost,
  ...files: { name: string; text: string | Buffer }[]
): Promise<void> {
  const buffers = files.map(({ name, text }) => ({
    name,
    mimeType: '',
    buffer: Buffer.from(text),
  }));
  await page.locator('.modal input[type=file]').setInputFiles(buffers);
  await page.locator('.modal').getByRole('button', { name: 'Choose files…' }).waitFor();
}

const report = ({ page }: ChromiumHost) => page.locator('.savepoint-import-preview');

describe('exported chats', () => {
  test('are imported from two products, can be searched, and are read-only', async () => {
    const host = await open({});
    await host.runCommand('Savepoint: Import chats');
    await expectNoViolations(host.page, '.modal');
    const hostile = claude(
      'x',
      '<img src=x onerror="document.title=1">',
      'Plan the **beds**',
      'South, then west.',
    );
    await chooseFiles(
      host,
      { name: 'claude.json', text: JSON.stringify([hostile, { uuid: 'odd' }]) },
      { name: 'gpt.json', text: JSON.stringify([chatGpt]) },
    );
    await expect
      .poll(() => report(host).innerText())
      .toContain('1 conversation from ChatGPT in the file.');
    expect(await report(host).innerText()).toContain(
      '1 conversation from Claude in the file.\n1 conversation added.',
    );
    expect(await report(host).innerText()).toMatch(
      /1 entry was skipped:\s+Entry 2: it isn't a Claude or ChatGPT conversation\./,
    );
    await expectNoViolations(host.page, '.modal');

    await chooseFiles(host, { name: 'gpt.json', text: JSON.stringify([chatGpt]) });
    await expect.poll(() => report(host).innerText()).toContain('Nothing new in this file.');
    await report(host).getByRole('button', { name: 'Show conversations' }).click();
    const rows = host.page.locator('.savepoint-line');
    await expect.poll(() => rows.count()).toBe(2);
    await host.page.locator('.savepoint-view input[type=search]').fill('cold winter');
    await expect.poll(() => rows.count()).toBe(1);
    await rows.click();
    await expect.poll(() => messages(host).count()).toBe(2);
    expect(await composer(host).count()).toBe(0);
    const actions = await host.page
      .locator('.savepoint-actions button')
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
    expect([...new Set(actions)]).toEqual(['Copy', 'Insert at cursor', 'Replace selection']);
    await expectNoViolations(host.page, '.savepoint-chat');

    await button(host, 'Continue in a new conversation').click();
    await expect
      .poll(() => host.page.locator('.savepoint-data-card').innerText())
      .toContain('the conversation "Tulips", imported from ChatGPT');
    await composer(host).waitFor();
    expect(await messages(host).count()).toBe(1);
  });

  test('are imported from a .zip file on mobile', async () => {
    const host = await open({ isMobile: true });
    await host.runCommand('Savepoint: Import chats');
    const chats = JSON.stringify([
      claude('x', 'Plan the beds', 'South, then west.'),
      claude('y', 'Roses', 'And roses?'),
    ]);
    const packed = zipFile([
      { name: 'users.json', text: '[{"name":"Ada"}]' },
      { name: 'conversations.json', text: chats },
      { name: 'projects.json', text: '[]', method: 0 },
    ]);
    await chooseFiles(host, { name: 'data-2026.zip', text: packed });
    await expect.poll(() => report(host).innerText()).toContain('2 conversations added.');
    expect(await report(host).locator('h4').allInnerTexts()).toEqual([
      'data-2026.zip › conversations.json',
    ]);
    await expectNoViolations(host.page, '.modal');
    await report(host).getByRole('button', { name: 'Show conversations' }).click();
    await expect.poll(() => host.page.locator('.savepoint-line').count()).toBe(2);
  });

  test('are reported if they cannot be unpacked, and partial imports are kept', async () => {
    const host = await open({});
    await host.runCommand('Savepoint: Import chats');
    const chats = JSON.stringify([
      claude('x', 'Plan the beds'),
      ...Array.from({ length: 40 }, (_, at) => claude(`n${at}`, 'Roses', 'Roses? '.repeat(2000))),
    ]);
    const locked = zipFile([{ name: 'conversations.json', text: chats, flags: 1 }]);
    const torn = zipFile([{ name: 'conversations.json', text: chats, method: 0 }]);
    torn.fill(0, 500_000, 500_100);
    await chooseFiles(
      host,
      { name: 'locked.zip', text: locked },
      { name: 'cut.zip', text: locked.subarray(0, 60) },
      { name: 'torn.zip', text: torn },
      { name: 'photos.zip', text: zipFile([{ name: 'a.jpg', text: 'x' }]) },
    );
    await expect.poll(() => report(host).locator('h4').count()).toBe(4);
    const told = await report(host).innerText();
    expect(told).toMatch(
      /locked\.zip › conversations\.json\s+This \.zip file is password-protected\./,
    );
    expect(told).toMatch(
      /cut\.zip\s+This \.zip file is damaged or incomplete\. Download it again\./,
    );
    expect(told).toMatch(/torn\.zip[^]*is damaged[^]*Added before that:[^]*conversations added\./);
    expect(told).toMatch(
      /photos\.zip\s+No Claude or ChatGPT conversation in this file\. Choose the \.zip file of an export/,
    );
    await expectNoViolations(host.page, '.modal');
  });

  test('of 50 MB are imported in the background, and can be stopped', async () => {
    const host = await open({});
    await startImport(host, 250);
    await expect
      .poll(() => report(host).innerText())
      .toMatch(/[1-9]\d* conversations? read so far/);
    await host.page.locator('.modal').getByRole('button', { name: 'Stop' }).click();
    await expect
      .poll(() => report(host).innerText())
      .toContain('Stopped. Added conversations are kept; import the file again to continue.');
  });
});

test('a conversation is exported as a note with links to its context', async () => {
  const saving = {
    id: 'c1',
    name: 'createState',
    args: {
      name: 'Beds',
      conversationContext: 'We drew.',
      activeTask: 'Plants',
      activeFiles: [],
      nextSteps: ['Order'],
    },
  };
  const { host } = await openChat(
    [
      { says: [{ text: 'See [[Plan]]. <b>!</b>' }, { call: saving }] },
      { says: [{ text: 'Saved.' }] },
    ],
    {
      files: { 'Plan.md': 'South.' },
    },
  );
  await composer(host).pressSequentially('Read [[Pla');
  await host.page.locator('.savepoint-offer').first().waitFor();
  await host.press('Enter', 'Enter');
  await button(host, 'Allow once').click();
  await expect.poll(() => messages(host).last().innerText()).toContain('Saved.');
  await settled(host);
  await host.runCommand('Savepoint: Export conversation as note');
  await expect.poll(async () => textIn(await host.snapshot(), 'Read.md')).toContain('# Read');
  const note = textIn(await host.snapshot(), 'Read.md') ?? '';
  expect(note).toContain(
    stringify(
      { conversation: 'Read' },
      { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' },
    ).trim(),
  );
  for (const line of ['> [[Plan.md]]', 'See [[Plan]].', '> Save state [[Beds]] (done)', 'Saved.'])
    expect(note).toContain(line);
  expect(note).not.toContain('<b>');
  await expect
    .poll(() => host.page.evaluate(() => window.__host.host.app.workspace.getActiveFile()?.path))
    .toBe('Read.md');
});

test('the export command is available only while a conversation is open', async () => {
  const { host } = await openChat([{ says: [{ text: 'Fine.' }] }], {
    files: { 'Plan.md': 'South.' },
  });
  const offered = () => host.commands('Savepoint: Export conversation');
  expect(await offered()).toEqual([]);
  await say(host, 'Hello');
  await settled(host);
  await expect.poll(offered).toEqual(['Savepoint: Export conversation as note']);
});
