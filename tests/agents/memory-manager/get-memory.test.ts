import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../src/model/text/visible-text.js';
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

  it('returns a record by the id of its row, with its whole body', async () => {
    const vault = createTestVault();
    const body = 'Cookies fail on the subdomain. '.repeat(40).trim();
    await vault.data('createRecord', { resource: 'decision', title: 'Use JWT', body });
    await vault.data('createRecord', { resource: 'issue', title: 'Renew it' });
    for (const [query, facts] of [
      ['JWT', { type: 'decision', title: 'Use JWT', body }],
      ['renew', { type: 'task', title: 'Renew it' }],
    ] as const) {
      const [id] = await searchIds(vault, query, ['records']);
      expect(await vault.data('getMemory', { id })).toEqual({
        id,
        ...facts,
        workspace: 'Default',
        createdAt: expect.any(String) as string,
      });
    }
  });

  it('returns all that is kept of a call, and shows its hidden characters', async () => {
    const vault = createTestVault();
    const long = 'w'.repeat(1020);
    const kept = { goal: `goal ${long}`, memory: `memory ${long}`, constraints: `no ${long}` };
    const content = 'The gasket\u200b leaks. '.repeat(80).trim();
    const entry = { kind: 'observation', content, outcome: `New gasket ${long}`.slice(0, 300) };
    await vault.data('logTrace', { ...entry, context: kept });
    await vault.idle();
    const [id] = await searchIds(vault, 'gasket', ['traces']);
    const found = (await vault.data('getMemory', { id })) as Record<string, string>;
    expect(found).toMatchObject({ content: visibleText(content), outcome: entry.outcome });
    for (const [field, text] of Object.entries(kept))
      expect(found[field]?.slice(0, 1000)).toBe(text.slice(0, 1000));
  });

  it.each(['state', 'record'])('returns a long %s whole, in parts', async (type) => {
    const vault = createTestVault();
    const text = Array.from({ length: 9000 }, (_, at) => `word ${at}`).join(' ');
    if (type === 'state')
      await vault.data('createState', stateNamed('Long', { conversationContext: text }));
    else await vault.data('createRecord', { resource: 'decision', title: 'Long', body: text });
    const ids =
      type === 'record'
        ? await searchIds(vault, 'Long', ['records'])
        : (await timelineOf(vault)).map((row) => row.id);
    const id = ids.find((each) => type === 'record' || each.startsWith(type.charAt(0)));
    let whole = '';
    for (let part = 1, parts = 1; part <= parts; part++) {
      const answer = await vault.call('getMemory', { id, part });
      const data = (answer as { data: Record<string, string> & { parts: number } }).data;
      parts = data.parts;
      expect(parts).toBeGreaterThan(2);
      expect(answer.notice).toBe(
        part < parts
          ? `This is part ${part} of ${parts}. Call getMemory with id "${id}" and part ${part + 1} for more.`
          : undefined,
      );
      whole += data['conversationContext'] ?? data['body'] ?? '';
    }
    expect(whole).toBe(text);
    expect(await vault.error('getMemory', { id, part: 9 })).toMatch(
      /^".*" has no part 9\. Pass a part from 1 to \d\.$/,
    );
  });
});
