import { describe, expect, it } from 'vitest';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';

interface Row {
  type: string;
  name?: string;
  tool?: string;
  content: string;
  context?: string;
  score: number;
  createdAt: string;
}

async function search(vault: TestVault, params: Record<string, unknown>): Promise<Row[]> {
  return (await vault.data('searchMemory', { workspaceId: 'default', ...params })) as Row[];
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

describe('searchMemory', () => {
  it.each(['quince', 'walnut', 'medlar', 'damson', 'elderberry', 'rowan', 'hawthorn', 'ELDERBERRIES?', 'prun'])(
    'finds a state by "%s", wherever in it the word stands',
    async (query) => {
      const vault = createTestVault();
      await vault.data('createState', rich);
      await vault.data('createState', stateNamed('Other'));
      const word = query === 'ELDERBERRIES?' ? 'elderb' : query;
      expect((await search(vault, { query: word, memoryTypes: ['states'] })).map(({ name }) => name)).toEqual(['Quince']);
    },
  );

  it.each(['loadState', 'zanzibar', 'ropery', 'lighthouse', 'marzipan', 'not found'])(
    'finds a trace by "%s": its tool, parameters, outcome, memory, goal or constraints',
    async (query) => {
      const vault = createTestVault();
      await vault.call('loadState', {
        name: 'Zanzibar',
        context: { memory: 'About a ropery', goal: 'Build a lighthouse', constraints: 'No marzipan' },
      });
      const [row] = await search(vault, { query, memoryTypes: ['traces'] });
      expect(row).toMatchObject({ type: 'trace', tool: 'loadState', context: 'Build a lighthouse' });
    },
  );

  it('keeps room for states among however many traces, and gives unused room to the other type', async () => {
    const vault = createTestVault();
    for (let at = 0; at < 8; at++) await vault.data('createState', stateNamed(`Plan ${at}`));
    for (let at = 0; at < 60; at++) await vault.call('loadState', { name: `plan plan plan ${at}` });
    const mixed = await search(vault, { query: 'plan', limit: 10 });
    expect(mixed.filter(({ type }) => type === 'state')).toHaveLength(5);
    expect(mixed).toHaveLength(10);
    const wide = await search(vault, { query: 'plan', limit: 40 });
    expect(wide.filter(({ type }) => type === 'state')).toHaveLength(8);
    expect(wide).toHaveLength(40);
    expect(await search(vault, { query: 'plan', limit: 3, memoryTypes: ['traces'] })).toHaveLength(3);
  });

  it('never leaves the workspace, by id or by name', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Secret of default'));
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('Secret of garden'));
    const { id } = (await vault.data('loadWorkspace', { name: 'Garden' })) as { id: string };
    for (const workspaceId of [id, 'Garden', 'garden']) {
      const rows = await search(vault, { query: 'secret', workspaceId });
      expect(rows.filter(({ type }) => type === 'state').map(({ name }) => name)).toEqual(['Secret of garden']);
      expect(rows.some(({ content }) => content.includes('of default'))).toBe(false);
    }
    expect((await search(vault, { query: 'secret', memoryTypes: ['states'] })).map(({ name }) => name)).toEqual(['Secret of default']);
  });

  it('keeps to the dates, both ends inside, for both types', async () => {
    const vault = createTestVault();
    for (const name of ['Twentieth', 'Twenty-first', 'Twenty-second']) {
      await vault.data('createState', stateNamed(name, { description: 'dated' }));
      await vault.log.traceEntries('default'); // the call's trace is written by now
      vault.clock.advance(24 * 60 * 60 * 1000);
    }
    const names = async (dateRange: object) =>
      (await search(vault, { query: 'dated', memoryTypes: ['states'], dateRange })).map(({ name }) => name).sort();
    expect(await names({ start: '2026-11-21', end: '2026-11-21' })).toEqual(['Twenty-first']);
    expect(await names({ start: '2026-11-21T09:00:00.000Z' })).toEqual(['Twenty-first', 'Twenty-second']);
    expect(await names({ end: '2026-11-21T10:00:00+01:00' })).toEqual(['Twentieth', 'Twenty-first']);
    expect(await names({ end: '2026-11-21T08:59:59' })).toEqual(['Twentieth']);
    expect(await names({})).toHaveLength(3);
    expect(await search(vault, { query: 'dated', memoryTypes: ['traces'], dateRange: { start: '2026-11-22' } })).toHaveLength(1);
  });

  it('does not find earlier searches', async () => {
    const vault = createTestVault();
    await search(vault, { query: 'needle' });
    expect(await search(vault, { query: 'needle' })).toEqual([]);
  });

  it.each(['yesterday', '2026-02-30', '2026-13-01', '20.11.2026', '2026-11-20T25:00:00Z', ''])(
    'refuses the date %j and shows a good one',
    async (start) => {
      const error = await createTestVault().error('searchMemory', { query: 'x', workspaceId: 'default', dateRange: { start } });
      expect(error).toBe(`dateRange.start "${start}" is not a date. Give one like "2026-11-20" or "2026-11-20T09:30:00Z".`);
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

  it('answers an empty list when nothing fits, and finds at once what was just written', async () => {
    const vault = createTestVault();
    expect(await vault.call('searchMemory', { query: 'plan', workspaceId: 'default' })).toEqual({ success: true, data: [] });
    await vault.data('createState', stateNamed('Plan'));
    expect((await search(vault, { query: 'plan', memoryTypes: ['states'] }))[0]).toMatchObject({
      type: 'state',
      name: 'Plan',
      content: 'We talked. · Go on',
      context: 'Talking',
    });
  });

  it('refuses an unknown workspace, a query without words, and limits out of bounds', async () => {
    const vault = createTestVault();
    expect(await vault.error('searchMemory', { query: 'x', workspaceId: 'Nowhere' })).toBe(
      'Workspace "Nowhere" not found. Use listWorkspaces to see available workspaces.',
    );
    expect(await vault.error('searchMemory', { query: '"(((', workspaceId: 'default' })).toBe(
      'The query holds no word to search for. Give one or more words, such as "token refresh".',
    );
    expect(await vault.error('searchMemory', { query: 'x' })).toBe('"workspaceId" is missing. Give text: Workspace id or name.');
    for (const limit of [0, 1.5, 100_000, '20'])
      expect(await vault.error('searchMemory', { query: 'x', workspaceId: 'default', limit })).toContain(
        '"limit" must be a whole number from 1 to 200',
      );
    expect(await vault.error('searchMemory', { query: 'x', workspaceId: 'default', memoryTypes: ['sessions'] })).toBe(
      '"memoryTypes.0" must be one of "states", "traces", but the text "sessions" was given.',
    );
    expect(await vault.error('searchMemory', { query: 'x', workspaceId: 'default', dateRange: { from: '2026-11-20' } })).toContain(
      'Unknown parameter "dateRange.from". Valid: start, end.',
    );
  });

  it('finds Chinese, accented and Cyrillic words', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('计划重构认证模块'));
    await vault.data('createState', stateNamed('Résumé für Müller'));
    await vault.data('createState', stateNamed('Личное дело'));
    const first = async (query: string) => (await search(vault, { query, memoryTypes: ['states'] }))[0]?.name;
    expect(await first('认证')).toBe('计划重构认证模块');
    expect(await first('resume muller')).toBe('Résumé für Müller');
    expect(await first('личное')).toBe('Личное дело');
  });
});
