import type { JsonObject } from '../../model/event.js';
import { readSettingsDataFolder, readSettingsFolders, type VaultPath } from '../../model/paths.js';
import { readPermissions } from '../../model/settings/permissions.js';
import { Refusal } from '../../model/refusal.js';
import { parseJsonObject } from '../../model/text/json-fields.js';
import { isSameStamp, stampOf, type FileStamp, type Stamped } from '../kept-file.js';
import type { NodeModules } from '../modules.js';

const DEFAULT_DATA_FOLDER: VaultPath = 'Savepoint';

/** The settings that count outside the app. */
export type OutsideSettings = ReturnType<typeof settingsIn>;

function settingsIn(stored: JsonObject) {
  return {
    /** The vault folder that contains the memory. */
    dataFolder: readSettingsDataFolder(stored['dataFolder']) ?? DEFAULT_DATA_FOLDER,
    /** The folders whose notes are not searched. */
    excludedFolders: readSettingsFolders(stored['excludedFolders']),
    ...readPermissions(stored),
  };
}

/** Folders that look like one with settings. */
const NO_SETTINGS = ['.git', '.trash'];

/** Time until another configuration folder is noticed, which takes a restart of Obsidian anyway. */
const LIST_INTERVAL_MS = 10_000;

/** Attempts to read a file that is being written at the moment. */
const MAX_READ_ATTEMPTS = 5;
const READ_RETRY_INTERVAL_MS = 100;

export type PluginSettings = ReturnType<typeof createPluginSettings>;

/** Returns the plugin's current settings of a vault, cached because every call asks for them. */
export function createPluginSettings(node: NodeModules, vault: string) {
  const { fs, path, timers } = node;
  /** Possible paths of the settings file, and when they were looked for. */
  let candidates: (Stamped<readonly string[]> & { readonly at: number }) | undefined;
  let settings: Stamped<OutsideSettings> | undefined;

  const findLatest = async (): Promise<FileStamp | undefined> => {
    const before = candidates;
    const known = await latestOf(node, before?.content ?? []);
    const at = Date.now();
    if (before && known && Math.abs(at - before.at) < LIST_INTERVAL_MS) return known;
    const now = await stampOf(node, vault);
    if (before && isSameStamp(before.stamp, now)) {
      candidates = { ...before, at };
      return known;
    }
    const names = await fs.readdir(vault).catch((): string[] => []);
    const content = names
      .filter((name) => name.startsWith('.') && !NO_SETTINGS.includes(name))
      .map((name) => path.join(vault, name, 'plugins', 'savepoint', 'data.json'));
    candidates = { stamp: now, content, at };
    return latestOf(node, content);
  };

  return {
    /**
     * Returns the settings that were written last; the defaults if the plugin is not installed.
     * Throws a `Refusal` if they cannot be read: they may name another folder or forbid the call.
     */
    async read(): Promise<OutsideSettings> {
      const latest = await findLatest();
      if (!latest) return settingsIn({});
      if (settings && isSameStamp(settings.stamp, latest)) return settings.content;
      for (let attempt = 1; ; attempt++) {
        const stored = parseJsonObject(await fs.readFile(latest.path, 'utf8').catch(() => ''));
        if (stored) {
          settings = { stamp: latest, content: settingsIn(stored) };
          return settings.content;
        }
        if (attempt === MAX_READ_ATTEMPTS) throw new Refusal(unreadable(latest.path));
        await new Promise((resolve) => timers.setTimeout(resolve, READ_RETRY_INTERVAL_MS));
      }
    },
  };
}

async function latestOf(
  node: NodeModules,
  files: readonly string[],
): Promise<FileStamp | undefined> {
  const stamps = await Promise.all(files.map((file) => stampOf(node, file)));
  const found = stamps.filter((stamp) => stamp !== undefined);
  return found.sort((a, b) => b.mtime - a.mtime)[0];
}

function unreadable(file: string): string {
  return `Savepoint's settings in this vault cannot be read, so it is unknown what they allow: ${file} is damaged. Open the vault in Obsidian and set them again, or restore the file from a backup; then try again.`;
}
