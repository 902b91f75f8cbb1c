// Tier full: further cases of a full context
import { describe, expect, test } from 'vitest';
import { expectNoViolations } from '../axe.js';
import {
  choose,
  composer,
  forgetRefusals,
  messages,
  openChat,
  say,
  settled,
} from './chat-window.js';
import { showAllFields } from './settings-window.js';

/** Facts about the model. The server reports 120 tokens for each answer. */
const reads = (tokens: number) => ({
  facts: { context_length: tokens, pricing: { prompt: '0.001', completion: '0.01' } },
});

const DRAFT = JSON.stringify({
  name: 'Beds drawn',
  description: 'The south beds.',
  conversationContext: 'We drew the south beds.',
  activeTask: 'Order plants',
  nextSteps: ['Ask for peas', 'Sow'],
});

describe('the context meter', () => {
  test.each([1000, 160])('appears above 70 %, with the cost if it is known (%i)', async (limit) => {
    const { host } = await openChat([{ says: [{ text: 'Fine.' }] }], reads(limit));
    const meter = host.page.locator('.savepoint-meter');
    expect(await meter.count()).toBe(0);
    await say(host, 'Hello');
    await settled(host);
    if (limit === 1000) return expect(await meter.count()).toBe(0);
    await expect.poll(() => meter.innerText()).toBe('120 of 160 tokens (75%)');
    const hint = await meter.getAttribute('title');
    expect(hint).toContain(
      'This branch has used 120 tokens in total, as reported by the provider, for about $0.30.',
    );
    expect(await host.page.locator('.savepoint-context-offer').count()).toBe(0);
  });

  test('offers to continue from a drafted state near the limit', async () => {
    const { host, server } = await openChat(
      [
        { says: [{ text: 'Fine.' }] },
        { says: [{ text: DRAFT }] },
        { says: [{ text: 'Going on.' }] },
      ],
      reads(140),
    );
    await say(host, 'Draw the beds');
    await settled(host);
    const offer = host.page.locator('.savepoint-context-offer');
    await expect.poll(() => offer.innerText()).toContain("fills 86% of the model's context");
    await expect
      .poll(() =>
        host.page.locator('.savepoint-chat [role=status]', { hasText: 'fills 86%' }).count(),
      )
      .toBe(1);
    await expectNoViolations(host.page, '.savepoint-chat');
    await offer.getByRole('button', { name: 'Not now' }).click();
    expect(await offer.count()).toBe(0);
    await expect
      .poll(() => composer(host).evaluate((area) => area === document.activeElement))
      .toBe(true);

    await host.runCommand('Savepoint: New conversation');
    await choose(host, 'All conversations');
    await host.page.locator('.savepoint-line').first().click();
    await offer
      .getByRole('button', { name: 'Save a state and continue in a new conversation' })
      .click();
    const form = host.page.locator('.savepoint-form');
    await form.getByRole('button', { name: 'Fill in' }).click();
    await expect
      .poll(() => form.locator('.savepoint-drafting').innerText())
      .toContain('Filled in by small (120 tokens). Check it before you save.');
    expect(await form.locator('.savepoint-fold button').last().innerText()).toBe('Beds drawn');
    expect(await form.getByLabel('Where are you?').inputValue()).toBe('We drew the south beds.');
    expect(await form.getByLabel('What next?').inputValue()).toBe(
      'Order plants\nAsk for peas\nSow',
    );
    await expectNoViolations(host.page, '.modal');
    expect(JSON.stringify(server.requests[1]?.body)).toContain('> User: Draw the beds');
    await host.press('Control+Enter');
    await expect
      .poll(() => host.page.locator('.savepoint-data-card').innerText())
      .toContain('Beds drawn');
    expect(await messages(host).count()).toBe(1);
    expect(server.requests).toHaveLength(2);
    await say(host, 'Go on');
    await expect.poll(() => messages(host).last().innerText()).toContain('Going on.');
    expect(JSON.stringify(server.requests[2]?.body)).toContain('> Order plants');
  });

  test('reports that the server truncated the request', async () => {
    const { host } = await openChat([{ says: [{ text: 'Hm?' }] }]);
    await say(host, 'beds and plants '.repeat(1000));
    await settled(host);
    await expect
      .poll(() => host.page.locator('.savepoint-context-offer').innerText())
      .toContain('tokens of this conversation were not read');
  });
});

describe('saving a state from a conversation', () => {
  test('keeps what the user types while the model drafts, and can be stopped', async () => {
    const slow = {
      says: Array.from(DRAFT.match(/.{1,8}/gsu) ?? [], (text) => ({ text })),
      pace: 60,
    };
    const { host, server } = await openChat([{ says: [{ text: 'Fine.' }] }, slow]);
    await say(host, 'Draw the beds');
    await settled(host);
    await choose(host, 'Save state');
    const form = host.page.locator('.savepoint-form');
    await form.getByRole('button', { name: 'Fill in' }).click();
    await expect
      .poll(() => form.locator('.savepoint-drafting').innerText())
      .toContain('small is filling this in');
    expect(await form.getByLabel('Where are you?').inputValue()).toContain('You: Draw the beds');
    await showAllFields(host.page);
    await form.getByLabel('Name', { exact: true }).pressSequentially('Mine');
    await expect
      .poll(() => form.locator('.savepoint-drafting').innerText())
      .toContain('Filled in by small');
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Mine');
    expect(await form.getByLabel('What next?').inputValue()).toBe(
      'Order plants\nAsk for peas\nSow',
    );
    await form.getByRole('button', { name: 'Fill in' }).click();
    await form.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => form.locator('.savepoint-drafting').innerText()).toContain('Stopped.');
    expect(server.requests).toHaveLength(3);
    await host.press('Escape');
    await choose(host, 'Save state');
    await expect.poll(() => form.innerText()).toContain('Restored what you typed before.');
    expect(server.requests).toHaveLength(3); // restored input is not drafted again
  });

  test('takes four clicks to a resumed state, nothing typed into the form', async () => {
    const { host, server } = await openChat([
      { says: [{ text: 'Fine.' }] },
      { says: [{ text: DRAFT }] },
      { says: [{ text: 'Order which plants?' }] },
    ]);
    await say(host, 'Draw the beds');
    await settled(host);
    await choose(host, 'Save state');
    const form = host.page.locator('.savepoint-form');
    await form.getByRole('button', { name: 'Fill in' }).click();
    await form.locator('.savepoint-drafting', { hasText: 'Filled in by small' }).waitFor();
    await host.page.locator('.modal').getByRole('button', { name: 'Save state' }).click();
    await host.page.locator('.notice').getByRole('button', { name: 'Resume' }).click();
    await host.page.locator('.savepoint-data-card').waitFor();
    await say(host, 'Go on');
    await expect.poll(() => messages(host).last().innerText()).toContain('Order which plants?');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('Order plants');
  });

  test('works without the model if it fails, and says why', async () => {
    const { host } = await openChat([
      { says: [{ text: 'Fine.' }] },
      { status: 401, body: '{"error":{"message":"Bad key"}}' },
    ]);
    await say(host, 'Draw the beds');
    await settled(host);
    await choose(host, 'Save state');
    const form = host.page.locator('.savepoint-form');
    await form.getByRole('button', { name: 'Fill in' }).click();
    await expect
      .poll(() => form.locator('.savepoint-drafting').innerText())
      .toContain('rejected the key');
    forgetRefusals(host);
    await form.getByLabel('What next?').fill('Plants');
    await host.press('Control+Enter');
    await expect.poll(() => host.page.locator('.notice').innerText()).toContain('Saved state');
    await expect.poll(() => messages(host).count()).toBe(2);
  });
});
