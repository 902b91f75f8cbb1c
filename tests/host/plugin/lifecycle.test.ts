import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, PROGRAM, temporaryFolder } from '../../fakes/program.js';
import { lineOf } from '../../fakes/events.js';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { startNodeHost, type NodeHost } from '../node-host.js';
import { inFull } from '../../tier.js';

const testInFull = test.runIf(inFull('reloads, restarts, crashes and faults of the desktop app'));

interface Place {
  readonly vault: string;
  readonly state: string;
  readonly storageFile: string;
}

function createPlace(): Place {
  const state = temporaryFolder('state');
  return { vault: temporaryFolder(), state, storageFile: join(state, 'local-storage.json') };
}

async function start({ vault, state, storageFile }: Place): Promise<NodeHost> {
  const env = { SAVEPOINT_STATE: state, XDG_RUNTIME_DIR: '' };
  const host = await startNodeHost({ vault, plugin: PROGRAM, storageFile, env });
  onTestFinished(() => host.kill());
  await expect.poll(() => status(host)).toBe('Default');
  return host;
}

const status = (host: NodeHost) =>
  host.evaluate(() => document.querySelector('.status-bar .savepoint-cut')?.textContent ?? '');

/** Files through which programs discover the plugin. */
const liveFiles = ({ state }: Place) =>
  readdirSync(state, { recursive: true, encoding: 'utf8' })
    .filter((name) => /live\.json$|\.sock$/.test(name))
    .map((name) =>
      name
        .split('/')
        .pop()!
        .replace(/^[0-9a-f]{8}/, 'name'),
    );

describe('the plugin', () => {
  test('answers an MCP client, and shows its changes', async () => {
    const place = createPlace();
    const host = await start(place);
    const { call } = await connect(place.vault, place.state);
    expect(await call('createWorkspace', garden)).toEqual({ success: true });
    expect(await call('createState', stateNamed('Beds drawn'))).toEqual({
      success: true,
      workspace: 'Garden',
    });
    await host.evaluate((running) => running.runCommand('savepoint:open-memory'));
    const rows = () =>
      host.evaluate(() =>
        [...document.querySelectorAll('.savepoint-line-title')].map((row) => row.textContent),
      );
    await expect.poll(rows).toContain('Garden');
    expect(
      await host.evaluate(() => document.querySelector('.savepoint-view')?.textContent),
    ).toContain('1 state');
    await host.quit();
    expect(await call('listStates')).toMatchObject({
      success: true,
      workspace: 'Garden',
      data: [{ name: 'Beds drawn' }],
    });
    expect(host.errors).toEqual([]);
  });

  testInFull('shows what another program writes', async () => {
    const place = createPlace();
    const host = await start(place);
    await host.evaluate((running) => running.runCommand('savepoint:open-memory'));
    const { call } = await connect(place.vault, temporaryFolder('other-device'));
    await call('createWorkspace', garden);
    const rows = () =>
      host.evaluate(() =>
        [...document.querySelectorAll('.savepoint-line-title')].map((row) => row.textContent),
      );
    await expect.poll(rows).toContain('Garden');
    expect(host.errors).toEqual([]);
  });

  testInFull('leaves nothing behind when reloaded 20 times', async () => {
    const place = createPlace();
    const host = await start(place);
    const seen = () =>
      host.evaluate(() => ({
        elements: document.querySelectorAll('*').length,
        status: document.querySelectorAll('.status-bar .plugin-savepoint').length,
        timers: process
          .getActiveResourcesInfo()
          .filter((name) => name === 'PipeWrap' || name === 'FSEvent').length,
      }));
    const before = await seen();
    await host.evaluate(async (running) => {
      for (let round = 0; round < 20; round++) {
        await running.app.plugins.disablePlugin('savepoint');
        await running.app.plugins.enablePlugin('savepoint');
      }
    });
    await expect.poll(() => status(host)).toBe('Default');
    await expect
      .poll(() => liveFiles(place))
      .toEqual(expect.arrayContaining(['live.json', 'name.sock']));
    await expect.poll(() => liveFiles(place)).toHaveLength(2);
    expect(await seen()).toEqual(before);
    await host.evaluate((running) => running.app.plugins.disablePlugin('savepoint'));
    await expect.poll(() => liveFiles(place)).toEqual([]);
    expect(
      await host.evaluate(() => document.querySelectorAll('[class*="savepoint"]').length),
    ).toBe(0);
    expect(host.errors).toEqual([]);
  });

  testInFull('writes nothing on startup', async () => {
    const place = createPlace();
    writeFileSync(join(place.vault, 'Note.md'), 'x');
    const host = await start(place);
    await host.quit();
    expect(readdirSync(place.vault).sort()).toEqual(['.obsidian', 'Note.md']);
    // The app itself writes this file.
    expect(readdirSync(join(place.vault, '.obsidian'))).toEqual(['workspace.json']);
  });

  testInFull.each(['quit', 'kill'] as const)('reuses its writers after each %s', async (end) => {
    const place = createPlace();
    for (let round = 0; round < 5; round++) {
      const host = await start(place);
      const { call } = await connect(place.vault, place.state);
      expect(await call('createState', stateNamed(`S${round}`))).toMatchObject({
        success: true,
        workspace: 'Default',
      });
      await host[end]();
    }
    const [month] = readdirSync(join(place.vault, 'Savepoint/core'));
    expect(readdirSync(join(place.vault, 'Savepoint/core', month!))).toHaveLength(1);
  });

  testInFull('keeps every acknowledged write when the app is killed', async () => {
    const place = createPlace();
    const names: string[] = [];
    for (let round = 0; round < 3; round++) {
      const host = await start(place);
      const { call } = await connect(place.vault, place.state);
      for (let at = 0; at < 5; at++) {
        names.push(`S${round}-${at}`);
        expect(await call('createState', stateNamed(names.at(-1)!))).toMatchObject({
          success: true,
          workspace: 'Default',
        });
      }
      await host.kill();
    }
    const { call } = await connect(place.vault, place.state);
    const { data } = (await call('listStates')) as { data: { name: string }[] };
    expect(data.map(({ name }) => name).sort()).toEqual(names.sort());
  });
});

describe('the plugin in an unexpected environment', () => {
  testInFull('recreates a data folder that is deleted while it runs', async () => {
    const place = createPlace();
    const host = await start(place);
    const { call } = await connect(place.vault, place.state);
    await call('createWorkspace', garden);
    const folder = join(place.vault, 'Savepoint');
    // Removal fails while the last trace is being written.
    await expect.poll(() => rmSync(folder, { recursive: true, force: true })).toBeUndefined();
    expect(await call('createState', stateNamed('After'))).toMatchObject({ success: true });
    expect(await call('listStates')).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ name: 'After' })]) as unknown,
    });
    expect(host.errors).toEqual([]);
  });

  testInFull('reads what it knows in a log of a newer version, and keeps the rest', async () => {
    const place = createPlace();
    const first = await start(place);
    const { call } = await connect(place.vault, place.state);
    await call('createWorkspace', garden);
    await first.quit();
    const folder = join(place.vault, 'Savepoint/core/2099-01');
    mkdirSync(folder, { recursive: true });
    const { bytes } = lineOf({
      v: 2,
      t: 'ws.new',
      e: 'later',
      w: 'rqpx3sjttkuf',
      d: { name: 'Later', shape: 'unknown' },
    });
    writeFileSync(join(folder, 'a.jsonl'), bytes);
    const host = await start(place);
    expect(await call('listWorkspaces')).toMatchObject({
      data: [{ name: 'Default' }, { name: 'Garden' }],
    });
    expect(
      await host.evaluate(() => document.querySelector('.notice-message')?.textContent),
    ).toContain('update Savepoint on this device');
    await host.quit();
    expect(readFileSync(join(folder, 'a.jsonl'))).toEqual(Buffer.from(bytes));
  });

  testInFull('opens no socket in a folder that others may enter', async () => {
    const place = createPlace();
    const host = await start(place);
    await host.quit();
    const [own] = readdirSync(place.state).filter((name) => /^[0-9a-f]{16}$/.test(name));
    chmodSync(join(place.state, own!, 'live'), 0o777);
    const again = await start(place);
    expect(liveFiles(place)).toEqual([]);
    expect(again.errors).toEqual([]);
  });
});
