import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConnectionLostError } from '../../src/bridge/live-protocol.js';
import { Refusal } from '../../src/model/refusal.js';
import { CallRouter } from '../../src/bridge/call-router.js';
import { connectIpc, startIpcServer } from '../../src/node/serve/ipc-server.js';
import type { SessionState } from '../../src/toolkit/sessions.js';
import { createScene, openLivePlugin, type Scene } from '../fakes/live-plugin.js';
import { connect, endOf, runProgram, startProgram, temporaryFolder } from '../fakes/program.js';
import { createTestVault, garden, stateNamed } from '../fakes/test-vault.js';
import { asNobody } from '../node/as-nobody.js';
import { node } from '../node/folders.js';
import { inFull, perTier } from '../tier.js';

const testInFull = it.runIf(inFull('floods, cancelled calls and long-running calls'));

/** `npm run test:long` drops the connection 200 times. */
const DROPS = perTier(4, 12, 200);

const namesIn = (answer: unknown) =>
  (answer as { data: { name: string }[] }).data.map(({ name }) => name).sort();

const NEW_SESSION: SessionState = { revision: 0, failedWorkspaces: [] };

describe('a call of an MCP client', () => {
  it('is answered by the plugin while it listens', async () => {
    const scene = createScene();
    const { call } = await connect(scene.vault, scene.state);
    expect(await call('createState', stateNamed('Before'))).toMatchObject({
      success: true,
      workspace: 'Default',
    });
    const { socket, calls } = await openLivePlugin(scene);
    expect(await call('createState', stateNamed('While'))).toMatchObject({
      success: true,
      workspace: 'Default',
    });
    expect(calls).toMatchObject([{ tool: 'createState', client: 'savepoint-tests' }]);
    await socket.close();
    expect(await call('createState', stateNamed('After'))).toMatchObject({
      success: true,
      workspace: 'Default',
    });
    expect(namesIn(await call('listStates'))).toMatchObject(['After', 'Before', 'While']);
    expect(calls).toHaveLength(1);
  });

  it("stays in its session's workspace with and without the plugin", async () => {
    const scene = createScene();
    const { call } = await connect(scene.vault, scene.state);
    await call('createWorkspace', garden);
    const { socket } = await openLivePlugin(scene);
    await call('createState', stateNamed('Live'));
    await call('createWorkspace', { ...garden, name: 'Orchard', rootFolder: 'Orchard' });
    await socket.close();
    await call('createState', stateNamed('Headless'));
    expect(await call('loadWorkspace', { name: 'Garden' })).toMatchObject({
      data: { states: [{ name: 'Live' }] },
    });
    expect(await call('loadWorkspace', { name: 'Orchard' })).toMatchObject({
      data: { states: [{ name: 'Headless' }] },
    });
  });

  testInFull('takes effect once if the connection is lost during the call', async () => {
    const scene = createScene();
    const { call } = await connect(scene.vault, scene.state);
    for (let round = 0; round < 8; round++) {
      const live = await openLivePlugin(scene, async (_, answer) => {
        if (round % 2 === 0) await answer();
        await live.socket.close();
        return new Promise<never>(() => undefined);
      });
      expect(await call('createState', stateNamed(`S${round}`))).toMatchObject({
        success: true,
        workspace: 'Default',
      });
      expect(live.calls).toHaveLength(1);
    }
    expect(namesIn(await call('listStates'))).toEqual(
      Array.from({ length: 8 }, (_, round) => `S${round}`),
    );
  });

  testInFull(
    'takes effect once if the connection is lost at a random moment',
    { timeout: 600_000 },
    async () => {
      const scene = createScene();
      const { client, call } = await connect(scene.vault, scene.state);
      const pick = (most: number) => Math.floor(Math.random() * most);
      const created: string[] = [];
      for (let round = 0; round < DROPS; round++) {
        // The connection is cut at a random moment: before, during or after one of these calls.
        const cut = { at: pick(4), after: pick(3) };
        let come = 0;
        const live = await openLivePlugin(scene, async (_, answer) => {
          const isCut = come++ === cut.at;
          if (isCut && cut.after === 0) void live.socket.close();
          const answering = answer();
          if (isCut && cut.after === 1) void live.socket.close();
          const answered = await answering;
          if (isCut && cut.after === 2) void live.socket.close();
          return answered;
        });
        const names = Array.from({ length: 4 }, (_, at) => `R${round} S${at}`);
        const answers = await Promise.all(
          names.map((name) => call('createState', stateNamed(name))),
        );
        expect(answers).toMatchObject(names.map(() => ({ success: true, workspace: 'Default' })));
        created.push(...names);
        await live.socket.close();
      }
      expect(namesIn(await call('listStates'))).toEqual(created.sort());
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('createState');
      const { stdout } = await runProgram(['verify', '--vault', scene.vault, '--json']);
      expect(JSON.parse(stdout)).toMatchObject({ isWhole: true, problems: [] });
    },
  );

  testInFull('is dropped if it hangs in the plugin and its client is gone', async () => {
    const scene = createScene();
    const { calls } = await openLivePlugin(scene, () => new Promise(() => undefined));
    const child = startProgram(['mcp', '--vault', scene.vault, '--state', scene.state]);
    const ended = endOf(child);
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'listStates', arguments: {} } })}\n`,
    );
    await expect.poll(() => calls.length).toBe(1);
    child.stdin.end();
    // Far less than the timeout of 45 seconds.
    expect(await Promise.race([ended.then(({ code }) => code), sleep(30_000, 'still there')])).toBe(
      0,
    );
    expect(calls).toHaveLength(1);
  });

  testInFull('sends progress every second to a client that asked for it', async () => {
    const scene = createScene();
    const progress: unknown[] = [];
    await openLivePlugin(scene, async (_, answer) => {
      await expect.poll(() => progress.length).toBeGreaterThanOrEqual(2);
      return answer();
    });
    const { client } = await connect(scene.vault, scene.state);
    const result = await client.callTool(
      { name: 'listStates', arguments: {} },
      { onprogress: (each) => progress.push(each) },
    );
    expect(result.structuredContent).toEqual({ success: true, workspace: 'Default', data: [] });
    expect(progress.slice(0, 2)).toEqual([
      { progress: 1, message: 'Running for 1 s' },
      { progress: 2, message: 'Running for 2 s' },
    ]);
  });

  it('is answered from the folder if the socket is stale', async () => {
    const scene = createScene();
    await (await openLivePlugin(scene)).socket.close();
    await sleep(20);
    mkdirSync(scene.place.folder, { recursive: true, mode: 0o700 });
    const left = join(scene.place.folder, 'left.sock');
    writeFileSync(left, '', { mode: 0o600 });
    writeFileSync(
      join(scene.place.folder, 'live.json'),
      JSON.stringify({ socket: left, token: 'x', version: '1.0.0' }),
      { mode: 0o600 },
    );
    const { call } = await connect(scene.vault, scene.state);
    expect(await call('listStates')).toEqual({ success: true, workspace: 'Default', data: [] });
    const { calls } = await openLivePlugin(scene);
    expect(await call('listStates')).toEqual({ success: true, workspace: 'Default', data: [] });
    expect(calls).toHaveLength(1);
    expect(readdirSync(scene.place.folder)).not.toContain('left.sock');
  });

  testInFull('reaches its own vault if two open vaults have the same name', async () => {
    const state = temporaryFolder('state');
    const vaults = ['one', 'two'].map((place) => join(temporaryFolder(place), '工作 my vault!'));
    for (const vault of vaults) mkdirSync(join(vault, '.obsidian'), { recursive: true });
    const scenes = vaults.map((vault) => createScene(vault, state));
    const plugins = await Promise.all(scenes.map((scene) => openLivePlugin(scene)));
    const clients = await Promise.all(vaults.map((vault) => connect(vault, state)));
    await clients[0]!.call('createState', stateNamed('First'));
    await clients[1]!.call('createState', stateNamed('Second'));
    expect(
      await Promise.all(clients.map(async ({ call }) => namesIn(await call('listStates')))),
    ).toEqual([['First'], ['Second']]);
    expect(plugins.map(({ calls }) => calls.length)).toEqual([2, 2]);
  });
});

describe('a call that is cancelled', () => {
  /** Makes a call, cancels it once `when` resolves, and ends the program. Returns its log. */
  async function cancelCall(
    scene: Scene,
    when: Promise<unknown>,
    params: object = { name: 'createState', arguments: stateNamed('Plan') },
  ): Promise<string> {
    const child = startProgram(['mcp', '--vault', scene.vault, '--state', scene.state]);
    const ended = endOf(child);
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`,
    );
    await when;
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })}\n`,
    );
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })}\n`);
    child.stdin.end();
    const { stdout, stderr, code } = await ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    return stderr;
  }

  const statesIn = async ({ vault, state }: Scene) =>
    namesIn(await (await connect(vault, state)).call('listStates'));

  testInFull('never starts in the folder if it was still pending', async () => {
    const scene = createScene();
    expect(await cancelCall(scene, Promise.resolve())).toBe('');
    expect(await statesIn(scene)).toEqual([]);
  });

  testInFull('never starts in the plugin if it was still pending', async () => {
    const scene = createScene();
    const { calls, socket } = await openLivePlugin(scene, async (_, answer, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return answer();
    });
    const hasCome = expect.poll(() => calls.length).toBe(1);
    expect(await cancelCall(scene, hasCome)).toBe('');
    await socket.close();
    expect(await statesIn(scene)).toEqual([]);
  });

  testInFull('is logged with the number of calls already made', async () => {
    const scene = createScene();
    const made = (success: boolean) => ({ agent: 'memoryManager', tool: 'createState', success });
    const { calls } = await openLivePlugin(scene, async (_, __, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return {
        answer: { success: false, data: { results: [true, false, false].map(made) } },
        session: NEW_SESSION,
      };
    });
    const several = {
      calls: ['A', 'B', 'C'].map((name) => ({ ...made(true), params: stateNamed(name) })),
    };
    const log = await cancelCall(scene, expect.poll(() => calls.length).toBe(1), {
      name: 'useTools',
      arguments: several,
    });
    expect(JSON.parse(log)).toMatchObject({
      message:
        'A call of useTools was cancelled when 1 of its 3 calls had already been made; the others were not.',
    });
  });

  testInFull('is logged as a line of JSON if it had taken effect', async () => {
    const scene = createScene();
    let hasTakenEffect = false;
    const { socket } = await openLivePlugin(scene, async (_, answer, signal) => {
      const cancelled = new Promise((resolve) => signal.addEventListener('abort', resolve));
      const answered = await answer();
      hasTakenEffect = true;
      await cancelled;
      return answered;
    });
    const log = await cancelCall(scene, expect.poll(() => hasTakenEffect).toBe(true));
    expect(JSON.parse(log)).toMatchObject({
      level: 'warning',
      message: 'A call of createState was cancelled when it had already taken effect.',
    });
    await socket.close();
    expect(await statesIn(scene)).toEqual(['Plan']);
  });
});

describe('a routed call', () => {
  testInFull('is retried if its connection ends before it starts', async () => {
    const scene = createScene();
    const { call } = await connect(scene.vault, scene.state);
    const signals: AbortSignal[] = [];
    const { socket, plugin } = await openLivePlugin(scene, async (_, answer, signal) => {
      signals.push(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return answer();
    });
    const saving = call('createState', stateNamed('Plan'));
    await expect.poll(() => signals.length).toBe(1);
    await socket.close();
    expect(await saving).toMatchObject({ success: true, workspace: 'Default' });
    expect(signals[0]?.aborted).toBe(true);
    await plugin.idle();
    expect(namesIn(await call('listStates'))).toMatchObject(['Plan']);
  });

  it('waits for beforeCall, and fails if beforeCall fails', async () => {
    let isRefused = false;
    const seen: string[] = [];
    const { toolkit } = createTestVault();
    const refuse = () => {
      seen.push('call');
      return Promise.resolve(undefined);
    };
    const router = new CallRouter({
      toolkit: { ...toolkit, host: { ...toolkit.host, refuse } },
      newKey: randomUUID,
      after: () => () => undefined,
      report: (error) => expect.unreachable(String(error)),
      connect: () => Promise.resolve(undefined),
      beforeCall: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        seen.push('before');
        if (isRefused) throw new Refusal('Not now.');
      },
    });
    const list = { tool: 'listStates', params: {}, defaults: { sessionId: 's' } };
    expect(await router.call(list)).toEqual({ success: true, workspace: 'Default', data: [] });
    expect(seen).toEqual(['before', 'call']);
    isRefused = true;
    await expect(router.call(list)).rejects.toThrow('Not now.');
    expect(seen).toEqual(['before', 'call', 'before']);
  });

  it('reads the folder once, and again after a lost connection', async () => {
    const { toolkit } = createTestVault();
    let looks = 0;
    const memory = () => {
      looks++;
      return toolkit.host.memory();
    };
    const dropping = {
      call: () => Promise.reject(new ConnectionLostError()),
      isOpen: () => false,
      close: () => undefined,
    };
    const found: (typeof dropping | undefined)[] = [];
    const router = new CallRouter({
      toolkit: { ...toolkit, host: { ...toolkit.host, memory } },
      newKey: randomUUID,
      after: () => () => undefined,
      report: (error: unknown) => expect.unreachable(String(error)),
      connect: () => Promise.resolve(found.shift()),
    });
    const list = { tool: 'listStates', params: {}, defaults: { sessionId: 's' } };
    expect(await router.call(list)).toEqual({ success: true, workspace: 'Default', data: [] });
    expect(looks).toBe(1);
    found.push(dropping);
    expect(await router.call(list)).toEqual({ success: true, workspace: 'Default', data: [] });
    expect(looks).toBe(3);
  });

  it('times out after 45 seconds', async () => {
    const waits: { ms: number; task: () => void }[] = [];
    let heard: AbortSignal | undefined;
    const router = new CallRouter({
      toolkit: createTestVault().toolkit,
      connect: () =>
        Promise.resolve({
          call: (_: unknown, signal?: AbortSignal) => {
            heard = signal;
            return new Promise<never>(() => undefined);
          },
          isOpen: () => true,
          close: () => undefined,
        }),
      newKey: randomUUID,
      after: (ms, task) => {
        waits.push({ ms, task });
        return () => undefined;
      },
      report: (error) => expect.unreachable(String(error)),
    });
    const answer = router.call({
      tool: 'createState',
      params: stateNamed('Plan'),
      defaults: { sessionId: 's' },
    });
    await expect.poll(() => heard).toBeDefined();
    expect(waits.map(({ ms }) => ms)).toEqual([45_000]);
    expect(heard?.aborted).toBe(false);
    waits[0]!.task();
    expect(await answer).toMatchObject({
      success: false,
      error: expect.stringContaining('Timed out after 45 s.') as string,
    });
    expect(heard?.aborted).toBe(true);
  });
});

describe('a client that floods', () => {
  const COUNT = 3000;

  testInFull('gets every call answered over standard input', async () => {
    const scene = createScene();
    const child = startProgram(['mcp', '--vault', scene.vault, '--state', scene.state]);
    const ended = endOf(child);
    const lines = Array.from({ length: COUNT }, (_, id) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'listStates', arguments: { tags: ['x'.repeat(1000)] } },
      }),
    );
    child.stdin.write(`${lines.join('\n')}\n`);
    await expect.poll(() => child.stdin.writableLength, { timeout: 60_000 }).toBe(0);
    child.stdin.end();
    const ids = (await ended).stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: COUNT }, (_, id) => id));
  });

  testInFull('has at most 100 pending calls over the socket', async () => {
    const scene = createScene();
    const held: (() => void)[] = [];
    const { calls, plugin } = await openLivePlugin(scene, async (_, answer) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return answer();
    });
    const connection = (await connectIpc(node, scene.place))!;
    const call = {
      tool: 'listStates',
      params: { tags: ['x'.repeat(10_000)] },
      sessionId: 's',
      session: NEW_SESSION,
      client: 'flood',
    };
    const answers = Promise.all(
      Array.from({ length: 500 }, (_, at) => connection.call({ ...call, key: `k${at}` })),
    );
    await expect.poll(() => calls.length).toBeGreaterThanOrEqual(100);
    await sleep(200);
    // The calls in the same chunk as the hundredth are pending too.
    expect(calls.length).toBeLessThan(110);
    const release = setInterval(() => held.splice(0).forEach((each) => each()), 1);
    expect((await answers).filter(({ answer }) => answer.success)).toHaveLength(500);
    clearInterval(release);
    connection.close();
    await plugin.idle();
  });

  it('is disconnected after a line over 10 MB, unlike other clients', async () => {
    const scene = createScene();
    const { calls } = await openLivePlugin(scene);
    const call = {
      tool: 'listStates',
      params: {},
      sessionId: 's',
      session: NEW_SESSION,
      client: 'flood',
      key: 'k',
    };
    const [one, other] = [
      (await connectIpc(node, scene.place))!,
      (await connectIpc(node, scene.place))!,
    ];
    await expect(
      one.call({ ...call, params: { tags: ['x'.repeat(11 * 1024 * 1024)] } }),
    ).rejects.toThrow('ended');
    expect((await other.call(call)).answer).toEqual({
      success: true,
      workspace: 'Default',
      data: [],
    });
    expect(calls).toHaveLength(1);
    other.close();
  });
});

describe('the socket', () => {
  it.runIf(process.getuid?.() === 0)('is inaccessible to other users of the machine', async () => {
    const scene = createScene();
    await openLivePlugin(scene);
    const { socket } = JSON.parse(readFileSync(join(scene.place.folder, 'live.json'), 'utf8')) as {
      socket: string;
    };
    // Even if the folders above are accessible to others, and another user knows the path.
    for (let folder = scene.place.folder; folder !== dirname(scene.state); folder = dirname(folder))
      chmodSync(folder, 0o755);
    const tried = asNobody(
      scene.vault,
      `import { connect } from 'node:net';
      import { readFile } from 'node:fs/promises';
      const code = (promise) => promise.then(() => 'let in', (error) => error.code);
      const reaching = new Promise((resolve, reject) => connect(${JSON.stringify(socket)}).once('connect', resolve).once('error', reject));
      console.log(JSON.stringify([await code(reaching), await code(readFile(${JSON.stringify(join(scene.place.folder, 'live.json'))}))]));
      process.exit();`,
    );
    expect(tried).toEqual(['EACCES', 'EACCES']);
  });

  it.runIf(process.getuid?.() === 0)("is not used in another user's folder", async () => {
    const scene = createScene();
    await openLivePlugin(scene);
    chownSync(scene.place.folder, 65534, 65534);
    await expect(connectIpc(node, scene.place)).rejects.toThrow('belongs to another user');
    const { call } = await connect(scene.vault, scene.state);
    expect(await call('listStates')).toEqual({ success: true, workspace: 'Default', data: [] });
  });

  it('is accessible to this user only, and removed afterwards', async () => {
    const scene = createScene();
    const { socket } = await openLivePlugin(scene);
    const { socket: path } = JSON.parse(
      readFileSync(join(scene.place.folder, 'live.json'), 'utf8'),
    ) as { socket: string };
    const modes = [scene.place.folder, join(scene.place.folder, 'live.json'), path].map(
      (each) => lstatSync(each).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
    await socket.close();
    await expect.poll(() => readdirSync(scene.place.folder)).toEqual([]);
  });

  it('does not open in a folder that others may enter', async () => {
    const { place } = createScene();
    mkdirSync(place.folder, { recursive: true });
    chmodSync(place.folder, 0o777);
    const opening = startIpcServer(
      node,
      { version: '1.0.0', ...place },
      () => Promise.reject(new Error('not called')),
      () => undefined,
    );
    await expect(opening).rejects.toThrow('Others may read or enter');
  });

  it('is not used if others can read its token', async () => {
    const scene = createScene();
    await openLivePlugin(scene);
    chmodSync(join(scene.place.folder, 'live.json'), 0o644);
    await expect(connectIpc(node, scene.place)).rejects.toThrow('Others may read or enter');
  });

  it('stays with the newer plugin instance if the older one closes late', async () => {
    const scene = createScene();
    const first = await openLivePlugin(scene);
    const second = await openLivePlugin(scene);
    await first.socket.close();
    await sleep(50);
    const found = await connectIpc(node, scene.place);
    await found!.call({
      tool: 'listStates',
      params: {},
      sessionId: 's',
      session: NEW_SESSION,
      key: randomUUID(),
      client: 'test',
    });
    expect([first.calls.length, second.calls.length]).toEqual([0, 1]);
    found!.close();
  });

  testInFull.each([
    ['nothing', ''],
    ['invalid JSON', 'hello\n'],
    [
      'a call before the handshake',
      '{"id":1,"call":{"tool":"listStates","sessionId":"s","key":"k","client":"c"}}\n',
    ],
    ['a wrong proof', '{"hello":"savepoint/1","question":"q"}\n{"proof":"00"}\n'],
    ['a list', '[]\n'],
    ['200,000 brackets', `${'['.repeat(200_000)}\n`],
  ])('disconnects a client that sends %s', async (_, sent) => {
    const scene = createScene();
    const { calls } = await openLivePlugin(scene);
    const { socket } = JSON.parse(readFileSync(join(scene.place.folder, 'live.json'), 'utf8')) as {
      socket: string;
    };
    const stranger = connectSocket(socket);
    stranger.on('error', () => undefined);
    stranger.write(sent);
    await new Promise((resolve) => stranger.once('close', resolve).resume());
    expect(calls).toEqual([]);
  });

  it('reveals nothing to a client without the token', async () => {
    const scene = createScene();
    await openLivePlugin(scene);
    const file = join(scene.place.folder, 'live.json');
    const { socket } = JSON.parse(readFileSync(file, 'utf8')) as { socket: string };
    writeFileSync(file, JSON.stringify({ socket, token: 'another' }));
    expect(await connectIpc(node, scene.place)).toBeUndefined();
  });
});
