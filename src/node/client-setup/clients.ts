import type { ConfigPlace, DeviceFolders } from '../../apps/ai-app.js';
import { appsWith, type AppWith } from '../../apps/index.js';
import type { AppSwitch } from '../../apps/switches.js';
import { envValue } from '../environment.js';
import { findExecutable } from './check/find-executable.js';
import type { NodeModules, Platform, ProcessEnv } from '../modules.js';
import type { ServeModules } from '../serve/modules.js';

/** The parts of the environment on which the configuration of other programs depends. */
export interface HostEnvironment {
  readonly platform: Platform;
  readonly env: ProcessEnv;
  readonly home: string;
  /** The executable of this process: Node, or the app. */
  readonly execPath: string;
}

/** Node's modules for connecting clients and starting them to check that they work. */
export interface SetupModules extends ServeModules {
  readonly childProcess: Pick<typeof import('node:child_process'), 'spawn'>;
}

/** A configuration file of a client. A client that can be installed in several ways has several. */
export interface ClientConfig {
  readonly app: AppWith<'config'>;
  readonly file: string;
  readonly folder: string;
  /** Returns an environment variable; undefined if absent or empty. */
  readonly variable?: DeviceFolders['variable'];
  /** See `AiApp.switches`. */
  readonly switches?: readonly AppSwitch[];
}

/** Returns every possible file of every client. `packages` are the packaged apps on Windows. */
export function configCandidates(
  path: NodeModules['path'],
  host: HostEnvironment,
  packages: readonly string[],
): (ClientConfig & { readonly place: ConfigPlace })[] {
  const { platform, env, home } = host;
  const folders = {
    platform,
    home,
    appData: appDataFolder(path, host),
    xdgConfig: envValue(env, 'XDG_CONFIG_HOME') ?? path.join(home, '.config'),
    packages: packages.map((name) => path.join(packagesFolder(path, host), name)),
    system: (linux: string, darwin: string, win32: string) =>
      (({ darwin, win32 }) as Record<string, string>)[platform] ?? linux,
    join: (...parts: string[]) => path.join(...parts),
    variable: (name: string) => envValue(env, name),
  };
  return appsWith('config').flatMap((app) =>
    app.config.places(folders).map((place) => {
      const { folder, file } = place;
      const switches = app.switches?.(folders) ?? [];
      const { variable } = folders;
      return { app, folder, file: path.join(folder, file), variable, switches, place };
    }),
  );
}

/** Finds the files of installed clients. A link to nothing counts, so that the user is told. */
export async function findClientConfigs(
  modules: NodeModules,
  host: HostEnvironment,
): Promise<ClientConfig[]> {
  const { fs, path } = modules;
  const packages =
    host.platform === 'win32' ? await fs.readdir(packagesFolder(path, host)).catch(() => []) : [];
  const findExisting = async (folder: string, names: readonly string[]) => {
    const paths = names.map((name) => path.join(folder, name));
    const stats = await Promise.all(paths.map((each) => fs.lstat(each).catch(() => undefined)));
    return paths.find((_, at) => stats[at] !== undefined);
  };
  const found: ClientConfig[] = [];
  const candidates = configCandidates(path, host, packages);
  for (const { place, ...config } of candidates) {
    const { markers = [], successors = [], otherFiles = [] } = place;
    const { app, folder, file } = config;
    const isSeen = (await findExisting(folder, ['.', ...markers])) !== undefined;
    const [first] = candidates.filter((other) => other.app === app);
    if (!isSeen && (first?.place !== place || !(await hasProgram(modules, host, app)))) continue;
    if ((await findExisting(folder, successors)) !== undefined) continue;
    found.push({ ...config, file: (await findExisting(folder, otherFiles)) ?? file });
  }
  return found;
}

/** Returns true if the client's program is on the PATH: it may never have been started. */
async function hasProgram(modules: NodeModules, host: HostEnvironment, app: AppWith<'config'>) {
  const { program, list } = app.config;
  return (await findExecutable(modules, host, program ?? list?.program ?? app.id)) !== undefined;
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
