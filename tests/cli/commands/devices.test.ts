import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rm } from 'node:fs/promises';
import { lineOf, type EventFields } from '../../fakes/events.js';
import { runInProcess } from '../../fakes/in-process.js';
import { connect, runProgram, temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { callProgram, createFolders, type TestFolders } from '../program-folders.js';

function devices({ vault, state }: TestFolders, ...more: string[]) {
  return runProgram(['devices', '--vault', vault, '--state', state, ...more]);
}

function nameOf({ state }: TestFolders): string {
  return readFileSync(join(state, 'device'), 'utf8').trim();
}

/** Returns the names of two devices that have written to one vault, each by its own processes. */
async function twoDevices() {
  const here = createFolders();
  const there = { vault: here.vault, state: temporaryFolder('there') };
  await callProgram(here, 'createState', stateNamed('Here'));
  await callProgram(there, 'createState', stateNamed('There'));
  await callProgram(there, 'createState', stateNamed('There again'));
  return { here, there, own: nameOf(here), other: nameOf(there) };
}

/** Saves a state while another process of the device has its writers, and needs new ones. */
async function saveAsNewWriter(at: TestFolders): Promise<void> {
  const { client, call } = await connect(at.vault, at.state);
  expect(await call('createState', stateNamed('In a server'))).toMatchObject({ success: true });
  await callProgram(at, 'createState', stateNamed('Next to it'));
  await client.close();
}

/** Writes lines that nobody's program has written. */
function forge(vault: string, lines: readonly EventFields[]): void {
  const folder = join(vault, 'Savepoint/core/2026-11');
  mkdirSync(folder, { recursive: true });
  const name = `forged-${readdirSync(folder).length}.jsonl`;
  writeFileSync(join(folder, name), Buffer.concat(lines.map((line) => lineOf(line).bytes)));
}

function opening(device: string, w: string): EventFields {
  return { w, t: 'log.seg', d: { fmt: 1, app: 'forged', device } };
}

const DATES = String.raw`\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d`;

describe('savepoint devices', () => {
  it('lists what each device has written, and knows all writers of this one', async () => {
    const { here, there, own, other } = await twoDevices();
    await saveAsNewWriter(here);
    const { code, stdout, stderr } = await devices(here);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      new RegExp(
        `^  this device    ${own} +${DATES}  3 states, \\d+ other lines\n` +
          `  not confirmed  ${other} +${DATES}  2 states, \\d+ other lines  2 writers\n` +
          'Run `.*devices --confirm NAME --vault .*` for each that is yours.\n$',
      ),
    );
    expect((await devices(there)).stdout).toMatch(
      new RegExp(`^  this device    ${other} [^\n]*\n  not confirmed  ${own} .*4 writers\n`),
    );
  });

  it('confirms what a device has written so far, and asks again for a new writer', async () => {
    const { here, there, other } = await twoDevices();
    const confirmed = await devices(here, '--confirm', other, '--yes');
    expect(confirmed).toMatchObject({ code: 0, stderr: '' });
    expect(confirmed.stdout).toContain(`Confirmed "${other}"`);
    await callProgram(there, 'createState', stateNamed('As the same writer'));
    const after = await devices(here);
    expect(after.stdout).toMatch(
      new RegExp(`  confirmed      ${other}  ${DATES}  3 states, \\d+ other lines\n$`),
    );
    await saveAsNewWriter(there);
    expect((await devices(here)).stdout).toMatch(
      new RegExp(`  confirmed +${other} .*  5 states.*  2 new writers not confirmed\nRun `),
    );
    await devices(here, '--confirm', other, '--yes');
    expect((await devices(here)).stdout).not.toContain('not confirmed');

    const [folder] = readdirSync(here.state).filter((name) => /^[0-9a-f]{16}$/.test(name));
    const file = join(here.state, folder!, 'devices.json');
    const stored = Object.values(JSON.parse(readFileSync(file, 'utf8')) as object) as object[];
    expect(stored.length).toBe(4);
    for (const each of stored)
      expect(each).toEqual({ device: other, at: expect.stringMatching(/^2\d{3}-.*Z$/) as string });
    expect(existsSync(join(there.state, folder!, 'devices.json'))).toBe(false);
    expect((await devices(there)).stdout).not.toContain('  confirmed');

    const withdrawn = await devices(here, '--withdraw', other, '--yes');
    expect(withdrawn).toMatchObject({ code: 0, stdout: `"${other}" is no longer confirmed.\n` });
    expect((await devices(here)).stdout).toMatch(/ {2}not confirmed .* {2}4 writers\n/);
  });

  it('asks in a terminal, and does nothing without one', async () => {
    const { here, other } = await twoDevices();
    const folders = ['--vault', here.vault, '--state', here.state];
    const typed = (option: string, input: string) =>
      runInProcess(here.state, {}, ['devices', ...folders, option, other], input, true);
    expect(await typed('--confirm', 'no\n')).toMatch(
      /^ {2}not confirmed .*\n.*can imitate.*\nType "yes" to go on: Nothing was confirmed\.\nexit 1$/,
    );
    expect(await devices(here, '--confirm', other)).toMatchObject({
      code: 1,
      stderr: 'Nothing was confirmed: run this in a terminal, or add --yes.\n',
    });
    expect((await devices(here)).stdout).toContain('not confirmed');
    expect(await typed('--confirm', 'yes\n')).toMatch(/Confirmed ".*exit 0$/s);
    expect(await devices(here, '--withdraw', other)).toMatchObject({
      code: 1,
      stderr: 'Nothing was withdrawn: run this in a terminal, or add --yes.\n',
    });
    expect(await typed('--withdraw', 'yes\n')).toMatch(/no longer confirmed\.\nexit 0$/);
  });

  it('says in a sentence why a name cannot be confirmed or withdrawn', async () => {
    const { here, own, other } = await twoDevices();
    const errorOf = async (...args: string[]) => {
      const { code, stderr } = await devices(here, ...args, '--yes');
      return `${code} ${stderr}`;
    };
    expect(await errorOf('--confirm', 'lap\u202Etop')).toMatch(
      /^1 No device called "lap⟨U\+202E⟩top" has written here\. Run `.*devices --vault .*` for the names\.\n$/,
    );
    expect(await errorOf('--confirm', '')).toMatch(/^1 No device called ""/);
    expect(await errorOf('--confirm', own)).toBe(
      `1 "${own}" is this device, so there is nothing to confirm.\n`,
    );
    expect(await errorOf('--withdraw', other)).toBe(
      `1 "${other}" is not confirmed, so there is nothing to withdraw.\n`,
    );
    expect(await errorOf('--confirm', other, '--withdraw', other)).toMatch(
      /^2 Pass --confirm or --withdraw, and only one of them\.\n/,
    );
    await devices(here, '--confirm', other, '--yes');
    expect(await errorOf('--confirm', other)).toBe(
      `1 "${other}" is confirmed already, so there is nothing to confirm.\n`,
    );
    forge(here.vault, [opening(own, 'bbbbbbbbbbbb')]);
    expect(await errorOf('--confirm', own)).toBe(
      `1 This device and another one are called "${own}", so the name cannot tell whose lines they are. If both are yours, delete the state folder of the other one, which then gets a name of its own.\n`,
    );
  });

  it('is not flooded by invented writers, nor deceived by their names', async () => {
    const { here, other } = await twoDevices();
    await devices(here, '--confirm', other, '--yes');
    const id = (at: number) =>
      Array.from(
        { length: 12 },
        (_, place) => 'abcdefghijk'[Math.floor(at / 11 ** place) % 11],
      ).join('');
    const names = (at: number) => (at % 2 === 0 ? other : `x\n  confirmed  ${at}\u202E`);
    forge(
      here.vault,
      Array.from({ length: 20_000 }, (_, at) => opening(names(at), id(at))),
    );
    const { code, stdout } = await devices(here);
    const lines = stdout.trimEnd().split('\n');
    expect([code, lines.length]).toEqual([0, 22]);
    expect(lines[1]).toMatch(/^ {2}confirmed .* {2}10,000 new writers not confirmed$/);
    for (const line of lines.slice(2, 20))
      expect(line).toMatch(/^ {2}not confirmed {2}x confirmed \d+⟨U\+202E⟩ /);
    expect(lines[20]).toBe('  and 9,982 more');
  });

  it('knows what this device has written after the vault was moved', async () => {
    const { here, other } = await twoDevices();
    await devices(here, '--confirm', other, '--yes');
    const vault = `${here.vault}-moved`;
    onTestFinished(() => rm(vault, { recursive: true, force: true }));
    renameSync(here.vault, vault);
    expect((await devices({ ...here, vault })).stdout).toMatch(
      /^ {2}this device .*\n {2}not confirmed .* {2}2 writers\n/,
    );
  });

  it('says that nothing was written yet, and creates no data folder', async () => {
    const at = createFolders();
    expect(await devices(at)).toEqual({
      code: 0,
      stdout: 'No device has written here yet.\n',
      stderr: '',
    });
    expect(existsSync(join(at.vault, 'Savepoint'))).toBe(false);
  });
});
