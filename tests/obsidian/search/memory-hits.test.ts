import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../src/model/event.js';
import { emptyMemory, fold } from '../../../src/model/memory.js';
import { readLibrary, type Library } from '../../../src/obsidian/library/library.js';
import {
  exactKindsFirst,
  recordsContaining,
  stateExcerpt,
  statesContaining,
  type MemoryHit,
  type SearchedPart,
} from '../../../src/obsidian/search/memory-hits.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import { clockText, eventOf, recordDraft, stateDraft, workspaceDraft } from '../../fakes/events.js';

const archived = (id: string): Draft => ({ t: 'set', e: id, d: { '/isArchived': true } });

async function library(): Promise<Library> {
  const drafts = [
    workspaceDraft('Garden', 'garden'),
    workspaceDraft('House', 'house'),
    workspaceDraft('Attic', 'attic'),
    await stateDraft('Beds', 'beds', 'garden', { nextSteps: ['Order Seeds in spring'] }),
    await stateDraft('Seeds', 'seeds', 'garden'),
    await stateDraft('Roof', 'roof', 'house', { activeFiles: ['House/seeds.md'] }),
    await stateDraft('Old seeds', 'old', 'garden'),
    await stateDraft('Seed boxes', 'boxes', 'attic'),
    archived('old'),
    archived('attic'),
  ];
  const events = drafts.map((draft, minute) =>
    eventOf({ ...draft, n: minute + 1, h: clockText(minute) }),
  );
  return readLibrary(fold(emptyMemory, events), NOOP_SCHEDULER);
}

async function names(query: string, currentId: string, scope: SearchedPart = 'all') {
  const search = { library: await library(), query, scope, currentId, limit: 10 };
  return statesContaining(search).map(({ displayName }) => displayName);
}

describe('the states that contain a query', () => {
  it('are found in every workspace by any field, the current workspace first', async () => {
    expect(await names('seed', 'house')).toEqual(['Roof', 'Seeds', 'Beds']);
    expect(await names('SEED', 'garden')).toEqual(['Seeds', 'Beds', 'Roof']);
  });

  it('exclude other workspaces if the scope is one workspace', async () => {
    expect(await names('seed', 'garden', { workspaceId: 'house' })).toEqual(['Roof']);
  });

  it('begin with the one that has the query as its name, or its number', async () => {
    expect((await names('ROOF', 'garden'))[0]).toBe('Roof');
    const numbered = async (query: string, ...more: string[]) => {
      const drafts = [
        await stateDraft('State 777', 's777', 'default', { activeTask: 'The context of it' }),
        ...(await Promise.all(
          more.map((name, at) =>
            stateDraft(name, `m${at}`, 'default', { activeTask: 'context 777, 7770' }),
          ),
        )),
      ];
      const events = drafts.map((draft, minute) =>
        eventOf({ ...draft, n: minute + 1, h: clockText(minute) }),
      );
      const read = await readLibrary(fold(emptyMemory, events), NOOP_SCHEDULER);
      const search = { library: read, query, scope: 'all' as const, currentId: '', limit: 2 };
      return statesContaining(search).map(({ displayName }) => displayName);
    };
    expect(await numbered('context 777', 'Other', 'Context 7770')).toEqual([
      'State 777',
      'Context 7770',
    ]);
  });

  it('are none for an empty query', async () => {
    expect(await names('  ', 'garden')).toEqual([]);
  });
});

describe('the kinds of hits', () => {
  it('begin with the one that has a hit whose name is the query', async () => {
    const [garden] = (await library()).filter(({ id }) => id === 'garden');
    const hit = (kind: 'state' | 'call') =>
      ({ kind, state: garden!.states[0]! }) as unknown as MemoryHit;
    const hits = [hit('state'), hit('call')];
    const kindsFor = (query: string) =>
      exactKindsFirst(hits, query, ({ kind }) => (kind === 'call' ? 'Order 7' : 'Order')).map(
        ({ kind }) => kind,
      );
    expect(kindsFor('order 7')).toEqual(['call', 'state']);
    expect(kindsFor('order 8')).toEqual(['state', 'call']);
  });
});

describe('the records that contain a query', () => {
  async function titles(query: string, currentId: string, scope: SearchedPart = 'all') {
    const drafts = [
      workspaceDraft('Garden', 'garden'),
      workspaceDraft('Attic', 'attic'),
      recordDraft('Order seeds', 'r1', { ws: 'garden' }),
      recordDraft('Sow', 'r2', { ws: 'garden', body: 'The seeds from the tin.' }),
      recordDraft('Paint', 'r3', { files: { 'House/Seeds.md': null } }),
      recordDraft('Old seeds', 'r4', { ws: 'garden' }),
      recordDraft('Seed boxes', 'r5', { ws: 'attic' }),
      { t: 'set', e: 'r2', d: { '/status': 'done' } },
      archived('r4'),
      archived('attic'),
    ];
    const events = drafts.map((draft, minute) =>
      eventOf({ ...draft, n: minute + 1, h: clockText(minute) }),
    );
    const read = await readLibrary(fold(emptyMemory, events), NOOP_SCHEDULER);
    const found = recordsContaining({ library: read, query, scope, currentId, limit: 10 });
    return found.map(({ title }) => title);
  }

  it('are found by any field: current workspace first, then open ones', async () => {
    expect(await titles('seeds', 'garden')).toEqual(['Order seeds', 'Sow', 'Paint']);
    expect(await titles('SEEDS', 'default')).toEqual(['Paint', 'Order seeds', 'Sow']);
    expect(await titles('seeds', 'garden', { workspaceId: 'default' })).toEqual(['Paint']);
    expect((await titles('order seeds', 'default'))[0]).toBe('Order seeds');
    expect(await titles(' ', 'garden')).toEqual([]);
  });
});

it('the excerpt of a state shows a word of the query, else the task', async () => {
  const [beds] = (await library()).flatMap(({ states }) =>
    states.filter(({ item }) => item.id === 'beds'),
  );
  expect(stateExcerpt(beds!.item, 'seeds')).toContain('Order Seeds in spring');
  expect(stateExcerpt(beds!.item, 'zeppelin')).toBe(beds!.item.activeTask);
});
