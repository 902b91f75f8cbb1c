import { isJsonObject, type JsonObject } from '../model/event.js';
import { DEFAULT_WORKSPACE } from '../model/memory.js';
import { readSettingsDataFolder, readSettingsFolders } from '../model/paths.js';
import { readPermissions, type Permissions } from '../model/settings/permissions.js';
import { numberIn, objectAt, objectIn, textAt, textIn } from '../model/text/json-fields.js';

const DATA_FOLDER = 'Savepoint';

/** The settings that are whole numbers, with their limits and defaults. */
export const NUMBER_SETTINGS = {
  traceDays: { min: 1, max: 3650, usual: 90 },
  traceMegabytes: { min: 1, max: 10_000, usual: 50 },
  callLimit: { min: 1, max: 1000, usual: 100 },
} as const;

export type NumberSetting = keyof typeof NUMBER_SETTINGS;

const CLIENT_NOTICES = ['off', 'writes', 'all'] as const;

/** The vault's settings, shared by all devices. */
export interface Settings extends Permissions {
  /** The data folder, which is visible so that sync services include it. */
  readonly dataFolder: string;
  /** Id of the workspace that a device starts in. */
  readonly defaultWorkspace: string;
  /** Retention of tool calls; workspaces and states are kept forever. */
  readonly traceDays: number;
  readonly traceMegabytes: number;
  /** Calls by MCP clients that show a notice. */
  readonly clientNotices: (typeof CLIENT_NOTICES)[number];
  /** Folders whose notes are neither searched nor named in traces. */
  readonly excludedFolders: readonly string[];
  /** Custom address and selected model of each provider, by id. Keys are in the secret storage. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** The provider used in new conversations. */
  readonly chatProvider: string;
  /** Number of tool calls after which an answer pauses. */
  readonly callLimit: number;
  /** Folder whose notes the chat offers as slash commands; `''` for none. */
  readonly promptFolder: string;
  /** Keys of the permissions that are not understood, and so restricted. Not stored. */
  readonly unclear?: readonly string[];
}

interface ProviderSettings {
  readonly address: string;
  readonly model: string;
}

/** Returns the switches of the toolsets that are on everywhere. */
export function toolsetsOn({ toolsetSwitches }: Settings): string[] {
  return Object.keys(toolsetSwitches).filter((name) => toolsetSwitches[name] === true);
}

/** Returns the switches of the toolsets that are off everywhere. */
export function toolsetsOff({ toolsetSwitches }: Settings): string[] {
  return Object.keys(toolsetSwitches).filter((name) => toolsetSwitches[name] === false);
}

/** Reads stored settings. Invalid values get their defaults; invalid permissions are restricted. */
export function readSettings(data: unknown): Settings {
  const stored = isJsonObject(data) ? data : {};
  const { permissions, unclear } = readPermissions(stored);
  const { dataFolder, clientNotices, excludedFolders = [], promptFolder = [] } = stored;
  return {
    ...permissions,
    unclear,
    dataFolder: readSettingsDataFolder(dataFolder) ?? DATA_FOLDER,
    defaultWorkspace: textIn(stored, 'defaultWorkspace') ?? DEFAULT_WORKSPACE,
    traceDays: readNumber(stored, 'traceDays'),
    traceMegabytes: readNumber(stored, 'traceMegabytes'),
    clientNotices: CLIENT_NOTICES.find((each) => each === clientNotices) ?? 'writes',
    excludedFolders: readSettingsFolders(excludedFolders),
    providers: readProviders(objectAt(stored, 'providers')),
    chatProvider: textAt(stored, 'chatProvider'),
    callLimit: readNumber(stored, 'callLimit'),
    promptFolder: readSettingsFolders(promptFolder)[0] ?? '',
  };
}

function readNumber(stored: JsonObject, key: NumberSetting): number {
  const { min, max, usual } = NUMBER_SETTINGS[key];
  const value = numberIn(stored, key) ?? usual;
  return Number.isInteger(value) && value >= min && value <= max ? value : usual;
}

function readProviders(stored: JsonObject): Record<string, ProviderSettings> {
  const ids = Object.keys(stored).filter((id) => objectIn(stored, id) !== undefined);
  return Object.fromEntries(
    ids.map((id) => {
      const provider = objectAt(stored, id);
      return [id, { address: textAt(provider, 'address'), model: textAt(provider, 'model') }];
    }),
  );
}
