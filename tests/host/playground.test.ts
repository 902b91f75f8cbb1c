// Tier full: builds the playground and opens it in separate browsers
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, afterAll, expect, onTestFinished, test } from 'vitest';
import { buildPlayground } from '../../scripts/playground.mjs';
import { readSampleVault } from '../../scripts/host-page.mjs';
import { launch } from './browser.js';

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'savepoint-playground-'));
  ({ file } = await buildPlayground({ to: join(folder, 'playground.html') }));
});

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

test.each([
  ['a desktop', 1280, 800, false],
  ['a phone', 320, 640, true],
])(
  'on %s the page from disk shows vault and plugin without requests',
  async (_, width, height, isMobile) => {
    const browser = await launch({
      userDataDir: join(folder, `profile-${width}`),
      width,
      height,
      isMobile,
      flags: [],
    });
    onTestFinished(() => browser.close());
    const troubles: string[] = [];
    browser.on('weberror', (error) => troubles.push(error.error().message));
    browser.on(
      'console',
      (message) => void (message.type() === 'error' && troubles.push(message.text())),
    );
    const asked: string[] = [];
    browser.on('request', (request) => asked.push(request.url()));
    const page = browser.pages()[0]!;
    await page.goto(pathToFileURL(file).href);
    await page.locator('.markdown-rendered').getByText('This vault belongs to').waitFor();
    await page.evaluate(() => window.__host.host.runCommand('savepoint:open-memory'));
    await page.getByText('The app that counts moths').waitFor();
    expect(troubles).toEqual([]);
    expect(asked).toEqual([pathToFileURL(file).href]);
  },
);

test('the sample vault is reproducible', async () => {
  expect(await readSampleVault()).toEqual(await readSampleVault());
});

test('the sample vault has at least 12 states and over 10 sessions', async () => {
  const files = await readSampleVault();
  const lines = Object.entries(files).flatMap(([path, { text }]) =>
    path.endsWith('.jsonl') ? text.trim().split('\n') : [],
  );
  const events = lines.map(
    (line) => JSON.parse(line) as { t: string; e: string; d: Record<string, unknown> },
  );
  const of = (type: string) => events.filter(({ t }) => t === type);
  expect(of('state.new').length).toBeGreaterThanOrEqual(12);
  expect(new Set(of('ws.new').map(({ e }) => e))).toEqual(
    new Set(of('state.new').map(({ d }) => d['ws'])),
  );
  expect(of('set').filter(({ d }) => d['/isArchived'] === true).length).toBe(2);
  expect(new Set(of('trace.new').map(({ d }) => d['session'])).size).toBeGreaterThan(10);
});
