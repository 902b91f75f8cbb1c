// Tier full: agents are real processes, which take seconds to start.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlace, journalOf, start } from './agent-app.js';

const RED = Buffer.from('89504e470d0a1a0a', 'hex');

/** Opens the chat with an agent, and drops an image of the vault on the composer. */
async function askWithImage(quirks: string) {
  const place = createPlace(quirks);
  writeFileSync(join(place.vault, 'leaf.png'), RED);
  const app = await start(place);
  await app.add('Claude Code');
  await app.run('open-chat');
  await expect.poll(() => app.texts('.savepoint-place')).toContain('Claude Code');
  const drop = () =>
    app.host.evaluate(() => {
      const dataTransfer = { files: [], getData: () => 'leaf.png' };
      const event = Object.assign(new Event('drop', { bubbles: true }), { dataTransfer });
      document.querySelector('.savepoint-composer')!.dispatchEvent(event);
    });
  await drop();
  await expect.poll(() => app.texts('.savepoint-chip')).toContain('leaf.png');
  await app.send('do: say Red.');
  await app.idle();
  return { place, app };
}

test('an agent that takes images gets those of the message, once', async () => {
  const { place, app } = await askWithImage('sees');
  await expect.poll(() => app.answers()).toContain('Red.');
  await app.send('do: say Still.');
  await app.idle();
  await expect.poll(() => app.answers()).toContain('Still.');
  const prompts = journalOf(place).filter(({ prompt }) => prompt !== undefined);
  const image = { type: 'image', mimeType: 'image/png', data: RED.toString('base64') };
  expect(prompts).toMatchObject([{ images: [image] }, {}]);
  expect(prompts[0]?.prompt).toContain('Attached: the image "leaf.png".');
  expect(prompts[1]?.images).toBeUndefined();
}, 180_000);

test('an agent that takes no images refuses the message in words', async () => {
  const { place, app } = await askWithImage('');
  await expect
    .poll(() => app.answers())
    .toContain("Claude Code doesn't take images. Choose another model, or leave the image out.");
  expect(journalOf(place).filter(({ prompt }) => prompt !== undefined)).toEqual([]);
}, 180_000);
