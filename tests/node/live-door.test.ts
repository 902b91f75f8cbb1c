import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { LiveAnswer, LiveCall } from '../../src/bridge/live.js';
import { answerLive } from '../../src/node/live-door.js';
import { findLive, livePlace, openLiveSocket, type LiveSocket } from '../../src/node/live-socket.js';
import { createFolderFiles } from '../../src/node/folder-files.js';
import { vaultStateFolder } from '../../src/node/state-folder.js';
import { connect, temporaryFolder } from '../fakes/program.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../fakes/test-vault.js';
import { node } from './folders.js';

const open: LiveSocket[] = [];
afterEach(() => open.splice(0).forEach((socket) => socket.close()));

interface Scene {
  readonly vault: string;
  readonly state: string;
  readonly place: ReturnType<typeof livePlace>;
}

function createScene(): Scene {
  const [vault, state] = [temporaryFolder(), temporaryFolder('state')];
  return { vault, state, place: placeOf(vault, state) };
}

function placeOf(vault: string, state: string) {
  return livePlace(node, vaultStateFolder(node, state, realpathSync(vault)), {}, process.platform);
}

/** The toolset of a plugin that has this vault open, and the calls that came to it. */
async function openLive(
  { vault, place }: Scene,
  call?: (call: LiveCall, answer: () => Promise<LiveAnswer>) => Promise<LiveAnswer>,
): Promise<{ socket: LiveSocket; calls: LiveCall[]; plugin: TestVault; reports: unknown[] }> {
  const plugin = createTestVault({ wrap: () => createFolderFiles(node, vault), seed: Math.floor(Math.random() * 1e9) });
  const calls: LiveCall[] = [];
  const reports: unknown[] = [];
  const socket = await openLiveSocket(
    node,
    place,
    (request) => {
      calls.push(request);
      const answer = () => answerLive(plugin.toolset, request);
      return call ? call(request, answer) : answer();
    },
    (error) => reports.push(error),
  );
  open.push(socket);
  return { socket, calls, plugin, reports };
}

const namesIn = (answer: unknown) => (answer as { data: { name: string }[] }).data.map(({ name }) => name).sort();

describe('a call of an MCP client', () => {
  it('is answered by the plugin while it listens, from the folder before and after, decided at each call', async () => {
    const scene = createScene();
    const { call } = await connect(scene.vault, scene.state);
    expect(await call('createState', stateNamed('Before'))).toEqual({ success: true });
    const { socket, calls } = await openLive(scene);
    expect(await call('createState', stateNamed('While'))).toEqual({ success: true });
    expect(calls).toMatchObject([{ tool: 'createState', client: 'savepoint-tests' }]);
    socket.close();
    expect(await call('createState', stateNamed('After'))).toEqual({ success: true });
    expect(namesIn(await call('listStates'))).toEqual(['After', 'Before', 'While']);
    expect(calls).toHaveLength(1);
  });

  it('stays in the workspace that its session entered, wherever it is answered', async () => {
    const scene = createScene();
    const { call } = await connect(scene.vault, scene.state);
    await call('createWorkspace', garden);
    const { socket } = await openLive(scene);
    await call('createState', stateNamed('Live'));
    await call('createWorkspace', { ...garden, name: 'Orchard', rootFolder: 'Orchard' });
    socket.close();
    await call('createState', stateNamed('Headless'));
    expect(await call('loadWorkspace', { name: 'Garden' })).toMatchObject({ data: { states: [{ name: 'Live' }] } });
    expect(await call('loadWorkspace', { name: 'Orchard' })).toMatchObject({ data: { states: [{ name: 'Headless' }] } });
  });

  it('takes effect once where the connection breaks off in the middle, before or after it was done', async () => {
    const scene = createScene();
    const { call } = await connect(scene.vault, scene.state);
    for (let round = 0; round < 8; round++) {
      const live = await openLive(scene, async (_, answer) => {
        if (round % 2 === 0) await answer();
        live.socket.close();
        return new Promise<never>(() => undefined);
      });
      expect(await call('createState', stateNamed(`S${round}`))).toEqual({ success: true });
      expect(live.calls).toHaveLength(1);
    }
    expect(namesIn(await call('listStates'))).toEqual(Array.from({ length: 8 }, (_, round) => `S${round}`));
  });

  it('is answered from the folder where a socket was left behind by a killed program', async () => {
    const scene = createScene();
    (await openLive(scene)).socket.close();
    await sleep(20);
    mkdirSync(scene.place.folder, { recursive: true, mode: 0o700 });
    const left = join(scene.place.folder, 'left.sock');
    writeFileSync(left, '', { mode: 0o600 });
    writeFileSync(join(scene.place.folder, 'live.json'), JSON.stringify({ socket: left, token: 'x' }), { mode: 0o600 });
    const { call } = await connect(scene.vault, scene.state);
    expect(await call('listStates')).toEqual({ success: true, data: [] });
    const { calls } = await openLive(scene);
    expect(await call('listStates')).toEqual({ success: true, data: [] });
    expect(calls).toHaveLength(1);
    expect(readdirSync(scene.place.folder)).not.toContain('left.sock');
  });

  it('goes to the vault it was made for, where two of one name are open', async () => {
    const state = temporaryFolder('state');
    const vaults = ['one', 'two'].map((place) => join(temporaryFolder(place), '工作 my vault!'));
    for (const vault of vaults) mkdirSync(vault);
    const scenes = vaults.map((vault) => ({ vault, state, place: placeOf(vault, state) }));
    const plugins = await Promise.all(scenes.map((scene) => openLive(scene)));
    const clients = await Promise.all(vaults.map((vault) => connect(vault, state)));
    await clients[0]!.call('createState', stateNamed('First'));
    await clients[1]!.call('createState', stateNamed('Second'));
    expect(await Promise.all(clients.map(async ({ call }) => namesIn(await call('listStates'))))).toEqual([['First'], ['Second']]);
    expect(plugins.map(({ calls }) => calls.length)).toEqual([2, 2]);
  });
});

describe('the socket', () => {
  it('and all that leads to it is for this user alone, and is gone afterwards', async () => {
    const scene = createScene();
    const { socket } = await openLive(scene);
    const { socket: path } = JSON.parse(readFileSync(join(scene.place.folder, 'live.json'), 'utf8')) as { socket: string };
    const modes = [scene.place.folder, join(scene.place.folder, 'live.json'), path].map((each) => lstatSync(each).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600]);
    socket.close();
    await expect.poll(() => readdirSync(scene.place.folder)).toEqual([]);
  });

  it('opens in no folder that others may enter', async () => {
    const { place } = createScene();
    mkdirSync(place.folder, { recursive: true });
    chmodSync(place.folder, 0o777);
    const opening = openLiveSocket(
      node,
      place,
      () => Promise.reject(new Error('not called')),
      () => undefined,
    );
    await expect(opening).rejects.toThrow('Others may read or enter');
  });

  it('is not looked for where others could have put it', async () => {
    const scene = createScene();
    await openLive(scene);
    chmodSync(join(scene.place.folder, 'live.json'), 0o644);
    await expect(findLive(node, scene.place)).rejects.toThrow('Others may read or enter');
  });

  it('stays with the successor where a predecessor closes late', async () => {
    const scene = createScene();
    const first = await openLive(scene);
    const second = await openLive(scene);
    first.socket.close();
    await sleep(50);
    const found = await findLive(node, scene.place);
    await found!.call({ tool: 'listStates', params: {}, sessionId: 's', workspaceId: undefined, key: randomUUID(), client: 'test' });
    expect([first.calls.length, second.calls.length]).toEqual([0, 1]);
    found!.close();
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'hello\n'],
    ['a call before the handshake', '{"id":1,"call":{"tool":"listStates","sessionId":"s","key":"k","client":"c"}}\n'],
    ['a wrong proof', '{"hello":"savepoint/1","question":"q"}\n{"proof":"00"}\n'],
    ['a list', '[]\n'],
    ['200,000 brackets', `${'['.repeat(200_000)}\n`],
  ])('lets go of one who sends %s', async (_, sent) => {
    const scene = createScene();
    const { calls } = await openLive(scene);
    const { socket } = JSON.parse(readFileSync(join(scene.place.folder, 'live.json'), 'utf8')) as { socket: string };
    const stranger = connectSocket(socket);
    stranger.on('error', () => undefined);
    stranger.write(sent);
    await new Promise((resolve) => stranger.once('close', resolve).resume());
    expect(calls).toEqual([]);
  });

  it('tells a client nothing that does not know the token', async () => {
    const scene = createScene();
    await openLive(scene);
    const file = join(scene.place.folder, 'live.json');
    const { socket } = JSON.parse(readFileSync(file, 'utf8')) as { socket: string };
    writeFileSync(file, JSON.stringify({ socket, token: 'another' }));
    expect(await findLive(node, scene.place)).toBeUndefined();
  });
});
