import { conversationOf } from '../../../src/model/conversation.js';
import { allStates, allWorkspaces } from '../../../src/model/lookup.js';
import { entityOf } from '../../../src/model/memory.js';
import { mapEntries } from '../../../src/model/persistent-map.js';
import type { State } from '../../../src/model/state.js';
import type { Files } from '../../../src/platform/files.js';
import type { ForeignFile, Origin } from '../../../src/transfer/foreign/foreign-memory.js';
import {
  importForeign,
  type ForeignImportOptions,
} from '../../../src/transfer/foreign/import-foreign.js';
import { createVault, ROOT } from '../../storage/helpers.js';

export const NOW = Date.UTC(2026, 11, 1);

let tags = 0;

/** Imports files of another program with a unique tag. */
export function bringIn(
  files: Files,
  origin: Origin,
  sources: readonly ForeignFile[],
  options: Partial<ForeignImportOptions> = {},
) {
  const tag = `tagtagtag${String(++tags).padStart(3, 'x')}`;
  return importForeign(files, ROOT, origin, sources, {
    isDryRun: false,
    now: NOW,
    day: '2026-12-01',
    tag,
    excludedFolders: [],
    removedIds: new Set(),
    ...options,
  });
}

export interface Remembered {
  readonly workspaces: Map<
    string,
    { id: string; isArchived: boolean; createdAt: string; purpose: string; preferences: unknown }
  >;
  /** By "workspace/name". */
  readonly states: Map<string, State>;
  readonly conversations: {
    id: string;
    title: string;
    workspaceId: string;
    isArchived: boolean;
    createdAt: string;
  }[];
}

/** Opens the vault on a new device and returns its memory. */
export async function rememberedIn(vault: ReturnType<typeof createVault>): Promise<Remembered> {
  const log = vault.open();
  const memory = await log.memory();
  const chat = await log.conversations();
  await log.close();
  const all = allWorkspaces(memory);
  return {
    workspaces: new Map(all.map(({ item, displayName }) => [displayName, { ...item }])),
    states: new Map(
      all.flatMap(({ item: { id }, displayName: workspace }) =>
        allStates(memory, id).map(
          ({ item, displayName }) => [`${workspace}/${displayName}`, item] as const,
        ),
      ),
    ),
    conversations: [...mapEntries(chat.entities)].flatMap(
      ([id]) => conversationOf(entityOf(chat, id)) ?? [],
    ),
  };
}
