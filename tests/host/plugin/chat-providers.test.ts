import { describe, expect, test } from 'vitest';
import type { Protocol } from '../../fakes/model-server.js';
import { button, forgetRefusals, messages, openChat, said, say, settled } from './chat-window.js';

const PROTOCOLS: readonly Protocol[] = ['anthropic', 'responses', 'google', 'chat'];

const saveBeds = {
  ...{ id: 'call_1', name: 'createState' },
  args: { name: 'Beds', conversationContext: 'We drew.', activeTask: 'Plants', activeFiles: [], nextSteps: ['Order'] },
};

/** How each provider words a refusal. */
const REFUSALS: Record<Protocol, string> = {
  anthropic: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  responses: '{"error":{"message":"Overloaded","type":"server_error","param":null,"code":null}}',
  google: '{"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE"}}',
  chat: '{"error":{"message":"Overloaded"}}',
};

describe.each(PROTOCOLS)('a conversation by the protocol %s', (protocol) => {
  test('streams, thinks, calls a tool that asks first, and gets over an error', async () => {
    const { host, server } = await openChat(
      [
        { says: [{ reasoning: 'Let me save.' }, { text: 'Saving the **beds**.' }, { call: saveBeds }], pace: 10 },
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
    expect(await host.page.locator('.savepoint-call-card').innerText()).toContain('Done');
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
    expect(answered).not.toContain('Let me save.'); // thoughts stay here
  });
});

test('a server that lets no web page in is told of with what to do about it', async () => {
  const { host } = await openChat([{ says: [{ text: 'never' }] }], { cors: false });
  await say(host, 'Hello');
  const failure = host.page.locator('.savepoint-failure');
  await expect.poll(() => failure.innerText()).toMatch(/does not answer at .+ Start it; if it runs, let it accept requests from Obsidian/);
  forgetRefusals(host);
  expect(await failure.getByRole('button').allInnerTexts()).toEqual(['Try again', 'Set up a model']);
  expect((await said(host))[0]).toBe('Hello');
  forgetRefusals(host);
});
