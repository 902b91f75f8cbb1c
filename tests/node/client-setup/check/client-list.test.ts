import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findApp } from '../../../../src/apps/index.js';
import { findListCheck, readStatus } from '../../../../src/node/client-setup/check/client-list.js';
import { APP_FACTS } from '../../../fakes/app-facts.js';
import { createFolder, node } from '../../folders.js';

/** Outputs as the clients print them. */
const LISTS = Object.entries(APP_FACTS).flatMap(([id, { list }]) =>
  list === undefined ? [] : [[id, list] as const],
);
const SERVER = { name: 'savepoint', args: ['main.js'] };
const appOf = (id: string) => findApp('config', id)!;
const ended = (stdout: string) => ({ code: 0, stdout, stderr: '', problem: '' });

describe.each(LISTS)('the list of %s', (id, stdout) => {
  const client = appOf(id);

  it('shows a server that works', () => {
    expect(readStatus(client, SERVER, ended(stdout))).toMatch(/^".* mcp list.*" lists it/);
  });

  it('shows a server that does not work', () => {
    expect(() => readStatus(client, { name: 'other', args: ['x'] }, ended(stdout))).toThrow(
      /" lists it as \S.*\.$/,
    );
  });

  it.runIf(/: .* - /.test(stdout))('says that it shows another server of that name', () => {
    const server = { name: 'savepoint', args: ['/program/savepoint.js', 'mcp'] };
    expect(() => readStatus(client, server, ended(stdout))).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('lists another command of that name') as string,
        isOk: true,
      }),
    );
  });

  it('does not show a server whose name is only similar', () => {
    for (const name of ['save', 'savepoint-notes', 'point', 'sav.point'])
      expect(() => readStatus(client, { name, args: [] }, ended(stdout))).toThrow(
        `does not list "${name}".`,
      );
  });

  it('counts for nothing if the command fails, whose output is not quoted', () => {
    const end = { code: 3, stdout, stderr: 'other: x --key hunter2\n', problem: 'failed (code 3)' };
    expect(() => readStatus(client, SERVER, end)).toThrow(/^".*" failed \(code 3\)\.$/);
  });
});

describe('findListCheck', () => {
  const isWindows = process.platform === 'win32';

  function install(script: string) {
    const home = createFolder();
    const bin = join(home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'gemini'), `#!${process.execPath}\n${script}\n`);
    chmodSync(join(bin, 'gemini'), 0o755);
    return { platform: process.platform, env: { PATH: bin }, home, execPath: process.execPath };
  }

  it('returns nothing if the client is not installed or has no list', async () => {
    const host = { platform: process.platform, env: {}, home: createFolder(), execPath: '' };
    expect(await findListCheck(node, host, appOf('gemini'), SERVER)).toBeUndefined();
    expect(await findListCheck(node, host, appOf('cursor'), SERVER)).toBeUndefined();
  });

  it.skipIf(isWindows)('runs in the home folder, which it trusts for that run', async () => {
    const host = install(
      `if (process.env.GEMINI_CLI_TRUST_WORKSPACE === 'true' && require('node:fs').existsSync('bin/gemini')) console.error('✓ savepoint: node main.js - Connected');`,
    );
    const check = await findListCheck(node, host, appOf('gemini'), SERVER);
    expect(await check?.()).toBe('"gemini mcp list" lists it as Connected');
  });

  it.skipIf(isWindows)('stops a program that does not end, or that leaves one behind', async () => {
    const host = install(
      `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => 0, 60000)'], { stdio: 'inherit' }); setInterval(() => 0, 1000)`,
    );
    const check = await findListCheck(node, host, appOf('gemini'), SERVER, 2000);
    await expect(check?.()).rejects.toThrow('"gemini mcp list" did not end within 2 s');
  });

  it.skipIf(isWindows)('says that a program cannot be started', async () => {
    const host = install('');
    chmodSync(join(host.home, 'bin/gemini'), 0o644);
    const check = await findListCheck(node, host, appOf('gemini'), SERVER);
    await expect(check?.()).rejects.toThrow('"gemini mcp list" cannot be started (EACCES)');
  });
});
