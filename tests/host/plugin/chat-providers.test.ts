// Tier full: every protocol in the app; tests/obsidian/models covers each without it
import { describe, expect, onTestFinished, test } from 'vitest';
import { startModelServer, type Protocol } from '../../fakes/model-server.js';
import { button, forgetRefusals, messages, openChat, said, say, settled } from './chat-window.js';
import { createDesktopPlace, startDesktop } from './desktop-app.js';

const PROTOCOLS: readonly Protocol[] = ['anthropic', 'responses', 'google', 'chat'];

const saveBeds = {
  id: 'call_1',
  name: 'createState',
  args: {
    name: 'Beds',
    conversationContext: 'We drew.',
    activeTask: 'Plants',
    activeFiles: [],
    nextSteps: ['Order'],
  },
};

/** Error response of each provider. */
const REFUSALS: Record<Protocol, string> = {
  anthropic: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  responses: '{"error":{"message":"Overloaded","type":"server_error","param":null,"code":null}}',
  google: '{"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE"}}',
  chat: '{"error":{"message":"Overloaded"}}',
};

describe.each(PROTOCOLS)('a conversation over the protocol %s', (protocol) => {
  test('streams, calls a tool after approval, and recovers from an error', async () => {
    const { host, server } = await openChat(
      [
        {
          says: [
            { reasoning: 'Let me save.' },
            { text: 'Saving the **beds**.' },
            { call: saveBeds },
          ],
          pace: 10,
        },
        { status: 529, body: REFUSALS[protocol] },
        { says: [{ text: 'Saved as Beds.' }] },
      ],
      { protocol },
    );
    await say(host, 'Save this');
    await button(host, 'Allow once').click();
    const failure = host.page.locator('.savepoint-failure');
    await expect.poll(() => failure.innerText()).toContain('is overloaded');
    expect(await failure.innerText()).toContain('It said: "Overloaded"');
    expect(await host.page.locator('.savepoint-call-card.mod-done').count()).toBe(1);
    await expect.poll(() => host.page.locator('.savepoint-reasoning').count()).toBe(1);
    forgetRefusals(host);
    await button(host, 'Try again').click();
    await expect.poll(() => messages(host).last().innerText()).toContain('Saved as Beds.');
    await settled(host);
    expect((await said(host))[1]).toContain('Saving the beds.');
    expect(server.requests).toHaveLength(3);
    const answered = JSON.stringify(server.requests[2]?.body);
    expect(answered).toContain('Save this');
    expect(answered).toMatch(/\\?"success\\?":true/);
    expect(answered).not.toContain('Let me save.'); // reasoning is not sent
  });
});

test('a server that blocks web pages is reported with a fix', async () => {
  const { host } = await openChat([{ says: [{ text: 'never' }] }], { cors: false });
  await say(host, 'Hello');
  const failure = host.page.locator('.savepoint-failure');
  await expect
    .poll(() => failure.innerText())
    .toMatch(/doesn't respond at .+ Start it, or allow requests from Obsidian/);
  forgetRefusals(host);
  expect(await failure.getByRole('button').allInnerTexts()).toEqual([
    'Try again',
    'Set up a model',
  ]);
  expect((await said(host))[0]).toBe('Hello');
  forgetRefusals(host);
});

describe('a server that blocks web pages', () => {
  const words = { says: [{ text: 'On ' }, { text: 'another ' }, { text: 'way.' }] };

  test('is reached through the app on mobile, and remembered', async () => {
    const { host, server } = await openChat([words], { isMobile: true });
    await host.page.evaluate(() => {
      const reallyFetch = window.fetch.bind(window);
      const asked = { byPage: 0, byApp: 0 };
      // Requests through the app ignore CORS and have no signal; the stand-in makes both kinds with
      // fetch.
      window.fetch = (input, init) => {
        if (init?.signal) asked.byPage++;
        else asked.byApp++;
        return init?.signal
          ? Promise.reject(new TypeError('Failed to fetch'))
          : reallyFetch(input, init);
      };
      Object.assign(window, { asked });
    });
    const asked = () =>
      host.page.evaluate(
        () => (window as unknown as { asked: { byPage: number; byApp: number } }).asked,
      );
    await say(host, 'Hello');
    await expect.poll(() => said(host)).toEqual(['Hello', 'On another way.']);
    await settled(host);
    // The list of models is requested at the same time as the answer.
    await expect.poll(async () => (await asked()).byApp).toBe(2);
    const { byPage } = await asked();
    expect(byPage).toBeGreaterThan(0);
    await say(host, 'Again');
    await expect.poll(() => said(host)).toHaveLength(4);
    expect(await asked()).toEqual({ byPage, byApp: 3 });
    expect(server.requests).toHaveLength(2);
  });

  test('is reached through Node on desktop, where the answer still streams', async () => {
    const server = await startModelServer(
      'chat',
      [{ says: Array.from({ length: 300 }, () => ({ text: 'on and on ' })), pace: 50 }],
      {
        cors: false,
      },
    );
    onTestFinished(() => server.close());
    const place = createDesktopPlace({
      providers: { compatible: { address: `${server.origin}/v1`, model: 'small' } },
      chatProvider: 'compatible',
    });
    const { host, run, texts, clickNow } = await startDesktop(place);
    await host.evaluate(() => {
      window.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    });
    await run('open-chat');
    await expect.poll(() => texts('.savepoint-composer textarea')).toHaveLength(1);
    await host.evaluate(() => {
      const box = document.querySelector<HTMLTextAreaElement>('.savepoint-composer textarea')!;
      box.value = 'Hello';
      box.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await expect
      .poll(() =>
        host.evaluate(() => document.querySelector<HTMLButtonElement>('.savepoint-send')?.disabled),
      )
      .toBe(false);
    await clickNow('.savepoint-send', 'Send');
    await expect
      .poll(() => texts('.savepoint-message .savepoint-said'))
      .toEqual(['Hello', expect.stringMatching(/^on and on/)]);
    await clickNow('.savepoint-send', 'Stop');
    await expect.poll(() => texts('.savepoint-ending')).toEqual(['You stopped this answer.']);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers['user-agent'] ?? '').not.toContain('Mozilla');
    expect(host.errors).toEqual([]);
    await host.quit();
  });
});
