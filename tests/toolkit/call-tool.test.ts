import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { Services } from '../../src/agents/services.js';
import { Refusal } from '../../src/model/refusal.js';
import { callTool } from '../../src/toolkit/call-tool.js';
import { fullDescription, toolDefiner, type Tool } from '../../src/toolkit/define-tool.js';
import { createTestVault, garden, stateNamed } from '../fakes/test-vault.js';

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
  const toolset = {
    ...vault.toolset,
    agents: [{ name: 'tester', description: '', tools: [toolThat(run)] }],
  };
  const answer = await callTool(toolset, { tool: 'tryIt', params, defaults: { sessionId: 's' } });
  return { answer, vault };
}

describe('callTool', () => {
  it('answers data in success, and success alone where there is none', async () => {
    expect((await callThat(() => Promise.resolve([1]))).answer).toEqual({
      success: true,
      data: [1],
    });
    expect((await callThat(() => Promise.resolve(undefined))).answer).toEqual({ success: true });
  });

  it('tells of a refusal in its words', async () => {
    expect((await callThat(() => Promise.reject(new Refusal('No. Try this.')))).answer).toEqual({
      success: false,
      error: 'No. Try this.',
    });
  });

  it('tells of a bug without its text, reports it once, and lives on', async () => {
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
      /^The parameters must be an object, but .* was given\. Send \{"name": value, \.\.\.\}\.$/,
    );
  });

  it('takes absent parameters for none', async () => {
    for (const params of [undefined, null])
      expect(await createTestVault().call('listStates', params)).toEqual({
        success: true,
        data: [],
      });
  });

  it('asks for permission after validation and before anything happens, and keeps a trace of the refusal', async () => {
    const vault = createTestVault({
      refuse: (tool) =>
        Promise.resolve(
          tool.access === 'write' && !tool.isRelay ? 'Not allowed. Ask Ana.' : undefined,
        ),
    });
    expect(await vault.error('createWorkspace', {})).toContain('"name" is missing');
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

  it('keeps a trace of each call under its workspace and session', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan'), { session: 'chat-1' });
    await vault.call('loadState', { name: 'None' }, { session: 'chat-2' });
    const traces = await vault.log.readTraces(await vault.log.traceEntries('default'));
    expect(traces.map(({ tool, sessionId, isSuccess }) => [tool, sessionId, isSuccess])).toEqual([
      ['loadState', 'chat-2', false],
      ['createState', 'chat-1', true],
    ]);
  });

  it('succeeds though its trace cannot be kept, and reports that', async () => {
    const vault = createTestVault();
    const toolset = {
      ...vault.toolset,
      host: { ...vault.toolset.host, keepTrace: () => Promise.reject(new Error('disk')) },
    };
    expect(
      await callTool(toolset, { tool: 'listStates', params: {}, defaults: { sessionId: 's' } }),
    ).toEqual({ success: true, data: [] });
    expect(vault.reports).toHaveLength(1);
  });

  it('refuses a context of a wrong shape, and reads an empty text as nothing', async () => {
    const vault = createTestVault();
    expect(await vault.error('listStates', { context: 'x' })).toBe(
      'The context fields must be an object, but the text "x" was given. Send {"name": value, ...}.',
    );
    expect(await vault.error('listStates', { context: { sesionId: 'x' } })).toContain(
      'Unknown context field "sesionId". Did you mean "sessionId"?',
    );
    expect(
      await vault.call('listStates', { context: { workspaceId: '', sessionId: '', memory: '' } }),
    ).toEqual({
      success: true,
      data: [],
    });
  });

  it('takes the workspace from the context, else from the session, else the default', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden, { session: 'in garden' });
    await vault.data('createState', stateNamed('G'), { session: 'in garden' });
    await vault.data('createState', stateNamed('D'));
    const { id } = (await vault.data(
      'loadWorkspace',
      { name: 'Garden' },
      { session: 'other' },
    )) as { id: string };
    expect(await vault.data('listStates', {}, { session: 'in garden' })).toEqual([{ name: 'G' }]);
    expect(
      await vault.data(
        'listStates',
        { context: { workspaceId: 'default' } },
        { session: 'in garden' },
      ),
    ).toEqual([{ name: 'D' }]);
    expect(await vault.data('listStates', { context: { workspaceId: id } })).toEqual([
      { name: 'G' },
    ]);
    expect(await vault.data('listStates', { context: { sessionId: 'in garden' } })).toEqual([
      { name: 'G' },
    ]);
    expect(await vault.data('listStates')).toEqual([{ name: 'D' }]);
  });

  it('forgets the oldest of very many sessions, not the newest', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    for (let at = 0; at < 1001; at++)
      await vault.data('loadWorkspace', { name: 'Garden' }, { session: `s${at}` });
    expect(vault.toolset.sessions.size).toBe(1000);
    expect(vault.toolset.sessions.has('s1000')).toBe(true);
    expect(vault.toolset.sessions.has('session')).toBe(false);
  });

  it('answers to a name that the tool had, says so, and traces the name that it has', async () => {
    const vault = createTestVault();
    const formerly = [{ name: 'attempt', droppedIn: '9.0.0' }];
    const tool: Tool<Services> = { ...toolThat(() => Promise.resolve([1])), formerly };
    const toolset = {
      ...vault.toolset,
      agents: [...vault.toolset.agents, { name: 'tester', description: '', tools: [tool] }],
    };
    const call = (name: string, params = {}) =>
      callTool(toolset, { tool: name, params, defaults: { sessionId: 's' } });
    const notice =
      'attempt is called tryIt now, and answers to its former name until 9.0.0. Use tryIt.';
    expect(await call('attempt')).toEqual({ success: true, data: [1], notice });
    expect(await call('attempt', { nonsense: 1 })).toEqual({
      success: false,
      notice,
      error: 'Unknown parameter "nonsense". Valid: text.',
    });
    expect(await call('tryIt')).toEqual({ success: true, data: [1] });
    const traces = await vault.log.readTraces(await vault.log.traceEntries('default'));
    expect(traces.map(({ tool: name }) => name)).toEqual(['tryIt', 'tryIt', 'tryIt']);
    expect(fullDescription(tool)).toBe('D Formerly attempt, which answers until 9.0.0.');
  });

  it('adds what it says of a former name to what the tool says', async () => {
    const { toolset } = createTestVault();
    const tool: Tool<Services> = {
      ...toolThat(() => Promise.resolve()),
      formerly: [{ name: 'attempt', droppedIn: '9.0.0' }],
      run: () => Promise.resolve({ success: true, notice: 'Mind the step.' }),
    };
    const agents = [{ name: 'tester', description: '', tools: [tool] }];
    const answer = await callTool(
      { ...toolset, agents },
      { tool: 'attempt', params: {}, defaults: { sessionId: 's' } },
    );
    expect(answer).toMatchObject({
      notice: expect.stringMatching(/^Mind the step\. attempt is called tryIt now/) as string,
    });
  });

  it('refuses a tool that is switched off, for all or for the caller, and says how it is turned on', async () => {
    const off: string[] = [];
    const vault = createTestVault();
    const tools = [toolThat(() => Promise.resolve([1]))];
    const toolset = {
      ...vault.toolset,
      agents: [...vault.toolset.agents, { name: 'tester', switch: 'test', description: '', tools }],
      host: { ...vault.toolset.host, agentsOff: () => off },
    };
    const call = (agents?: string[]) =>
      callTool(toolset, {
        tool: 'tryIt',
        params: { nonsense: 1 },
        defaults: { sessionId: 's', agents },
      });
    expect(await call()).toMatchObject({ error: 'Unknown parameter "nonsense". Valid: text.' });
    expect(await call(['test', 'more'])).toMatchObject({
      error: 'Unknown parameter "nonsense". Valid: text.',
    });
    expect(await call(['more'])).toEqual({
      success: false,
      error:
        'The tools of tester are switched off for this connection. The person can turn them on by starting Savepoint with --agents more,test.',
    });
    off.push('test');
    for (const agents of [undefined, ['test']])
      expect(await call(agents)).toEqual({
        success: false,
        error:
          'The tools of tester are switched off. The person can turn them on in Obsidian under Settings, Savepoint, Further tools.',
      });
  });

  it('refuses 200,000 brackets in one another', async () => {
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
