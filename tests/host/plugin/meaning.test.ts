// Tier full: the semantic search settings in the app
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEmbeddingServer, type TestEmbeddingServer } from '../../fakes/embedding-server.js';
import { expectNoViolations } from '../axe.js';
import { open } from '../shared-browser.js';
import { openSettings, press, row } from './settings-window.js';

let server: TestEmbeddingServer;
beforeEach(async () => {
  server = await startEmbeddingServer();
});
afterEach(() => server.close());

describe('the semantic search settings', () => {
  test('count the notes, send them only after Start, and stop', async () => {
    const files = { 'Car.md': 'The automobile needs new tyres.', 'Garden.md': 'A rose.' };
    const host = await open({ files, connect: [server.ollama.address] });
    const { page } = host;
    await openSettings(host);
    await press(page, row(page, 'Semantic search'));
    const status = row(page, 'Index all notes');
    await expect.poll(() => status.textContent()).toContain('No model selected.');

    await row(page, 'Address').locator('input').fill('somewhere');
    await row(page, 'Embedding model').locator('input').focus();
    await expect
      .poll(() => row(page, 'Address').textContent())
      .toContain('Enter an address that starts with http:// or https://.');
    await row(page, 'Address').locator('input').fill(server.ollama.address);
    await row(page, 'Embedding model').locator('input').fill(server.ollama.model);
    server.answerWith = { status: 200, body: '{}' };
    await row(page, 'Test').getByRole('button').focus();
    await row(page, 'Test').getByRole('button').click();
    await expect.poll(() => row(page, 'Test').textContent()).toContain('did not return embeddings');
    server.answerWith = undefined;
    await row(page, 'Test').getByRole('button').click();
    await expect
      .poll(() => row(page, 'Test').textContent())
      .toContain('It works: vectors with 8 dimensions.');

    await expect
      .poll(() => status.getByRole('button').allTextContents())
      .toEqual(['Count', 'Start']);
    await status.getByRole('button', { name: 'Count' }).click();
    await expect.poll(() => status.textContent()).toContain('To be sent: 2 notes in about 2 texts');
    expect(server.requests.flat().some((text) => text.includes('automobile'))).toBe(false);
    await status.getByRole('button', { name: 'Start' }).click();
    await expect.poll(() => status.textContent()).toContain('Ready: 2 notes indexed.');
    await expect.poll(() => status.textContent()).toContain('Sent since the start: 2 texts');
    await expectNoViolations(page);
    await status.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => status.textContent()).toContain('Off. 2 of 2 notes are indexed');
  });
});
