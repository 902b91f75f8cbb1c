// Tier full: starts the desktop app four times, and five minutes pass for it
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { callProgram } from '../../cli/program-folders.js';
import { PROGRAM, runProgram, temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { startNodeHost } from '../node-host.js';
import { createDesktopPlace, personAt, type DesktopPlace } from './desktop-app.js';

declare global {
  var __waits: number;
}

/** Starts the app, for which five minutes are a moment, and waits until they have passed. */
async function startInHaste({ vault, state, storageFile }: DesktopPlace) {
  const env = { SAVEPOINT_STATE: state, XDG_RUNTIME_DIR: '' };
  const options = { vault, plugin: PROGRAM, storageFile, env, isReady: false };
  const host = await startNodeHost(options);
  onTestFinished(() => host.kill());
  await host.evaluate(async (app) => {
    const later = globalThis.setTimeout;
    const wait = (task: () => void, ms?: number) =>
      ms === 5 * 60 * 1000 ? later(() => (globalThis.__waits++, task()), 500) : later(task, ms);
    globalThis.__waits = 0;
    globalThis.setTimeout = wait as typeof setTimeout;
    await app.layoutReady();
  });
  await expect.poll(() => host.evaluate(() => globalThis.__waits), { timeout: 30_000 }).not.toBe(0);
  return { host, ...personAt(host) };
}

/** Ways in which the line at `cut` gets lost. */
const LOSSES: Record<string, (file: string, lines: readonly string[], cut: number) => void> = {
  'a line that was cut out': (file, lines, cut) =>
    writeFileSync(file, lines.filter((_, at) => at !== cut).join('\n')),
  'the second of three files': (file, lines, cut) => {
    writeFileSync(file, `${lines.slice(0, cut).join('\n')}\n`);
    const third = file.replace(/-0001(?=\.jsonl$)/, '-0003');
    writeFileSync(third, lines.slice(cut + 1).join('\n'));
  },
};

test.each(Object.keys(LOSSES))('says once which device and day %s is of', async (loss) => {
  const place = createDesktopPlace();
  const other = { vault: place.vault, state: temporaryFolder('state') };
  for (const name of ['One', 'Two', 'Three'])
    expect((await callProgram(other, 'createState', stateNamed(name))).code).toBe(0);
  const names = readdirSync(place.vault, { recursive: true, encoding: 'utf8' });
  const path = names.find((name) => /^Savepoint\/core\/.*\.jsonl$/.test(name))!;
  const file = join(place.vault, path);
  const lines = readFileSync(file, 'utf8').split('\n');
  const cut = lines.findIndex((line) => line.includes('"Two"'));
  const opening = JSON.parse(lines[0]!) as { h: string; d: { device: string } };
  LOSSES[loss]!(file, lines, cut);

  const first = await startInHaste(place);
  const notices = async ({ texts }: typeof first) =>
    (await texts('.notice')).filter((text) => text.includes('missing'));
  await expect.poll(() => notices(first), { timeout: 30_000 }).toHaveLength(1);
  const [notice] = await notices(first);
  expect(notice).toContain('1 entry of the memory is missing');
  expect(notice).toContain(`${opening.d.device} wrote`);
  expect(notice).toContain(opening.h.slice(0, 4));
  expect(notice).toContain(path);
  await first.host.quit();
  expect(first.host.errors).toEqual([]);

  const again = await startInHaste(place);
  // a check that starts later ends later
  await again.run('verify-memory');
  const shown = async () => (await again.texts('.modal')).join();
  await expect.poll(shown, { timeout: 30_000 }).toContain('Some data is missing or damaged');
  expect(await notices(again)).toEqual([]);
  await again.host.quit();
  expect(again.host.errors).toEqual([]);

  const report = await runProgram(['verify', '--vault', place.vault, '--state', place.state]);
  expect(report.code).toBe(1);
  for (const known of [opening.d.device, opening.h.slice(0, 10), path])
    expect(report.stdout).toContain(known);
});
