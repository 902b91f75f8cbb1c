import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolderFiles } from '../../../src/node/ports/folder-files.js';
import { readLogLines } from '../../../src/storage/log-lines.js';
import { CLOCK, runProgram } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { node } from '../../node/folders.js';
import { Partner, PARTNER_FILE } from '../../storage/forget/partner.js';
import { inFull } from '../../tier.js';
import { callInProcess, createFolders, type TestFolders } from '../program-folders.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const testInFull = it.runIf(inFull('processes on nine days'));

/** A vault with two states, where a partner asks to remove one of them. */
async function createAsked() {
  const at = createFolders();
  for (const name of ['Plan', 'Access']) await callInProcess(at, 'createState', stateNamed(name));
  const { lines } = await readLogLines(createFolderFiles(node, at.vault), 'Savepoint');
  const asked = lines.filter(({ event }) => event.d['name'] === 'Access');
  const partner = new Partner(() => Date.now());
  partner.forget(asked);
  const path = join(at.vault, PARTNER_FILE);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, partner.bytes);
  const file = join(at.vault, asked[0]!.path);
  return { at, isHere: () => readFileSync(file, 'utf8').includes('"name":"Access"') };
}

/** Lists the states in a process whose clock is some days off. */
async function listOn({ vault, state }: TestFolders, days: number): Promise<string> {
  const env = {
    ...process.env,
    NODE_OPTIONS: `--require ${JSON.stringify(CLOCK)}`,
    SAVEPOINT_TEST_CLOCK_SHIFT_MS: String(days * DAY_MS),
  };
  const args = ['call', 'listStates', '--vault', vault, '--state', state, '--json', '{}'];
  const { code, stdout, stderr } = await runProgram(args, { env });
  expect(code, stderr).toBe(0);
  return stdout;
}

it.each([-400, -10, 8, 365])(
  'a clock that is %i days off for one start removes nothing that others ask for',
  { timeout: 120_000 },
  async (days) => {
    const { at, isHere } = await createAsked();
    for (const shift of [0, days, 0, 0]) expect(await listOn(at, shift)).not.toContain('Access');
    expect(isHere()).toBe(true);
  },
);

testInFull(
  'what others ask for is removed once answers have told it on seven days',
  { timeout: 240_000 },
  async () => {
    const { at, isHere } = await createAsked();
    await listOn(at, 0); // looks up whether this device has the line
    for (let day = 0; day < 8; day++) {
      expect(isHere()).toBe(true);
      expect(await listOn(at, day)).toContain('has asked to remove');
    }
    await listOn(at, 8);
    expect(isHere()).toBe(false);
    expect(await listOn(at, 8)).toContain('Plan');
  },
);
