import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { listTools, routeCall } from '../src/bridge/mcp-tools.js';
import { addNotice, settle, type Answer } from '../src/toolkit/answer.js';
import { callTool } from '../src/toolkit/call-tool.js';
import { PROGRAM, temporaryFolder } from './fakes/program.js';
import { createTestVault, stateNamed, type TestVault } from './fakes/test-vault.js';

/*
 * Two published designs consolidate the tools of an MCP server: "MCP Handler Consolidation"
 * (ADR-033) and "Separate Storage Endpoints for Workspace and Session" (ADR-026). Each row of their
 * tables is a call here, with the tool that answers it, or the words.
 */

interface Row {
  /** Name of a tool on the surface. */
  readonly name: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Name of the tool that answers; undefined if none does. */
  readonly tool?: string;
  /** The error, or a part of the notice. */
  readonly words?: string;
}

const IMPLICIT = 'Sessions are implicit: a session is the id of a conversation';
const observation = { kind: 'observation', content: 'The pump leaks.' };

/** The column "Tools" of the table "Current Tool Inventory". */
const INVENTORY: readonly Row[] = [
  // Index/Search
  { name: 'index', params: { action: 'start' }, tool: 'rebuildIndex' },
  { name: 'search', params: { resource: 'code', query: 'pump' }, tool: 'searchContent' },
  { name: 'index', params: { action: 'status' }, tool: 'indexStatus' },
  { name: 'index', params: { action: 'clear' }, tool: 'clearIndex' },
  // Validation
  { name: 'validate', params: { action: 'run', scope: 'project' }, tool: 'validateWorkspace' },
  {
    name: 'validate',
    params: { action: 'run', scope: 'file', path: 'Pump.md' },
    tool: 'validateWorkspace',
  },
  { name: 'validate', params: { action: 'list_rules' }, tool: 'listValidationRules' },
  { name: 'validate', params: { action: 'analyze' }, tool: 'analyzeWorkspace' },
  // Memory (Legacy)
  {
    name: 'memory',
    params: { action: 'store', resource: 'observation', content: 'The pump leaks.' },
    tool: 'logTrace',
  },
  { name: 'search', params: { resource: 'memory', query: 'pump' }, tool: 'searchMemory' },
  { name: 'session', params: { action: 'summarize' }, tool: 'summarizeSession' },
  // Memory (New)
  {
    name: 'memory',
    params: { action: 'timeline', resource: 'observation' },
    tool: 'timeline',
  },
  {
    name: 'memory',
    params: { action: 'get', resource: 'observation', id: 'ID' },
    tool: 'getMemory',
  },
  {
    name: 'memory',
    params: { action: 'inject', resource: 'observation' },
    tool: 'brief',
  },
  { name: 'memory', params: { action: 'list', resource: 'observation' }, tool: 'timeline' },
  ...['execution', 'quality_gate', 'error_pattern'].flatMap((resource): Row[] => [
    {
      name: 'memory',
      params: { action: 'store', resource, data: { content: 'Built it', outcome: 'passed' } },
      tool: 'logTrace',
    },
    { name: 'memory', params: { action: 'get', resource, id: 'ID' }, tool: 'getMemory' },
  ]),
  // Agent Sessions
  { name: 'session', params: { action: 'create' }, words: IMPLICIT },
  { name: 'session', params: { action: 'get', session_id: 'session' }, tool: 'getSession' },
  { name: 'session', params: { action: 'update', session_id: 'session' }, words: IMPLICIT },
  { name: 'session', params: { action: 'list' }, tool: 'listSessions' },
  {
    name: 'agent',
    params: { action: 'log_tool', session_id: 'session', data: { content: 'Ran make' } },
    tool: 'logTrace',
  },
  {
    name: 'agent',
    params: { action: 'log_delegation', session_id: 'session', data: { content: 'Asked Bo' } },
    tool: 'logTrace',
  },
];

/**
 * The column "Pattern" of the table "New Tool Architecture", as far as the inventory does not have
 * it.
 */
const ARCHITECTURE: readonly Row[] = [
  {
    name: 'search',
    params: { resource: 'code', query: 'pump', mode: 'keyword', filters: { limit: 3 } },
    tool: 'searchContent',
  },
  {
    name: 'search',
    params: { resource: 'code', query: 'pump', mode: 'semantic' },
    tool: 'searchContent',
  },
  {
    name: 'session',
    params: { action: 'summarize', session_id: 'session' },
    tool: 'summarizeSession',
  },
  ...['phase', 'issue', 'dependency', 'decision'].flatMap((resource): Row[] => [
    {
      name: 'project',
      params: { action: 'create', resource, title: '' },
      tool: 'createRecord',
      words: resource === 'dependency' ? '"from"' : '"title"',
    },
    {
      name: 'project',
      params: { action: 'update', resource, title: '' },
      tool: 'updateRecord',
      words: '"title"',
    },
    { name: 'project', params: { action: 'list', resource }, tool: 'listRecords' },
    {
      name: 'project',
      params: { action: 'delete', resource, title: '' },
      tool: 'archiveRecord',
      words: resource === 'dependency' ? '"from"' : '"title"',
    },
  ]),
  {
    name: 'vcs',
    params: { action: 'list_repositories' },
    tool: 'repositoryStatus',
    words: 'This device cannot read git repositories.',
  },
  {
    name: 'vcs',
    params: { action: 'index_repository', path: '/src' },
    tool: 'indexStatus',
    words: 'Repositories are not indexed: the tool vcs reads them when it is called.',
  },
  { name: 'vcs', params: { action: 'compare_branches', state: 'Pump' }, tool: 'changesSince' },
  { name: 'vcs', params: { action: 'search_branch', branch: 'main' }, tool: 'searchBranch' },
  { name: 'vcs', params: { action: 'analyze_impact', path: 'Pump.md' }, tool: 'analyzeImpact' },
];

const deprecated = (name: string, tool: string) => `${name} is deprecated. Use ${tool}.`;

/**
 * The unified and the separate tools of "Separate Storage Endpoints", by the identifier that they
 * are called with.
 */
const STORAGE: readonly Row[] = [
  {
    name: 'storage_write',
    params: { workspace_identifier: 'Default', path: 'b.md', content: 'Dig' },
    tool: 'workspaceStorageWrite',
    words: deprecated('storage_write', 'workspaceStorageWrite'),
  },
  {
    name: 'storage_read',
    params: { workspace_identifier: 'Default', path: 'a.md' },
    tool: 'workspaceStorageRead',
    words: deprecated('storage_read', 'workspaceStorageRead'),
  },
  {
    name: 'storage_list',
    params: { workspace_identifier: 'Default' },
    tool: 'workspaceStorageList',
    words: deprecated('storage_list', 'workspaceStorageList'),
  },
  {
    name: 'storage_write',
    params: { session_identifier: 'session', path: 'b.md', content: 'Dig' },
    tool: 'sessionStorageWrite',
    words: deprecated('storage_write', 'sessionStorageWrite'),
  },
  {
    name: 'storage_read',
    params: { session_identifier: 'session', path: 'a.md' },
    tool: 'sessionStorageRead',
    words: deprecated('storage_read', 'sessionStorageRead'),
  },
  {
    name: 'storage_list',
    params: { session_identifier: 'session' },
    tool: 'sessionStorageList',
    words: deprecated('storage_list', 'sessionStorageList'),
  },
  {
    name: 'storage_read',
    params: { path: 'a.md' },
    tool: 'workspaceStorageRead',
    words: deprecated('storage_read', 'workspaceStorageRead'),
  },
  ...['workspace', 'session'].flatMap((scope) =>
    ['Read', 'Write', 'List'].map((verb) => ({
      name: `${scope}_storage_${verb.toLowerCase()}`,
      words: `Did you mean "${scope}Storage${verb}"`,
    })),
  ),
];

async function createVault(): Promise<{ vault: TestVault; id: string }> {
  const vault = createTestVault();
  vault.files.put('Pump.md', 'The pump leaks.');
  await vault.data('createState', stateNamed('Pump', { activeFiles: ['Pump.md'] }));
  await vault.data('logTrace', observation);
  for (const tool of ['workspaceStorageWrite', 'sessionStorageWrite'])
    await vault.data(tool, { path: 'a.md', content: 'Dig' });
  await vault.idle();
  const [row] = (await vault.data('timeline', { kinds: ['observation'] })) as { id: string }[];
  return { vault, id: row!.id };
}

/** Answers a call as the MCP server does, and says which tool it selects. */
async function answerTo(row: Row, surface: 'full' | 'actions') {
  const { vault, id } = await createVault();
  const params = row.params && { ...row.params, ...('id' in row.params && { id }) };
  let tool: string | undefined;
  const answer: Answer = await settle(
    async () => {
      const routed = routeCall(vault.toolkit, surface, row.name, params);
      tool = routed.tool.name;
      const request = { tool: routed.tool.name, params: routed.params };
      const defaults = { sessionId: 'session' };
      return addNotice(await callTool(vault.toolkit, { ...request, defaults }), routed.notice);
    },
    (error) => vault.reports.push(error),
  );
  expect(vault.reports).toEqual([]);
  return { tool, answer };
}

const title = ({ name, params = {} }: Row) =>
  [name, params['action'], params['resource'], params['scope']]
    .filter((part) => typeof part === 'string')
    .join(' ');
const cases = (rows: readonly Row[]) => rows.map((row) => [title(row), row] as const);

async function checkRow(row: Row, surface: 'full' | 'actions'): Promise<void> {
  const { tool, answer } = await answerTo(row, surface);
  const text = [answer.success ? undefined : answer.error, answer.notice].join(' ');
  expect(tool).toBe(row.tool);
  if (row.words !== undefined) expect(text).toContain(row.words);
  if (row.words === undefined || answer.notice?.includes(row.words))
    expect(answer).toMatchObject({ success: true });
}

describe('on the surface actions', () => {
  it.each(cases(INVENTORY))('the inventory row "%s" is answered', async (_, row) => {
    await checkRow(row, 'actions');
  });

  it.each(cases(ARCHITECTURE))('the pattern "%s" is answered', async (_, row) => {
    await checkRow(row, 'actions');
  });

  it('none of the aliases is listed', () => {
    const listed = JSON.stringify(listTools(createTestVault().toolkit, 'actions'));
    expect(listed).not.toMatch(
      /"start"|log_tool|log_delegation|session_id|_repositor|_branch|analyze_impact|storage_|project_id/,
    );
  });
});

describe.each(['full', 'actions'] as const)('on the surface %s', (surface) => {
  const rows = surface === 'full' ? STORAGE : STORAGE.filter(({ tool }) => tool !== undefined);
  it.each(cases(rows))('the storage tool "%s" is answered', async (_, row) => {
    await checkRow(row, surface);
  });
});

it('the program answers an alias with its notice', async () => {
  const client = new Client({ name: 'tool-names', version: '1.0.0' });
  const [vault, state] = [temporaryFolder('vault'), temporaryFolder('state')];
  const args = [PROGRAM, 'mcp', '--vault', vault, '--state', state, '--create'];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args, '--surface', 'actions'],
  });
  await client.connect(transport);
  const answerOf = async (name: string, given: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: given })).structuredContent;
  expect(await answerOf('vcs', { action: 'index_repository' })).toMatchObject({
    success: true,
    notice: expect.stringContaining('Repositories are not indexed') as string,
  });
  expect(await answerOf('storage_write', { path: 'a.md', content: 'Dig' })).toMatchObject({
    success: true,
    notice: expect.stringContaining('Use storage with action "workspaceWrite".') as string,
  });
  expect(await answerOf('session', { action: 'create' })).toMatchObject({
    success: false,
    error: expect.stringContaining(IMPLICIT) as string,
  });
  await client.close();
});
