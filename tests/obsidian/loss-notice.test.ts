import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { emptyMemory } from '../../src/model/memory.js';
import type { Savepoint } from '../../src/obsidian/savepoint.js';
import { SETTLE_MS, tellLosses } from '../../src/obsidian/loss-notice.js';
import { createStore } from '../../src/obsidian/store.js';
import { createTestClock, type TestClock } from '../fakes/deterministic.js';
import { createMemoryFiles } from '../fakes/memory-files.js';
import { createTestVault, stateNamed } from '../fakes/test-vault.js';
import { becomeRenderer } from '../host/node-window.js';
import { startHost } from '../host/obsidian/start.js';
import { createFolder } from '../node/folders.js';

vi.mock('obsidian', () => import('../host/obsidian/documented.js'));
becomeRenderer({ storageFile: join(createFolder(), 'storage.json'), require: null });

afterEach(() => document.querySelectorAll('.notice').forEach((notice) => notice.remove()));

const notices = () => [...document.querySelectorAll('.notice')].map((each) => each.textContent);

/** A vault with four states of which the file of the third and the fourth can be cut. */
async function vaultWithStates() {
  const files = createMemoryFiles();
  const vault = createTestVault({ files });
  for (const name of ['One', 'Two', 'Three']) await vault.data('createState', stateNamed(name));
  await vault.log.close();
  const path = files.paths().find((each) => each.includes('/core/'))!;
  const lines = files.text(path).split('\n');
  return { files, path, lines, cut: lines.findIndex((line) => line.includes('"Two"')) };
}

function startApp(
  files: ReturnType<typeof createMemoryFiles>,
  clock: TestClock,
  { app } = {} as Awaited<ReturnType<typeof startHost>>,
) {
  const { log } = createTestVault({ files, seed: 9, clock });
  const memory = createStore(emptyMemory);
  const errors: unknown[] = [];
  const services = { log, files, dataFolder: 'Savepoint', copies: undefined };
  const stop = tellLosses(
    { app, clock, memory, services } as unknown as Savepoint,
    (error: unknown) => errors.push(error),
  );
  const settle = async () => {
    memory.set(await log.memory());
    for (let round = 0; round < 3; round++) {
      clock.advance(SETTLE_MS);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(errors).toEqual([]);
  };
  return { settle, stop };
}

describe('a line that was cut from a file of the memory', () => {
  it('is mentioned once, with its device, day and file', async () => {
    const { files, path, lines, cut } = await vaultWithStates();
    files.put(path, lines.filter((_, at) => at !== cut).join('\n'));
    const [host, clock] = [await startHost({}), createTestClock()];
    const app = startApp(files, clock, host);
    await app.settle();
    expect(notices()).toHaveLength(1);
    expect(notices()[0]).toContain('1 entry of the memory is missing');
    expect(notices()[0]).toContain('device-1');
    expect(notices()[0]).toContain('2026');
    expect(notices()[0]).toContain(path);
    await app.settle();
    app.stop();
    const again = startApp(files, clock, host);
    await again.settle();
    again.stop();
    expect(notices()).toHaveLength(1);
  });

  it('is not mentioned if it arrives before the others are five minutes old', async () => {
    const { files, path, lines, cut } = await vaultWithStates();
    files.put(path, lines.filter((_, at) => at !== cut).join('\n'));
    const clock = createTestClock();
    const app = startApp(files, clock, await startHost({}));
    clock.advance(SETTLE_MS / 2);
    files.put(path, lines.join('\n'));
    await app.settle();
    app.stop();
    expect(notices()).toEqual([]);
  });

  it('is nothing if none was cut', async () => {
    const { files } = await vaultWithStates();
    const app = startApp(files, createTestClock(), await startHost({}));
    await app.settle();
    app.stop();
    expect(notices()).toEqual([]);
  });
});
