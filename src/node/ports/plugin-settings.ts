import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import { isHidden, readVaultPath, type VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import type { NodeModules } from '../modules.js';

const DATA_FOLDER: VaultPath = 'Savepoint';

type Disk = Pick<NodeModules, 'fs' | 'path' | 'timers'>;

/**
 * The plugin's settings of a vault, for programs outside of the app: each answer is as they are when it is asked for. Throws a `Refusal`
 * where they cannot be read: they may name another data folder, or forbid what is asked for.
 */
export function openPluginSettings(node: Disk, vault: string) {
  const read = createReader(node, vault);
  return {
    /** The folder of the vault that holds the memory: as the settings say, else the usual one. */
    async dataFolder(): Promise<VaultPath> {
      return folderOf((await read())['dataFolder']) ?? DATA_FOLDER;
    },
    /** The folders whose notes are not searched. */
    async excludedFolders(): Promise<VaultPath[]> {
      const { excludedFolders: typed } = await read();
      return Array.isArray(typed) ? typed.flatMap((folder) => folderOf(folder) ?? []) : [];
    },
    /** What the person allows programs outside of the app. */
    async clientPolicy() {
      const { isReadOnly, otherClients, writingClients, askingClients, readOnlyClients } =
        await read();
      return {
        isReadOnly: isReadOnly === true,
        otherClients:
          (['ask', 'read'] as const).find((access) => access === otherClients) ??
          ('write' as const),
        writingClients: namesIn(writingClients),
        askingClients: namesIn(askingClients),
        readOnlyClients: namesIn(readOnlyClients),
      };
    },
    /** Which of the agents that can be switched are on everywhere, and which nowhere. */
    async agentSwitches(): Promise<Record<string, boolean>> {
      const { furtherAgents: chosen } = await read();
      const entries = isJsonObject(chosen) ? Object.entries(chosen) : [];
      return Object.fromEntries(
        entries.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
      );
    },
  };
}

function namesIn(typed: Json | undefined): string[] {
  return Array.isArray(typed) ? typed.filter((name) => typeof name === 'string') : [];
}

/** A file or folder as it was when somebody looked. */
interface Look {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Every change of it changes this, too. */
  readonly version: string;
}

/** What is kept of a file or folder that was read, with the look before that. */
interface Kept<T> {
  readonly look: Look;
  readonly content: T;
}

/** So often, and with so many milliseconds between, a file is read that is being written just now. */
const TRIES = 5;
const BETWEEN_MS = 100;

/** Of what has changed less than so many milliseconds ago, another change may leave no trace: clocks of disks are coarse. */
const SETTLED_MS = 3000;

/**
 * Answers the settings: empty where the plugin is not installed; of several settings folders the one that was written last counts. What
 * has not changed since is not read again, for this is asked with every call.
 */
function createReader({ fs, path, timers }: Disk, vault: string): () => Promise<JsonObject> {
  /** Where settings may lie. */
  let places: Kept<readonly string[]> | undefined;
  let settings: Kept<JsonObject> | undefined;

  async function look(at: string): Promise<Look[]> {
    const info = await fs.stat(at, { bigint: true }).catch(() => undefined);
    if (!info) return [];
    const { mtimeMs, ctimeMs, mtimeNs, ctimeNs, size, ino } = info;
    const age = Date.now() - Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
    const version = age > SETTLED_MS ? [mtimeNs, ctimeNs, size, ino].join(' ') : '';
    return [{ path: at, mtime: Number(mtimeNs) / 1e6, version }];
  }

  async function lookAt(files: readonly string[]): Promise<Look[]> {
    return (await Promise.all(files.map(look))).flat();
  }

  async function listPlaces(): Promise<string[]> {
    const names = await fs.readdir(vault).catch((): string[] => []);
    return names
      .filter((name) => name.startsWith('.'))
      .map((name) => path.join(vault, name, 'plugins', 'savepoint', 'data.json'));
  }

  async function findLatest(): Promise<Look | undefined> {
    const before = places;
    const [[now], known] = await Promise.all([look(vault), lookAt(before?.content ?? [])]);
    if (before && now && isUnchanged(before.look, now)) return latestOf(known);
    const content = await listPlaces();
    places = now && { look: now, content };
    return latestOf(await lookAt(content));
  }

  return async () => {
    const latest = await findLatest();
    if (!latest) return {};
    if (settings && isUnchanged(settings.look, latest)) return settings.content;
    for (let tries = 1; ; tries++) {
      const content = parseSettings(await fs.readFile(latest.path, 'utf8').catch(() => ''));
      if (content) {
        settings = { look: latest, content };
        return content;
      }
      if (tries === TRIES) throw new Refusal(unreadable(latest.path));
      await new Promise((resolve) => timers.setTimeout(resolve, BETWEEN_MS));
    }
  };
}

function isUnchanged(before: Look, now: Look): boolean {
  return before.version !== '' && before.version === now.version && before.path === now.path;
}

function latestOf(looks: readonly Look[]): Look | undefined {
  return [...looks].sort((a, b) => b.mtime - a.mtime)[0];
}

function unreadable(file: string): string {
  return `The settings of Savepoint in this vault cannot be read, and they say what is allowed: ${file} is damaged. Open the vault in Obsidian and set them again, or put the file back from a backup; then try again.`;
}

function parseSettings(text: string): JsonObject | undefined {
  try {
    const data: unknown = JSON.parse(text);
    return isJsonObject(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

function folderOf(typed: unknown): VaultPath | undefined {
  if (typeof typed !== 'string') return undefined;
  const read = readVaultPath(typed);
  return 'path' in read && read.path !== '' && !isHidden(read.path) ? read.path : undefined;
}
