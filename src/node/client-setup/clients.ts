import type { NodeModules } from '../modules.js';

/** The parts of the environment on which the configuration of other programs depends. */
export interface HostEnvironment {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** The user's home folder. */
  readonly home: string;
  /** The executable of this process: Node, or the app. */
  readonly execPath: string;
}

export const CLIENT_IDS = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'codex',
  'gemini',
] as const;

/** An MCP client that can be connected. */
export type ClientId = (typeof CLIENT_IDS)[number];

/** `json` is strict; `jsonc` allows comments and trailing commas. */
export type ConfigFormat = 'json' | 'jsonc' | 'toml';

interface ClientFacts {
  readonly title: string;
  readonly format: ConfigFormat;
  /** Key of the object or table that contains the servers by name. */
  readonly section: string;
  /** True if an entry has a property `type`. */
  readonly hasType: boolean;
  /** Matches text that the client would expand as a variable; absent if it expands none. */
  readonly variable?: RegExp;
  /** How the user makes the client reload its configuration. */
  readonly reload: string;
}

const BRACED_VARIABLE = /\$\{/;

export const CLIENT_FACTS: Record<ClientId, ClientFacts> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    section: 'mcpServers',
    hasType: false,
    reload:
      'Quit Claude Desktop completely (use the menu; closing the window is not enough), then reopen it.',
  },
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    section: 'mcpServers',
    hasType: true,
    variable: BRACED_VARIABLE,
    reload: 'Start a new Claude Code session; /mcp shows the connection.',
  },
  cursor: {
    title: 'Cursor',
    format: 'jsonc',
    section: 'mcpServers',
    hasType: false,
    variable: BRACED_VARIABLE,
    reload:
      'Open the MCP section of the Cursor settings, and enable the server there if it is off.',
  },
  vscode: {
    title: 'VS Code',
    format: 'jsonc',
    section: 'servers',
    hasType: true,
    variable: BRACED_VARIABLE,
    reload: 'Run "MCP: List Servers" in VS Code and start the server there.',
  },
  codex: {
    title: 'Codex CLI',
    format: 'toml',
    section: 'mcp_servers',
    hasType: false,
    reload: 'Restart Codex; /mcp shows the connection.',
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'jsonc',
    section: 'mcpServers',
    hasType: false,
    variable: /\$(?:\w|\{)/,
    reload: 'Restart Gemini CLI; /mcp shows the connection.',
  },
};

/** A configuration file of a client. A client that can be installed in several ways has several. */
export interface ClientConfig {
  readonly client: ClientId;
  readonly file: string;
  /** The client counts as installed if at least one of these paths exists. */
  readonly markers: readonly string[];
}

/** Folder name of the packaged app (MSIX) on Windows, which ends in the publisher's id. */
const CLAUDE_PACKAGE = /^Claude_\w+$/;
const VSCODE_FOLDERS = ['Code', 'Code - Insiders', 'VSCodium'];

/** Returns every possible configuration file of every client. `packages` are the folder names of packaged apps on Windows. */
export function configCandidates(
  path: NodeModules['path'],
  host: HostEnvironment,
  packages: readonly string[],
): ClientConfig[] {
  const { env, home } = host;
  const appData = appDataFolder(path, host);
  const desktop = [
    path.join(appData, 'Claude'),
    ...packages
      .filter((name) => CLAUDE_PACKAGE.test(name))
      .map((name) =>
        path.join(packagesFolder(path, host), name, 'LocalCache', 'Roaming', 'Claude'),
      ),
  ];
  const inFolder = (client: ClientId, folder: string, file: string): ClientConfig => ({
    client,
    file: path.join(folder, file),
    markers: [folder],
  });
  const claudeHome = env['CLAUDE_CONFIG_DIR'];
  const claudeFile = path.join(claudeHome ?? home, '.claude.json');
  return [
    ...desktop.map((folder) => inFolder('claude-desktop', folder, 'claude_desktop_config.json')),
    {
      client: 'claude-code',
      file: claudeFile,
      markers: [claudeFile, claudeHome ?? path.join(home, '.claude')],
    },
    inFolder('cursor', path.join(home, '.cursor'), 'mcp.json'),
    ...VSCODE_FOLDERS.map((name) =>
      inFolder('vscode', path.join(appData, name, 'User'), 'mcp.json'),
    ),
    inFolder('codex', env['CODEX_HOME'] ?? path.join(home, '.codex'), 'config.toml'),
    inFolder('gemini', path.join(env['GEMINI_CLI_HOME'] ?? home, '.gemini'), 'settings.json'),
  ];
}

/** Returns the configuration files of the clients that are installed on this machine. */
export async function findClientConfigs(
  { fs, path }: Pick<NodeModules, 'fs' | 'path'>,
  host: HostEnvironment,
): Promise<ClientConfig[]> {
  const packages =
    host.platform === 'win32' ? await fs.readdir(packagesFolder(path, host)).catch(() => []) : [];
  const found: ClientConfig[] = [];
  for (const config of configCandidates(path, host, packages)) {
    const stats = await Promise.all(
      config.markers.map((marker) => fs.stat(marker).catch(() => undefined)),
    );
    if (stats.some((info) => info !== undefined)) found.push(config);
  }
  return found;
}

function appDataFolder(
  path: NodeModules['path'],
  { platform, env, home }: HostEnvironment,
): string {
  if (platform === 'win32') return env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] ?? path.join(home, '.config');
}

function packagesFolder(path: NodeModules['path'], { env, home }: HostEnvironment): string {
  return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'Packages');
}
