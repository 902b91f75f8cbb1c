import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openKeptIndex } from '../../src/agents/kept-index.js';
import { createMemoryIndex } from '../../src/agents/memory-index.js';
import { restoreState } from '../../src/agents/restore-state.js';
import type { Json } from '../../src/model/event.js';
import { workspaceById } from '../../src/model/find.js';
import { createMemoryFiles } from '../fakes/memory-files.js';
import { createTestVault, stateNamed, type TestVault } from '../fakes/test-vault.js';

const NAMES = ['Plan', 'plan two', 'Plan three', 'Plan four'];

const anyStep = fc.record({
  what: fc.constantFrom('save', 'archive', 'restore', 'load', 'search'),
  name: fc.constantFrom(...NAMES),
  device: fc.nat(1),
});

async function take(vault: TestVault, what: string, name: string): Promise<void> {
  if (what === 'save') await vault.call('createState', stateNamed(name));
  else if (what === 'archive') await vault.call('archiveState', { name });
  else if (what === 'load') await vault.call('loadState', { name });
  else if (what === 'search') await found(vault);
  else await restoreState(vault.toolset.host.services, workspaceById(await vault.log.memory(), 'default'), name).catch(() => undefined);
}

async function found(vault: TestVault): Promise<string[]> {
  await vault.idle();
  const rows = (await vault.data('searchMemory', { query: 'plan', workspaceId: 'default', limit: 100 })) as Record<string, unknown>[];
  return rows.map(({ type, name, tool, createdAt }) => `${String(type)} ${String(name ?? tool)} ${String(createdAt)}`).sort();
}

it('finds after any changes of two devices, with searches between them, what a search finds that starts anew', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 14 }), async (steps) => {
      const files = createMemoryFiles();
      const devices = [createTestVault({ files, seed: 1 }), createTestVault({ files, seed: 2 })];
      for (const { what, name, device } of steps) await take(devices[device]!, what, name);
      for (const each of devices) await each.idle();
      expect(await found(devices[0]!)).toEqual(await found(createTestVault({ files, seed: 3 })));
    }),
    { numRuns: 60 },
  );
});

it('is kept after the next change where its parts could not be put together, and takes things in meanwhile', async () => {
  const vault = createTestVault();
  const { log, clock, random } = vault.toolset.host.services;
  let [isBroken, keeps] = [true, 0];
  const open = async () => {
    const options = { blobs: undefined, name: 'memory', dimensions: 1, meaningId: '', random, warn: () => undefined };
    const own = await openKeptIndex(options);
    const mergeSteps = () => {
      if (isBroken) throw new Error('Broken');
      return own.index.mergeSteps();
    };
    return { ...own, index: { ...own.index, mergeSteps }, keep: (beside: Json) => (keeps++, own.keep(beside)) };
  };
  const index = createMemoryIndex({ log, open, meaning: undefined, mostVectors: 0, pause: undefined, clock });
  const takeIn = async (name: string) => {
    await vault.call('createState', stateNamed(name));
    const { states } = await index.catchUp('default');
    vault.clock.advance(5000);
    await new Promise((resolve) => setTimeout(resolve));
    return [states.size, keeps];
  };
  expect(await takeIn('One')).toEqual([1, 0]);
  isBroken = false;
  expect(await takeIn('Two')).toEqual([2, 1]);
});
