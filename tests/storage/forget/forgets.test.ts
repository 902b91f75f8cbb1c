import { expect, it } from 'vitest';
import { forgetKey } from '../../../src/storage/forget/forget-event.js';
import { Forgets } from '../../../src/storage/forget/forgets.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { lineOf, WRITER_A, WRITER_B } from '../../fakes/events.js';
import { createMemoryForgetStore } from '../helpers.js';

it('forgets report a decision of another process once, whenever it was looked up', async () => {
  const range = { w: WRITER_A, from: 1, to: 1, crcs: '0'.repeat(8), hash: '0'.repeat(32) };
  const d = { device: 'phone', entities: [], ranges: [range] };
  const { event } = lineOf({ t: 'log.forget', w: WRITER_B, d });
  const key = forgetKey(event);
  const store = createMemoryForgetStore();
  const forgets = new Forgets({ store, clock: createTestClock(), warn: () => undefined });
  expect(await forgets.take([event])).toBe(true);
  expect(await forgets.takeChange()).toBe(false);

  const decide = (choice: 'refused' | 'agreed') =>
    store.update((all) => ({ ...all, [key]: { seenAt: 0, ...all[key], choice } }));
  await decide('refused');
  await forgets.reload();
  expect([await forgets.takeChange(), await forgets.takeChange()]).toEqual([true, false]);
  await decide('agreed');
  await forgets.reload();
  expect([await forgets.takeChange(), await forgets.takeChange()]).toEqual([true, false]);
});

it('forgets report a change although decisions cannot be stored', async () => {
  const range = { w: WRITER_A, from: 1, to: 1, crcs: '0'.repeat(8), hash: '0'.repeat(32) };
  const d = { device: 'phone', entities: [], ranges: [range] };
  const { event } = lineOf({ t: 'log.forget', w: WRITER_B, d });
  const warnings: string[] = [];
  const store = {
    ...createMemoryForgetStore(),
    update: () => Promise.reject(new Error('No space left.')),
  };
  const warn = (message: string) => void warnings.push(message);
  const forgets = new Forgets({ store, clock: createTestClock(), warn });

  expect(await forgets.takeEarly([event])).toBe(true);

  expect([await forgets.takeChange(), await forgets.takeChange()]).toEqual([true, false]);
  expect(warnings[0]).toContain('No space left.');
});
