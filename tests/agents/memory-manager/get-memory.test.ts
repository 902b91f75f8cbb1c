import { describe, expect, it } from 'vitest';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';

interface Row {
  id: string;
  name?: string;
  kind?: string;
  type?: string;
}

async function searchIds(vault: TestVault, query: string, types?: string[]): Promise<string[]> {
  const params = { query, workspaceId: 'all', ...(types && { memoryTypes: types }) };
  const rows = (await vault.data('searchMemory', params)) as Row[];
  return rows.map(({ id }) => id);
}

const timelineOf = async (vault: TestVault) => (await vault.data('timeline')) as Row[];

describe('getMemory', () => {
  it('returns a state of the timeline', async () => {
    const vault = createTestVault();
    await vault.data(
      'createState',
      stateNamed('Quince', { tags: ['fruit'], conversationContext: 'A long talk.' }),
    );
    await vault.idle();
    const [id] = (await timelineOf(vault))
      .map((row) => row.id)
      .filter((each) => each.startsWith('s'));
    expect(id).toMatch(/^s[a-z2-9]{5}$/);
    expect(await vault.data('getMemory', { id })).toEqual({
      id,
      type: 'state',
      name: 'Quince',
      workspace: 'Default',
      createdAt: expect.any(String) as string,
      activeTask: 'Talking',
      nextSteps: ['Go on'],
      activeFiles: [],
      tags: ['fruit'],
      conversationContext: 'A long talk.',
    });
  });

  it('returns a trace of another workspace, with what a row leaves out', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden, { session: 'other' });
    const entry = { kind: 'observation', content: 'The gasket leaks.', files: ['Pump.md'] };
    const context = { workspaceId: 'Garden', goal: 'Water', constraints: 'No noise' };
    await vault.data('logTrace', { ...entry, context });
    await vault.idle();
    const [id] = await searchIds(vault, 'gasket', ['traces']);
    expect(id).toMatch(/^t[0-9a-f]{6}$/);
    expect(await vault.data('getMemory', { id })).toEqual({
      id,
      type: 'trace',
      kind: 'observation',
      workspace: 'Garden',
      createdAt: expect.any(String) as string,
      content: 'The gasket leaks.',
      files: ['Pump.md'],
      goal: 'Water',
      constraints: 'No noise',
      session: 'session',
    });
  });

  it('names the state that a call saved', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Quince'));
    await vault.idle();
    const call = (await timelineOf(vault)).find(({ kind }) => kind === 'tool_call');
    expect(await vault.data('getMemory', { id: call?.id })).toMatchObject({
      tool: 'createState',
      kind: 'tool_call',
      outcome: 'ok',
      savedState: 'Quince',
    });
  });

  it('finds every row of timeline by its id, in any letter case', async () => {
    const vault = createTestVault();
    for (const name of ['One', 'Two']) await vault.data('createState', stateNamed(name));
    await vault.idle();
    await vault.data('logTrace', { kind: 'execution', content: 'Ran it' });
    const rows = await timelineOf(vault);
    expect(rows).toHaveLength(5);
    for (const { id } of rows)
      expect(await vault.data('getMemory', { id: ` ${id.toUpperCase()} ` })).toMatchObject({ id });
  });

  it('says that an archived state is archived', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('One'));
    const [row] = (await timelineOf(vault)).filter(({ name }) => name === 'One');
    await vault.data('archiveState', { name: 'One' });
    expect(await vault.data('getMemory', { id: row?.id })).toMatchObject({ isArchived: true });
  });

  it('refuses an ambiguous id with the candidates', async () => {
    const vault = createTestVault();
    for (const name of ['One', 'Two']) await vault.data('createState', stateNamed(name));
    const rows = (await timelineOf(vault)).filter(({ name }) => name !== undefined);
    const [one, two] = rows.map(({ id }) => id);
    expect(await vault.error('getMemory', { id: 's' })).toBe(
      `The id "s" is ambiguous: ${two} ("Two"), ${one} ("One"). Use one of these ids.`,
    );
    expect(await vault.error('getMemory', { id: 't' })).toMatch(
      /^The id "t" is ambiguous: t[0-9a-f]{6} \(\w+ of 2026-[-T:\d]+Z\), .* Use one of these ids\.$/,
    );
  });

  it('lists ten candidates and counts the others', async () => {
    const vault = createTestVault();
    for (let at = 0; at < 13; at++) await vault.data('createState', stateNamed(`Plan ${at}`));
    expect(await vault.error('getMemory', { id: 's' })).toContain(' and 3 more. Use one of these');
  });

  it.each([
    ['s1', 'Nothing has the id "s1". Use searchMemory or timeline to get ids; traces expire.'],
    [
      'Plan A',
      '"id" is not an id; pass the "id" of a row of searchMemory or timeline, such as "s7hq2m".',
    ],
  ])('refuses %j', async (id, words) => {
    expect(await createTestVault().error('getMemory', { id })).toBe(words);
  });

  it('returns the first part of a long state', async () => {
    const vault = createTestVault();
    await vault.data(
      'createState',
      stateNamed('Long', { conversationContext: 'x'.repeat(60_000) }),
    );
    const [row] = (await timelineOf(vault)).filter(({ name }) => name === 'Long');
    expect(await vault.call('getMemory', { id: row?.id })).toMatchObject({
      notice: 'This is part 1 of 3. Call loadState with part 2 for more.',
    });
  });
});
