import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  connectIpc,
  ipcLocation,
  socketPath,
  startIpcServer,
} from '../../../src/node/serve/ipc-server.js';
import { stateFolderFrom, vaultStateFolder } from '../../../src/node/ports/state-folder.js';
import { temporaryFolder } from '../../fakes/program.js';
import { node } from '../folders.js';

const USER = 'a-user-of-20-letters';
const SYSTEMS = {
  linux: { path: posix, home: `/home/${USER}`, temporary: '/tmp' },
  darwin: {
    path: posix,
    home: `/Users/${USER}`,
    temporary: '/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T',
  },
  win32: {
    path: win32,
    home: `C:\\Users\\${USER}`,
    temporary: `C:\\Users\\${USER}\\AppData\\Local\\Temp`,
  },
} as const;

/** Returns the path of the socket of a vault, without `XDG_RUNTIME_DIR`. */
function socketOn(platform: keyof typeof SYSTEMS, env: NodeJS.ProcessEnv = {}): string {
  const { path, home, temporary } = SYSTEMS[platform];
  const system = {
    ...node,
    path: path,
    os: { ...node.os, homedir: () => home, tmpdir: () => temporary },
  };
  const state = stateFolderFrom(system, env, platform);
  const location = ipcLocation(system, vaultStateFolder(system, state, '/v'), env, platform);
  return socketPath(system, location, '0123abcd');
}

describe('the path of the socket', () => {
  it.each(['linux', 'darwin'] as const)('is short enough in a home folder on %s', (platform) => {
    const socket = socketOn(platform);
    expect(socket).toContain(USER);
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(103);
  });

  it.each(['linux', 'darwin'] as const)(
    'avoids a state folder that is too deep on %s',
    (system) => {
      const socket = socketOn(system, { SAVEPOINT_STATE: `/${'deep/'.repeat(20)}state` });
      expect(socket.startsWith(`${SYSTEMS[system].temporary}/savepoint-`)).toBe(true);
      expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(103);
    },
  );

  it('is a named pipe on Windows', () => {
    expect(socketOn('win32')).toBe('\\\\.\\pipe\\savepoint-0123abcd');
  });

  it('prefers an absolute runtime folder', () => {
    expect(socketOn('linux', { XDG_RUNTIME_DIR: '/run/user/1000' })).toBe(
      '/run/user/1000/savepoint/0123abcd.sock',
    );
    expect(socketOn('linux', { XDG_RUNTIME_DIR: 'run' })).toContain(`/home/${USER}/`);
  });

  it('is refused if every folder is too deep', () => {
    const location = { ...ipcLocation(node, '/s', {}, 'linux'), socketFolders: ['/x'.repeat(60)] };
    expect(() => socketPath(node, location, 'name')).toThrow(/is too long for a socket\. Set XDG_/);
  });
});

describe.skipIf(process.platform === 'win32')('a vault whose state folder is deep', () => {
  const deep = () => {
    const folder = join(temporaryFolder('state'), 'deep/'.repeat(20), 'state');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return ipcLocation(node, folder, {}, process.platform);
  };

  it('is served in a folder that only this user may enter', async () => {
    const location = deep();
    const never = () => Promise.reject(new Error('No call is made.'));
    const server = await startIpcServer(
      node,
      { version: '1.0.0', ...location },
      never,
      () => undefined,
    );
    onTestFinished(() => server.close());
    const folder = location.socketFolders.at(-1)!;
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{8}\.sock$/)]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const connection = await connectIpc(node, location);
    expect(connection).toBeDefined();
    connection?.close();
  });
});
