// Tier full: a model server and an app
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddingServer } from '../../fakes/embedding-server.js';
import { startModelServer } from '../../fakes/model-server.js';
import { createDesktopPlace, startDesktop } from './desktop-app.js';
import { inFull } from '../../tier.js';

const testInFull = test.runIf(inFull('an embedding server without CORS'));

test('a model server without CORS streams its answer into the chat on desktop', async () => {
  const says = [{ text: 'One ' }, { text: 'two.' }];
  const server = await startModelServer('chat', [{ says, pace: 5 }], { cors: false });
  onTestFinished(() => server.close());
  const place = createDesktopPlace({
    providers: { lmstudio: { address: `${server.origin}/v1`, model: 'small' } },
    chatProvider: 'lmstudio',
  });
  const { host, run, texts, click } = await startDesktop(place);
  await run('open-chat');
  await expect.poll(() => texts('.savepoint-composer textarea')).toHaveLength(1);
  for (let turn = 1; turn <= 2; turn++) {
    await host.evaluate(() => {
      const area = document.querySelector<HTMLTextAreaElement>('.savepoint-composer textarea')!;
      area.value = 'Count';
      area.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await click('.savepoint-composer button', 'Send');
    await expect
      .poll(async () => (await texts('.savepoint-message.mod-answer')).join('\n'))
      .toMatch(new RegExp(`(?:One two\\.[^]*){${turn}}`));
  }
  expect(server.requests.length).toBeGreaterThanOrEqual(2);
  expect(host.errors).toEqual([]);
});

testInFull('an embedding server without CORS answers on desktop', async () => {
  const server = await startEmbeddingServer({ cors: false });
  onTestFinished(() => server.close());
  const place = createDesktopPlace();
  writeFileSync(join(place.vault, 'Car.md'), 'The car is red.');
  const settings = { ...server.openai, isOn: true };
  const first = await startDesktop(place);
  await first.host.evaluate(({ app }, { key, ...own }) => {
    app.saveLocalStorage('savepoint-own-model', own);
    app.secretStorage.setSecret('savepoint-embeddings', key);
  }, settings);
  await first.host.quit();
  const { host } = await startDesktop(place);
  await expect.poll(() => server.requests.flat().join('\n')).toContain('The car is red.');
  expect(host.errors).toEqual([]);
});
