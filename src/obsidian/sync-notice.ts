import { noticeWithButtons } from './actions.js';
import { text } from './i18n/index.js';
import type { Savepoint } from './savepoint.js';

const TOLD_KEY = 'savepoint-sync-told';

/** Warns once if Obsidian Sync leaves out a memory with content. Returns a stop function. */
export function tellIfSyncLeavesOut(
  { app, memory, obsidianSync }: Pick<Savepoint, 'app' | 'memory' | 'obsidianSync'>,
  report: (error: unknown) => void,
): () => void {
  const look = async () => {
    if (!memory.get().vault || app.loadLocalStorage(TOLD_KEY) !== null) return;
    const isLeftOut = await obsidianSync.isMemoryLeftOut();
    if (!isLeftOut || app.loadLocalStorage(TOLD_KEY) !== null) return;
    app.saveLocalStorage(TOLD_KEY, true);
    const run = () => Promise.resolve(obsidianSync.openSettings());
    noticeWithButtons(text.sync.leftOut, [{ label: text.sync.open, run }], 0);
  };
  return memory.subscribe(() => void look().catch(report));
}
