import { expect, test } from 'vitest';
import { someOf } from '../../tier.js';
import { expectNoViolations } from '../axe.js';
import { button, messages, openChat, say, settled } from './chat-window.js';

const call = (id: string) => ({
  id,
  name: 'createState',
  args: {
    name: 'Beds',
    conversationContext: 'one\ntwo\nthree\nfour\nfive',
    activeTask: 'Plants',
    activeFiles: ['Beds.md'],
    nextSteps: ['Order'],
  },
});

test.each(someOf([false, true], 1))(
  'an approval shows what will be written, and a taken name is not asked about (phone: %s)',
  async (isMobile) => {
    const { host } = await openChat(
      [
        { says: [{ call: call('1') }] },
        { says: [{ text: 'Saved.' }] },
        { says: [{ call: call('2') }] },
        { says: [{ text: 'Taken.' }] },
      ],
      { isMobile, files: { 'Beds.md': 'South.' } },
    );
    await say(host, 'Save');
    const fields = host.page.locator('.savepoint-written');
    await fields.waitFor();
    expect((await fields.innerText()).replace(/\n+/g, ' ')).toBe(
      'Workspace Default Name Beds Conversation context one two three four… ' +
        'Active task Plants Active files Beds.md Next steps Order',
    );
    await expectNoViolations(host.page, '.savepoint-chat');
    if (process.env['PICTURES'] !== undefined)
      await host.page.screenshot({ path: `${process.env['PICTURES']}/approval-${isMobile}.png` });
    await button(host, 'Allow once').press('Enter');
    await settled(host);
    await say(host, 'Save again');
    await expect.poll(() => messages(host).last().innerText()).toContain('Taken.');
    expect(await button(host, 'Allow once').count()).toBe(0);
    expect(await host.page.locator('.savepoint-call-card').last().innerText()).toContain('Failed');
  },
);
