import { describe, expect, it } from 'vitest';
import { MAX_ANSWER_CHARACTERS } from '../../../src/toolkit/answer-limit.js';
import type { Success } from '../../../src/toolkit/answer.js';
import { allPages } from '../../fakes/all-pages.js';
import { stateDraft } from '../../fakes/events.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';
import { perTier } from '../../tier.js';

const STATES = perTier(1000, 3000, 3000);

/** Saves states through `useTools`, 50 at a time. */
async function save(vault: TestVault, count: number, more: (index: number) => object) {
  const calls = Array.from({ length: count }, (_, index) => ({
    agent: 'memoryManager',
    tool: 'createState',
    params: stateNamed(`State ${index}`, { ...more(index) }),
  }));
  for (let at = 0; at < count; at += 50)
    await vault.data('useTools', { calls: calls.slice(at, at + 50) });
}

function lengthOf(answer: unknown): number {
  return JSON.stringify(answer).length;
}

describe(`a list of ${STATES} states`, () => {
  it('is reached by pages, none of which is too long', { timeout: 120_000 }, async () => {
    const vault = createTestVault();
    const drafts = Array.from({ length: STATES }, (_, index) =>
      stateDraft(`State ${index}`, `st-${index}`, 'default', {
        description: `Description ${index} `.repeat(12),
      }),
    );
    const written = await Promise.all(drafts);
    await vault.log.write(() => ({ drafts: written, answer: undefined }));
    const names = Array.from({ length: STATES }, (_, index) => `State ${STATES - 1 - index}`);
    const lengths: number[] = [];
    const list = async (page: object) => {
      const answer = await vault.call('listStates', page);
      lengths.push(lengthOf(answer));
      return answer;
    };
    const first = (await list({})) as Success;
    expect(first.data).toHaveLength(100);
    expect(first.more).toEqual({ total: STATES, after: `State ${STATES - 100}` });
    // What follows the data may not reach the model.
    expect(Object.keys(first)).toEqual(['success', 'workspace', 'more', 'data']);
    const all = await allPages<{ name: string }>(list);
    expect(all.map(({ name }) => name)).toEqual(names);
    const loaded = await vault.call('loadWorkspace', { name: 'Default' });
    expect(loaded).toMatchObject({ data: { totalStates: STATES } });
    expect((loaded as { data: { states: unknown[] } }).data.states).toHaveLength(20);
    expect(Math.max(...lengths, lengthOf(loaded))).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
  });
});

describe('listStates', () => {
  it('continues at the same place after changes', async () => {
    const vault = createTestVault();
    await save(vault, 10, () => ({}));
    const { more } = (await vault.call('listStates', { limit: 4 })) as Success;
    await vault.data('archiveState', { name: 'State 6' });
    await vault.data('archiveState', { name: 'State 5' });
    await vault.data('createState', stateNamed('Newer'));
    expect(await vault.data('listStates', { limit: 3, after: more?.after })).toMatchObject([
      { name: 'State 4' },
      { name: 'State 3' },
      { name: 'State 2' },
    ]);
  });

  it('counts and pages states with a tag', async () => {
    const vault = createTestVault();
    await save(vault, 10, (index) => ({ tags: index % 2 ? ['odd'] : [] }));
    expect(await vault.call('listStates', { tags: ['odd'], limit: 2 })).toMatchObject({
      data: [{ name: 'State 9' }, { name: 'State 7' }],
      more: { total: 5, after: 'State 7' },
    });
  });

  it('refuses an unknown page', async () => {
    expect(await createTestVault().error('listStates', { after: 'None' })).toBe(
      'There is no state "None" to continue after. Pass the value of more.after from the page before, or leave it out.',
    );
  });
});

describe('listWorkspaces', () => {
  it('has pages that contain every workspace once', async () => {
    const vault = createTestVault();
    const names = Array.from({ length: 120 }, (_, index) => `W ${String(index).padStart(3, '0')}`);
    for (const name of names) await vault.data('createWorkspace', { ...garden, name });
    const first = (await vault.call('listWorkspaces')) as Success;
    expect(first.more).toEqual({ total: 121, after: 'W 098' });
    const all = await allPages<{ name: string }>((page) => vault.call('listWorkspaces', page));
    expect(all.map(({ name }) => name)).toEqual(['Default', ...names]);
  });
});
