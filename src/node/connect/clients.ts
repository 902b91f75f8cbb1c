import type { NodeModules } from '../modules.js';

/** Where this program runs, as far as the configuration of other programs depends on it. */
export interface Host {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** The user's home folder. */
  readonly home: string;
  /** The program that runs this one: Node, or the app. */
  readonly execPath: string;
}

export const CLIENTS = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'codex',
  'gemini',
] as const;

/** An MCP client that can be connected. */
export type ClientId = (typeof CLIENTS)[number];

/** `json` is what `JSON.parse` reads; `jsonc` may have comments and trailing commas. */
export type ConfigFormat = 'json' | 'jsonc' | 'toml';

interface Client {
  readonly title: string;
  readonly format: ConfigFormat;
  /** The object or table that holds the servers by name. */
  readonly section: string;
  /** Whether an entry says that it is reached over standard input and output. */
  readonly hasType: boolean;
  /** What the client reads as a variable and not as it stands, where there is such a thing. */
  readonly variable?: RegExp;
  /** What makes the client read its configuration again, for people. */
  readonly reload: string;
}

const BRACED = /\$\{/;

export const CLIENT_FACTS: Record<ClientId, Client> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    section: 'mcpServers',
    hasType: false,
    reload:
      'Quit Claude Desktop wholly (from its menu, not by the window alone) and start it again.',
  },
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    section: 'mcpServers',
    hasType: true,
    variable: BRACED,
    reload: 'Start a new session of Claude Code; /mcp shows the connection.',
  },
  cursor: {
    title: 'Cursor',
    format: 'jsonc',
    section: 'mcpServers',
    hasType: false,
    variable: BRACED,
    reload:
      'Look into the settings of Cursor under MCP, and turn the server on there if it is off.',
  },
  vscode: {
    title: 'VS Code',
    format: 'jsonc',
    section: 'servers',
    hasType: true,
    variable: BRACED,
    reload: 'Run "MCP: List Servers" in VS Code and start the server there.',
  },
  codex: {
    title: 'Codex CLI',
    format: 'toml',
    section: 'mcp_servers',
    hasType: false,
    reload: 'Start Codex again; /mcp shows the connection.',
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'jsonc',
    section: 'mcpServers',
    hasType: false,
    variable: /\$(?:\w|\{)/,
    reload: 'Start Gemini CLI again; /mcp shows the connection.',
  },
};

/** One configuration file of a client. A client may have several, for it is installed in several ways. */
export interface Place {
  readonly client: ClientId;
  readonly file: string;
  /** Any of these being there shows that the client is. */
  readonly signs: readonly string[];
}

/** Windows keeps the data of packaged apps apart, in a folder whose name ends in the publisher's id. */
const PACKAGED_CLAUDE = /^Claude_\w+$/;
const CODE_FOLDERS = ['Code', 'Code - Insiders', 'VSCodium'];

/** Every place where a client may keep its configuration. `packages` are the names in the folder of Windows' packaged apps. */
export function clientPlaces(
  path: NodeModules['path'],
  host: Host,
  packages: readonly string[],
): Place[] {
  const { env, home } = host;
  const appData = appDataFolder(path, host);
  const desktop = [
    path.join(appData, 'Claude'),
    ...packages
      .filter((name) => PACKAGED_CLAUDE.test(name))
      .map((name) =>
        path.join(packagesFolder(path, host), name, 'LocalCache', 'Roaming', 'Claude'),
      ),
  ];
  const inFolder = (client: ClientId, folder: string, file: string): Place => ({
    client,
    file: path.join(folder, file),
    signs: [folder],
  });
  const codeHome = env['CLAUDE_CONFIG_DIR'];
  const codeFile = path.join(codeHome ?? home, '.claude.json');
  return [
    ...desktop.map((folder) => inFolder('claude-desktop', folder, 'claude_desktop_config.json')),
    {
      client: 'claude-code',
      file: codeFile,
      signs: [codeFile, codeHome ?? path.join(home, '.claude')],
    },
    inFolder('cursor', path.join(home, '.cursor'), 'mcp.json'),
    ...CODE_FOLDERS.map((name) => inFolder('vscode', path.join(appData, name, 'User'), 'mcp.json')),
    inFolder('codex', env['CODEX_HOME'] ?? path.join(home, '.codex'), 'config.toml'),
    inFolder('gemini', path.join(env['GEMINI_CLI_HOME'] ?? home, '.gemini'), 'settings.json'),
  ];
}

/** The places of the clients that are on this machine. */
export async function findPlaces(
  { fs, path }: Pick<NodeModules, 'fs' | 'path'>,
  host: Host,
): Promise<Place[]> {
  const packages =
    host.platform === 'win32' ? await fs.readdir(packagesFolder(path, host)).catch(() => []) : [];
  const found: Place[] = [];
  for (const place of clientPlaces(path, host, packages)) {
    const signs = await Promise.all(
      place.signs.map((sign) => fs.stat(sign).catch(() => undefined)),
    );
    if (signs.some((sign) => sign !== undefined)) found.push(place);
  }
  return found;
}

function appDataFolder(path: NodeModules['path'], { platform, env, home }: Host): string {
  if (platform === 'win32') return env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] ?? path.join(home, '.config');
}

function packagesFolder(path: NodeModules['path'], { env, home }: Host): string {
  return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'Packages');
}
