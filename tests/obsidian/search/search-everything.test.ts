import { expect, it } from 'vitest';
import type { MemorySearch } from '../../../src/indexing/memory/memory-search.js';
import type { Savepoint } from '../../../src/obsidian/savepoint.js';
import { searchMemory } from '../../../src/obsidian/search/search-everything.js';
import { createTestVault, stateNamed, type TestVault } from '../../fakes/test-vault.js';

/** The app over a vault, with a list of the searches that it has made. */
async function appOver(vault: TestVault): Promise<{ app: Savepoint; searches: string[] }> {
  const { services } = vault.toolkit.host;
  const memory = await services.log.memory();
  const searches: string[] = [];
  const counted = new Proxy(services.search.memory, {
    get: (search: MemorySearch, name: 'searchStates' | 'searchTraces') => {
      searches.push(name);
      return search[name].bind(search);
    },
  });
  const app = {
    clock: services.clock,
    memory: { get: () => memory },
    workspaceId: { get: () => 'default' },
    services: {
      search: {
        memory: counted,
        notes: { search: () => Promise.resolve({ problem: 'is empty' }) },
      },
    },
  } as unknown as Savepoint;
  return { app, searches };
}

async function createVault(workspaces: number): Promise<TestVault> {
  const vault = createTestVault();
  await vault.data('createState', stateNamed('Sowing', { activeTask: 'Planted the walnuts' }));
  for (let at = 1; at <= workspaces; at++) {
    const name = `Garden ${at}`;
    const fields = { description: 'Beds', rootFolder: `${name}`, purpose: 'Plan' };
    await vault.data('createWorkspace', { name, ...fields });
    const task = { activeTask: 'Planted a walnut' };
    await vault.data('createState', { ...stateNamed(`Sowing ${at}`, task), workspaceId: name });
  }
  return vault;
}

it('searches all workspaces at once, and shows the current one first', async () => {
  const { app, searches } = await appOver(await createVault(4));
  const request = {
    query: 'planting',
    scope: 'all' as const,
    signal: new AbortController().signal,
  };
  const hits = await searchMemory(app, request);
  expect(searches).toEqual(['searchStates', 'searchTraces']);
  const names = hits.flatMap((hit) => (hit.kind === 'state' ? [hit.state.displayName] : []));
  expect(names[0]).toBe('Sowing');
  expect(names.toSorted()).toEqual(['Sowing', 'Sowing 1', 'Sowing 2', 'Sowing 3', 'Sowing 4']);
});
