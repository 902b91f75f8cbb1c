import { FileSystemAdapter, type App } from 'obsidian';
import { isLeftOutBySync, OTHER_SYNC_ENTRIES } from '../storage/index.js';
import { noticeWithButtons } from './actions.js';
import { text } from './i18n/index.js';
import type { Savepoint } from './savepoint.js';

const TOLD_KEY = 'savepoint-sync-told';

/** Undocumented parts of the app. If a version lacks them, nothing is known about Sync. */
interface UndocumentedApp {
  readonly internalPlugins?: { getEnabledPluginById?(id: string): unknown };
  readonly plugins?: { readonly enabledPlugins?: unknown };
  readonly setting?: { open?(): void; openTabById?(id: string): void };
}

interface SyncInstance {
  readonly vaultId?: unknown;
  /** Up to Obsidian 1.9 */
  readonly allowTypes?: unknown;
  readonly filter?: { readonly allowTypes?: unknown };
}

/** Warns once if Obsidian Sync leaves out a memory with content. Returns a stop function. */
export function tellIfSyncLeavesOut(
  { app, memory }: Pick<Savepoint, 'app' | 'memory'>,
  report: (error: unknown) => void,
): () => void {
  const look = async () => {
    if (!memory.get().vault || app.loadLocalStorage(TOLD_KEY) !== null) return;
    const isLeftOut = await isMemoryLeftOut(app);
    if (!isLeftOut || app.loadLocalStorage(TOLD_KEY) !== null) return;
    app.saveLocalStorage(TOLD_KEY, true);
    noticeWithButtons(
      text.sync.leftOut,
      [{ label: text.sync.open, run: () => openSyncSettings(app) }],
      0,
    );
  };
  return memory.subscribe(() => void look().catch(report));
}

/** Returns true if Obsidian Sync leaves out the log here and no other service seems to sync. */
export async function isMemoryLeftOut(app: App): Promise<boolean> {
  const { internalPlugins, plugins } = app as unknown as UndocumentedApp;
  const sync = internalPlugins?.getEnabledPluginById?.('sync') as SyncInstance | null | undefined;
  if (!sync) return false;
  const { adapter } = app.vault;
  const names: string[] = [];
  for (const name of OTHER_SYNC_ENTRIES) if (await adapter.exists(name)) names.push(name);
  return isLeftOutBySync({
    vaultId: sync.vaultId,
    allowTypes: setOf(sync.filter?.allowTypes) ?? setOf(sync.allowTypes),
    path: adapter instanceof FileSystemAdapter ? adapter.getBasePath() : '',
    names,
    plugins: [...(setOf(plugins?.enabledPlugins) ?? [])].map(String),
  });
}

/** Opens the settings of Obsidian Sync, or Obsidian's settings if it has no such tab. */
export function openSyncSettings(app: App): void {
  const { setting } = app as unknown as UndocumentedApp;
  setting?.open?.();
  setting?.openTabById?.('sync');
}

function setOf(value: unknown): ReadonlySet<unknown> | undefined {
  return value instanceof Set ? value : undefined;
}
