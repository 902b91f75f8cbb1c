import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { localMinute } from '../../../src/model/text/local-minute.js';
import { createTestVault, stateNamed } from '../../fakes/test-vault.js';

const START = localMinute('2026-11-20T09:00:00Z');

describe('listStates', () => {
  it('returns an empty list for an empty workspace', async () => {
    expect(await createTestVault().call('listStates', {})).toEqual({
      success: true,
      workspace: 'Default',
      data: [],
    });
  });

  it('lists all states, newest first, each with what it continues', async () => {
    const vault = createTestVault();
    for (let at = 0; at < 300; at++)
      await vault.data(
        'createState',
        stateNamed(`S${at}`, at === 0 ? { description: 'The first' } : {}),
      );
    const shown = (await vault.data('listStates', { limit: 1000 })) as unknown[];
    expect(shown).toHaveLength(300);
    expect(shown[0]).toEqual({
      name: 'S299',
      description: 'Talking',
      savedOn: START,
      continues: 'S298',
    });
    expect(shown[299]).toEqual({ name: 'S0', description: 'The first', savedOn: START });
  });

  it('filters by all tags, ignoring # and case', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Both', { tags: ['auth', '#Draft'] }));
    await vault.data('createState', stateNamed('One', { tags: ['auth'] }));
    expect(await vault.data('listStates', { tags: ['#AUTH', 'draft'] })).toMatchObject([
      { name: 'Both' },
    ]);
    expect(await vault.data('listStates', { tags: ['auth'] })).toHaveLength(2);
    expect(await vault.data('listStates', { tags: ['none'] })).toEqual([]);
  });

  it('names who saved a state only if it was somebody else', async () => {
    const vault = createTestVault();
    const codex = { defaults: { sessionId: 's', client: 'codex-mcp-client' } };
    await vault.call('createState', stateNamed('Theirs'), codex);
    vault.clock.advance(1000);
    await vault.data('createState', stateNamed('Ours'));
    expect(await vault.data('listStates')).toEqual([
      { name: 'Ours', description: 'Talking', savedOn: START },
      { name: 'Theirs', description: 'Talking', savedOn: START, savedBy: 'Codex' },
    ]);
  });

  it('costs at most 75 tokens a row', async () => {
    const vault = createTestVault();
    const long = 'Discount rules live in their own files; tax rounding still differs by one cent. ';
    for (const [at, name] of [
      'Pricing module split - rules extracted',
      'До свидания',
      'Plan',
    ].entries())
      await vault.data('createState', stateNamed(name, { description: long.repeat(at + 1) }));
    const rows = (await vault.data('listStates')) as { description: string }[];
    for (const row of rows) {
      expect(encode(`${JSON.stringify(row)},`).length).toBeLessThanOrEqual(75);
      expect(row.description.length).toBeGreaterThan(70);
    }
  });

  it('lists what was saved in a period, in words or dates', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Friday'));
    vault.clock.advance(3 * 24 * 60 * 60_000);
    await vault.data('createState', stateNamed('Monday'));
    const listed = async (dateRange: unknown) =>
      ((await vault.data('listStates', { dateRange })) as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await listed('last week')).toEqual(['Friday']);
    expect(await listed('today')).toEqual(['Monday']);
    expect(await listed({ start: '3 days ago', end: 'yesterday' })).toEqual(['Friday']);
    expect(await listed({ end: '2026-11-21' })).toEqual(['Friday']);
    expect(await listed('November')).toEqual(['Monday', 'Friday']);
    expect(await vault.error('listStates', { dateRange: 'yesterday-ish' })).toBe(
      'dateRange.start "yesterday-ish" is not a date. Use a format like "2026-11-20" or "2026-11-20T09:30:00Z".',
    );
  });

  it('refuses an unknown workspace in the context', async () => {
    const error = await createTestVault().error('listStates', {
      context: { workspaceId: 'Nowhere' },
    });
    expect(error).toBe(
      'Workspace "Nowhere" not found. Use listWorkspaces to see available workspaces.',
    );
  });
});
