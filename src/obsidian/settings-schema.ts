import * as z from 'zod';
import { DEFAULT_WORKSPACE } from '../model/memory.js';
import { readSettingsDataFolder, readSettingsFolders } from '../model/paths.js';
import { CLIENT_ACCESSES, readPermissions } from '../model/settings/permissions.js';
import { isJsonObject } from '../model/event.js';

const DATA_FOLDER = 'Savepoint';

/**
 * The vault's settings, shared by all devices. Invalid values are replaced by their defaults;
 * those without a default are permissions, which `readSettings` has checked.
 */
export const settingsShape = z.object({
  /** The data folder, which is visible so that sync services include it. */
  dataFolder: z
    .unknown()
    .transform((value) => readSettingsDataFolder(value) ?? DATA_FOLDER)
    .default(DATA_FOLDER),
  /** Id of the workspace that a device starts in. */
  defaultWorkspace: z.string().catch(DEFAULT_WORKSPACE).default(DEFAULT_WORKSPACE),
  /** Retention of tool calls; workspaces and states are kept forever. */
  traceDays: z.number().int().min(1).max(3650).catch(90).default(90),
  traceMegabytes: z.number().int().min(1).max(10_000).catch(50).default(50),
  isBridgeOn: z.boolean(),
  isReadOnly: z.boolean(),
  otherClients: z.enum(CLIENT_ACCESSES),
  writingClients: z.array(z.string()),
  askingClients: z.array(z.string()),
  readOnlyClients: z.array(z.string()),
  /** Calls by MCP clients that show a notice. */
  clientNotices: z.enum(['off', 'writes', 'all']).catch('writes').default('writes'),
  isRestApiOn: z.boolean(),
  toolsetSwitches: z.record(z.string(), z.boolean()),
  /** Folders whose notes are neither searched nor named in traces. */
  excludedFolders: z.unknown().transform(readSettingsFolders).default([]),
  /** Custom address and selected model of each provider, by id. Keys are in the secret storage. */
  providers: z
    .record(
      z.string(),
      z.object({
        address: z.string().catch('').default(''),
        model: z.string().catch('').default(''),
      }),
    )
    .catch({})
    .default({}),
  /** The provider used in new conversations. */
  chatProvider: z.string().catch('').default(''),
  /** Number of tool calls after which an answer pauses. */
  callLimit: z.number().int().min(1).max(1000).catch(100).default(100),
  openNoteChoices: z.record(z.string(), z.boolean()),
  /** Folder whose notes the chat offers as slash commands; `''` for none. */
  promptFolder: z
    .unknown()
    .transform((value) => readSettingsFolders(value)[0] ?? '')
    .default(''),
  allowedTools: z.array(z.string()),
});

export interface Settings extends z.output<typeof settingsShape> {
  /** Keys of the permissions that are not understood, and so restricted. Not stored. */
  readonly unclear?: readonly string[];
}

/** Returns the switches of the toolsets that are on everywhere. */
export function toolsetsOn({ toolsetSwitches }: Settings): string[] {
  return Object.keys(toolsetSwitches).filter((name) => toolsetSwitches[name] === true);
}

/** Returns the switches of the toolsets that are off everywhere. */
export function toolsetsOff({ toolsetSwitches }: Settings): string[] {
  return Object.keys(toolsetSwitches).filter((name) => toolsetSwitches[name] === false);
}

export function readSettings(data: unknown): Settings {
  const stored = isJsonObject(data) ? data : {};
  const { permissions, unclear } = readPermissions(stored);
  return { ...settingsShape.parse({ ...stored, ...permissions }), unclear };
}
