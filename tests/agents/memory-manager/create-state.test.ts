import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../src/model/text/visible-text.js';
import { lookupState } from '../../../src/model/lookup.js';
import { entityOf } from '../../../src/model/memory.js';
import {
  stateOf,
  canonicalStateText,
  type State,
  type StateContent,
} from '../../../src/model/state.js';
import { allStates, allWorkspaces } from '../../../src/model/lookup.js';
import { Refusal } from '../../../src/model/refusal.js';
import { sha256 } from '../../../src/platform/sha256.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';

describe('createState', () => {
  it('stores every field and a content hash in one event', async () => {
    const vault = createTestVault();
    const content = stateNamed('Auth', {
      activeFiles: ['a.ts'],
      description: 'JWT',
      tags: ['auth'],
    });
    expect(await vault.call('createState', content)).toMatchObject({
      success: true,
      workspace: 'Default',
    });
    const lines = vault.files
      .paths()
      .filter((path) => path.includes('/core/'))
      .flatMap((path) => vault.files.text(path).trim().split('\n'));
    const states = lines
      .map((line) => JSON.parse(line) as { t: string; d: Record<string, unknown> })
      .filter(({ t }) => t === 'state.new');
    expect(states.map(({ d }) => d)).toEqual([
      {
        ws: 'default',
        ...content,
        sha: await sha256(canonicalStateText(content as unknown as StateContent)),
        by: { client: 'Test', session: 'session', device: 'Laptop' },
        files: { 'a.ts': null },
      },
    ]);
  });

  it('saves decisions and questions with the state, in one append', async () => {
    const vault = createTestVault();
    const records = {
      decisions: ['Use JWT for auth', ' use jwt  for auth'],
      questions: ['How long?'],
    };
    await vault.data('createState', stateNamed('Plan', records));
    expect(await vault.data('listRecords')).toMatchObject([
      { kind: 'question', title: 'How long?', state: 'Plan' },
      { kind: 'decision', title: 'Use JWT for auth', state: 'Plan' },
    ]);
    await vault.data('createState', stateNamed('Plan 2', records));
    expect(await vault.data('listRecords')).toHaveLength(2);
    const answer = await vault.call(
      'createState',
      stateNamed('Plan 3', { decisions: ['Use session cookies for auth'] }),
    );
    expect(answer).toMatchObject({ data: { mayReplace: [{ title: 'Use JWT for auth' }] } });
  });

  it('saves neither state nor records if one of them is refused', async () => {
    const vault = createTestVault();
    const long = 'x'.repeat(2001);
    expect(await vault.error('createState', stateNamed('Plan', { decisions: [long] }))).toBe(
      '"decisions.0" has 2001 characters; use at most 2000.',
    );
    await vault.data('createState', stateNamed('Plan'));
    await vault.error('createState', stateNamed('plan', { questions: ['Why?'] }));
    expect(await vault.data('listRecords')).toEqual([]);
    expect(await vault.data('listStates')).toHaveLength(1);
  });

  it('stores long entries whole, and lists them by a short title', async () => {
    const vault = createTestVault();
    const entry = (word: string) => `${word} ${'and so on '.repeat(199)}`.trim();
    const lists = {
      decisions: [entry('Use JWT')],
      questions: [entry('How long')],
      nextSteps: [entry('Go on')],
    };
    await vault.data('createState', stateNamed('Plan', lists));
    expect(await vault.data('loadState', { name: 'Plan' })).toMatchObject(lists);
    const rows = (await vault.data('listRecords')) as { id: string; title: string }[];
    for (const row of rows) expect(Array.from(row.title).length).toBeLessThanOrEqual(120);
    const [{ id, title }] = rows.slice(1) as [{ id: string; title: string }];
    expect(title).toMatch(/^Use JWT and so on .*…$/);
    expect(await vault.data('getMemory', { id })).toMatchObject({ title: lists.decisions[0] });
    for (const ref of [title, lists.decisions[0], id, title.replace('…', '...')])
      await vault.data('updateRecord', { title: ref, remindAt: '2100-01-01' });
  });

  it('names the state in the trace of a repeated call with records', async () => {
    const vault = createTestVault();
    const params = stateNamed('Plan', { decisions: ['A1', 'B2', 'C3'], questions: ['D4', 'E5'] });
    for (let time = 0; time < 2; time++) await vault.call('createState', params, { key: 'k1' });
    await vault.idle();
    const [state] = allStates(await vault.log.memory(), 'default');
    const traces = await vault.log.recentTraces('default', 10);
    expect(traces.map(({ stateId }) => stateId)).toEqual([state!.item.id, state!.item.id]);
  });

  it('says so if the workspace is archived', async () => {
    const vault = createTestVault();
    await vault.call('createWorkspace', garden);
    await vault.call('archiveWorkspace', { name: garden.name });
    const params = { ...stateNamed('Plan'), context: { workspaceId: garden.name } };
    expect(await vault.call('createState', params)).toEqual({
      success: true,
      notice: expect.stringMatching(
        /^The workspace "Garden" is archived, .* updateWorkspace/,
      ) as string,
    });
  });

  it('records who saved the state, the content of its files, and the git head', async () => {
    const folders: string[] = [];
    const git = { head: 'b'.repeat(40), branch: 'main' };
    const vault = createTestVault({
      device: {
        name: () => 'Ana’s phone',
        gitHead(folder) {
          folders.push(folder);
          return Promise.resolve(git);
        },
      },
    });
    vault.files.put('a.ts', 'text');
    await vault.data('createWorkspace', garden);
    const defaults = { sessionId: 's1', client: 'claude-code', model: 'm1' };
    await vault.call('createState', stateNamed('Auth', { activeFiles: ['a.ts', '../b.ts'] }), {
      defaults: { ...defaults, workspaceId: 'Garden' },
    });
    const [state] = await statesIn(vault, 'Garden');
    expect(state).toMatchObject({
      savedBy: { client: 'claude-code', session: 's1', model: 'm1', device: 'Ana’s phone' },
      git,
    });
    expect(state?.files).toEqual({ 'a.ts': { sha256: await sha256('text'), size: 4 } });
    expect(folders).toEqual(['Garden']);
  });

  it('saves a state whose active file cannot be read', async () => {
    const vault = createTestVault({
      wrap: (files) => ({
        ...files,
        stat: (path) =>
          path === 'a.ts' ? Promise.reject(new Refusal('No permission.')) : files.stat(path),
      }),
    });
    const content = stateNamed('Auth', { activeFiles: ['a.ts'] });
    expect(await vault.call('createState', content)).toMatchObject({
      success: true,
      workspace: 'Default',
    });
  });

  it('saves once if a call is repeated after a file has changed', async () => {
    const vault = createTestVault();
    const content = stateNamed('Auth', { activeFiles: ['a.ts'] });
    vault.files.put('a.ts', 'one');
    await vault.call('createState', content, { key: 'k' });
    vault.files.put('a.ts', 'two');
    expect(await vault.call('createState', content, { key: 'k' })).toMatchObject({
      success: true,
      workspace: 'Default',
    });
    expect(await statesIn(vault, 'Default')).toHaveLength(1);
  });

  it('refuses every name ever used in the workspace', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan'));
    const refusal =
      'State "Plan" already exists. States are immutable - use a unique name like "Plan-v2" or "Plan-2026-11".';
    expect(await vault.error('createState', stateNamed('Plan'))).toBe(refusal);
    await vault.data('archiveState', { name: 'Plan' });
    expect(await vault.error('createState', stateNamed('Plan', { activeTask: 'Other' }))).toBe(
      'State "Plan" already exists and is archived. Only the user can restore it, in Savepoint. Use a unique name like "Plan-v2" or "Plan-2026-11".',
    );
    expect(await vault.error('createState', stateNamed(' plan '))).toContain('already exists');
  });

  it('refuses an invisible character in the name, and marks it in other errors', async () => {
    const vault = createTestVault();
    expect(await vault.error('createState', stateNamed('Plan \u202egnp.exe'))).toBe(
      '"name" has the invisible character U+202E; leave it out.',
    );
    expect(await vault.error('loadState', { name: 'Plan \u202egnp.exe' })).toContain(
      'State "Plan ⟨U+202E⟩gnp.exe" not found.',
    );
    await vault.data('createState', stateNamed('می‌خواهم 👩‍👩‍👧'));
    expect(await vault.data('loadState', { name: 'می‌خواهم 👩‍👩‍👧' })).toBeDefined();
  });

  it('allows the same name in another workspace', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan', { activeTask: 'A' }));
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('Plan', { activeTask: 'B' }));
    expect(await vault.data('loadState', { name: 'Plan' })).toMatchObject({ activeTask: 'B' });
    expect(
      await vault.data('loadState', { name: 'Plan', context: { workspaceId: 'default' } }),
    ).toMatchObject({ activeTask: 'A' });
  });

  it('names every missing field with its purpose', async () => {
    const error = await createTestVault().error('createState', { name: 'Plan' });
    expect(error).toContain(
      'Missing required parameter "conversationContext" (string): What the other fields do not say: what failed, reasons, numbers, what must not be touched, what was promised to whom by when; dates in full.',
    );
    expect(error).toContain(
      'Missing required parameter "activeFiles" (array of strings, such as ["one", "two"]): Vault or project paths.',
    );
  });

  it('refuses a misspelled parameter and suggests the right one', async () => {
    const error = await createTestVault().error(
      'createState',
      stateNamed('Plan', { nextStep: 'x' }),
    );
    expect(error).toBe(
      'Unknown parameter "nextStep". Did you mean "nextSteps"? Valid: name, conversationContext, activeTask, activeFiles, nextSteps, description, tags, decisions, questions, continues, replaces, fromCheckpoint.',
    );
  });

  it('refuses a state over 1 MB and stores nothing of it', async () => {
    const vault = createTestVault();
    const error = await vault.error(
      'createState',
      stateNamed('Big', { conversationContext: 'x'.repeat(2 * 1024 * 1024) }),
    );
    expect(error).toBe(
      'This entry is too long: 2.1 MB, and the limit is 1 MB. Shorten its longest text and try again.',
    );
    expect(await vault.data('listStates')).toEqual([]);
    await vault.data(
      'createState',
      stateNamed('Big', { conversationContext: 'x'.repeat(900 * 1024) }),
    );
    expect(await vault.data('listStates')).toMatchObject([{ name: 'Big' }]);
  });

  it('preserves emoji and markup, and shows what is hidden', async () => {
    const vault = createTestVault();
    const text = 'a\u2028b\u2029c\u0085d\n<script>alert(1)</script> 👩‍👩‍👧 \u0000 "quoted" \\ end';
    await vault.data('createState', stateNamed('Odd', { conversationContext: text }));
    expect(await vault.data('loadState', { name: 'Odd' })).toMatchObject({
      conversationContext: visibleText(text),
    });
    expect(visibleText(text)).toContain('a⟨U+2028⟩b');
  });

  it.each(['name', 'workspace', 'workspaceId', 'id'])(
    'asks if a workspace could not be loaded that was passed as %s',
    async (key) => {
      const vault = createTestVault();
      await vault.call('loadWorkspace', { [key]: 'Thesis' });
      const error = await vault.error('createState', stateNamed('Plan'));
      expect(error).toContain('would be saved in "Default", but "Thesis" could not be');
    },
  );

  it('asks if the session has failed to enter another workspace', async () => {
    const vault = createTestVault();
    const refusal =
      'This state would be saved in "Default", but "Thesis" could not be created or loaded before. Pass the right one as workspaceId in the context; if it is unclear, ask the user.';
    await vault.error('loadWorkspace', { name: 'Thesis' });
    expect(await vault.error('createState', stateNamed('Plan'))).toBe(refusal);
    await vault.error('loadWorkspace', { name: 'Garden' });
    await vault.error('createWorkspace', { name: 'Thesis' });
    expect(await vault.error('createState', stateNamed('Plan'))).toBe(refusal);
    expect(
      await vault.call('createState', { ...stateNamed('Plan'), workspaceId: 'default' }),
    ).toEqual({ success: true });
    await vault.data('createWorkspace', garden);
    expect(await vault.call('createState', stateNamed('Plan'))).toEqual({
      success: true,
      workspace: 'Garden',
    });
    await vault.error('createWorkspace', garden);
    expect(await vault.call('createState', stateNamed('Plan 2'))).toMatchObject({ success: true });
  });

  it('continues the state that is named, or the one that the session used last', async () => {
    const vault = createTestVault();
    const save = (name: string, more = {}) => vault.data('createState', stateNamed(name, more));
    const continued = async (name: string) => {
      const found = lookupState(await vault.log.memory(), 'default', name);
      const id = 'item' in found ? found.item.item.continues : undefined;
      return stateOf(entityOf(await vault.log.memory(), id ?? ''))?.name;
    };
    await save('One', { activeFiles: ['a.md'] });
    await save('Two', { activeFiles: ['a.md'] });
    await save('New work', { continues: '' });
    await save('Back', { continues: 'one' });
    await save('Roses', { activeFiles: ['b.md'] });
    await save('Invoices', { activeFiles: ['c.md'] });
    await vault.data('loadState', { name: 'Roses' });
    await save('Fence', { activeFiles: ['d.md'] });
    expect(await Promise.all(['One', 'Two', 'New work', 'Back'].map(continued))).toEqual([
      undefined,
      'One',
      undefined,
      'One',
    ]);
    // different files and names in one session are different work, unless a state was loaded
    expect(await continued('Invoices')).toBeUndefined();
    expect(await continued('Fence')).toBe('Roses');
    expect(await vault.error('createState', stateNamed('X', { continues: 'Nothing' }))).toBe(
      'State "Nothing" not found. Use listStates to see available states.',
    );
  });

  it('takes effect once per idempotency key', async () => {
    const vault = createTestVault();
    const answers = await Promise.all(
      [1, 2].map(() => vault.call('createState', stateNamed('Plan'), { key: 'k' })),
    );
    expect(answers).toMatchObject([
      { success: true, workspace: 'Default' },
      { success: true, workspace: 'Default' },
    ]);
    expect(await vault.call('createState', stateNamed('Plan'), { key: 'other' })).toMatchObject({
      success: false,
    });
    expect(await vault.call('createState', stateNamed('Plan 2'), { key: 'other' })).toMatchObject({
      success: true,
      workspace: 'Default',
    });
    expect(await vault.data('listStates')).toHaveLength(2);
  });
});

async function statesIn(vault: TestVault, workspace: string): Promise<State[]> {
  const memory = await vault.log.memory();
  const found = allWorkspaces(memory).find(({ displayName }) => displayName === workspace);
  return allStates(memory, found?.item.id ?? '').map(({ item }) => item);
}

describe('the active files of a state', () => {
  const nfd = 'Übung.md'.normalize('NFD');

  it.each([
    ['a backslash', 'Beds\\Plan.md', 'Beds/Plan.md'],
    ['other letter case', 'beds/PLAN.md', 'Beds/Plan.md'],
    ['composed letters', 'Übung.md', nfd],
    ['a name that Windows cannot hold', 'What is love?.md', 'What is love?.md'],
    ['no file', 'Gone.md', 'Gone.md'],
    ['a project of another device', 'shop-app:src/pay.ts', 'shop-app:src/pay.ts'],
  ])('are stored as they are on disk: %s', async (_, typed, stored) => {
    const vault = createTestVault();
    for (const path of ['Beds/Plan.md', nfd, 'What is love?.md']) vault.files.put(path, 'text');
    await vault.data('createState', stateNamed('Plan', { activeFiles: [typed] }));
    expect(await vault.data('loadState', { name: 'Plan' })).toMatchObject({
      activeFiles: [stored],
    });
  });
});
