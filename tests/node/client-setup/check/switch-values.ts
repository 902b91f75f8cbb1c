/** The server that is switched off. */
export const SERVER = {
  name: 'savepoint',
  command: '/n',
  args: ['main.js', 'mcp', '--vault', '/v'],
};
const COMMAND = [SERVER.command, ...SERVER.args];

const OTHER_SERVERS = {
  off: [
    { command: '/bin/false' },
    { command: '/bin/false', args: ['mcp', '--vault', '/other'] },
    { type: 'local', command: ['x', 'mcp', '--vault', '/other'] },
    { url: 'https://x.test' },
  ],
  on: [
    { timeout: 5 },
    { command: '/other/node', args: ['other.js', 'mcp', '--vault', '/v'] },
    { type: 'local', command: ['x', 'other.js', 'mcp', '--vault', '/v'] },
    'x',
  ],
};

/** Values of each setting that switch something off, and values that do not. */
export const VALUES: Readonly<Record<string, { off: readonly unknown[]; on: readonly unknown[] }>> =
  {
    deniedMcpServers: {
      off: [[{ serverName: 'savepoint' }], [{ serverName: 'x' }, { serverCommand: COMMAND }]],
      on: [[], [{ serverName: 'Savepoint' }, { serverCommand: ['/n'] }, 3], 'savepoint'],
    },
    allowedMcpServers: {
      off: [
        [],
        [{ serverName: 'github' }],
        [{ serverUrl: 'https://x.test' }],
        [{ serverCommand: ['/n'] }, { serverName: 'savepoint' }],
      ],
      on: [
        [{ serverName: 'github' }, { serverName: 'savepoint' }],
        [{ serverUrl: 'https://x.test' }, { serverName: 'savepoint' }],
        [{ serverCommand: COMMAND }],
        'x',
      ],
    },
    mcpServers: { off: [{}, { a: { command: 'b' } }], on: ['x'] },
    strictPluginOnlyCustomization: { off: [true, ['mcp', 'hooks']], on: [false, ['skills']] },
    'projects/*/disabledMcpServers': { off: [['x', 'savepoint']], on: [[], ['savepoint-2']] },
    disableAllHooks: { off: [true], on: [false, 'true'] },
    allowManagedHooksOnly: { off: [true], on: [false] },
    'permissions/deny': {
      off: [['Read(./.env)', 'mcp__savepoint'], ['mcp__savepoint__*'], ['mcp__*'], ['*']],
      on: [['mcp__savepoint__createState', 'mcp__other', 'mcp__other__*', 'Bash(*)'], 'mcp__*'],
    },
    'mcp_servers/NAME/enabled_tools': { off: [[]], on: [['createState']] },
    'mcpServers/NAME/includeTools': { off: [[]], on: [['createState']] },
    'mcpServers/NAME/tools': { off: [[]], on: [['*'], ['createState']] },
    'tools/exclude': {
      off: [['mcp_savepoint_*'], ['mcp_*']],
      on: [['mcp_savepoint_x', 'mcp_x_*']],
    },
    'agent/profiles': {
      off: [
        { write: { enable_all_context_servers: false, context_servers: {} } },
        {
          write: {
            enable_all_context_servers: false,
            context_servers: { savepoint: { tools: { createState: false } }, x: {} },
          },
        },
      ],
      on: [
        { ask: { enable_all_context_servers: false } },
        { write: { enable_all_context_servers: true } },
        {
          write: {
            enable_all_context_servers: false,
            context_servers: { savepoint: { tools: { createState: true } } },
          },
        },
      ],
    },
    'mcpServers/NAME': OTHER_SERVERS,
    'projects/*/mcpServers/NAME': OTHER_SERVERS,
    'mcp_servers/NAME': OTHER_SERVERS,
    'mcp/NAME': OTHER_SERVERS,
    'mcp/servers/NAME': OTHER_SERVERS,
    'servers/NAME': OTHER_SERVERS,
    'mcp_servers/NAME/enabled': { off: [false], on: [true] },
    mcp_servers: {
      off: [
        {},
        { docs: { identity: { command: '/n' } } },
        { savepoint: { identity: { command: '/other' } } },
        { savepoint: { identity: { url: 'https://x.test' } } },
      ],
      on: [{ savepoint: { identity: { command: '/n' } } }],
    },
    'features/memories': { off: [true], on: [false] },
    'features/codex_hooks': { off: [false], on: [true] },
    'features/hooks': { off: [false], on: [true] },
    'hooks/state': {
      off: [{ '/h/.codex/hooks.json:stop:0:0': { enabled: false } }],
      on: [
        { '/h/.codex/hooks.json:stop:0:0': { trusted_hash: 'x' } },
        { 'other:stop:0:0': { enabled: false } },
      ],
    },
    allow_managed_hooks_only: { off: [true], on: [false] },
    'mcp/allowed': { off: [[], ['github']], on: [['github', ' SavePoint '], 'x'] },
    'mcp/excluded': { off: [['Savepoint']], on: [[], ['x']] },
    'NAME/enabled': { off: [false], on: [true] },
    'hooksConfig/enabled': { off: [false], on: [true] },
    'hooksConfig/disabled': {
      off: [['/n main.js hook turn --client gemini']],
      on: [[], ['other']],
    },
    disabledMcpServers: { off: [['savepoint']], on: [['other']] },
    'chat.mcp.access': { off: ['none', 'registry'], on: ['all', true] },
    ChatMCP: { off: ['none', 'registry'], on: ['all'] },
    'chat.mcp.enabled': { off: [false], on: [true] },
    'chat.agent.enabled': { off: [false], on: [true] },
    ChatAgentMode: { off: [false], on: [true] },
    'chat.disableAIFeatures': { off: [true], on: [false] },
    disable_ai: { off: [true], on: [false] },
    'agent/enabled': { off: [false], on: [true] },
    'mcp/NAME/enabled': { off: [false], on: [true] },
    'mcp/servers/NAME/disabled': { off: [true], on: [false] },
    tools: {
      off: [{ 'savepoint*': false }, { 'savepoint_*': true, '*': false }],
      on: [{ 'other*': false }, { '*': false, 'savepoint_*': true }, { savepoint_x: false }],
    },
    permission: {
      off: [{ 'savepoint_*': 'deny' }],
      on: [{ 'savepoint_*': 'ask' }, { edit: 'deny' }],
    },
  };
