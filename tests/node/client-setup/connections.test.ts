import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { VaultConnections } from '../../../src/node/client-setup/connections.js';
import { SURFACES } from '../../../src/toolkit/surfaces.js';
import { createFolder, node } from '../folders.js';

let home: string;
let vault: string;
let file: string;

beforeEach(() => {
  home = createFolder();
  vault = join(home, 'vault');
  file = join(home, '.cursor', 'mcp.json');
  mkdirSync(join(vault, '.obsidian'), { recursive: true });
  mkdirSync(join(home, '.cursor'));
  writeFileSync(join(home, 'main.js'), '');
});

const all = { surface: undefined, toolsets: '', isReadOnly: false } as const;

function open() {
  const env = { HOME: home, SAVEPOINT_STATE: join(home, 'state') };
  const host = { platform: 'linux', env, home, execPath: process.execPath } as const;
  return new VaultConnections(node, host, {
    vault,
    running: join(home, 'main.js'),
    version: '1.0.0',
    dataFolder: () => 'Savepoint',
  });
}

async function onlyApp() {
  const [app] = await open().apps();
  if (!app) throw new Error('No app was found');
  return app;
}

describe('VaultConnections', () => {
  it('describe how an app is connected, or the problem with its file', async () => {
    expect(await onlyApp()).toEqual({ title: 'Cursor', file, existing: undefined, problem: '' });
    await (
      await open().plan(await onlyApp(), { surface: 'compact', toolsets: 'all', isReadOnly: true })
    ).apply();
    expect((await onlyApp()).existing).toEqual({
      name: 'savepoint',
      surface: 'compact',
      toolsets: 'all',
      isReadOnly: true,
    });
    for (const surface of SURFACES) {
      await (
        await open().plan(await onlyApp(), { surface, toolsets: '', isReadOnly: true })
      ).apply();
      expect((await onlyApp()).existing).toMatchObject({ surface, toolsets: '' });
    }
    writeFileSync(file, '{');
    expect((await onlyApp()).problem).toContain('Cursor cannot read its own file');
  });

  it('undo removes an added entry and keeps later changes of the app', async () => {
    const plan = await open().plan(await onlyApp(), all);
    expect([plan.change, plan.name, plan.lines.every((line) => line.startsWith('+ '))]).toEqual([
      'add',
      'savepoint',
      true,
    ]);
    await plan.apply();
    const held = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: object };
    writeFileSync(file, JSON.stringify({ ...held, theme: 'dark' }));
    await plan.undo();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: {}, theme: 'dark' });
  });

  it('undo deletes a file that was created', async () => {
    const plan = await open().plan(await onlyApp(), all);
    await plan.apply();
    await plan.undo();
    expect(existsSync(file)).toBe(false);
  });

  it('undo restores an entry that was changed or removed', async () => {
    await (await open().plan(await onlyApp(), all)).apply();
    const before = readFileSync(file, 'utf8');
    const update = await open().plan(await onlyApp(), {
      surface: 'compact',
      toolsets: '',
      isReadOnly: false,
    });
    expect(update.change).toBe('update');
    const removal = await open().planRemoval(await onlyApp());
    for (const plan of [update, removal]) {
      await plan.apply();
      await plan.undo();
      expect(readFileSync(file, 'utf8')).toBe(before);
    }
  });

  it('change nothing if the entry is up to date', async () => {
    await (await open().plan(await onlyApp(), all)).apply();
    const again = await open().plan(await onlyApp(), all);
    expect([again.change, again.lines]).toEqual(['none', []]);
  });

  it('report a missing program, with a fix for the app', async () => {
    const plan = await open().plan(await onlyApp(), all);
    await plan.apply();
    rmSync(join(home, 'state/program/savepoint.js'));
    const { isOk, entries, checks } = await open().check();
    expect(isOk).toBe(false);
    expect(entries[0]?.steps.at(-1)).toMatchObject({
      step: 'program',
      isOk: false,
      fix: expect.stringContaining('connect this app again') as unknown,
    });
    expect(checks.map(({ name }) => name)).toEqual(['state folder', 'Obsidian', 'memory']);
  });
});
