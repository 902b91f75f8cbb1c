import { expect, test } from 'vitest';
import type { ChromiumHost } from '../chromium.js';
import { button, choose, messages, openChat, say, settled } from './chat-window.js';

const saveBeds = {
  id: 'call-1',
  name: 'createState',
  args: {
    name: 'Beds',
    conversationContext: 'We drew the south beds.',
    activeTask: 'Plants',
    activeFiles: [],
    nextSteps: ['Order'],
  },
};
const loadBeds = { id: 'call-2', name: 'loadState', args: { name: 'Beds' } };

interface Line {
  readonly t: string;
  readonly e: string;
  readonly d: Readonly<Record<string, unknown>>;
}

/** Returns the events of a lane in the vault. */
async function eventsIn(host: ChromiumHost, lane: string): Promise<Line[]> {
  const files = Object.entries(await host.snapshot()).filter(([path]) =>
    path.startsWith(`Savepoint/${lane}/`),
  );
  return files.flatMap(([, file]) => {
    const text = typeof file === 'string' ? file : 'text' in file ? String(file.text) : '';
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
  });
}

test('a state saved in one conversation can be loaded in another', async () => {
  const { host, server } = await openChat([
    { says: [{ call: saveBeds }] },
    { says: [{ text: 'Saved as Beds.' }] },
    { says: [{ call: loadBeds }] },
    { says: [{ text: 'You were to order plants.' }] },
  ]);
  await say(host, 'Save where we are');
  await button(host, 'Allow once').click();
  await expect.poll(() => messages(host).last().innerText()).toContain('Saved as Beds.');
  await settled(host);

  await choose(host, 'New conversation');
  await expect.poll(() => messages(host).count()).toBe(0);
  await say(host, 'Carry on from Beds');
  await expect.poll(() => messages(host).last().innerText()).toContain('You were to order plants.');
  await settled(host);
  const [, , first, answered] = server.requests.map(({ body }) => JSON.stringify(body));
  expect(first).not.toContain('Save where we are');
  expect(answered).toContain('We drew the south beds.');

  const conversations = (await eventsIn(host, 'chat'))
    .filter(({ t }) => t === 'conv.new')
    .map(({ e }) => e);
  expect(conversations).toHaveLength(2);
  const calls = async () =>
    (await eventsIn(host, 'trace'))
      .filter(({ t, d }) => t === 'trace.new' && d['kind'] !== 'checkpoint')
      .map(({ d }) => [d['tool'], d['session']]);
  await expect.poll(calls).toEqual([
    ['createState', conversations[0]],
    ['loadState', conversations[1]],
  ]);

  await host.runCommand('Savepoint: Open memory');
  await host.page.locator('.savepoint-line', { hasText: 'Default' }).first().click();
  const rows = host.page.locator('.savepoint-line');
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual([expect.stringMatching(/^Beds\s/), expect.stringMatching(/^Carry on from Beds\s/)]);
  await rows.filter({ has: host.page.getByText('Beds', { exact: true }) }).click();
  await host.page.getByText('We drew the south beds.', { exact: true }).waitFor();
});
