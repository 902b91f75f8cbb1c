import { isJsonObject, type JsonObject } from '../../model/event.js';
import { readSettingsDataFolder, readSettingsFolders, type VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import { parseJsonObject, textsIn } from '../../model/text/json-fields.js';
import { isUnchanged, stampOf, type FileStamp, type Stamped } from '../kept-file.js';
import type { NodeModules } from '../modules.js';

const DEFAULT_DATA_FOLDER: VaultPath = 'Savepoint';

/**
 * Reads the plugin's current settings of a vault from outside the app. Throws a `Refusal` if they
 * cannot be read, because they may name another data folder or forbid the call.
 */
export function openPluginSettings(node: NodeModules, vault: string) {
  const reader = new SettingsReader(node, vault);
  return {
    /** The vault folder that contains the memory; the default one if the settings name none. */
    async dataFolder(): Promise<VaultPath> {
      const { dataFolder } = await reader.read();
      const named = dataFolder === undefined ? undefined : readSettingsDataFolder(dataFolder);
      return named ?? DEFAULT_DATA_FOLDER;
    },
    /** Returns the folders whose notes are not searched. */
    async excludedFolders(): Promise<VaultPath[]> {
      const { excludedFolders: value } = await reader.read();
      return readSettingsFolders(value);
    },
    /** The policy for programs outside, and the user's switches of optional toolsets, by name. */
    async clientSettings() {
      const settings = await reader.read();
      return { policy: policyIn(settings), toolsets: switchesIn(settings) };
    },
  };
}

function policyIn(settings: JsonObject) {
  const { isReadOnly, otherClients, writingClients, askingClients, readOnlyClients } = settings;
  return {
    isReadOnly: isReadOnly === true,
    otherClients:
      (['ask', 'read'] as const).find((access) => access === otherClients) ?? ('write' as const),
    writingClients: textsIn(writingClients),
    askingClients: textsIn(askingClients),
    readOnlyClients: textsIn(readOnlyClients),
  };
}

function switchesIn({ toolsetSwitches: value }: JsonObject): Record<string, boolean> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
  );
}

/** Folders that look like one with settings. */
const NO_SETTINGS = ['.git', '.trash'];

/** Time until another configuration folder is noticed, which takes a restart of Obsidian anyway. */
const LIST_INTERVAL_MS = 10_000;

/** Attempts to read a file that is being written at the moment. */
const MAX_READ_ATTEMPTS = 5;
const READ_RETRY_INTERVAL_MS = 100;

/** Reads the settings and caches them until they change, because every call asks for them. */
class SettingsReader {
  readonly #node: NodeModules;
  readonly #vault: string;
  /** Possible paths of the settings file, and when they were looked for. */
  #candidates: (Stamped<readonly string[]> & { readonly at: number }) | undefined;
  #settings: Stamped<JsonObject> | undefined;

  constructor(node: NodeModules, vault: string) {
    this.#node = node;
    this.#vault = vault;
  }

  /** Returns the settings that were written last; empty if the plugin is not installed. */
  async read(): Promise<JsonObject> {
    const { fs, timers } = this.#node;
    const latest = await this.#findLatest();
    if (!latest) return {};
    if (this.#settings && isUnchanged(this.#settings.stamp, latest)) return this.#settings.content;
    for (let attempt = 1; ; attempt++) {
      const content = parseJsonObject(await fs.readFile(latest.path, 'utf8').catch(() => ''));
      if (content) {
        this.#settings = { stamp: latest, content };
        return content;
      }
      if (attempt === MAX_READ_ATTEMPTS) throw new Refusal(unreadable(latest.path));
      await new Promise((resolve) => timers.setTimeout(resolve, READ_RETRY_INTERVAL_MS));
    }
  }

  async #findLatest(): Promise<FileStamp | undefined> {
    const before = this.#candidates;
    const known = latestOf(await this.#stampAll(before?.content ?? []));
    const at = Date.now();
    if (before && known && Math.abs(at - before.at) < LIST_INTERVAL_MS) return known;
    const now = await stampOf(this.#node, this.#vault);
    if (before && isUnchanged(before.stamp, now)) {
      this.#candidates = { ...before, at };
      return known;
    }
    const content = await this.#listCandidates();
    this.#candidates = { stamp: now, content, at };
    return latestOf(await this.#stampAll(content));
  }

  async #listCandidates(): Promise<string[]> {
    const { fs, path } = this.#node;
    const names = await fs.readdir(this.#vault).catch((): string[] => []);
    return names
      .filter((name) => name.startsWith('.') && !NO_SETTINGS.includes(name))
      .map((name) => path.join(this.#vault, name, 'plugins', 'savepoint', 'data.json'));
  }

  async #stampAll(files: readonly string[]): Promise<FileStamp[]> {
    const stamps = await Promise.all(files.map((file) => stampOf(this.#node, file)));
    return stamps.filter((stamp) => stamp !== undefined);
  }
}

function latestOf(stamps: readonly FileStamp[]): FileStamp | undefined {
  return [...stamps].sort((a, b) => b.mtime - a.mtime)[0];
}

function unreadable(file: string): string {
  return `Savepoint's settings in this vault cannot be read, so it is unknown what they allow: ${file} is damaged. Open the vault in Obsidian and set them again, or restore the file from a backup; then try again.`;
}
