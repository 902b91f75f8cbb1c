import { expect, it } from 'vitest';
import type { Savepoint } from '../../../src/obsidian/savepoint.js';
import type { MemoryHit } from '../../../src/obsidian/search/memory-hits.js';
import { searchEverything } from '../../../src/obsidian/search/search-everything.js';
import { createTestVault, stateNamed, type TestVault } from '../../fakes/test-vault.js';

/** Returns an object whose calls, and those of the objects in it, are listed. */
function recorded<T extends object>(target: T, calls: string[]): T {
  return new Proxy(target, {
    get(from, name) {
      const value: unknown = Reflect.get(from, name, from);
      if (typeof value === 'object' && value !== null) return recorded(value, calls);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        calls.push(String(name));
        return Reflect.apply(value, from, given);
      };
    },
  });
}

function runSoon(_: number, task: () => void): () => void {
  queueMicrotask(task);
  return () => undefined;
}

/** The app over a vault, with a list of its calls to the search service. */
async function appOver(vault: TestVault): Promise<{ app: Savepoint; calls: string[] }> {
  const { services } = vault.toolkit.host;
  const memory = await services.log.memory();
  const calls: string[] = [];
  const app = {
    clock: { now: () => services.clock.now(), after: runSoon },
    memory: { get: () => memory },
    workspaceId: { get: () => 'default' },
    services: { search: recorded(services.search, calls) },
    app: { vault: { getMarkdownFiles: () => [] } },
  } as unknown as Savepoint;
  return { app, calls };
}

const { signal } = new AbortController();

/** Returns the hits of each step. */
async function searched(app: Savepoint, query: string): Promise<MemoryHit[][]> {
  const steps: MemoryHit[][] = [];
  for await (const hits of searchEverything(app, undefined, { query, scope: 'all', signal }))
    steps.push(hits);
  return steps;
}

function nameOf(hit: MemoryHit): string | undefined {
  return hit.kind === 'state' ? hit.state.displayName : undefined;
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

it('calls the search service once for all kinds and workspaces', async () => {
  const vault = await createVault(4);
  vault.files.put('Nuts.md', 'Planted a hazel');
  await vault.data('logTrace', { kind: 'observation', content: 'Planting the hazel' });
  await vault.idle();
  const { app, calls } = await appOver(vault);
  const hits = (await searched(app, 'planting')).flat();
  expect(calls).toEqual(['searchGroups']);
  expect(hits.map(nameOf)).toEqual(
    expect.arrayContaining(['Sowing', 'Sowing 1', 'Sowing 2', 'Sowing 3', 'Sowing 4']),
  );
  expect(hits.slice(-2).map(({ kind }) => kind)).toEqual(['note', 'call']);
});

it('shows the states of the current workspace first', async () => {
  const { app } = await appOver(await createVault(1));
  const hits = (await searched(app, 'planting')).flat();
  expect(hits.map(nameOf)).toEqual(['Sowing', 'Sowing 1']);
});

it('yields what contains the query before the indexes are asked', async () => {
  const vault = await createVault(1);
  vault.files.put('Nuts.md', 'A walnut tree');
  await vault.idle();
  const { app, calls } = await appOver(vault);
  const steps = searchEverything(app, undefined, { query: 'walnut', scope: 'all', signal });
  const first = (await steps.next()).value as MemoryHit[];
  expect(first.map(nameOf).toSorted()).toEqual(['Sowing', 'Sowing 1']);
  expect(calls).toEqual([]);
  const later: string[] = [];
  for await (const hits of steps) later.push(hits.map(({ kind }) => kind).join());
  expect(later).toEqual(['', 'note', '']);
});

it('ends when the query is superseded', async () => {
  const { app, calls } = await appOver(await createVault(1));
  const stop = new AbortController();
  const request = { query: 'walnut', scope: 'all' as const, signal: stop.signal };
  const steps = searchEverything(app, undefined, request);
  await steps.next();
  stop.abort();
  expect(await steps.next()).toEqual({ done: true, value: undefined });
  expect(calls).toEqual([]);
});
