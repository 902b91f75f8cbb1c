import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/model/event.js';
import { createReadStats } from '../../../../src/transfer/foreign/foreign-memory.js';
import { readNexus } from '../../../../src/transfer/foreign/nexus/nexus.js';
import {
  CONTEXT,
  conversationBegun,
  nexusLine,
  savedState,
  shardsOf,
  stateDeleted,
  stateSaved,
  stateUpdated,
  traceAdded,
  workspaceCreated,
  workspaceDeleted,
  workspaceUpdated,
  type NexusLine,
} from '../nexus-vault.js';

const T = Date.UTC(2026, 4, 1);

async function read(...lines: NexusLine[]) {
  const account = createReadStats();
  const gathered = await readNexus(shardsOf(lines), [], account);
  return { ...gathered, account, leftOut: Object.fromEntries(account.leftOut) };
}

const workspaceWith = async (data: JsonObject) =>
  (await read(workspaceCreated('w1', T, data))).workspaces[0]!.fields;
const stateWith = async (saved: JsonObject, more: JsonObject = {}) =>
  (await read(stateSaved('s1', 'w1', T, CONTEXT, { stateJson: JSON.stringify(saved), ...more })))
    .states[0]!.content;

describe('a Nexus workspace', () => {
  it('maps its fields, and keeps the rest in the preferences', async () => {
    const context = {
      purpose: 'Grow',
      keyFiles: ['a.md'],
      preferences: 'Be plain.',
      dedicatedAgent: { agentId: 'a', agentName: 'Ann' },
      workflows: [
        { name: 'Sow', when: 'in May', steps: 'Dig\nSow', schedule: { every: 'week' } },
        { name: 'Reap', when: '', steps: 'Cut' },
      ],
    };
    expect(
      await workspaceWith({
        name: 'Garden',
        description: 'All of it',
        rootFolder: '/Garden/',
        isActive: false,
        dedicatedAgentId: 'a',
        contextJson: JSON.stringify(context),
      }),
    ).toEqual({
      name: 'Garden',
      description: 'All of it',
      rootFolder: 'Garden',
      purpose: 'Grow',
      keyFiles: ['a.md'],
      workflows: ['Sow (in May): Dig\nSow\n{"schedule":{"every":"week"}}', 'Reap: Cut'],
      preferences: {
        guidelines: 'Be plain.',
        dedicatedAgent: { agentId: 'a', agentName: 'Ann' },
        dedicatedAgentId: 'a',
        isActive: false,
      },
    });
  });

  it.each([
    ['preferences that are an object', { preferences: { tone: 'dry' } }, { tone: 'dry' }],
    [
      'workflows in another format',
      { workflows: { a: 1 }, keyFiles: 'x.md' },
      { workflows: { a: 1 }, keyFiles: 'x.md' },
    ],
    [
      'a workflow with steps in a list',
      { workflows: [{ name: 'A', steps: ['b'] }] },
      { workflows: [{ name: 'A', steps: ['b'] }] },
    ],
  ])('keeps %s', async (_what, context, preferences) => {
    expect((await workspaceWith({ contextJson: JSON.stringify(context) })).preferences).toEqual(
      preferences,
    );
  });

  it('keeps an invalid context or folder in the preferences', async () => {
    expect((await workspaceWith({ contextJson: '{"torn' })).preferences).toEqual({
      context: '{"torn',
    });
    const deep = JSON.parse(`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`) as JsonObject;
    expect((await workspaceWith({ contextJson: JSON.stringify(deep) })).preferences).toEqual({
      nexus: JSON.stringify(deep),
    });
    expect(await workspaceWith({ rootFolder: '../elsewhere' })).toMatchObject({
      rootFolder: '/',
      preferences: { rootFolder: '../elsewhere' },
    });
  });

  it('leaves missing fields empty', async () => {
    const bare = {
      name: '',
      description: '',
      rootFolder: '/',
      purpose: '',
      workflows: [],
      keyFiles: [],
      preferences: {},
    };
    const created = nexusLine('workspaces/w1', T, {
      type: 'workspace_created',
      data: { id: 'w1' },
    });
    expect((await read(created)).workspaces[0]?.fields).toStrictEqual(bare);
    for (const contextJson of [
      '',
      JSON.stringify({ preferences: '  ' }),
      JSON.stringify({ preferences: 5, purpose: 5 }),
    ])
      expect(await workspaceWith({ name: '', contextJson })).toStrictEqual(bare);
  });

  it.each([
    ['Sow', 'Sow'],
    [{ steps: 'Dig' }, 'Dig'],
    [{ name: 'Sow' }, 'Sow'],
    [{ when: 'in May', steps: 'Dig' }, '(in May): Dig'],
  ])('keeps the workflow %j as %j', async (flow, text) => {
    const { workflows, preferences } = await workspaceWith({
      contextJson: JSON.stringify({ workflows: [flow] }),
    });
    expect({ workflows, preferences }).toStrictEqual({ workflows: [text], preferences: {} });
  });

  it.each([5, null, { name: 5 }, { when: 5 }, { steps: 5 }])(
    'keeps the invalid workflow %j and its neighbors unchanged',
    async (flow) => {
      const { workflows, preferences } = await workspaceWith({
        contextJson: JSON.stringify({ workflows: ['Sow', flow] }),
      });
      expect({ workflows, preferences }).toStrictEqual({
        workflows: [],
        preferences: { workflows: ['Sow', flow] },
      });
    },
  );

  it.each([
    [null, '/'],
    ['', '/'],
    ['/', '/'],
    [' //a/b// ', 'a/b'],
  ])('reads the folder %j as %j', async (rootFolder, shown) => {
    expect(await workspaceWith({ rootFolder })).toMatchObject({
      rootFolder: shown,
      preferences: {},
    });
  });

  it('keeps a root folder that is not a string', async () => {
    const { rootFolder, preferences } = await workspaceWith({ rootFolder: 5, dedicatedAgentId: 5 });
    expect({ rootFolder, preferences }).toStrictEqual({
      rootFolder: '/',
      preferences: { rootFolder: 5 },
    });
  });

  it('changes with every line that records more than its last use', async () => {
    const { workspaces, leftOut } = await read(
      workspaceUpdated('w1', T + 1, { lastAccessed: 5 }),
      workspaceDeleted('w1', T + 3),
      workspaceUpdated('w1', T + 2, { name: 'Later' }),
      // Written by a device whose clock is ahead.
      workspaceCreated('w1', T + 9, { name: 'First', created: T - 5 }),
    );
    expect(workspaces).toMatchObject([
      {
        at: T - 5,
        fields: { name: 'First' },
        isGuessed: false,
        changes: [
          { at: T + 2, fields: { name: 'Later', isArchived: false } },
          { at: T + 3, fields: { name: 'Later', isArchived: true } },
        ],
      },
    ]);
    expect(leftOut).toEqual({ lastUse: 1 });
  });

  it('can start archived and be restored', async () => {
    const { workspaces } = await read(
      workspaceCreated('w1', T, { isArchived: true, created: T - 5 }),
      workspaceUpdated('w1', T + 1, { isArchived: false }),
    );
    expect(workspaces[0]?.changes.map(({ at, fields }) => [at, fields.isArchived])).toEqual([
      [T - 5, true],
      [T + 1, false],
    ]);
  });

  it('gets a placeholder if its own lines are lost', async () => {
    const { workspaces, states } = await read(
      stateSaved('s1', 'w1', T + 5),
      traceAdded('t1', 'w1', T + 3),
      workspaceUpdated('w2', T, { name: 'Known' }),
      stateSaved('s2', 'default', T),
    );
    expect(
      workspaces.map(({ key, at, fields: { name }, isGuessed }) => [key, at, name, isGuessed]),
    ).toEqual([
      ['w2', T, 'Known', true],
      ['default', T, 'Default of Nexus', true],
      ['w1', T + 3, 'Nexus workspace w1', true],
    ]);
    expect(states).toHaveLength(2);
  });
});

describe('a placeholder workspace', () => {
  it('has the next known name, otherwise its key', async () => {
    const { workspaces } = await read(
      workspaceUpdated('w2', T, { description: 'About' }),
      workspaceUpdated('w2', T + 1, { name: 'Known' }),
      workspaceUpdated('w2', T + 2, { name: 'Later' }),
      workspaceUpdated('x'.repeat(50), T, { description: 'About' }),
    );
    expect(workspaces.map(({ fields: { name } }) => name)).toEqual([
      'Known',
      `Nexus workspace ${'x'.repeat(40)}`,
    ]);
  });

  it('has the creation time of its oldest item', async () => {
    const { workspaces } = await read(
      stateSaved('s1', 'w1', T + 5),
      traceAdded('t1', 'w1', T + 3),
      conversationBegun('c1', T + 4, { workspaceId: 'w1' }),
      conversationBegun('c2', T + 2, { workspaceId: 'w2' }),
      conversationBegun('c3', T + 1),
    );
    expect(workspaces.map(({ key, at, fields }) => [key, at, fields])).toStrictEqual([
      ['w1', T + 3, { name: 'Nexus workspace w1', description: '', rootFolder: '/', purpose: '' }],
      ['w2', T + 2, { name: 'Nexus workspace w2', description: '', rootFolder: '/', purpose: '' }],
    ]);
  });
});

describe('a Nexus state', () => {
  it('leaves missing fields empty', async () => {
    const bare = { conversationContext: '', activeTask: '', activeFiles: [], nextSteps: [] };
    expect(await stateWith({ context: {} })).toStrictEqual({ ...bare, name: 'State s1' });
    expect(await stateWith({ context: {} }, { name: null, description: '' })).toStrictEqual({
      ...bare,
      name: '',
    });
    expect(await stateWith({}, { stateJson: null })).toStrictEqual({ ...bare, name: 'State s1' });
    const lone = nexusLine('workspaces/w1', T, {
      type: 'state_saved',
      data: { id: 's1', stateJson: '{}' },
    });
    expect((await read(lone)).states).toMatchObject([
      { workspace: '', content: { ...bare, name: '' } },
    ]);
  });

  it('omits empty values and repeated descriptions', async () => {
    const odd = { a: null, b: '', c: [], d: {}, e: 0, f: false };
    const { conversationContext, description } = await stateWith({
      description: 'Half way',
      context: odd,
      ...odd,
    });
    expect(conversationContext).toBe(
      `Also kept from Nexus:\n${JSON.stringify({ e: 0, f: false }, null, 2)}`,
    );
    expect(description).toBe('Half way');
  });

  it.each([
    [{ context: { workspaceContext: { purpose: 'a copy' } } }, { copies: 1 }],
    [{ context: {}, state: { workspace: { id: 'w1' } } }, { copies: 1 }],
    [{ context: {}, state: { recentTraces: [{ id: 't1' }] } }, { copies: 1 }],
    [{ context: {}, state: {} }, {}],
  ])('counts the copies in %j', async (saved, copies) => {
    const { states, leftOut } = await read(
      stateSaved('s1', 'w1', T, CONTEXT, { stateJson: JSON.stringify(saved) }),
    );
    expect(leftOut).toEqual(copies);
    expect(states[0]?.content.conversationContext).toBe('');
  });

  it('keeps its fields, description and tags', async () => {
    const { states, leftOut } = await read(
      stateSaved('s1', 'w1', T, CONTEXT, {
        name: 'Plan',
        description: 'Half way',
        tags: ['x'],
        created: T - 9,
      }),
    );
    expect(states).toMatchObject([
      {
        key: 's1',
        workspace: 'w1',
        at: T - 9,
        content: { ...CONTEXT, name: 'Plan', description: 'Half way', tags: ['x'] },
        archived: [],
      },
    ]);
    expect(leftOut).toEqual({ copies: 1 });
  });

  it('appends unmapped data to its context', async () => {
    const saved = {
      ...savedState('s1', 'w1', { ...CONTEXT, mood: 'good', nextSteps: 'one text' }, { score: 3 }),
      extra: [1],
    };
    const { conversationContext, nextSteps } = await stateWith(saved);
    expect(nextSteps).toEqual([]);
    const [before, after] = conversationContext.split('\n\nAlso kept from Nexus:\n');
    expect(before).toBe('We spoke');
    expect(JSON.parse(after!)).toEqual({
      mood: 'good',
      nextSteps: 'one text',
      extra: [1],
      score: 3,
    });
  });

  it('is also read in other formats', async () => {
    expect(await stateWith({ ...CONTEXT, name: 'Inner' }, { name: null })).toEqual({
      ...CONTEXT,
      name: 'Inner',
    });
    const saved = savedState('s1', 'w1', CONTEXT, { tags: ['inner'] });
    (saved['state'] as JsonObject)['contextFiles'] = ['a.md', 'b.md'];
    expect(await stateWith(saved)).toMatchObject({
      tags: ['inner'],
      activeFiles: ['a.md', 'b.md'],
    });
    const { states } = await read(
      stateSaved('s1', 'w1', T, CONTEXT, { stateJson: 'torn {', name: 'Torn' }),
    );
    expect(states[0]?.content).toMatchObject({ name: 'Torn', conversationContext: 'torn {' });
  });

  it('keeps its session if it has one', async () => {
    const line = nexusLine('workspaces/w1', T, {
      type: 'state_saved',
      workspaceId: 'w1',
      sessionId: 'session-7',
      data: { id: 's1', name: 'A', stateJson: JSON.stringify(savedState('s1', 'w1', CONTEXT)) },
    });
    expect((await read(line)).states[0]?.content.conversationContext).toContain(
      '"session": "session-7"',
    );
  });

  it('is archived by flag or deletion, and restored by flag', async () => {
    const flagged = (isArchived: boolean) => ({
      stateJson: JSON.stringify(savedState('s1', 'w1', CONTEXT, { isArchived })),
    });
    const { states } = await read(
      stateSaved('s1', 'w1', T),
      stateUpdated('s1', 'w1', T + 1, flagged(true)),
      stateUpdated('s1', 'w1', T + 2, { tags: ['later'] }),
      stateUpdated('s1', 'w1', T + 3, flagged(false)),
      stateDeleted('s1', 'w1', T + 4),
    );
    expect(states[0]).toMatchObject({
      archived: [
        { at: T + 1, isArchived: true },
        { at: T + 3, isArchived: false },
        { at: T + 4, isArchived: true },
      ],
      content: { tags: ['later'] },
    });
    expect(states[0]?.content.conversationContext).toBe('We spoke');
  });

  it('is skipped if only its deletion is known', async () => {
    const { states, leftOut } = await read(
      workspaceCreated('w1', T),
      stateDeleted('s1', 'w1', T + 4),
    );
    expect(states).toEqual([]);
    expect(leftOut).toEqual({ orphans: 1 });
  });
});

describe('a Nexus trace', () => {
  it('keeps its call, goal and outcome, without secrets', async () => {
    const { traces } = await read(
      traceAdded('t1', 'w1', T, {
        tool: { id: 'x', agent: 'contentManager', mode: 'read' },
        context: {
          memory: 'We garden',
          goal: 'Read',
          constraints: 'Quick',
          workspaceId: 'w1',
          sessionId: 'session-1',
        },
        input: { arguments: { path: 'a.md', key: 'sk-abcdefghijklmnopqrstuv' }, files: ['a.md'] },
        outcome: { success: false, error: { message: 'Gone' } },
      }),
    );
    expect(traces).toMatchObject([{ key: 't1', at: T, workspace: 'w1' }]);
    expect(traces[0]?.trace).toMatchObject({
      toolset: 'contentManager',
      tool: 'read',
      sessionId: 'session-1',
      outcome: 'Gone',
      isSuccess: false,
      memory: 'We garden',
      goal: 'Read',
      constraints: 'Quick',
    });
    expect(JSON.parse(traces[0]!.trace.input)).toEqual({
      content: 'Did t1',
      path: 'a.md',
      key: '[secret]',
      files: ['a.md'],
    });
  });

  it('keeps the same data if an older version wrote it', async () => {
    const { traces } = await read(
      traceAdded('t1', 'w1', T, {
        tool: 'old',
        params: 'all',
        context: { sessionMemory: 'M', primaryGoal: 'A', subgoal: 'B' },
      }),
      traceAdded('t2', 'w1', T + 1, { legacy: { params: { a: 1 } } }),
    );
    expect(
      traces.map(({ trace: { tool, input, memory, goal, isSuccess } }) => [
        tool,
        input,
        memory,
        goal,
        isSuccess,
      ]),
    ).toEqual([
      ['old', '{"content":"Did t1","params":"all"}', 'M', 'A - B', true],
      ['tool_call', '{"content":"Did t2","a":1}', '', '', true],
    ]);
  });
});

describe('Nexus traces', () => {
  const traceWith = (data: JsonObject, more: JsonObject = {}) =>
    nexusLine('workspaces/w1', T, { type: 'trace_added', ...more, data });

  it('are sorted by time, then by key, without duplicates', async () => {
    const { traces } = await read(
      traceAdded('b', 'w1', T),
      traceAdded('a', 'w1', T),
      traceAdded('c', 'w1', T - 1),
      traceAdded('x', 'w1', T + 1),
      traceAdded('y', 'w1', T + 2),
      traceAdded('x', 'w1', T + 3),
    );
    expect(traces.map(({ key }) => key)).toEqual(['c', 'a', 'b', 'y', 'x']);
  });

  it('can lack everything except an id', async () => {
    const { traces, leftOut } = await read(traceWith({ id: 't1' }), traceWith({ content: 'Lost' }));
    expect(leftOut).toEqual({ orphans: 1 });
    expect(traces).toMatchObject([{ key: 't1', workspace: '' }]);
    expect(traces[0]?.trace).toMatchObject({
      toolset: '',
      tool: 'note',
      sessionId: '',
      input: '{}',
      memory: '',
      goal: '',
      isSuccess: true,
    });
  });

  it('keep invalid JSON as text, and omit empty values', async () => {
    const { traces } = await read(
      traceWith({ id: 't1', content: '', metadataJson: 'torn {' }),
      traceWith({
        id: 't2',
        content: '',
        metadataJson: JSON.stringify({ input: { arguments: { a: '' }, files: [], note: null } }),
      }),
    );
    expect(traces.map(({ trace: { input } }) => input)).toEqual([
      '{"metadata":"torn {"}',
      '{"a":""}',
    ]);
  });
});

describe('other lines of Nexus', () => {
  it('are counted as skipped, and duplicates are read once', async () => {
    const line = (type: string) =>
      nexusLine('workspaces/w1', T, { type, workspaceId: 'w1', data: { id: 'x', name: 'X' } });
    const twice = workspaceCreated('w1', T);
    const { leftOut, account, workspaces } = await read(
      twice,
      twice,
      line('session_created'),
      line('session_updated'),
      line('task_updated'),
      line('project_updated'),
      line('news'),
    );
    expect(leftOut).toEqual({ sessions: 2, orphans: 2, unknown: 1 });
    expect(account).toMatchObject({ read: 7, duplicates: 1, troubles: [] });
    expect(workspaces).toHaveLength(1);
  });
});
