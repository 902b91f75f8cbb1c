import * as z from 'zod';
import { CLIENT_ACCESSES } from '../agents/client-policy.js';
import { DEFAULT_WORKSPACE } from '../model/memory.js';
import { readVaultPath } from '../model/paths.js';

const DATA_FOLDER = 'Savepoint';

const clients = z.array(z.string()).catch([]).default([]);
const folder = z.string().refine((path) => path !== '' && !('problem' in readVaultPath(path)));

/** What the person has chosen for the vault, on every device. What cannot be read is as if it had not been chosen. */
export const settingsShape = z.object({
  /** The folder that holds the memory: visible, so that sync services carry it. */
  dataFolder: folder.catch(DATA_FOLDER).default(DATA_FOLDER),
  /** The workspace that a device starts in, by its id. */
  defaultWorkspace: z.string().catch(DEFAULT_WORKSPACE).default(DEFAULT_WORKSPACE),
  /** Tool calls are kept so long and so much; workspaces and states for ever. */
  traceDays: z.number().int().min(1).max(3650).catch(90).default(90),
  traceMegabytes: z.number().int().min(1).max(10_000).catch(50).default(50),
  /** Whether MCP clients are answered by the app while it has the vault open. */
  isBridgeOn: z.boolean().catch(true).default(true),
  /** Whether no MCP client may write, and what each may do, by the names that they give themselves. */
  isReadOnly: z.boolean().catch(false).default(false),
  otherClients: z.enum(CLIENT_ACCESSES).catch('write').default('write'),
  writingClients: clients,
  askingClients: clients,
  readOnlyClients: clients,
  /** Of which calls of MCP clients a notice tells. */
  clientNotices: z.enum(['off', 'writes', 'all']).catch('writes').default('writes'),
  /** Whether the tools are offered through the plugin "Local REST API" too, where it is there. */
  isRestApiOn: z.boolean().catch(false).default(false),
  /** The agents, by the names of their switches, that are on wherever tools are listed, and those that are on nowhere. */
  furtherAgents: z.record(z.string(), z.boolean()).catch({}).default({}),
  /** Folders whose notes are neither searched nor named in the memory of tool calls. */
  excludedFolders: z.array(folder).catch([]).default([]),
  /** The providers of models that were set up, by their ids: the address where that is open, and the model in use. Keys are elsewhere. */
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
  /** The provider whose model answers in new conversations. */
  chatProvider: z.string().catch('').default(''),
  /** The tools that a chat may call without asking, though they write. */
  allowedTools: z.array(z.string()).catch([]).default([]),
});

export type Settings = z.output<typeof settingsShape>;

/** The switches of the agents that are on wherever tools are listed by name. */
export function agentsOn({ furtherAgents }: Settings): string[] {
  return Object.keys(furtherAgents).filter((name) => furtherAgents[name] === true);
}

/** The switches of the agents that are on nowhere. */
export function agentsOff({ furtherAgents }: Settings): string[] {
  return Object.keys(furtherAgents).filter((name) => furtherAgents[name] === false);
}

export function readSettings(data: unknown): Settings {
  return settingsShape.parse(
    typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {},
  );
}
