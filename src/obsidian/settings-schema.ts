import * as z from 'zod';
import { CLIENT_ACCESSES } from '../agents/client-policy.js';
import { DEFAULT_WORKSPACE } from '../model/memory.js';
import { readSettingsDataFolder, readSettingsFolders } from '../model/paths.js';
import { isJsonObject } from '../model/event.js';

const DATA_FOLDER = 'Savepoint';

const clients = z.array(z.string()).catch([]).default([]);

/** The vault's settings, shared by all devices. Invalid values are replaced by their defaults. */
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
  /** True to answer MCP clients while the app has the vault open. */
  isBridgeOn: z.boolean().catch(true).default(true),
  /** True to forbid all MCP clients to write; else access depends on the client's own name. */
  isReadOnly: z.boolean().catch(false).default(false),
  otherClients: z.enum(CLIENT_ACCESSES).catch('write').default('write'),
  writingClients: clients,
  askingClients: clients,
  readOnlyClients: clients,
  /** Calls by MCP clients that show a notice. */
  clientNotices: z.enum(['off', 'writes', 'all']).catch('writes').default('writes'),
  /** True to offer the tools through the plugin "Local REST API" too, if it is installed. */
  isRestApiOn: z.boolean().catch(false).default(false),
  /** Toolsets that are on everywhere (true) or nowhere (false), by their switch. */
  toolsetSwitches: z.record(z.string(), z.boolean()).catch({}).default({}),
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
  /** Who gets the open note, by provider or `agent/` and id. Default: servers on this device. */
  openNoteChoices: z.record(z.string(), z.boolean()).catch({}).default({}),
  /** Folder whose notes the chat offers as slash commands; `''` for none. */
  promptFolder: z
    .unknown()
    .transform((value) => readSettingsFolders(value)[0] ?? '')
    .default(''),
  /** Writing tools that a chat may call without approval. */
  allowedTools: z.array(z.string()).catch([]).default([]),
});

export type Settings = z.output<typeof settingsShape>;

/** Returns the switches of the toolsets that are on everywhere. */
export function toolsetsOn({ toolsetSwitches }: Settings): string[] {
  return Object.keys(toolsetSwitches).filter((name) => toolsetSwitches[name] === true);
}

/** Returns the switches of the toolsets that are off everywhere. */
export function toolsetsOff({ toolsetSwitches }: Settings): string[] {
  return Object.keys(toolsetSwitches).filter((name) => toolsetSwitches[name] === false);
}

export function readSettings(data: unknown): Settings {
  return settingsShape.parse(isJsonObject(data) ? data : {});
}
