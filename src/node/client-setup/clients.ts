import { envValue } from '../environment.js';
import type { NodeModules } from '../modules.js';
import type { ClientId } from './client-facts.js';

/** The parts of the environment on which the configuration of other programs depends. */
export interface HostEnvironment {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** The user's home folder. */
  readonly home: string;
  /** The executable of this process: Node, or the app. */
  readonly execPath: string;
}

/** A configuration file of a client. A client that can be installed in several ways has several. */
export interface ClientConfig {
  readonly client: ClientId;
  readonly file: string;
  /** The client counts as installed if at least one of these paths exists. */
  readonly markers: readonly string[];
}

interface ConfigCandidate extends ClientConfig {
  /**
   * Other names of the file, most important first. The first one that exists is used instead of
   * `file`.
   */
  readonly otherFiles?: readonly string[];
  /** If this path exists, the client no longer reads the file. */
  readonly successor?: string;
}

/** Folder name of the packaged app (MSIX) on Windows, which ends in the publisher's id. */
const CLAUDE_PACKAGE = /^Claude_\w+$/;
const VSCODE_FOLDERS = ['Code', 'Code - Insiders', 'VSCodium'];

/**
 * Returns every possible configuration file of every client. `packages` are the folder names of
 * packaged apps on Windows.
 */
export function configCandidates(
  path: NodeModules['path'],
  host: HostEnvironment,
  packages: readonly string[],
): ConfigCandidate[] {
  const { platform, env, home } = host;
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
  const claudeHome = envValue(env, 'CLAUDE_CONFIG_DIR');
  const claudeFile = path.join(claudeHome ?? home, '.claude.json');
  const xdgConfig = envValue(env, 'XDG_CONFIG_HOME') ?? path.join(home, '.config');
  const zedFolder = {
    win32: path.join(appData, 'Zed'),
    darwin: path.join(home, '.config', 'zed'),
    other: path.join(xdgConfig, 'zed'),
  }[platform === 'win32' || platform === 'darwin' ? platform : 'other'];
  const homeFolder = (name: string, variable: string) =>
    envValue(env, variable) ?? path.join(home, name);
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
    inFolder('codex', homeFolder('.codex', 'CODEX_HOME'), 'config.toml'),
    inFolder(
      'gemini',
      path.join(envValue(env, 'GEMINI_CLI_HOME') ?? home, '.gemini'),
      'settings.json',
    ),
    opencodeConfig(path, path.join(xdgConfig, 'opencode')),
    inFolder('zed', zedFolder, 'settings.json'),
    inFolder('windsurf', path.join(home, '.codeium', 'windsurf'), 'mcp_config.json'),
    inFolder('copilot', homeFolder('.copilot', 'COPILOT_HOME'), 'mcp-config.json'),
    ...antigravityConfigs(path, path.join(home, '.gemini')),
  ];
}

/**
 * opencode merges all of these files; the first one that exists is the one that it edits itself.
 */
function opencodeConfig(path: NodeModules['path'], folder: string): ConfigCandidate {
  const otherFiles = ['opencode.jsonc', 'opencode.json', 'config.json'];
  return {
    client: 'opencode',
    file: path.join(folder, 'opencode.json'),
    otherFiles: otherFiles.map((name) => path.join(folder, name)),
    markers: [folder],
  };
}

/**
 * Version 2 and the CLI share a file. Version 2 leaves a mark when it has taken over the file of
 * version 1.
 */
function antigravityConfigs(path: NodeModules['path'], folder: string): ConfigCandidate[] {
  const shared = path.join(folder, 'config');
  const first = path.join(folder, 'antigravity');
  return [
    {
      client: 'antigravity',
      file: path.join(shared, 'mcp_config.json'),
      markers: [shared, path.join(folder, 'antigravity-cli')],
    },
    {
      client: 'antigravity',
      file: path.join(first, 'mcp_config.json'),
      markers: [first],
      successor: path.join(shared, '.migrated'),
    },
  ];
}

/**
 * Returns the configuration files of the clients that are installed on this machine. A link to
 * nothing counts as existing, so that the user is told about it.
 */
export async function findClientConfigs(
  { fs, path }: Pick<NodeModules, 'fs' | 'path'>,
  host: HostEnvironment,
): Promise<ClientConfig[]> {
  const packages =
    host.platform === 'win32' ? await fs.readdir(packagesFolder(path, host)).catch(() => []) : [];
  const findExisting = async (paths: readonly string[]) => {
    const isThere = await Promise.all(
      paths.map((each) =>
        fs.lstat(each).then(
          () => true,
          () => false,
        ),
      ),
    );
    return paths.find((_, at) => isThere[at]);
  };
  const found: ClientConfig[] = [];
  for (const candidate of configCandidates(path, host, packages)) {
    const { client, file, markers, otherFiles = [], successor } = candidate;
    if ((await findExisting(markers)) === undefined) continue;
    if (successor !== undefined && (await findExisting([successor])) !== undefined) continue;
    found.push({ client, file: (await findExisting(otherFiles)) ?? file, markers });
  }
  return found;
}

function appDataFolder(
  path: NodeModules['path'],
  { platform, env, home }: HostEnvironment,
): string {
  if (platform === 'win32')
    return envValue(env, 'APPDATA') ?? path.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support');
  return envValue(env, 'XDG_CONFIG_HOME') ?? path.join(home, '.config');
}

function packagesFolder(path: NodeModules['path'], { env, home }: HostEnvironment): string {
  const local = envValue(env, 'LOCALAPPDATA') ?? path.join(home, 'AppData', 'Local');
  return path.join(local, 'Packages');
}
