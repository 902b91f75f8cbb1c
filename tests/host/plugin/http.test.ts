// Tier full: further cases of the HTTP server in the app
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Answer } from '../../../src/toolkit/answer.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { createDesktopPlace, startDesktop, type DesktopPlace } from './desktop-app.js';
import { open } from '../shared-browser.js';
import { openSettings } from './settings-window.js';

const ADDRESS = '.modal .savepoint-setting-box .setting-item-description';

/** Files of the HTTP server, outside the vault. */
const filesIn = ({ state }: DesktopPlace, name: string) =>
  readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(name));

async function connectHttp(url: string, token: string) {
  const client = new Client({ name: 'calls-itself-what-it-likes', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  onTestFinished(() => client.close());
  return async (name: string, params: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: params })).structuredContent as Answer;
}

/** Turns the HTTP server on in the settings, and returns its URL. */
async function enableServer(person: Awaited<ReturnType<typeof startDesktop>>): Promise<string> {
  const { openPage, turn, texts } = person;
  await openPage('AI apps');
  await turn('HTTP server');
  const url = async () => (await texts(ADDRESS)).find((each) => each?.startsWith('http://')) ?? '';
  await expect.poll(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  return url();
}

const reach = (url: string, token?: string) =>
  fetch(url, {
    method: 'POST',
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  }).then(
    ({ status }) => status,
    () => 'closed',
  );

describe('the HTTP server', () => {
  test('is off by default, and then accepts calls with a token', async () => {
    const place = createDesktopPlace();
    const person = await startDesktop(place);
    const { host, texts, click, catchCopies, copied, turn } = person;
    expect(filesIn(place, 'http.json')).toEqual([]);
    await catchCopies();
    const url = await enableServer(person);
    expect(await reach(url)).toBe(401);

    await click('.modal button', 'Copy the token of default');
    await expect.poll(copied).toMatch(/^[0-9a-f]{64}$/);
    const token = await copied();
    expect((await texts('.modal')).join('')).not.toContain(token);
    const call = await connectHttp(url, token);
    expect(await call('createState', stateNamed('Plan'))).toMatchObject({
      success: true,
      workspace: 'Default',
    });
    await expect.poll(() => texts('.notice')).toContain('default: Save state: Plan.');
    await expect
      .poll(async () => (await texts('.modal')).join(''))
      .toContain('1 call since Obsidian started; the last was createState');
    await click('.modal button', 'Show the token of default');
    expect(await texts('.savepoint-token')).toEqual([token]);

    // The token is not in the vault, and its file is private to this user.
    const inVault = readdirSync(place.vault, { recursive: true, encoding: 'utf8' }).map((path) =>
      join(place.vault, path),
    );
    expect(
      inVault.filter(
        (path) => statSync(path).isFile() && readFileSync(path, 'utf8').includes(token),
      ),
    ).toEqual([]);
    expect(statSync(join(place.state, filesIn(place, 'http-tokens')[0]!)).mode & 0o777).toBe(0o600);

    await turn('HTTP server');
    await expect.poll(() => reach(url)).toBe('closed');
    await expect.poll(() => filesIn(place, 'http.json')).toEqual([]);
    expect(host.errors).toEqual([]);
  });

  test('rejects a renewed or removed token immediately', async () => {
    const place = createDesktopPlace();
    const person = await startDesktop(place);
    const { texts, click, catchCopies, copied, type } = person;
    await catchCopies();
    const url = await enableServer(person);
    await click('.modal button', 'Copy the token of default');
    await expect.poll(copied).not.toBe('');
    const before = await copied();
    await click('.modal button', 'Give default a new token; the old one stops working');
    await expect.poll(() => reach(url, before)).toBe(401);

    await type('App name', 'my agent');
    await click('.modal button', 'Add');
    await expect.poll(async () => (await texts('.modal')).join('')).toContain('my-agent');
    await click('.modal button', 'Copy the token of my-agent');
    await expect.poll(copied).not.toBe(before);
    const own = await copied();
    const call = await connectHttp(url, own);
    expect(await call('listStates')).toEqual({ success: true, workspace: 'Default', data: [] });
    await click('.modal button', 'Remove my-agent; its token stops working');
    await expect.poll(() => reach(url, own)).toBe(401);
    await expect(call('listStates')).rejects.toThrow();
    await type('App name', '#');
    await click('.modal button', 'Add');
    await expect
      .poll(async () => (await texts('.notice')).join(''))
      .toContain('Choose another name.');
  });

  test('asks for approval if the settings require it for the token', async () => {
    const place = createDesktopPlace({ askingClients: ['default'] });
    const person = await startDesktop(place);
    await person.catchCopies();
    const url = await enableServer(person);
    await person.click('.modal button', 'Copy the token of default');
    await expect.poll(person.copied).not.toBe('');
    const call = await connectHttp(url, await person.copied());
    const saving = call('createState', stateNamed('Plan'));
    await expect.poll(() => person.texts('.savepoint-approval')).toHaveLength(1);
    await person.click('.savepoint-approval button', 'Deny');
    expect(await saving).toMatchObject({
      error: expect.stringContaining('The user did not allow this call.') as string,
    });
  });

  test('reports a port in use, and reuses its own port after a restart', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const place = createDesktopPlace();
    const person = await startDesktop(place);
    const { texts, type, host } = person;
    const first = await enableServer(person);
    await type('Port', '70000');
    await expect
      .poll(async () => (await texts('.modal')).join(''))
      .toContain('Enter a whole number from 0 to 65,535.');
    await type('Port', String(port));
    await expect
      .poll(async () => (await texts('.modal')).join(''))
      .toContain(`Port ${port} is already in use or not permitted.`);
    expect(await reach(first)).toBe('closed');
    await type('Port', '0');
    await expect.poll(() => reach(first)).toBe(401);
    await host.quit();
    expect(await reach(first)).toBe('closed');
    expect(filesIn(place, 'http.json')).toEqual([]);
    await startDesktop(place);
    await expect.poll(() => reach(first)).toBe(401);
  });

  test('stops immediately when the plugin is disabled', async () => {
    const place = createDesktopPlace();
    const person = await startDesktop(place);
    const url = await enableServer(person);
    await person.host.evaluate((running) => running.app.plugins.disablePlugin('savepoint'));
    expect(await reach(url)).toBe('closed');
    await expect.poll(() => filesIn(place, 'http.json')).toEqual([]);
  });

  test('is not available on mobile', async () => {
    const host = await open({ isMobile: true });
    await openSettings(host);
    await host.page.evaluate(() =>
      window.__host.host.app.setting.openTabById('savepoint', ['AI apps']),
    );
    expect(await host.page.getByText('HTTP server').count()).toBe(0);
  });
});
