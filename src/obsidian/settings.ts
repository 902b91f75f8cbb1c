import * as z from 'zod';
import { DEFAULT_WORKSPACE } from '../model/memory.js';
import { readVaultPath } from '../model/paths.js';

const DATA_FOLDER = 'Savepoint';

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
  /** Whether no MCP client may write, and which may not, by the names that they give themselves. */
  isReadOnly: z.boolean().catch(false).default(false),
  readOnlyClients: z.array(z.string()).catch([]).default([]),
  /** Folders whose notes are neither searched nor named in the memory of tool calls. */
  excludedFolders: z.array(folder).catch([]).default([]),
  /** The providers of models that were set up, by their ids: the address where that is open, and the model in use. Keys are elsewhere. */
  providers: z
    .record(z.string(), z.object({ address: z.string().catch('').default(''), model: z.string().catch('').default('') }))
    .catch({})
    .default({}),
  /** The provider whose model answers in new conversations. */
  chatProvider: z.string().catch('').default(''),
  /** The tools that a chat may call without asking, though they write. */
  allowedTools: z.array(z.string()).catch([]).default([]),
});

export type Settings = z.output<typeof settingsShape>;

export function readSettings(data: unknown): Settings {
  return settingsShape.parse(typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {});
}
