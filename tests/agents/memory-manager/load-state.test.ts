import { describe, expect, it } from 'vitest';
import { allStates } from '../../../src/model/lookup.js';
import { DEFAULT_WORKSPACE } from '../../../src/model/memory.js';
import { moveData } from '../../../src/model/moves/move-data.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import { lineOf, stateDraft } from '../../fakes/events.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';

describe('loadState', () => {
  it('returns what was saved, in another session', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan', { tags: ['a'], description: 'D' }), {
      session: 'one',
    });
    expect(await vault.data('loadState', { name: 'PLAN' }, { session: 'two' })).toEqual({
      ...stateNamed('Plan', { tags: ['a'], description: 'D' }),
      createdAt: '2026-11-20T09:00Z',
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

  it.each([
    ['earlier', '2020-01-01T00:00:00.000Z.0000', 'Forged'],
    ['later', '2026-11-20T09:30:00.000Z.0000', 'Test'],
  ])('says that another line creates it too, %s', async (_, h, activeTask) => {
    const vault = createTestVault();
    await vault.call('createState', stateNamed('Plan', { activeTask: 'Test' }));
    const { item } = [...allStates(await vault.log.memory(), DEFAULT_WORKSPACE)][0]!;
    const own = await vault.call('loadState', { name: 'Plan' });
    expect(own).not.toHaveProperty('notice');
    const { d } = await stateDraft('Plan', item.id);
    const forged = lineOf({ t: 'state.new', e: item.id, h, d: { ...d, activeTask: 'Forged' } });
    const path = 'Savepoint/core/2026-11/forged.jsonl';
    await vault.files.append(path, forged.bytes, { expect: 'new', durable: true });
    vault.clock.advance(60_000);
    expect(await vault.call('loadState', { name: 'Plan' })).toMatchObject({
      notice: expect.stringContaining('Two lines in the log create this state') as string,
      data: { activeTask },
    });
  });

  it('returns its decisions and questions as they were saved', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Earlier', { decisions: ['use JWT'] }));
    const own = { decisions: ['Zebra first', 'Use JWT', 'Yes'], questions: ['Why?', 'How?'] };
    await vault.data('createState', stateNamed('Plan', own));
    for (let at = 0; at < 30; at++)
      await vault.data('createRecord', { resource: 'issue', title: `Task ${at}` });
    const data = (await vault.data('loadState', { name: 'Plan' })) as object;
    expect(data).toMatchObject(own);
    expect(Object.keys(data).join(' ')).toBe(
      'name activeTask nextSteps decisions questions activeFiles savedBy createdAt conversationContext',
    );
  });

  it('says what has become of each decision and question', async () => {
    const vault = createTestVault();
    await vault.data(
      'createState',
      stateNamed('Plan', {
        decisions: ['Use cookies', 'Keep legacy.ts', 'Ship in May'],
        questions: ['How long?', 'Why?', 'Who?'],
      }),
    );
    vault.clock.advance(24 * 60 * 60_000);
    await vault.data(
      'createState',
      stateNamed('Later', { decisions: ['Go with JWT', 'One hour'] }),
    );
    await vault.data('updateRecord', { title: 'Use cookies', supersededBy: 'Go with JWT' });
    await vault.data('updateRecord', { title: 'Ship in May', status: 'dropped' });
    await vault.data('updateRecord', { title: 'How long?', supersededBy: 'One hour' });
    await vault.data('updateRecord', { title: 'Why?', status: 'done' });
    expect(await vault.data('loadState', { name: 'Plan' })).toMatchObject({
      decisions: [
        'Use cookies [superseded by "Go with JWT" on 2026-11-21]',
        'Keep legacy.ts',
        'Ship in May [dropped on 2026-11-21]',
      ],
      questions: [
        'How long? [answered by "One hour" on 2026-11-21]',
        'Why? [answered on 2026-11-21]',
        'Who?',
      ],
    });
    await vault.data('createState', stateNamed('Last', { decisions: ['Sessions'] }));
    await vault.data('updateRecord', { title: 'Go with JWT', supersededBy: 'Sessions' });
    const { decisions } = (await vault.data('loadState', { name: 'Plan' })) as {
      decisions: string[];
    };
    expect(decisions[0]).toBe('Use cookies [superseded by "Sessions" on 2026-11-21]');
  });

  it('shows the reason of a decision', async () => {
    const vault = createTestVault();
    const body = `Because ${'a reason '.repeat(30)}`;
    await vault.data('createRecord', { resource: 'decision', title: 'Use JWT', body });
    await vault.data('createState', stateNamed('Plan', { decisions: ['Use JWT'] }));
    const { decisions } = (await vault.data('loadState', { name: 'Plan' })) as {
      decisions: string[];
    };
    expect(decisions[0]).toMatch(
      /^Use JWT – Because a reason [a ron]+ …$|^Use JWT – Because .{100,112}…$/u,
    );
  });

  it('counts the other open records, and names those that are due', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan', { questions: ['Why?'] }));
    const loadWith = (toolsets?: string[]) =>
      vault.call('loadState', { name: 'Plan' }, { defaults: { sessionId: 's', toolsets } });
    expect(await loadWith()).not.toHaveProperty('notice');
    const due = { resource: 'issue', title: 'Renew', remindAt: '2020-01-01' };
    await vault.data('createRecord', due);
    await vault.data('createState', stateNamed('Other', { questions: ['How?'] }));
    const counted = 'More open records: 2, due: "Renew".';
    const listed = `${counted} See listRecords.`;
    expect(await loadWith()).toMatchObject({ notice: listed });
    expect(await loadWith([])).toMatchObject({ notice: counted });
  });

  it('loads the newest state without a name', async () => {
    const vault = createTestVault();
    expect(await vault.error('loadState')).toBe(
      'The workspace "Default" has no states. Use listWorkspaces to see the others, or save one with createState.',
    );
    await vault.data('createState', stateNamed('One'));
    vault.clock.advance(1000);
    await vault.data('createState', stateNamed('Two'));
    expect(await vault.data('loadState')).toMatchObject({ name: 'Two' });
    await vault.data('archiveState', { name: 'Two' });
    expect(await vault.data('loadState')).toMatchObject({ name: 'One' });
  });

  it('loads the only state whose name has all words, and lists several', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Checkout rewrite: payment step'));
    await vault.data('createState', stateNamed('Rewrite of the cart', { continues: '' }));
    expect(await vault.call('loadState', { name: 'a checkout plan' })).toMatchObject({
      success: false,
    });
    expect(await vault.call('loadState', { name: 'the rewrite Checkout' })).toMatchObject({
      notice: 'No state is named "the rewrite Checkout"; this is the nearest.',
      data: { name: 'Checkout rewrite: payment step' },
    });
    expect(await vault.error('loadState', { name: 'rewrite' })).toBe(
      'State "rewrite" not found, but several have these words: "Rewrite of the cart" (created on 2026-11-20), "Checkout rewrite: payment step" (created on 2026-11-20). Use one of these names.',
    );
    await vault.data('archiveState', { name: 'Rewrite of the cart' });
    expect(await vault.data('loadState', { name: 'rewrite' })).toMatchObject({
      name: 'Checkout rewrite: payment step',
    });
  });

  it('finds an old state by its listed name, with a marker', async () => {
    const vault = createTestVault();
    const draft = await stateDraft('Plan \u202egnp.exe');
    await vault.log.memory();
    await vault.log.write(() => ({ drafts: [draft], answer: undefined }));
    const name = 'Plan ⟨U+202E⟩gnp.exe';
    expect(await vault.data('listStates')).toMatchObject([{ name }]);
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

  it('follows notes that the user has renamed, and so does the search', async () => {
    const vault = createTestVault();
    vault.files.put('Beds.md', 'text');
    vault.clock.advance(1000);
    await vault.data('createState', stateNamed('Plan', { activeFiles: ['Beds.md'] }));
    await vault.data('searchMemory', { query: 'trellis' });
    vault.files.put('Trellis.md', 'text');
    await vault.files.remove('Beds.md');
    await vault.log.write((memory) => ({
      drafts: [
        {
          t: 'path.moved',
          e: 'move-1',
          d: moveData(memory, { from: 'Beds.md', to: 'Trellis.md' }),
        },
      ],
      answer: undefined,
    }));
    expect(await vault.data('loadState', { name: 'Plan' })).toMatchObject({
      activeFiles: ['Trellis.md'],
      changedFiles: [{ path: 'Beds.md', change: 'moved', to: 'Trellis.md' }],
    });
    expect(JSON.stringify(await vault.data('searchMemory', { query: 'trellis' }))).toContain(
      'Plan',
    );
    await vault.data('createState', stateNamed('Later', { activeFiles: ['Beds.md'] }));
    expect(await vault.data('loadState', { name: 'Later' })).toMatchObject({
      activeFiles: ['Beds.md'],
    });
    const { isWhole } = await verify(vault.files, 'Savepoint', { now: vault.clock.now() });
    expect(isWhole).toBe(true);
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

  it('lists files that are modified, moved or removed, and counts the others', async () => {
    const vault = createTestVault();
    for (const path of ['same.md', 'edited.md', 'gone.md', 'a/renamed.md', 'a/moved.md'])
      vault.files.put(path, `text of ${path}`);
    vault.clock.advance(1000);
    const inVault = ['same.md', 'edited.md', 'gone.md', 'a/renamed.md', 'a/moved.md'];
    const elsewhere = ['src/pay.ts', 'src/tax.ts', '/home/me/x.ts', '../up.md'];
    await vault.data(
      'createState',
      stateNamed('Plan', { activeFiles: [...inVault, ...elsewhere] }),
    );
    vault.clock.advance(1000);
    vault.files.put('edited.md', 'new text');
    for (const path of ['gone.md', 'a/renamed.md', 'a/moved.md']) await vault.files.remove(path);
    vault.files.put('a/new name.md', 'text of a/renamed.md');
    vault.files.put('b/c/moved.md', 'text of a/moved.md');
    expect(await vault.data('loadState', { name: 'Plan' })).toMatchObject({
      activeFiles: [...inVault, 'src/pay.ts', 'src/tax.ts', 'outside:x.ts', '../up.md'],
      changedFiles: [
        { path: 'edited.md', change: 'modified' },
        { path: 'gone.md', change: 'removed' },
        { path: 'a/renamed.md', change: 'moved', to: 'a/new name.md' },
        { path: 'a/moved.md', change: 'moved', to: 'b/c/moved.md' },
      ],
      otherFiles: '2 not in this vault (src); 2 outside the vault',
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
    expect(await one.data('listStates', { includeArchived: true })).toMatchObject([
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
      notice: `Later saves stay in "${own}" unless you pass workspaceId "Garden".`,
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

  it('says first which states are newer, and continues what was loaded or saved', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('One'), { session: 'a' });
    vault.clock.advance(1000);
    await vault.data('createState', stateNamed('Two'), { session: 'a' });
    await vault.data('loadState', { name: 'Two' }, { session: 'b' });
    vault.clock.advance(1000);
    await vault.data('createState', stateNamed('Three'), { session: 'b' });
    const data = (await vault.data('loadState', { name: 'One' })) as object;
    expect(data).toMatchObject({ newer: ['Three'] });
    expect(Object.keys(data).slice(0, 2)).toEqual(['name', 'newer']);
    expect(await vault.data('loadState', { name: 'Three' })).not.toHaveProperty('newer');
    await vault.data('archiveState', { name: 'Three' });
    expect(await vault.data('loadState', { name: 'One' })).toMatchObject({ newer: ['Two'] });
  });

  it('names what is perhaps newer, and tells of what is perhaps older', async () => {
    const vault = createTestVault();
    const bath = (name: string, more: object) =>
      vault.data(
        'createState',
        stateNamed(name, { activeFiles: ['House/Bath.md'], continues: '', ...more }),
      );
    await bath('Plumbing', { conversationContext: 'Rossi wants 900 euros for the pipes.' });
    vault.clock.advance(1000);
    await bath('Upstairs, tiles', { conversationContext: 'The tiles come from Udine.' });
    expect(await vault.data('loadState', { name: 'Plumbing' })).toMatchObject({
      perhapsNewer: ['Upstairs, tiles'],
    });
    const newest = await vault.data('loadState', { name: 'Upstairs, tiles' });
    expect(newest).not.toHaveProperty('perhapsNewer');
    expect(newest).toMatchObject({
      perhaps: [{ state: 'Plumbing', context: ['Rossi wants 900 euros for the pipes.'] }],
    });
  });

  it('names both if two devices have continued one state at once', async () => {
    const [one, two] = [createTestVault({ seed: 1 }), createTestVault({ seed: 2 })];
    await one.data('createState', stateNamed('Start'));
    copyLog(one, two);
    two.clock.advance(1000);
    await two.data('createState', stateNamed('There', { continues: 'Start' }));
    await one.data('createState', stateNamed('Here', { continues: 'Start' }));
    copyLog(two, one);
    expect(await one.data('loadState', { name: 'Start' })).toMatchObject({
      newer: ['There', 'Here'],
    });
    expect(await one.data('loadState', { name: 'Here' })).toMatchObject({ alsoNewest: ['There'] });
  });

  it('shows what earlier states of its work decided, after the state itself', async () => {
    const vault = createTestVault();
    const body = 'because mobile apps have no cookies';
    await vault.data('createRecord', { resource: 'decision', title: 'Use JWT', body });
    await vault.data(
      'createState',
      stateNamed('Auth 1', {
        decisions: ['Use JWT', 'Tokens live 5 minutes'],
        questions: ['Refresh?', 'Who pays?'],
      }),
    );
    await vault.data(
      'createState',
      stateNamed('Other work', { decisions: ['Paint it'], continues: '' }),
    );
    vault.clock.advance(24 * 60 * 60_000);
    await vault.data(
      'createState',
      stateNamed('Auth 2', { decisions: ['Tokens live 1 hour'], continues: 'auth 1' }),
    );
    await vault.data('updateRecord', {
      title: 'Tokens live 5 minutes',
      supersededBy: 'Tokens live 1 hour',
    });
    await vault.data('updateRecord', { title: 'Refresh?', status: 'done' });
    await vault.data(
      'createState',
      stateNamed('Auth 3', { decisions: ['Log out everywhere'], questions: ['who pays?'] }),
    );
    const answer = await vault.call('loadState', { name: 'Auth 3' });
    expect(answer.notice).toBe('More open records: 1. See listRecords.');
    const data = (answer as { data: Record<string, unknown> }).data;
    expect(data).toMatchObject({
      decisions: ['Log out everywhere'],
      questions: ['who pays?'],
      earlier: [
        {
          state: 'Auth 2',
          savedOn: '2026-11-21',
          decisions: ['Tokens live 1 hour [instead of "Tokens live 5 minutes"]'],
        },
        { state: 'Auth 1', savedOn: '2026-11-20', decisions: [`Use JWT – ${body}`] },
      ],
    });
    const fields = Object.keys(data);
    expect(fields.indexOf('earlier')).toBeGreaterThan(fields.indexOf('conversationContext'));
    expect(await vault.data('loadState', { name: 'Auth 1' })).not.toHaveProperty('earlier');
    expect(await vault.data('loadState', { name: 'auth' })).toMatchObject({ name: 'Auth 3' });
  });

  it('lists the earlier decisions of one state side by side', async () => {
    const vault = createTestVault();
    const decisions = Array.from({ length: 60 }, (_, at) => `Choice ${at} of the greenhouse plan`);
    await vault.data('createState', stateNamed('Greenhouse', { decisions }));
    await vault.data('createState', stateNamed('Greenhouse 2'));
    const answer = await vault.call('loadState', { name: 'Greenhouse 2' });
    expect(answer.notice).toBeUndefined();
    expect(answer.data).toMatchObject({ earlier: [{ state: 'Greenhouse', decisions }] });
  });
});

function copyLog(from: TestVault, to: TestVault): void {
  for (const path of from.files.paths())
    if (path.endsWith('.jsonl')) to.files.put(path, from.files.text(path));
}
