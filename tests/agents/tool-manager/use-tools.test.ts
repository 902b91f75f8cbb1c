import { describe, expect, it } from 'vitest';
import { createTestVault, garden, stateNamed } from '../../fakes/test-vault.js';

const call = (tool: string, params: Record<string, unknown> = {}, agent = 'memoryManager') => ({
  agent,
  tool,
  params,
});

const SAVED_IN_DEFAULT = {
  agent: 'memoryManager',
  tool: 'createState',
  success: true,
  workspace: 'Default',
  notice: expect.stringContaining('Saved in "Default"') as string,
};

describe('useTools', () => {
  it('returns the documented answers of three flows', async () => {
    const vault = createTestVault();
    const flow1 = {
      context: { workspaceId: 'default', sessionId: 'setup', memory: '', goal: 'Setup project' },
      calls: [
        {
          agent: 'memoryManager',
          tool: 'createWorkspace',
          params: {
            name: 'Project Alpha',
            description: 'E-commerce platform rebuild',
            rootFolder: 'projects/alpha',
            purpose: 'Rebuild legacy e-commerce platform',
          },
        },
      ],
    };
    expect(await vault.call('useTools', flow1)).toEqual({ success: true });
    // The specification uses "ws-abc123" for an existing workspace.
    await vault.data('createWorkspace', { ...garden, name: 'ws-abc123' });
    const flow2 = {
      context: { workspaceId: 'ws-abc123', sessionId: 'session-1' },
      calls: [
        {
          agent: 'memoryManager',
          tool: 'createState',
          params: {
            name: 'Auth Module Progress',
            conversationContext:
              'We decided on JWT tokens for auth and set up the basic structure.',
            activeTask: 'Implementing token refresh logic',
            activeFiles: ['src/auth/jwt.ts', 'src/auth/middleware.ts'],
            nextSteps: ['Add refresh token endpoint', 'Test token expiration', 'Add logout flow'],
            tags: ['auth', 'in-progress'],
          },
        },
      ],
    };
    expect(await vault.call('useTools', flow2)).toEqual({ success: true });
    const flow3 = {
      context: { workspaceId: 'ws-abc123', sessionId: 'session-2' },
      calls: [
        { agent: 'memoryManager', tool: 'loadState', params: { name: 'Auth Module Progress' } },
      ],
    };
    expect(await vault.call('useTools', flow3)).toMatchObject({
      success: true,
      data: flow2.calls[0]!.params,
    });
  });

  it('stops at the first failure and reports every call', async () => {
    const vault = createTestVault();
    const calls = [
      call('createState', stateNamed('A')),
      call('loadState', { name: 'Missing' }),
      call('createState', stateNamed('B')),
      call('listStates'),
    ];
    expect(await vault.call('useTools', { calls })).toEqual({
      success: false,
      data: {
        results: [
          SAVED_IN_DEFAULT,
          {
            agent: 'memoryManager',
            tool: 'loadState',
            success: false,
            workspace: 'Default',
            error: 'State "Missing" not found. Use listStates to see available states.',
          },
          {
            agent: 'memoryManager',
            tool: 'createState',
            success: false,
            error: 'Skipped: call 2 failed.',
          },
          {
            agent: 'memoryManager',
            tool: 'listStates',
            success: false,
            error: 'Skipped: call 2 failed.',
          },
        ],
      },
    });
    expect(await vault.data('listStates')).toMatchObject([{ name: 'A' }]);
  });

  it('runs all parallel calls despite failures', async () => {
    const vault = createTestVault();
    const calls = [
      call('loadState', { name: 'Missing' }),
      ...Array.from({ length: 20 }, (_, at) => call('createState', stateNamed(`S${at}`))),
    ];
    const { success, data } = (await vault.call('useTools', { calls, strategy: 'parallel' })) as {
      success: boolean;
      data: { results: { success: boolean }[] };
    };
    expect(success).toBe(false);
    expect(data.results.map((result) => result.success)).toEqual([
      false,
      ...Array.from({ length: 20 }, () => true),
    ]);
    expect(await vault.data('listStates')).toHaveLength(20);
  });

  it('runs later calls in a workspace that an earlier call created', async () => {
    const vault = createTestVault();
    await vault.data('useTools', {
      calls: [call('createWorkspace', garden), call('createState', stateNamed('Inside'))],
    });
    expect(await vault.data('loadWorkspace', { name: 'Garden' })).toMatchObject({
      states: [{ name: 'Inside' }],
    });
  });

  it('stores the context with each trace, but no trace of itself', async () => {
    const vault = createTestVault();
    const context = {
      sessionId: 'chat-7',
      memory: 'Talked about auth',
      goal: 'Finish OAuth',
      constraints: 'Stay compatible',
    };
    await vault.data('useTools', { context, calls: [call('listStates'), call('listWorkspaces')] });
    const traces = await vault.log.readTraces(await vault.log.traceEntries('default'));
    expect(traces.map(({ tool }) => tool)).toEqual(['listWorkspaces', 'listStates']);
    for (const trace of traces)
      expect(trace).toMatchObject({
        sessionId: 'chat-7',
        memory: context.memory,
        goal: context.goal,
        constraints: context.constraints,
      });
  });

  it('suggests the closest toolset and tool, and cannot call itself', async () => {
    const vault = createTestVault();
    expect(await vault.error('useTools', { calls: [call('listStates', {}, 'memoryManger')] })).toBe(
      'Toolset "memoryManger" does not exist. Did you mean "memoryManager"? Valid toolsets: memoryManager, searchManager, projectManager, storageManager, indexManager, validationManager, traceManager, vcsManager.',
    );
    expect(await vault.error('useTools', { calls: [call('listState')] })).toContain(
      'Tool "listState" does not exist. Did you mean "listStates"',
    );
    expect(
      await vault.error('useTools', { calls: [call('searchMemory', {}, 'memoryManager')] }),
    ).toBe('"searchMemory" is a tool of "searchManager".');
    expect(
      await vault.error('useTools', { calls: [call('useTools', { calls: [] }, 'toolManager')] }),
    ).toContain('Toolset "toolManager" does not exist.');
  });

  it('refuses an empty list, too many calls and malformed calls', async () => {
    const vault = createTestVault();
    expect(await vault.error('useTools', { calls: [] })).toContain(
      '"calls" must be a non-empty array of objects, got an empty array.',
    );
    expect(await vault.error('useTools', {})).toContain(
      'Missing required parameter "calls" (non-empty array of objects).',
    );
    expect(await vault.error('useTools', { calls: [{ agent: 'memoryManager' }] })).toContain(
      'Missing required parameter "calls.0.tool" (string).',
    );
    expect(
      await vault.error('useTools', { calls: [call('listStates')], context: { workspace: 'x' } }),
    ).toContain('Unknown context field "workspace". Did you mean "workspaceId"?');
    expect(
      await vault.error('useTools', {
        calls: Array.from({ length: 51 }, () => call('listStates')),
      }),
    ).toContain('"calls"');
  });

  it('skips the remaining calls when cancelled', async () => {
    const controller = new AbortController();
    const vault = createTestVault({
      refuse: (_, __, { params }) => {
        if (params['name'] === 'B') controller.abort();
        return Promise.resolve(undefined);
      },
    });
    const calls = ['A', 'B', 'C'].map((name) => call('createState', stateNamed(name)));
    expect(await vault.call('useTools', { calls }, { signal: controller.signal })).toEqual({
      success: false,
      data: {
        results: [
          SAVED_IN_DEFAULT,
          {
            agent: 'memoryManager',
            tool: 'createState',
            success: false,
            workspace: 'Default',
            error: 'The call was cancelled before it had any effect.',
          },
          {
            agent: 'memoryManager',
            tool: 'createState',
            success: false,
            error: 'Skipped: the calls were cancelled.',
          },
        ],
      },
    });
    expect(await vault.data('listStates')).toMatchObject([{ name: 'A' }]);
    expect(
      await vault.call('useTools', { calls, strategy: 'parallel' }, { signal: controller.signal }),
    ).toMatchObject({ success: false });
    expect(await vault.data('listStates')).toHaveLength(1);
  });

  it('gives each call its own idempotency key', async () => {
    const vault = createTestVault();
    const calls = [call('createState', stateNamed('A')), call('createState', stateNamed('B'))];
    expect(await vault.call('useTools', { calls }, { key: 'k' })).toMatchObject({ success: true });
    expect(await vault.call('useTools', { calls }, { key: 'k' })).toMatchObject({ success: true });
    expect(await vault.data('listStates')).toHaveLength(2);
  });
});
