import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { Services } from '../../src/agents/services.js';
import { Refusal } from '../../src/model/refusal.js';
import { callTool } from '../../src/toolkit/call-tool.js';
import type { ContextDefaults } from '../../src/toolkit/context-defaults.js';
import { toolDefiner, type Tool } from '../../src/toolkit/define-tool.js';
import { createTestVault, garden, stateNamed } from '../fakes/test-vault.js';
import { inFull } from '../tier.js';

const itInFull = it.runIf(inFull('thousands of sessions'));

const { defineTool } = toolDefiner<Services>();

function toolThat(run: () => Promise<unknown>): Tool<Services> {
  const facts = {
    title: 'T',
    access: 'write' as const,
    action: { resource: 'thing', name: 'try' },
    description: 'D',
    input: z.strictObject({ text: z.string().optional() }),
    failures: {},
    examples: [],
  };
  return defineTool({ name: 'tryIt', ...facts, run });
}

async function callThat(run: () => Promise<unknown>, params: unknown = {}) {
  const vault = createTestVault();
  const toolkit = {
    ...vault.toolkit,
    toolsets: [{ name: 'tester', description: '', tools: [toolThat(run)] }],
  };
  const answer = await callTool(toolkit, { tool: 'tryIt', params, defaults: { sessionId: 's' } });
  return { answer, vault };
}

describe('callTool', () => {
  it('returns the data of the tool, if any', async () => {
    expect((await callThat(() => Promise.resolve([1]))).answer).toEqual({
      success: true,
      data: [1],
    });
    expect((await callThat(() => Promise.resolve(undefined))).answer).toEqual({ success: true });
  });

  it('returns the text of a refusal', async () => {
    expect((await callThat(() => Promise.reject(new Refusal('No. Try this.')))).answer).toEqual({
      success: false,
      error: 'No. Try this.',
    });
  });

  it('reports an unexpected error once, and hides its details', async () => {
    const { answer, vault } = await callThat(() => Promise.reject(new TypeError('secret detail')), {
      text: 'private',
    });
    expect(answer).toMatchObject({ success: false });
    expect(JSON.stringify(answer)).not.toMatch(/secret|private|TypeError|at /);
    expect(vault.reports).toHaveLength(1);
    expect(await vault.data('listStates')).toEqual([]);
  });

  it.each([['text'], [[1]], [5], [true]])('refuses the parameters %j', async (params) => {
    const error = await createTestVault().error('listStates', params);
    expect(error).toMatch(
      /^The parameters must be an object, got .*\. Send \{"name": value, \.\.\.\}\.$/,
    );
  });

  it('treats absent parameters as an empty object', async () => {
    for (const params of [undefined, null])
      expect(await createTestVault().call('listStates', params)).toEqual({
        success: true,
        workspace: 'Default',
        data: [],
      });
  });

  it('authorizes after validation, and traces a refused call', async () => {
    const vault = createTestVault({
      refuse: (tool) =>
        Promise.resolve(
          tool.access === 'write' && !tool.isRelay ? 'Not allowed. Ask Ana.' : undefined,
        ),
    });
    expect(await vault.error('createWorkspace', {})).toContain(
      'Missing required parameter "name" (string)',
    );
    expect(await vault.error('createWorkspace', garden)).toBe('Not allowed. Ask Ana.');
    expect(
      await vault.error('useTools', {
        calls: [{ agent: 'memoryManager', tool: 'createWorkspace', params: garden }],
      }),
    ).toBe('Not allowed. Ask Ana.');
    expect(await vault.files.stat('Garden')).toBeUndefined();
    const traces = await vault.log.readTraces(await vault.log.traceEntries('default'));
    expect(traces[0]).toMatchObject({
      tool: 'createWorkspace',
      isSuccess: false,
      outcome: 'Not allowed. Ask Ana.',
    });
  });

  it('stores a trace of each call with its workspace and session', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan'), { session: 'chat-1' });
    await vault.call('loadState', { name: 'None' }, { session: 'chat-2' });
    const traces = await vault.log.readTraces(await vault.log.traceEntries('default'));
    expect(traces.map(({ tool, sessionId, isSuccess }) => [tool, sessionId, isSuccess])).toEqual([
      ['loadState', 'chat-2', false],
      ['createState', 'chat-1', true],
    ]);
  });

  it('succeeds and sends a report if its trace cannot be stored', async () => {
    const vault = createTestVault();
    const toolkit = {
      ...vault.toolkit,
      host: { ...vault.toolkit.host, writeTrace: () => Promise.reject(new Error('disk')) },
    };
    expect(
      await callTool(toolkit, { tool: 'listStates', params: {}, defaults: { sessionId: 's' } }),
    ).toEqual({ success: true, workspace: 'Default', data: [] });
    expect(vault.reports).toHaveLength(1);
  });

  it('refuses a malformed context, and ignores empty strings', async () => {
    const vault = createTestVault();
    expect(await vault.error('listStates', { context: 'x' })).toBe(
      'The context fields must be an object, got string "x". Send {"name": value, ...}.',
    );
    expect(await vault.error('listStates', { context: { sesionId: 'x' } })).toContain(
      'Unknown context field "sesionId". Did you mean "sessionId"?',
    );
    expect(
      await vault.call('listStates', { context: { workspaceId: '', sessionId: '', memory: '' } }),
    ).toEqual({
      success: true,
      workspace: 'Default',
      data: [],
    });
  });

  it('uses the workspace of the context, else the session, else the default', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden, { session: 'in garden' });
    await vault.data('createState', stateNamed('G'), { session: 'in garden' });
    await vault.data('createState', stateNamed('D'));
    const { id } = (await vault.data(
      'loadWorkspace',
      { name: 'Garden' },
      { session: 'other' },
    )) as { id: string };
    expect(await vault.data('listStates', {}, { session: 'in garden' })).toMatchObject([
      { name: 'G' },
    ]);
    expect(
      await vault.data(
        'listStates',
        { context: { workspaceId: 'default' } },
        { session: 'in garden' },
      ),
    ).toMatchObject([{ name: 'D' }]);
    expect(await vault.data('listStates', { context: { workspaceId: id } })).toMatchObject([
      { name: 'G' },
    ]);
    expect(await vault.data('listStates', { context: { sessionId: 'in garden' } })).toMatchObject([
      { name: 'G' },
    ]);
    expect(await vault.data('listStates')).toMatchObject([{ name: 'D' }]);
  });

  it('accepts workspaceId and sessionId among the parameters', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden, { session: 'other' });
    await vault.data('createState', { ...stateNamed('G'), workspaceId: 'Garden' });
    expect(await vault.call('listStates', { workspaceId: 'garden' })).toMatchObject({
      success: true,
      data: [{ name: 'G' }],
    });
    expect(await vault.call('listStates', { sessionId: 'other', workspaceId: null })).toMatchObject(
      {
        success: true,
        workspace: 'Garden',
        data: [{ name: 'G' }],
      },
    );
    const context = { workspaceId: 'default' };
    expect(await vault.data('listStates', { workspaceId: 'Garden', context })).toEqual([]);
    expect(await vault.error('listStates', { workspaceId: [5] })).toBe(
      '"workspaceId" must be a string, got an array.',
    );
  });

  it("uses the project's workspace after the session's, before the host's", async () => {
    const vault = createTestVault();
    const ids = new Map<string, string>();
    for (const name of ['Project', 'Host', 'Session']) {
      await vault.data('createWorkspace', { ...garden, name }, { session: name });
      ids.set(name, vault.toolkit.sessions.get(name)!);
    }
    const { host } = vault.toolkit;
    const toolkit = {
      ...vault.toolkit,
      host: { ...host, currentWorkspaceId: () => ids.get('Host') },
    };
    const place = async (defaults: ContextDefaults, params = {}) =>
      (await callTool(toolkit, { tool: 'listStates', params, defaults })).workspace;
    const project = { key: 'p', usedByAny: ids.get('Project')! };
    expect(await place({ sessionId: 'Session', project })).toBe('Session');
    expect(await place({ sessionId: 'new', project })).toBe('Project');
    expect(await place({ sessionId: 'new', project: { key: 'p', usedByAny: 'gone' } })).toBe(
      'Host',
    );
    expect(await place({ sessionId: 'new' })).toBe('Host');
    expect(await place({ sessionId: 'new', project, workspaceId: 'default' })).toBeUndefined();
    await vault.data('archiveWorkspace', { name: 'Project' });
    expect(await place({ sessionId: 'new', project })).toBe('Host');
    await vault.data('archiveWorkspace', { name: 'Host' });
    expect(await place({ sessionId: 'new', project })).toBe('Default');
  });

  it('remembers the workspace of a loaded state for a project that has used none', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('Beds'));
    const usedBy = async (sessionId: string, project: ContextDefaults['project']) => {
      let used: string | undefined;
      const onWorkspaceUsed = (id: string) => {
        used = id;
      };
      const defaults = { sessionId, project };
      const request = { tool: 'loadState', params: { name: 'Beds' }, defaults, onWorkspaceUsed };
      expect(await callTool(vault.toolkit, request)).toMatchObject({ success: true });
      return used;
    };
    const { id } = (await vault.data('loadWorkspace', { name: 'Garden' })) as { id: string };
    expect(await usedBy('new', { key: 'p' })).toBe(id);
    expect(await usedBy('other', { key: 'p', usedByAny: 'default' })).toBeUndefined();
  });

  itInFull('forgets the oldest session when there are too many', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    for (let at = 0; at < 1001; at++)
      await vault.data('loadWorkspace', { name: 'Garden' }, { session: `s${at}` });
    expect(vault.toolkit.sessions.get('s1000')).toBeDefined();
    expect(vault.toolkit.sessions.get('s1')).toBeDefined();
    expect(vault.toolkit.sessions.get('s0')).toBeUndefined();
    expect(vault.toolkit.sessions.get('session')).toBeUndefined();
  });

  it('refuses a disabled tool, and explains how to enable it', async () => {
    const disabled: string[] = [];
    const vault = createTestVault();
    const tools = [toolThat(() => Promise.resolve([1]))];
    const toolkit = {
      ...vault.toolkit,
      toolsets: [
        ...vault.toolkit.toolsets,
        { name: 'tester', switchName: 'test', description: '', tools },
      ],
      host: { ...vault.toolkit.host, disabledToolsets: () => disabled },
    };
    const call = (toolsets?: string[]) =>
      callTool(toolkit, {
        tool: 'tryIt',
        params: { texts: 1 },
        defaults: { sessionId: 's', toolsets },
      });
    expect(await call()).toMatchObject({
      error: 'Unknown parameter "texts". Did you mean "text"? Valid: text.',
    });
    expect(await call(['test', 'more'])).toMatchObject({
      error: 'Unknown parameter "texts". Did you mean "text"? Valid: text.',
    });
    expect(await call(['more'])).toEqual({
      success: false,
      error:
        'The toolset "test" is disabled for this connection. The user can enable it by starting Savepoint with --toolsets more,test.',
    });
    disabled.push('test');
    for (const toolsets of [undefined, ['test']])
      expect(await call(toolsets)).toEqual({
        success: false,
        error:
          'The toolset "test" is disabled. The user can enable it in Obsidian under Settings, Savepoint, Extra tools.',
      });
  });

  it('refuses 200,000 nested brackets', async () => {
    const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
    expect(
      await createTestVault().error('createWorkspace', { ...garden, preferences: { deep } }),
    ).toContain('nested more than 32 levels deep');
  });

  it('never echoes a long parameter', async () => {
    const vault = createTestVault();
    const long = 'y'.repeat(10_000);
    const errors = await Promise.all([
      vault.error('loadState', { name: long }),
      vault.error(long, {}),
      vault.error('loadState', { [long]: 1 }),
      vault.error('loadState', { name: 'x', context: { workspaceId: long } }),
      vault.error('listStates', { includeArchived: long }),
      vault.error('createWorkspace', { ...garden, rootFolder: `../${long}` }),
    ]);
    for (const error of errors) expect(error.length).toBeLessThan(1000);
  });
});
