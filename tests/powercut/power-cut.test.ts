import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { VerifyReport } from '../../src/storage/integrity/verify-report.js';
import { allPages } from '../fakes/all-pages.js';
import { runProgram, startProgram } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import { isNightly } from '../tier.js';
import { createCutDisk, whyNoPowerCut, type CutDisk } from './cut-disk.js';

/**
 * Reason to skip the test. It runs only with `npm run test:powercut`, as it needs root and loop
 * devices.
 */
const obstacle = isNightly ? whyNoPowerCut() : 'not asked for';
if (isNightly && obstacle !== undefined)
  console.warn(`Skipped: no power can be cut here, for ${obstacle}`);

const ROUNDS = 15;
const CONTROL_ROUNDS = 5;
const IN_FLIGHT = 8;
const WITHOUT_SYNC = new URL('without-sync.mjs', import.meta.url).href;

const disks: CutDisk[] = [];
afterEach(() => disks.splice(0).forEach((disk) => disk.remove()));

/**
 * Lets the program save states until the power is cut, and remounts the disk. Returns the
 * acknowledged names.
 */
async function saveUntilCut(
  disk: CutDisk,
  round: number,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const child = startProgram(['mcp', ...placesOn(disk)], { env: { ...process.env, ...env } });
  const acknowledged: string[] = [];
  let [sent, rest] = [0, ''];
  const ask = () => {
    const name = `R${round} S${sent}`;
    // Varied sizes, so that a segment fills up every few dozen states.
    const params = {
      name: 'createState',
      arguments: stateNamed(name, { conversationContext: 'x'.repeat((sent++ * 997) % 5000) + 'x' }),
    };
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: name, method: 'tools/call', params })}\n`,
    );
  };
  child.stdin.on('error', () => undefined); // the pipe breaks when the process dies
  child.stdout.on('data', (piece: Buffer) => {
    const lines = (rest + piece.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { id, result } = JSON.parse(line) as {
        id: string;
        result?: { structuredContent?: { success?: boolean } };
      };
      if (result?.structuredContent?.success) acknowledged.push(id);
      ask();
    }
  });
  for (let index = 0; index < IN_FLIGHT; index++) ask();
  await once(child.stdout, 'data');
  await setTimeout(100 + ((round * 137) % 700));
  disk.cutPower();
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
  disk.unmount();
  disk.mount();
  return acknowledged;
}

function placesOn({ folder }: CutDisk): string[] {
  return ['--vault', join(folder, 'vault'), '--state', join(folder, 'state')];
}

async function listNames(disk: CutDisk): Promise<Set<string>> {
  const states = await allPages<{ name: string }>(async (page) => {
    const args = ['call', 'listStates', ...placesOn(disk), '--json', JSON.stringify(page)];
    return JSON.parse((await runProgram(args)).stdout) as unknown;
  });
  return new Set(states.map(({ name }) => name));
}

function createDisk(): CutDisk {
  const disk = createCutDisk();
  disks.push(disk);
  mkdirSync(join(disk.folder, 'vault/.obsidian'), { recursive: true });
  disk.sync();
  return disk;
}

describe.skipIf(obstacle !== undefined)('a power cut', () => {
  it(`loses no acknowledged state in ${ROUNDS} rounds`, { timeout: 1_200_000 }, async () => {
    const disk = createDisk();
    const acknowledged: string[] = [];
    const seen = { problems: new Map<string, number>(), missingTraces: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const before = acknowledged.length;
      acknowledged.push(...(await saveUntilCut(disk, round, {})));
      expect(acknowledged.length, 'something was saved before the cut').toBeGreaterThan(before);
      const { stdout } = await runProgram([
        'verify',
        '--vault',
        join(disk.folder, 'vault'),
        '--json',
      ]);
      const { writers, problems } = JSON.parse(stdout) as VerifyReport;
      expect(
        writers.filter(({ lane, missing, forks }) => lane === 'core' && missing.length + forks > 0),
      ).toEqual([]);
      // a segment that was just created may be left without a line
      expect(
        problems.filter(
          ({ kind, path }) => path.includes('/core/') && !['pending', 'waiting'].includes(kind),
        ),
      ).toEqual([]);
      for (const { kind, path } of problems) {
        const what = `${path.split('/')[1]} ${kind}`;
        seen.problems.set(what, (seen.problems.get(what) ?? 0) + 1);
      }
      seen.missingTraces += writers.filter(
        ({ lane, missing }) => lane === 'trace' && missing.length > 0,
      ).length;
      const names = await listNames(disk);
      expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
    }
    console.log(
      `${ROUNDS} cuts, ${acknowledged.length} states acknowledged, none lost. Seen on the way:`,
      seen,
    );
  });

  it(
    'loses states if syncing is disabled, which proves that the cut works',
    { timeout: 300_000 },
    async () => {
      const disk = createDisk();
      const lost: string[] = [];
      for (let round = 0; round < CONTROL_ROUNDS; round++) {
        const acknowledged = await saveUntilCut(disk, round, {
          NODE_OPTIONS: `--import ${JSON.stringify(WITHOUT_SYNC)}`,
        });
        const names = await listNames(disk);
        lost.push(
          `${acknowledged.filter((name) => !names.has(name)).length} of ${acknowledged.length}`,
        );
      }
      console.log('Without syncing, lost:', lost.join(', '));
      expect(lost.filter((each) => !each.startsWith('0 '))).not.toEqual([]);
    },
  );
});
