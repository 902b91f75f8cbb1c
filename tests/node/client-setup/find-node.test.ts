import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HostEnvironment } from '../../../src/node/client-setup/clients.js';
import { findNode } from '../../../src/node/client-setup/find-node.js';
import { createFolder, node } from '../folders.js';

const app = (home: string, env: NodeJS.ProcessEnv): HostEnvironment => ({
  platform: 'linux',
  home,
  env,
  execPath: '/opt/Obsidian/obsidian',
});

function withFile(...parts: string[]): string {
  const file = join(...parts);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '');
  return file;
}

it('findNode uses the running Node by an absolute path', async () => {
  const found = await findNode(node, {
    platform: process.platform,
    home: '/',
    env: {},
    execPath: process.execPath,
  });
  expect(await node.fs.realpath(found)).toBe(await node.fs.realpath(process.execPath));
  const own = withFile(createFolder(), 'versions/v20.1.0/bin/node');
  expect(await findNode(node, { platform: 'linux', home: '/', env: {}, execPath: own })).toBe(own);
});

it('findNode searches the PATH first in an app, except relative folders', async () => {
  const home = createFolder();
  const file = withFile(home, 'tools', 'node');
  expect(
    await findNode(
      node,
      app(home, { PATH: `.:tools:${join(home, 'none')}:${join(home, 'tools')}` }),
    ),
  ).toBe(file);
});

/** A machine without Node in the system folders. */
const bare = {
  ...node,
  fs: {
    ...node.fs,
    realpath: ((file: string) =>
      /^\/(usr|opt|home\/linuxbrew)\//.test(file)
        ? Promise.reject(new Error('none'))
        : node.fs.realpath(file)) as typeof node.fs.realpath,
  },
};

it('findNode uses the newest version of a version manager', async () => {
  const home = createFolder();
  for (const version of ['v9.0.0', 'v22.3.0', 'v20.16.0'])
    withFile(home, '.nvm/versions/node', version, 'bin/node');
  expect(await findNode(bare, app(home, {}))).toBe(
    join(home, '.nvm/versions/node/v22.3.0/bin/node'),
  );
});

it('findNode finds the default location on Windows', async () => {
  const folder = createFolder();
  const file = withFile(folder, 'nodejs', 'node.exe');
  expect(
    await findNode(bare, {
      platform: 'win32',
      home: folder,
      env: { ProgramFiles: folder },
      execPath: 'Obsidian.exe',
    }),
  ).toBe(file);
});

it('findNode says what to do if Node is not found', async () => {
  await expect(findNode(bare, app(createFolder(), {}))).rejects.toThrow(
    'Install it from nodejs.org',
  );
});
