// Tier full: kills a command many times
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ForgetDecisions } from '../../../src/storage/forget/forget-decisions.js';
import { commandInProcess } from '../../fakes/in-process.js';
import { endOf, startProgram, temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { createDice, type Dice } from '../../simulation/dice.js';
import { perTier, SEED } from '../../tier.js';
import { callInProcess, createFolders, type TestFolders } from '../program-folders.js';
import { filesBelow, filesWithSecret, SECRET } from './forgotten-text.js';

const KILLS = perTier(1, 20, 100);
const DAY = 24 * 60 * 60 * 1000;

function run({ vault, state }: TestFolders, ...args: string[]) {
  return commandInProcess([...args, '--vault', vault, '--state', state]);
}

/** Fills what a device derives from the memory: its copies, the search index, and a brief. */
async function derive(at: TestFolders): Promise<void> {
  await run(at, 'search', 'umbrella violin', '--memory', '--json');
  await run(at, 'brief');
}

/** The files of a device that say what its user has decided. */
function decisionFiles({ state }: TestFolders): string[] {
  return filesBelow(state).filter((path) => path.endsWith('forgets.json'));
}

const decisionsText = (at: TestFolders) =>
  decisionFiles(at)
    .map((path) => readFileSync(path, 'utf8'))
    .join('');

/** Makes a device believe that it has known what was forgotten for longer. */
function letDaysPass(at: TestFolders, days: number): void {
  for (const path of decisionFiles(at)) {
    const older = readFileSync(path, 'utf8').replace(
      /"seenAt":\s*(\d+)/g,
      (_, ms: string) => `"seenAt":${Number(ms) - days * DAY}`,
    );
    writeFileSync(path, older);
  }
}

/** Agrees to all that other devices have asked a device to remove. */
async function agreeOn(at: TestFolders): Promise<void> {
  const decisions = decisionFiles(at).flatMap((path) =>
    Object.entries(JSON.parse(readFileSync(path, 'utf8')) as ForgetDecisions),
  );
  for (const [key, { choice }] of decisions)
    if (choice === 'open') {
      const { code, stderr } = await run(at, 'forget', '--agree', key, '--yes');
      expect(code, stderr).toBe(0);
    }
}

/** Kills the command while it works. Returns false if it had ended before. */
async function forgetUntilKilled(at: TestFolders, name: string, dice: Dice): Promise<boolean> {
  const before = decisionsText(at);
  const child = startProgram(['forget', name, '--yes', '--vault', at.vault, '--state', at.state]);
  const ended = endOf(child);
  child.stdin.end();
  const isRunning = () => child.exitCode === null;
  // half of the time not before the decision is stored
  if (dice.chance(0.5)) while (isRunning() && decisionsText(at) === before) await wait(1);
  else await wait(100 + dice.below(250));
  await wait(dice.below(40));
  const isKilled = isRunning() && child.kill('SIGKILL');
  await ended;
  return isKilled;
}

/** Expects all states but the forgotten ones to be in the vault, and nothing to be reported. */
async function expectWhole(at: TestFolders, names: readonly string[]): Promise<void> {
  const text = filesBelow(at.vault)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  for (const name of names) expect(text).toContain(`"name":"${name}"`);
  const report = await run(at, 'verify');
  expect(report.code, report.stdout).toBe(0);
}

it(
  `forgets everything or nothing when killed, ${KILLS} times`,
  { timeout: 1_200_000 },
  async () => {
    const dice = createDice(SEED);
    const one = createFolders();
    const two = { vault: one.vault, state: temporaryFolder('other') };
    const synced = createFolders();
    const kept: string[] = [];
    let [killed, asked] = [0, 0];
    for (let round = 0; round < KILLS; round++) {
      const name = `Access${round}`;
      const text = { conversationContext: `Say that ${SECRET}`, decisions: [`Use it, ${SECRET}`] };
      await callInProcess(one, 'createState', { ...stateNamed(name), ...text });
      await callInProcess(two, 'createState', stateNamed(`Kept${round}`));
      kept.push(`Kept${round}`);
      if (round % 3 === 0) await derive(one);
      if (round % 3 === 1) await derive(two);
      const isSyncing = round % 10 === 1;
      if (isSyncing) {
        cpSync(one.vault, synced.vault, { recursive: true });
        await derive(synced);
      }
      if (await forgetUntilKilled(one, name, dice)) killed++;

      const listed = await callInProcess(one, 'listStates', {});
      expect(listed.stdout).toContain(`Kept${round}`);
      if (listed.stdout.includes(name)) {
        const loaded = await callInProcess(one, 'loadState', { name });
        expect(loaded.stdout).toContain('umbrella-violin');
        const again = await run(one, 'forget', name, '--yes');
        expect(again.stdout).toMatch(/^(?:Forgotten\.|Removed from the memory)/m);
      } else asked++;
      letDaysPass(one, 3); // a killed process leaves an open segment, which is rewritten later
      await callInProcess(one, 'listStates', {});
      expect(filesWithSecret(one.vault, one.state), `after kill ${round}`).toEqual([]);
      if (round % 5 === 1) await expectWhole(one, kept);

      await callInProcess(two, 'listStates', {});
      await agreeOn(two);
      expect(filesWithSecret(two.vault, two.state)).toEqual([]);
      if (!isSyncing) continue;
      cpSync(one.vault, synced.vault, { recursive: true });
      await callInProcess(synced, 'listStates', {});
      await agreeOn(synced);
      expect((await callInProcess(synced, 'listStates', {})).stdout).not.toContain(name);
      expect(filesWithSecret(synced.vault, synced.state)).toEqual([]);
      await expectWhole(synced, kept);
    }
    expect(killed).toBeGreaterThan(KILLS / 3);
    expect(asked).toBeGreaterThan(KILLS / 12);
  },
);
