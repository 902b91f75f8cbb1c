import { describe, expect, it } from 'vitest';
import { allWorkspaces } from '../../../src/model/lookup.js';
import { memoryOf, readLogLines } from '../../../src/storage/log-lines.js';
import { planForget } from '../../../src/storage/forget/forget-plan.js';
import { earlierTexts, type EarlierTexts } from '../../../src/storage/forget/earlier-texts.js';
import { createMemoryForgetStore } from '../helpers.js';
import { lineOf, workspaceDraft, type EventFields } from '../../fakes/events.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';

const SECRET = 'The door opens with 4711-violet-umbrella';

function open(): TestVault {
  return createTestVault({ forgetStore: createMemoryForgetStore() });
}

async function planOf(vault: TestVault, name: string) {
  await vault.idle();
  const { lines } = await readLogLines(vault.files, 'Savepoint');
  const memory = memoryOf(lines);
  const workspace = allWorkspaces(memory).find(({ item }) => item.name === name);
  const request = { kind: 'workspace', name: workspace?.item.id ?? '', workspaceId: '' } as const;
  return planForget(lines, memory, request);
}

async function forget(vault: TestVault, name: string): Promise<void> {
  const { lines, kept } = await planOf(vault, name);
  await vault.log.forgetting.forget(lines, true, kept);
}

const shown = async ({ log }: TestVault, name: string) =>
  allWorkspaces(await log.memory()).find(({ item }) => item.name === name)?.item;

describe('the earlier texts of a workspace', () => {
  it('are removed from its creation, and what it contains now stays', async () => {
    const vault = open();
    await vault.data('createWorkspace', {
      ...garden,
      purpose: SECRET,
      workflows: ['Sow', 'Water'],
      keyFiles: ['Garden/Plan.md'],
      preferences: { units: { length: 'm' }, tone: 'dry' },
    });
    await vault.data('createState', stateNamed('Beds', {}));
    await vault.data('updateWorkspace', { name: 'Garden', purpose: 'Vegetables' });
    await vault.data('updateWorkspace', { name: 'Garden', workflows: ['Water', 'Sow'] });
    const before = await shown(vault, 'Garden');

    const plan = await planOf(vault, 'Garden');
    expect(plan.items.map(({ type, title }) => `${type} ${title}`)).toEqual([
      'ws.new Garden',
      'trace.new createWorkspace',
    ]);
    await forget(vault, 'Garden');

    expect(await shown(vault, 'Garden')).toEqual(before);
    expect(vault.files.paths().filter((path) => vault.files.text(path).includes('violet'))).toEqual(
      [],
    );
    expect(await vault.data('listStates', { workspaceId: 'Garden' })).toMatchObject([
      { name: 'Beds' },
    ]);
    expect(await vault.error('createWorkspace', garden)).toContain('already exists');
    await vault.data('updateWorkspace', { name: 'Garden', purpose: 'Fruit' });
    expect(await shown(vault, 'Garden')).toEqual({ ...before, purpose: 'Fruit' });
  });

  it('are removed from the built-in workspace', async () => {
    const vault = open();
    const texts = { description: SECRET, keyFiles: ['violet/umbrella.md'] };
    await vault.data('updateWorkspace', { name: 'Default', ...texts });
    await vault.data('updateWorkspace', {
      name: 'Default',
      description: 'All',
      keyFiles: ['a.md'],
    });
    const before = await shown(vault, 'Default');
    await forget(vault, 'Default');
    expect(await shown(vault, 'Default')).toEqual(before);
    expect(vault.files.paths().filter((path) => vault.files.text(path).includes('violet'))).toEqual(
      [],
    );
  });

  it('include an earlier name, a removed file and a removed preference', async () => {
    const vault = open();
    await vault.data('createWorkspace', {
      ...garden,
      keyFiles: ['Garden/violet.md', 'Garden/Plan.md'],
      preferences: { violet: 1, tone: 'dry' },
    });
    await vault.data('updateWorkspace', {
      name: 'Garden',
      newName: 'Orchard',
      keyFiles: ['Garden/Plan.md'],
      preferences: { tone: 'dry' },
      isArchived: true,
    });
    const before = await shown(vault, 'Orchard');
    await forget(vault, 'Orchard');
    expect(await shown(vault, 'Orchard')).toEqual(before);
    expect(before?.isArchived).toBe(true);
    const core = vault.files.paths().filter((path) => path.includes('/core/'));
    expect(core.filter((path) => /violet|"name":"Garden"/.test(vault.files.text(path)))).toEqual(
      [],
    );
    await vault.data('createWorkspace', garden);
  });

  it('are nothing if it contains all that it ever contained', async () => {
    const vault = open();
    await vault.data('createWorkspace', garden);
    await expect(planOf(vault, 'Garden')).rejects.toThrow('has no earlier texts');
    await vault.data('updateWorkspace', { name: 'Garden', purpose: SECRET });
    await vault.data('updateWorkspace', { name: 'Garden', purpose: garden.purpose });
    await forget(vault, 'Garden');
    await expect(planOf(vault, 'Garden')).rejects.toThrow('has no earlier texts');
  });

  it('list what else contains them', async () => {
    const vault = open();
    await vault.data('createWorkspace', { ...garden, purpose: SECRET });
    await vault.data('createState', stateNamed('Beds', { activeTask: SECRET }));
    await vault.data('updateWorkspace', { name: 'Garden', purpose: 'Vegetables' });
    const { related } = await planOf(vault, 'Garden');
    expect(related.map(({ type, title }) => `${type} ${title}`)).toEqual(['state.new Beds']);
  });
});

describe('what a newer version has written about a workspace', () => {
  const e = 'ws-garden';
  const colour = { colour: 'green', shape: { round: 'yes' } };
  const creation = { ...workspaceDraft('Garden', e, colour), n: 1 };

  function earlierOf(...events: readonly EventFields[]): EarlierTexts | undefined {
    const lines = events.map((event) => {
      const { bytes, hash, event: read } = lineOf({ e, ...event });
      return { event: read, bytes, hash, lane: 'core' as const, path: '', from: 0 };
    });
    return earlierTexts(lines, memoryOf(lines), e);
  }

  it('stays, also in a field that this version does not know', () => {
    const purpose = { t: 'set', n: 2, d: { '/purpose': 'Fruit' } };
    const hue = { t: 'set', n: 3, d: { '/colour': 'red', '/hue': 'dark' } };
    const earlier = earlierOf(creation, purpose, hue);
    expect(earlier?.kept).toMatchObject([
      { t: 'ws.new', d: { name: 'Garden', purpose: 'Fruit', shape: { round: 'yes' } } },
      { t: 'set', d: { '/colour': 'red', '/hue': 'dark' } },
    ]);
    expect(earlier?.kept[0]?.d).not.toHaveProperty('colour');
    expect(earlier?.texts).toEqual(['green', creation.d['purpose']].sort());
  });

  it('is not forgotten if this version cannot read it', () => {
    const newer = { t: 'set', v: 2, n: 2, d: { '/purpose': 'Fruit' } };
    const earlier = earlierOf(creation, newer);
    expect(earlier?.lines.map(({ event }) => event.n)).toEqual([1]);
    expect(earlier?.texts).toEqual([]);
  });
});
