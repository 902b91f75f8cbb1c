import { describe, expect, it } from 'vitest';
import { restoreStateInLog } from '../../../src/agents/shared/restore-state.js';
import { workspaceById } from '../../../src/model/lookup.js';
import { traceData } from '../../../src/model/trace.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';

interface Row {
  type: string;
  name?: string;
  tool?: string;
  content: string;
  context?: string;
  createdAt: string;
}

async function search(vault: TestVault, params: Record<string, unknown>): Promise<Row[]> {
  return (await vault.data('searchMemory', { workspaceId: 'default', ...params })) as Row[];
}

/** Logs what another session has seen. */
async function observe(vault: TestVault, content: string): Promise<void> {
  const entry = { kind: 'observation', content, context: { workspaceId: 'default' } };
  await vault.data('logTrace', entry, { session: 'other' });
}

const rich = {
  name: 'Quince',
  conversationContext: 'Walnut was discussed.',
  activeTask: 'Medlar pruning',
  activeFiles: ['Orchard/Damson.md'],
  nextSteps: ['Order elderberry'],
  description: 'A rowan note',
  tags: ['hawthorn'],
};

/** Saves a state for each name, with the name in its text. */
async function saveAll(vault: TestVault, names: readonly string[]): Promise<void> {
  for (const name of names)
    await vault.data('createState', stateNamed(name, { conversationContext: `About ${name}.` }));
}

describe('searchMemory', () => {
  it('finds states and calls by who made them', async () => {
    const vault = createTestVault();
    await saveAll(vault, ['Quince', 'Walnut']);
    const defaults = { sessionId: 'other', client: 'codex-cli', model: 'gpt-7' };
    const state = stateNamed('Medlar', { decisions: ['Prune it in March'] });
    await vault.data('createState', state, { defaults });
    await vault.idle();
    for (const query of ['medlar codex', 'what did codex save', 'gpt-7', 'saved with codex-cli']) {
      const answer = await vault.call('searchMemory', { query, memoryTypes: ['states'] });
      expect([query, answer]).toMatchObject([query, { data: [{ name: 'Medlar' }] }]);
      expect(answer).not.toHaveProperty('notice');
    }
    expect(await search(vault, { query: 'codex', memoryTypes: ['traces'] })).toMatchObject([
      { tool: 'createState' },
    ]);
    expect(await search(vault, { query: 'codex march', memoryTypes: ['records'] })).toMatchObject([
      { content: expect.stringContaining('Prune it') as string },
    ]);
    expect(await search(vault, { query: 'laptop', memoryTypes: ['states'] })).toHaveLength(3);
  });

  it.each([
    ['2026-11-19 deploy', 'Quince'],
    ['November 19 deploy', 'Quince'],
    ['deploy on 2026-12-23', 'Walnut'],
    ['deploy on December 23', 'Walnut'],
  ])('finds "%s" however a text writes the date', async (query, name) => {
    const vault = createTestVault();
    for (const [own, conversationContext] of [
      ['Apple', 'The deploy of the first week went out.'],
      ['Quince', 'The next deploy is on November 19.'],
      ['Walnut', 'The next deploy is on 2026-12-23.'],
      ['Medlar', 'A deploy is on November 20, in room 19. Room 11 is closed in 2026.'],
      ['Cherry', 'The deploy of the last week went out, 23 of 2026.'],
    ] as const)
      await vault.data('createState', stateNamed(own, { conversationContext }));
    const found = await search(vault, { query, memoryTypes: ['states'] });
    expect(found[0]).toMatchObject({ name });
  });

  it.each([
    'quince',
    'walnut',
    'medlar',
    'damson',
    'elderberry',
    'rowan',
    'hawthorn',
    'ELDERBERRIES?',
    'prun',
  ])('finds a state by "%s" in any field', async (query) => {
    const vault = createTestVault();
    await vault.data('createState', rich);
    await vault.data('createState', stateNamed('Other'));
    const word = query === 'ELDERBERRIES?' ? 'elderb' : query;
    expect(
      (await search(vault, { query: word, memoryTypes: ['states'] })).map(({ name }) => name),
    ).toEqual(['Quince']);
  });

  it.each(['loadState', 'zanzibar', 'ropery', 'lighthouse', 'marzipan', 'not found'])(
    'finds a trace by "%s" in any field',
    async (query) => {
      const vault = createTestVault();
      await vault.call('loadState', {
        name: 'Zanzibar',
        context: {
          memory: 'About a ropery',
          goal: 'Build a lighthouse',
          constraints: 'No marzipan',
        },
      });
      const [row] = await search(vault, { query, memoryTypes: ['traces'] });
      expect(row).toMatchObject({
        tool: 'loadState',
        context: 'Build a lighthouse',
      });
    },
  );

  it('finds what was noted by the context of the call, and says no word of it is missing', async () => {
    const vault = createTestVault();
    const context = { workspaceId: 'default', goal: 'Build a lighthouse' };
    const entry = { kind: 'observation', content: 'The cellar is dry', context };
    await vault.data('logTrace', entry, { session: 'other' });
    for (const memoryTypes of [['states', 'traces'], ['traces']]) {
      const answer = await vault.call('searchMemory', { query: 'lighthouse', memoryTypes });
      expect(answer).toMatchObject({ data: [{ content: 'The cellar is dry' }] });
      expect(answer).not.toHaveProperty('notice');
    }
  });

  it('shows states first, and reserves half of the limit for traces', async () => {
    const vault = createTestVault();
    for (let at = 0; at < 8; at++)
      await vault.data('createState', stateNamed(`Plan ${at}`), { session: `s${at}` });
    for (let at = 0; at < 60; at++) await observe(vault, `plan plan plan ${at}`);
    const mixed = await search(vault, { query: 'plan', limit: 10 });
    expect(mixed.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 5 }, () => 'state'),
      ...Array.from({ length: 5 }, () => 'trace'),
    ]);
    const wide = await search(vault, { query: 'plan', limit: 40 });
    expect(wide.filter(({ type }) => type === 'state')).toHaveLength(8);
    expect(wide).toHaveLength(40);
    expect(await search(vault, { query: 'plan', limit: 3, memoryTypes: ['traces'] })).toHaveLength(
      3,
    );
  });

  it('searches one workspace only, by id or by name', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Secret of default'));
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('Secret of garden'));
    const { id } = (await vault.data('loadWorkspace', { name: 'Garden' })) as { id: string };
    for (const workspaceId of [id, 'Garden', 'garden']) {
      const rows = await search(vault, { query: 'secret', workspaceId });
      expect(rows.filter(({ type }) => type === 'state').map(({ name }) => name)).toEqual([
        'Secret of garden',
      ]);
      expect(rows.some(({ content }) => content.includes('of default'))).toBe(false);
    }
    expect(
      (await search(vault, { query: 'secret', memoryTypes: ['states'] })).map(({ name }) => name),
    ).toEqual(['Secret of default']);
  });

  it('filters both types by date, both ends inclusive', async () => {
    const vault = createTestVault();
    for (const name of ['Twentieth', 'Twenty-first', 'Twenty-second']) {
      await vault.data('createState', stateNamed(name, { description: 'dated' }), {
        session: name,
      });
      await vault.log.traceEntries('default'); // waits for the trace of the call
      vault.clock.advance(24 * 60 * 60 * 1000);
    }
    const names = async (dateRange: object) =>
      (await search(vault, { query: 'dated', memoryTypes: ['states'], dateRange }))
        .map(({ name }) => name)
        .sort();
    expect(await names({ start: '2026-11-21', end: '2026-11-21' })).toEqual(['Twenty-first']);
    expect(await names({ start: '2026-11-21T09:00:00.000Z' })).toEqual([
      'Twenty-first',
      'Twenty-second',
    ]);
    expect(await names({ end: '2026-11-21T10:00:00+01:00' })).toEqual([
      'Twentieth',
      'Twenty-first',
    ]);
    expect(await names({ end: '2026-11-21T08:59:59' })).toEqual(['Twentieth']);
    expect(await names({})).toHaveLength(3);
    expect(
      await search(vault, {
        query: 'dated',
        memoryTypes: ['traces'],
        dateRange: { start: '2026-11-22' },
      }),
    ).toHaveLength(1);
  });

  it('finds a decision with its reason, and what has superseded it', async () => {
    const vault = createTestVault();
    const decide = (title: string, body: string) =>
      vault.data('createRecord', { resource: 'decision', title, body });
    await decide('Use cookies', 'The browser keeps them safe.');
    await decide('Use tokens', 'Cookies do not reach the app.');
    const [found] = await search(vault, { query: 'why cookies', memoryTypes: ['records'] });
    expect(found).toMatchObject({ content: 'Use cookies – The browser keeps them safe.' });
    await vault.data('updateRecord', { title: 'Use cookies', supersededBy: 'Use tokens' });
    const rows = await search(vault, { query: 'use cookies' });
    expect(rows.map(({ type, content }) => [type, content])).toEqual([
      ['decision', 'Use tokens – Cookies do not reach the app. [instead of "Use cookies"]'],
    ]);
    await vault.data('archiveRecord', { title: 'Use tokens' });
    await vault.data('archiveRecord', { title: 'Use cookies' });
    expect(await search(vault, { query: 'cookies', memoryTypes: ['records'] })).toEqual([]);
  });

  it('shows no calls of its own session, and none that say nothing', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', { ...garden, name: 'Ptarmigan yard' });
    await vault.data('createState', stateNamed('Ptarmigan'));
    await vault.call('loadState', { name: 'Ptarmigan' }, { session: 'other' });
    await vault.call('loadState', { name: 'Ptarmigan, missing' }, { session: 'other' });
    await vault.data('listStates', { tags: ['ptarmigan'] }, { session: 'other' });
    await vault.data('logTrace', { kind: 'observation', content: 'A ptarmigan of this session' });
    await observe(vault, 'A ptarmigan nests in the yard');
    await vault.idle();
    const rows = await search(vault, { query: 'ptarmigan', workspaceId: 'all' });
    expect(rows.map(({ type, name, content }) => [type, name ?? content])).toEqual([
      ['state', 'Ptarmigan'],
      ['trace', 'A ptarmigan of this session'],
      ['trace', 'A ptarmigan nests in the yard'],
    ]);
    const all = await search(vault, {
      query: 'ptarmigan',
      workspaceId: 'all',
      memoryTypes: ['traces'],
    });
    expect(all.map(({ tool }) => tool)).toEqual(
      expect.arrayContaining(['createWorkspace', 'loadState', 'listStates', 'logTrace']),
    );
  });

  it('shows the newest state of a piece of work before the one that matches', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Barn roof', { activeTask: 'Order shingles' }));
    await vault.data('createState', stateNamed('Barn roof, laid', { activeTask: 'Call Ana' }));
    await vault.data('createState', stateNamed('Tax return', { activeTask: 'Find receipts' }));
    const find = (query: string) => search(vault, { query, memoryTypes: ['states'] });
    expect(await find('shingles')).toMatchObject([
      { name: 'Barn roof, laid', earlier: 1 },
      { name: 'Barn roof', newest: 'Barn roof, laid', content: 'Order shingles' },
    ]);
    expect(await find('receipts')).toMatchObject([{ name: 'Tax return' }]);
    expect((await find('"Barn roof" shingles'))[0]).toMatchObject({
      name: 'Barn roof',
      newest: 'Barn roof, laid',
    });
  });

  it('has a row for the earlier state whose name alone matches', async () => {
    const vault = createTestVault();
    const files = { activeFiles: ['Barn.md'] };
    await vault.data('createState', stateNamed('Shingles 71', files));
    await vault.data('createState', stateNamed('Gutter', { ...files, activeTask: 'Call Ana' }));
    const find = (query: string) => search(vault, { query, memoryTypes: ['states'] });
    expect(await find('71')).toMatchObject([
      { name: 'Gutter', earlier: 1 },
      { name: 'Shingles 71', newest: 'Gutter' },
    ]);
    expect(await find('ana')).toMatchObject([{ name: 'Gutter', content: 'Call Ana' }]);
  });

  it('says which rare words no hit contains, and that nothing matches well', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Recipes', { activeTask: 'Get the cumin' }));
    await vault.data('createState', stateNamed('Shed', { activeTask: 'Paint the garage' }));
    const noticeOf = async (query: string) =>
      (await vault.call('searchMemory', { query, workspaceId: 'default' })).notice;
    expect(await noticeOf('recipes')).toBeUndefined();
    expect(await noticeOf('recipes in the cookbook')).toBe('No hit contains: cookbook.');
    expect(await noticeOf('get the cookbook')).toBe(
      'Nothing matches well. No hit contains: cookbook.',
    );
    expect(await noticeOf('cumin in the garage')).toBe('No hit contains all of: cumin, garage.');
  });

  it('names no word as missing that a hit has in another form, or that is common', async () => {
    const vault = createTestVault();
    const chapter = { activeTask: 'Write up the phosphorus analysis' };
    await vault.data('createState', stateNamed('Lake chapter', chapter));
    const noticeOf = async (query: string) =>
      (await vault.call('searchMemory', { query, workspaceId: 'default' })).notice;
    expect(await noticeOf('analyses of the phosphorus')).toBeUndefined();
    expect(await noticeOf('next step for the lake phosphorus')).toBeUndefined();
  });

  it('offers what the query means if no hit has its rare words', async () => {
    const vault = createTestVault();
    const pipe = { activeTask: 'Ask the house insurance about the pipe', description: 'The house' };
    await vault.data('createState', stateNamed('Mortgage of our bank', { activeTask: 'Sign it' }));
    await vault.data('createState', stateNamed('Cracked pipe', pipe), { session: 'other' });
    const found = await search(vault, { query: 'continue with the house loan' });
    expect(found.map(({ name }) => name)).toEqual(['Mortgage of our bank', 'Cracked pipe']);
  });

  it('ranks a name above words that are common in general', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Cookbook', { activeTask: 'Choose a printer' }));
    for (let at = 0; at < 5; at++)
      await vault.data('createState', stateNamed(`Walk ${at}`, { activeTask: 'Rest' }));
    await vault.data('createState', stateNamed('Errands', { activeTask: 'Get, get and get' }));
    const [first] = await search(vault, { query: 'get the cookbook', memoryTypes: ['states'] });
    expect(first?.name).toBe('Cookbook');
  });

  it('lists what happened in a period, newest first, for an empty query', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Earlier'));
    vault.clock.advance(3 * 24 * 60 * 60 * 1000);
    await vault.data('createState', stateNamed('Later', { decisions: ['Stay at home'] }));
    await observe(vault, 'It rains');
    await vault.idle();
    vault.clock.advance(24 * 60 * 60 * 1000);
    const listed = await search(vault, { query: '', dateRange: 'yesterday' });
    const shown = ['Later', 'Stay at home', 'It rains'];
    expect(listed.map(({ name, content }) => name ?? content)).toEqual(shown);
    for (const query of ['yesterday', 'what did I do yesterday?', 'gestern'])
      expect((await search(vault, { query })).map(({ name, content }) => name ?? content)).toEqual(
        shown,
      );
    const both = { query: '', dateRange: { start: '2020-01-01' }, memoryTypes: ['states'] };
    expect((await search(vault, both)).map(({ name }) => name)).toEqual(['Later', 'Earlier']);
    expect(await vault.error('searchMemory', { query: '' })).toContain('contains no words');
  });

  it('never finds earlier searches', async () => {
    const vault = createTestVault();
    await search(vault, { query: 'needle' });
    await vault.data('searchContent', { query: 'needle', mode: 'keyword' });
    await vault.data('searchDirectory', { query: 'needle' });
    expect(await search(vault, { query: 'needle' })).toEqual([]);
  });

  it('finds calls next to a match, ranked below it', async () => {
    const vault = createTestVault();
    for (const name of ['Anvil', 'Bellows', 'Crucible', 'Dynamo']) {
      await vault.call('loadState', { name });
      await vault.idle();
      vault.clock.advance(1000);
    }
    const found = async (query: string) =>
      (await search(vault, { query, memoryTypes: ['traces'] })).map(
        ({ content }) => /"name":"(\w+)"/.exec(content)?.[1],
      );
    const [first, ...nearby] = await found('bellows');
    expect([first, nearby.sort()]).toEqual(['Bellows', ['Anvil', 'Crucible', 'Dynamo']]);
    await search(vault, { query: 'in between' });
    await vault.call('loadState', { name: 'Engine' });
    const [after, ...around] = await found('dynamo');
    expect([after, around.sort()]).toEqual(['Dynamo', ['Crucible', 'Engine']]);
  });

  it('omits archived states until they are restored', async () => {
    const vault = createTestVault();
    await vault.data('createState', rich);
    const names = async () =>
      (await search(vault, { query: 'walnut', memoryTypes: ['states'] })).map(({ name }) => name);
    expect(await names()).toEqual(['Quince']);
    await vault.data('archiveState', { name: 'Quince' });
    expect(await names()).toEqual([]);
    const { services } = vault.toolkit.host;
    const memory = await vault.log.memory();
    await restoreStateInLog(services, workspaceById(memory, 'default'), 'Quince');
    expect(await names()).toEqual(['Quince']);
  });

  it('returns the same hits from a persisted index', async () => {
    const blobs = createMemoryBlobs();
    const first = createTestVault({ blobs });
    await first.data('createState', rich);
    await observe(first, 'A quince from Zanzibar');
    const before = await search(first, { query: 'quince zanzibar' });
    expect(before.map(({ type }) => type)).toEqual(['state', 'trace']);
    await first.toolkit.host.services.search.close();
    expect([...blobs.records.keys()].some((name) => name.startsWith('memory-segment'))).toBe(true);
    const second = createTestVault({ blobs, files: first.files, seed: 2 });
    expect(await search(second, { query: 'quince zanzibar' })).toEqual(before);
    await second.data('createState', stateNamed('Zanzibar again'));
    expect(
      (await search(second, { query: 'zanzibar', memoryTypes: ['states'] })).map(
        ({ name }) => name,
      ),
    ).toEqual(['Zanzibar again']);
    expect(
      (await search(first, { query: 'zanzibar', memoryTypes: ['states'] })).map(({ name }) => name),
    ).toEqual(['Zanzibar again']);
  });

  it('finds states and calls by meaning, also after a restart', async () => {
    const blobs = createMemoryBlobs();
    const vault = createTestVault({ blobs });
    const car = {
      conversationContext: 'The automobile needs new tyres before the winter comes.',
      activeTask: 'Ask the garage for a price',
    };
    await vault.data(
      'createState',
      stateNamed('Beds by the wall', {
        conversationContext: 'Roses and tulips grow in three beds.',
      }),
    );
    await vault.data('createState', { ...stateNamed('Cold months'), ...car });
    await observe(vault, 'The garage named a price for tyres of the automobile');
    const asked = { query: 'how much will wheels for my vehicle cost' };
    const rows = await search(vault, asked);
    expect(rows.find(({ type }) => type === 'state')?.name).toBe('Cold months');
    expect(rows.filter(({ type }) => type === 'trace').map(({ content }) => content)).toContain(
      'The garage named a price for tyres of the automobile',
    );
    await vault.toolkit.host.services.search.close();
    expect(await search(createTestVault({ blobs, files: vault.files, seed: 2 }), asked)).toEqual(
      rows,
    );
  });

  it('rebuilds vectors of another embedding table', async () => {
    const blobs = createMemoryBlobs();
    const first = createTestVault({ blobs });
    await first.data('createState', rich);
    const before = await search(first, { query: 'fruit tree' });
    await first.toolkit.host.services.search.close();
    const contents = JSON.parse(
      new TextDecoder().decode(blobs.records.get('memory-contents')),
    ) as Record<string, unknown>;
    blobs.records.set(
      'memory-contents',
      new TextEncoder().encode(JSON.stringify({ ...contents, embedderId: 'another' })),
    );
    expect(
      await search(createTestVault({ blobs, files: first.files, seed: 2 }), {
        query: 'fruit tree',
      }),
    ).toEqual(before);
    expect(before).not.toEqual([]);
  });

  it('indexes the newest calls first and reports progress', async () => {
    const vault = createTestVault();
    const call = {
      workspaceId: 'default',
      sessionId: 's',
      toolset: 'a',
      outcome: 'ok',
      isSuccess: true,
      tool: 'loadState',
    };
    const write = (at: number) =>
      vault.log.writeTrace({
        t: 'trace.new',
        e: `old-${at}`,
        d: traceData({ ...call, input: `number${at}` }),
      });
    await Promise.all(Array.from({ length: 2500 }, (_, at) => write(at)));
    const find = (query: string) =>
      vault.call('searchMemory', {
        query,
        workspaceId: 'default',
        memoryTypes: ['traces'],
        limit: 1,
      });
    const first = await find('number2499');
    expect(first).toMatchObject({
      success: true,
      data: [{ content: 'number2499' }],
      indexState: { ready: false, done: 1000, total: 2500 },
    });
    vault.clock.advance(1000);
    const last = await find('number3');
    expect(last).toEqual({
      success: true,
      data: [expect.objectContaining({ content: 'number3' })],
    });
  });

  it.each(['yesterday-ish', '2026-02-30', '2026-13-01', '2026-11-20T25:00:00Z', 'soon', ' '])(
    'refuses the date %j and shows a valid one',
    async (start) => {
      const error = await createTestVault().error('searchMemory', {
        query: 'x',
        workspaceId: 'default',
        dateRange: { start },
      });
      expect(error).toBe(
        `dateRange.start "${start}" is not a date. Use a format like "2026-11-20" or "2026-11-20T09:30:00Z".`,
      );
    },
  );

  it('refuses a range that ends before it starts', async () => {
    const error = await createTestVault().error('searchMemory', {
      query: 'x',
      workspaceId: 'default',
      dateRange: { start: '2026-11-21', end: '2026-11-20' },
    });
    expect(error).toBe('dateRange.start is later than dateRange.end. Swap them.');
  });

  it('returns an empty list for no match, and finds new writes', async () => {
    const vault = createTestVault();
    expect(await vault.call('searchMemory', { query: 'plan', workspaceId: 'default' })).toEqual({
      success: true,
      notice: 'Nothing matches.',
      data: [],
    });
    await vault.data('createState', stateNamed('Plan'));
    expect((await search(vault, { query: 'plan', memoryTypes: ['states'] }))[0]).toMatchObject({
      name: 'Plan',
      next: 'Go on',
      content: expect.stringContaining('We talked.') as string,
    });
  });

  it('returns a state once, without the call that saved it, and with a short excerpt', async () => {
    const vault = createTestVault();
    const conversationContext = `${'Before. '.repeat(200)}The ptarmigan nests here. ${'After. '.repeat(200)}`;
    await vault.data('createState', stateNamed('Birds', { conversationContext }));
    await vault.idle();
    const hits = await search(vault, { query: 'ptarmigan' });
    expect(hits.map(({ type, name }) => [type, name])).toEqual([['state', 'Birds']]);
    expect(hits[0]!.content).toMatch(/^The ptarmigan nests here\. After\./);
    expect(hits[0]!.content.length).toBeLessThanOrEqual(500);
    expect(hits[0]!.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/);
    const traces = await search(vault, { query: 'Birds', memoryTypes: ['traces'] });
    expect(traces.map(({ tool, type }) => [tool, type])).toEqual([['createState', undefined]]);
    expect(traces[0]!.createdAt).toMatch(/T\d\d:\d\dZ$/);
  });

  it('shows only the texts of a state that contain words of the query', async () => {
    const vault = createTestVault();
    const nextSteps = ['Draw a map', 'Count the ptarmigans', 'Sleep', 'Feed one ptarmigan'];
    await vault.data('createState', stateNamed('Birds', { nextSteps }));
    const [hit] = await search(vault, { query: 'ptarmigan', memoryTypes: ['states'] });
    expect(hit).toMatchObject({ next: 'Draw a map' });
    expect(hit!.content.split(' · ').sort()).toEqual([
      'Count the ptarmigans',
      'Feed one ptarmigan',
    ]);
  });

  it('refuses an unknown workspace and invalid parameters', async () => {
    const vault = createTestVault();
    expect(await vault.error('searchMemory', { query: 'x', workspaceId: 'Nowhere' })).toBe(
      'Workspace "Nowhere" not found. Use listWorkspaces to see available workspaces.',
    );
    expect(await vault.error('searchMemory', { query: '"(((', workspaceId: 'default' })).toBe(
      'The query contains no words. Include at least one word, such as "token refresh".',
    );
    for (const limit of [0, 1.5, 100_000, 'many'])
      expect(
        await vault.error('searchMemory', { query: 'x', workspaceId: 'default', limit }),
      ).toContain('"limit" must be an integer from 1 to 200');
    expect(
      await vault.error('searchMemory', {
        query: 'x',
        workspaceId: 'default',
        memoryTypes: ['sessions'],
      }),
    ).toBe('"memoryTypes.0" must be one of "states", "records", "traces", got string "sessions".');
    expect(
      await vault.error('searchMemory', {
        query: 'x',
        workspaceId: 'default',
        dateRange: { from: '2026-11-20' },
      }),
    ).toContain('Unknown parameter "dateRange.from". Valid: start, end.');
  });

  it('finds Chinese, accented and Cyrillic words', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('计划重构认证模块'));
    await vault.data('createState', stateNamed('Résumé für Müller'));
    await vault.data('createState', stateNamed('Личное дело'));
    const first = async (query: string) =>
      (await search(vault, { query, memoryTypes: ['states'] }))[0]?.name;
    expect(await first('认证')).toBe('计划重构认证模块');
    expect(await first('resume muller')).toBe('Résumé für Müller');
    expect(await first('личное')).toBe('Личное дело');
  });

  it('searches the current workspace by default, and says what others have', async () => {
    const vault = createTestVault();
    for (const name of ['A', 'B', 'C'])
      await vault.data('createState', stateNamed(name, { activeTask: 'Ptarmigan' }));
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('Here', { activeTask: 'Ptarmigan' }));
    expect(
      await vault.call('searchMemory', { query: 'ptarmigan', memoryTypes: ['states'] }),
    ).toEqual({
      success: true,
      workspace: 'Garden',
      notice: '3 more in other workspaces. Pass workspaceId "all" to search all workspaces.',
      data: [expect.objectContaining({ name: 'Here' })],
    });
  });

  it('names the workspaces of hits in a search of all', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('There', { activeTask: 'Ptarmigan' }));
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('Here', { activeTask: 'Ptarmigan' }));
    await vault.idle();
    const answer = await vault.call('searchMemory', { query: 'ptarmigan', workspaceId: 'all' });
    expect(answer).not.toHaveProperty('workspace');
    expect(answer).not.toHaveProperty('notice');
    const hits = answer.data as { type: string; name?: string; workspace: string }[];
    const states = hits.filter(({ type }) => type === 'state');
    expect(states.map(({ name, workspace }) => [name, workspace]).sort()).toEqual([
      ['Here', 'Garden'],
      ['There', 'Default'],
    ]);
    await vault.data('archiveWorkspace', { name: 'Garden' });
    expect(
      await vault.data('searchMemory', {
        query: 'ptarmigan',
        workspaceId: 'ALL',
        memoryTypes: ['states'],
      }),
    ).toMatchObject([{ name: 'There' }]);
  });

  it('reserves the name "all"', async () => {
    expect(await createTestVault().error('createWorkspace', { ...garden, name: ' All' })).toBe(
      '"name" is reserved, because workspaceId "all" stands for every workspace; choose another name.',
    );
  });

  it('hides the call that saved an archived state, and finds others instead', async () => {
    const vault = createTestVault();
    for (let index = 0; index < 6; index++)
      await vault.data('createState', stateNamed(`S${index}`, { activeTask: 'Ptarmigan' }));
    for (const name of ['S1', 'S2', 'S3', 'S4', 'S5']) await vault.data('archiveState', { name });
    await vault.idle();
    const search = {
      query: 'ptarmigan',
      workspaceId: 'default',
      memoryTypes: ['traces'],
      limit: 1,
    };
    expect(await vault.data('searchMemory', search)).toMatchObject([
      { tool: 'createState', content: expect.stringContaining('"S0"') as string },
    ]);
    const all = (await vault.data('searchMemory', { ...search, limit: 20 })) as { tool: string }[];
    expect(all.filter(({ tool }) => tool === 'createState')).toHaveLength(1);
  });
});
