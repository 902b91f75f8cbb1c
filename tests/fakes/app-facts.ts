import type { ServerEntry } from '../../src/apps/ai-app.js';

type Platform = 'darwin' | 'linux' | 'win32';

/** What the tests expect of an app's `config`, written down apart from its record. */
export interface AppFacts {
  /**
   * Its files, on all platforms or by platform. `~`, `$XDG_CONFIG_HOME` and `%APPDATA%` stand for
   * folders.
   */
  readonly files: readonly string[] | Readonly<Record<Platform, readonly string[]>>;
  /** File below the folder that a variable names, by variable. */
  readonly moved?: Readonly<Record<string, string>>;
  /** New entry for the command `/n a b`, unless it has only `command` and `args`. */
  readonly entry?: ServerEntry;
  /** What its list prints of `savepoint`, which works, and `other`, which does not. */
  readonly list?: string;
}

/** The facts of every app with a `config`, by id. */
export const APP_FACTS: Readonly<Record<string, AppFacts>> = {
  'claude-desktop': { files: inAppData('Claude/claude_desktop_config.json') },
  'claude-code': {
    files: ['~/.claude.json'],
    moved: { CLAUDE_CONFIG_DIR: '.claude.json' },
    entry: { type: 'stdio', command: '/n', args: ['a', 'b'] },
    list: 'Checking MCP server health…\n\nother: x - ✘ Failed to connect\nsavepoint: node "/a - b/main.js" mcp - ✔ Connected\n',
  },
  cursor: { files: ['~/.cursor/mcp.json'] },
  vscode: {
    files: inAppData(
      'Code/User/mcp.json',
      'Code - Insiders/User/mcp.json',
      'VSCodium/User/mcp.json',
    ),
    entry: { type: 'stdio', command: '/n', args: ['a', 'b'] },
  },
  codex: {
    files: ['~/.codex/config.toml'],
    moved: { CODEX_HOME: 'config.toml' },
    list: '[\n  { "name": "other", "enabled": false },\n  { "name": "savepoint", "enabled": true }\n]\n',
  },
  gemini: {
    files: ['~/.gemini/settings.json'],
    moved: { GEMINI_CLI_HOME: '.gemini/settings.json' },
    list: 'Configured MCP servers:\n\n✗ other: x (stdio) - Disconnected\n✓ savepoint: node main.js (stdio) - Connected\n',
  },
  opencode: {
    files: ['$XDG_CONFIG_HOME/opencode/opencode.json'],
    entry: { type: 'local', command: ['/n', 'a', 'b'] },
    list: '┌  MCP Servers\n│\n●  ✓ savepoint \u{1B}[90mconnected\n│      \u{1B}[90mnode main.js\n│\n●  ✗ other \u{1B}[90mfailed\n',
  },
  zed: {
    files: {
      darwin: ['~/.config/zed/settings.json'],
      linux: ['$XDG_CONFIG_HOME/zed/settings.json'],
      win32: ['%APPDATA%/Zed/settings.json'],
    },
    entry: { source: 'custom', command: '/n', args: ['a', 'b'] },
  },
  windsurf: { files: ['~/.codeium/windsurf/mcp_config.json'] },
  copilot: {
    files: ['~/.copilot/mcp-config.json'],
    moved: { COPILOT_HOME: 'mcp-config.json' },
    entry: { type: 'local', command: '/n', args: ['a', 'b'], tools: ['*'] },
    list: 'User servers:\n  savepoint (local)\n  other (local, disabled)\n',
  },
  antigravity: {
    files: ['~/.gemini/config/mcp_config.json', '~/.gemini/antigravity/mcp_config.json'],
    list: 'savepoint  node main.js\nother  x  disabled\n',
  },
};

/** Returns files in the folder where apps keep their settings. */
function inAppData(...paths: string[]): Record<Platform, string[]> {
  return {
    darwin: paths.map((path) => `~/Library/Application Support/${path}`),
    linux: paths.map((path) => `$XDG_CONFIG_HOME/${path}`),
    win32: paths.map((path) => `%APPDATA%/${path}`),
  };
}
