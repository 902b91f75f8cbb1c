import { describe, expect, it } from 'vitest';
import { stateDraft } from '../../fakes/events.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';

describe('loadState', () => {
  it('returns what was saved, in another session', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan', { tags: ['a'], description: 'D' }), {
      session: 'one',
    });
    expect(await vault.data('loadState', { name: 'PLAN' }, { session: 'two' })).toEqual({
      ...stateNamed('Plan', { tags: ['a'], description: 'D' }),
      createdAt: '2026-11-20T09:00:00.000Z',
      savedBy: { client: 'Test', device: 'Laptop' },
    });
  });

  it.each([
    [
      { head: 'b'.repeat(40), branch: 'main' },
      { commit: 'b'.repeat(10), branch: 'main' },
    ],
    [{ head: 'b'.repeat(40) }, { commit: 'b'.repeat(10) }],
    [{ branch: 'main' }, { branch: 'main' }],
  ])('returns what git had checked out: %j', async (head, git) => {
    const vault = createTestVault({ device: { gitHead: () => Promise.resolve(head) } });
    await vault.call('createState', stateNamed('Plan'));
    expect(await vault.data('loadState', { name: 'Plan' })).toMatchObject({ git });
  });

  it('returns the open records of its workspace, due ones first', async () => {
    const vault = createTestVault();
    const due = { resource: 'issue', title: 'Renew', remindAt: '2020-01-01' };
    await vault.data('createRecord', due);
    await vault.data(
      'createState',
      stateNamed('Plan', { questions: ['Why?'], decisions: ['Yes'] }),
    );
    await vault.data('updateRecord', { title: 'Yes', status: 'dropped' });
    await vault.data('createRecord', { resource: 'issue', title: 'Ship', needs: ['Renew'] });
    const state = (await vault.data('loadState', { name: 'Plan' })) as Record<string, unknown>;
    expect(state['open']).toEqual([
      { kind: 'task', title: 'Renew', remindAt: '2020-01-01T00:00:00.000Z', isDue: true },
      { kind: 'task', title: 'Ship', blockedBy: ['Renew'] },
      { kind: 'question', title: 'Why?' },
    ]);
    expect(Object.keys(state).indexOf('open')).toBeLessThan(
      Object.keys(state).indexOf('conversationContext'),
    );
    expect(state).not.toHaveProperty('superseded');
  });

  it('says how many open records it leaves out', async () => {
    const vault = createTestVault();
    const questions = Array.from({ length: 25 }, (_, at) => `Question ${at}?`);
    await vault.data('createState', stateNamed('Plan', { questions }));
    const answer = await vault.call('loadState', { name: 'Plan' });
    expect(answer).toMatchObject({
      notice: '5 more records are open. Use listRecords to see them.',
    });
    expect((answer as unknown as { data: { open: unknown[] } }).data.open).toHaveLength(20);
  });

  it('says by what its decisions have been superseded since', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan', { decisions: ['Use cookies'] }));
    vault.clock.advance(60_000);
    await vault.data('createState', stateNamed('Later', { decisions: ['Go with JWT'] }));
    await vault.data('updateRecord', { title: 'Use cookies', supersededBy: 'Go with JWT' });
    expect(await vault.data('loadState', { name: 'Plan' })).toMatchObject({
      superseded: [
        { title: 'Use cookies', supersededBy: 'Go with JWT', at: '2026-11-20T09:01:00.000Z' },
      ],
      open: [{ kind: 'decision', title: 'Go with JWT' }],
    });
    vault.clock.advance(60_000);
    await vault.data('createState', stateNamed('Last'));
    expect(await vault.data('loadState', { name: 'Last' })).not.toHaveProperty('superseded');
  });

  it('finds an old state by its listed name, with a marker', async () => {
    const vault = createTestVault();
    const draft = await stateDraft('Plan \u202egnp.exe');
    await vault.log.memory();
    await vault.log.write(() => ({ drafts: [draft], answer: undefined }));
    const name = 'Plan ⟨U+202E⟩gnp.exe';
    expect(await vault.data('listStates')).toEqual([{ name }]);
    expect(await vault.data('loadState', { name })).toMatchObject({ name });
    expect(await vault.data('loadState', { name: 'Plan \u202egnp.exe' })).toMatchObject({ name });
    await vault.data('archiveState', { name });
    expect(await vault.data('listStates')).toEqual([]);
  });

  it('names the client by its title, and the model', async () => {
    const vault = createTestVault();
    await vault.call('createState', stateNamed('Plan'), {
      defaults: { sessionId: 's', client: 'claude-code', model: 'anthropic/m1' },
    });
    expect(await vault.data('loadState', { name: 'Plan' })).toMatchObject({
      savedBy: { client: 'Claude Code', device: 'Laptop', model: 'anthropic/m1' },
    });
  });

  it('reports changes by content, not by time', async () => {
    const vault = createTestVault();
    const activeFiles = ['touched.md', 'edited.md', 'new.md', 'big.bin'];
    const big = new Uint8Array(2_000_000);
    vault.files.put('touched.md', 'text');
    vault.files.put('edited.md', 'text');
    vault.files.put('big.bin', big);
    vault.clock.advance(1000);
    await vault.data('createState', stateNamed('Plan', { activeFiles }));
    vault.clock.advance(-1000);
    vault.files.put('edited.md', 'TEXT');
    vault.clock.advance(2000);
    vault.files.put('touched.md', 'text');
    vault.files.put('new.md', 'text');
    expect(await vault.data('loadState', { name: 'Plan' })).toMatchObject({
      changedFiles: [
        { path: 'edited.md', change: 'modified' },
        { path: 'new.md', change: 'created' },
      ],
      sampledFiles: ['big.bin'],
    });
  });

  it('compares the files of an imported state by time', async () => {
    const vault = createTestVault();
    const draft = await stateDraft('Plan', 'st-plan', 'default', { activeFiles: ['a.md'] });
    await vault.log.write(() => ({ drafts: [draft], answer: undefined }));
    vault.clock.advance(1000);
    vault.files.put('a.md', 'text');
    const data = await vault.data('loadState', { name: 'Plan' });
    expect(data).toMatchObject({
      changedFiles: [{ path: 'a.md', change: 'modified', byTime: true }],
    });
    expect(data).not.toHaveProperty('savedBy');
  });

  it('lists files that are modified, missing or outside the vault', async () => {
    const vault = createTestVault();
    for (const path of ['same.md', 'edited.md', 'gone.md']) vault.files.put(path, 'text');
    vault.clock.advance(1000);
    await vault.data(
      'createState',
      stateNamed('Plan', {
        activeFiles: ['same.md', 'edited.md', 'gone.md', '/home/me/x.ts', '../up.md'],
      }),
    );
    vault.clock.advance(1000);
    vault.files.put('edited.md', 'new text');
    await vault.files.remove('gone.md');
    expect(await vault.data('loadState', { name: 'Plan' })).toMatchObject({
      changedFiles: [
        { path: 'edited.md', change: 'modified' },
        { path: 'gone.md', change: 'missing' },
        { path: 'outside:x.ts', change: 'outside' },
        { path: '../up.md', change: 'outside' },
      ],
    });
  });

  it('loads an archived state, and marks it as archived', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan'));
    await vault.data('archiveState', { name: 'Plan' });
    expect(await vault.data('loadState', { name: 'Plan' })).toMatchObject({ isArchived: true });
  });

  it('suggests a close match without loading it', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Auth module progress'));
    expect(await vault.error('loadState', { name: 'Auth modul progress' })).toBe(
      'State "Auth modul progress" not found. Use listStates to see available states. Did you mean "Auth module progress"?',
    );
  });

  it('refuses an ambiguous name, but accepts the marked names', async () => {
    const [one, two] = [createTestVault({ seed: 1 }), createTestVault({ seed: 2 })];
    await one.data('createState', stateNamed('Plan', { activeTask: 'One' }));
    two.clock.advance(1000);
    await two.data('createState', stateNamed('Plan', { activeTask: 'Two' }));
    copyLog(two, one);
    const shown = (await one.data('listStates')) as { name: string }[];
    expect(shown.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^Plan ⟨\w{4}⟩$/),
      'Plan',
    ]);
    const error = await one.error('loadState', { name: 'Plan' });
    const marked = [...error.matchAll(/"(Plan ⟨\w{4}⟩)"/g)].map((match) => match[1]);
    const tasks = await Promise.all(
      marked.map(
        async (name) =>
          ((await one.data('loadState', { name })) as { activeTask: string }).activeTask,
      ),
    );
    expect(tasks).toEqual(['One', 'Two']);
  });

  it('merges identical states with the same name', async () => {
    const [one, two] = [createTestVault({ seed: 1 }), createTestVault({ seed: 2 })];
    await one.data('createState', stateNamed('Plan'));
    await two.data('createState', stateNamed('Plan'));
    await two.data('archiveState', { name: 'Plan' });
    copyLog(two, one);
    expect(await one.data('listStates', { includeArchived: true })).toEqual([
      { name: 'Plan', isArchived: true },
    ]);
    expect(await one.data('loadState', { name: 'Plan' })).toMatchObject({ isArchived: true });
  });

  it('moves a new session to the workspace in which it finds the state', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('Beds'));
    expect(await vault.call('loadState', { name: 'beds' }, { session: 'new' })).toMatchObject({
      success: true,
      workspace: 'Garden',
      data: { name: 'Beds' },
    });
    expect(await vault.call('createState', stateNamed('Next'), { session: 'new' })).toEqual({
      success: true,
      workspace: 'Garden',
    });
  });

  it.each([
    ['has entered a workspace', 'loadWorkspace', { name: 'House' }, 'House'],
    ['has saved a state', 'createState', stateNamed('Own'), 'Default'],
  ])('leaves a session that %s where it is, and says so', async (_, tool, params, own) => {
    const vault = createTestVault();
    await vault.data('createWorkspace', { ...garden, name: 'House' });
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('Beds'));
    await vault.data(tool, params, { session: 'new' });
    expect(await vault.call('loadState', { name: 'Beds' }, { session: 'new' })).toMatchObject({
      workspace: 'Garden',
      notice: `This is from the workspace "Garden". Later saves stay in "${own}"; to save in "Garden", pass it as workspaceId in the context.`,
    });
    const next = await vault.call('createState', stateNamed('Next'), { session: 'new' });
    expect(next).toMatchObject({ workspace: own });
  });

  it('leaves a session in a linked project where it is', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan'));
    await vault.data('createWorkspace', garden, { session: 'other' });
    const workspaceId = vault.toolkit.sessions.get('other')!;
    const project = { key: 'p', link: { workspaceId, workspaceName: 'Garden' } };
    const defaults = { sessionId: 'linked', project };
    expect(await vault.call('loadState', { name: 'Plan' }, { defaults })).toMatchObject({
      workspace: 'Default',
      notice: expect.stringContaining('Later saves stay in "Garden"') as string,
    });
    expect(await vault.call('createState', stateNamed('Next'), { defaults })).toEqual({
      success: true,
      workspace: 'Garden',
    });
  });

  it('moves a new session to a workspace that only the call names', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('Beds'));
    const context = { workspaceId: 'Garden' };
    expect(await vault.call('loadState', { name: 'Beds', context }, { session: 'new' })).toEqual({
      success: true,
      data: expect.objectContaining({ name: 'Beds' }) as unknown,
    });
    expect(await vault.call('listStates', {}, { session: 'new' })).toMatchObject({
      workspace: 'Garden',
    });
  });

  it('lists the workspaces if several others have the state', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('Plan'));
    await vault.data('createWorkspace', { ...garden, name: 'House' });
    await vault.data('createState', stateNamed('plan'));
    const error = await vault.error('loadState', { name: 'Plan' }, { session: 'new' });
    expect(error).toMatch(
      /^State "Plan" is in several other workspaces: "Plan" in "Garden" \(created on [\d-]{10}\), "plan" in "House" \(created on [\d-]{10}\)\. Pass one of them as workspaceId in the context\.$/,
    );
  });

  it('loads an archived state only if there is no other', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan', { activeTask: 'Archived' }));
    await vault.data('archiveState', { name: 'Plan' });
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('Plan', { activeTask: 'Live' }));
    expect(await vault.data('loadState', { name: 'Plan' }, { session: 'new' })).toMatchObject({
      activeTask: 'Live',
    });
    await vault.data('archiveWorkspace', { name: 'Garden' });
    expect(await vault.data('loadState', { name: 'Plan' }, { session: 'newer' })).toMatchObject({
      activeTask: 'Archived',
    });
  });
});

function copyLog(from: TestVault, to: TestVault): void {
  for (const path of from.files.paths())
    if (path.endsWith('.jsonl')) to.files.put(path, from.files.text(path));
}
