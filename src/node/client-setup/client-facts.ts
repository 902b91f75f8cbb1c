export const CLIENT_IDS = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'opencode',
  'zed',
  'windsurf',
  'copilot',
  'antigravity',
] as const;

/** An MCP client that can be connected. */
export type ClientId = (typeof CLIENT_IDS)[number];

/** `json` is strict; `jsonc` allows comments and trailing commas. */
export type ConfigFormat = 'json' | 'jsonc' | 'toml';

/** The properties of an entry, as the client's configuration names them. */
export type ServerEntry = Readonly<Record<string, string | readonly string[]>>;

/** The client's own command that lists its servers. */
interface ListCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Variables that the command needs in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Matches the line of a server. Its name replaces `NAME`; the first group is the status that the
   * client reports. Absent if the output is JSON.
   */
  readonly line?: string;
  /**
   * Matches the status of a server that works. Some clients do not start the servers that they
   * list.
   */
  readonly working: RegExp;
}

interface ClientFacts {
  readonly title: string;
  readonly format: ConfigFormat;
  /** Key of the object or table that contains the servers by name. */
  readonly section: string;
  /** Properties that each entry needs in addition to the command. */
  readonly required?: ServerEntry;
  /** Properties that a new entry gets, and that the user may change. */
  readonly initial?: ServerEntry;
  /** True if the property `command` is a list that contains the arguments too. */
  readonly isCommandList?: boolean;
  /** Matches text that the client would expand as a variable; absent if it expands none. */
  readonly variable?: RegExp;
  /** How the user makes the client reload its configuration. */
  readonly reload: string;
  /** Absent if the client has no such command. */
  readonly list?: ListCommand;
}

const BRACED_VARIABLE = /\$\{/;

/** Lists one server per line, as `NAME: COMMAND - STATUS`. */
const NAME_COMMAND_STATUS = '^(?:\\S )?NAME: .* - ([^-]+)$';
const CONNECTED = /\bconnected\b/i;

export const CLIENT_FACTS: Record<ClientId, ClientFacts> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    section: 'mcpServers',
    reload:
      'Quit Claude Desktop completely (use the menu; closing the window is not enough), then reopen it.',
  },
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    section: 'mcpServers',
    required: { type: 'stdio' },
    variable: BRACED_VARIABLE,
    reload: 'Start a new Claude Code session; /mcp shows the connection.',
    list: {
      program: 'claude',
      args: ['mcp', 'list'],
      line: NAME_COMMAND_STATUS,
      working: CONNECTED,
    },
  },
  cursor: {
    title: 'Cursor',
    format: 'jsonc',
    section: 'mcpServers',
    variable: BRACED_VARIABLE,
    reload:
      'Open the MCP section of the Cursor settings, and enable the server there if it is off.',
  },
  vscode: {
    title: 'VS Code',
    format: 'jsonc',
    section: 'servers',
    required: { type: 'stdio' },
    variable: BRACED_VARIABLE,
    reload: 'Run "MCP: List Servers" in VS Code and start the server there.',
  },
  codex: {
    title: 'Codex CLI',
    format: 'toml',
    section: 'mcp_servers',
    reload: 'Restart Codex; /mcp shows the connection.',
    list: { program: 'codex', args: ['mcp', 'list', '--json'], working: /^enabled$/ },
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'jsonc',
    section: 'mcpServers',
    variable: /\$(?:\w|\{)/,
    reload: 'Restart Gemini CLI; /mcp shows the connection.',
    list: {
      program: 'gemini',
      args: ['mcp', 'list'],
      // In a folder that is not trusted, it would start no server at all. The home folder contains
      // nobody else's settings.
      env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      line: NAME_COMMAND_STATUS,
      working: CONNECTED,
    },
  },
  opencode: {
    title: 'opencode',
    format: 'jsonc',
    section: 'mcp',
    required: { type: 'local' },
    isCommandList: true,
    variable: /\{(?:env|file):/,
    reload: 'Restart opencode; "opencode mcp list" shows the connection.',
    list: {
      program: 'opencode',
      args: ['mcp', 'list'],
      line: '^\\W*NAME +(\\S.*)$',
      working: CONNECTED,
    },
  },
  zed: {
    title: 'Zed',
    format: 'jsonc',
    section: 'context_servers',
    required: { source: 'custom' }, // optional in newer versions
    reload: 'Open the settings of the agent panel in Zed; a green dot shows the connection.',
  },
  windsurf: {
    title: 'Windsurf',
    format: 'jsonc',
    section: 'mcpServers',
    variable: BRACED_VARIABLE,
    reload: 'Open the MCP servers in the settings of Cascade and press the refresh button.',
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    format: 'jsonc',
    section: 'mcpServers',
    required: { type: 'local' },
    initial: { tools: ['*'] },
    reload: 'Restart Copilot; /mcp shows the connection.',
    list: {
      program: 'copilot',
      args: ['mcp', 'list'],
      env: { COPILOT_AUTO_UPDATE: 'false' },
      line: '^ +NAME \\((.*)\\)',
      working: /^(?!.*\bdisabled\b)/i,
    },
  },
  antigravity: {
    title: 'Antigravity',
    format: 'json',
    section: 'mcpServers', // an entry with a property "type" would be ignored
    reload:
      'Open "Manage MCP Servers" in Antigravity and press Refresh; in the CLI, /mcp shows it.',
    list: {
      program: 'agy',
      args: ['mcp', 'list'],
      line: '^(?:.*[^\\w-])?NAME(?:[^\\w-](.*))?$',
      working: /^(?!.*\b(?:disabled|error|failed)\b)/i,
    },
  },
};
