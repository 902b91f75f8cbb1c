import type { App } from 'obsidian';
import { noticeWithButtons } from './actions.js';
import { isMemoryLeftOut, openSyncSettings } from './host/obsidian-sync.js';
import { text } from './i18n/index.js';
import type { Savepoint } from './savepoint.js';
import type { Store } from './store.js';

const TOLD_KEY = 'savepoint-sync-told';

/**
 * Says once on this device that Obsidian Sync leaves the memory out, as soon as there is something
 * in it. Returns a function that stops this.
 */
export function tellIfSyncLeavesOut(
  app: App,
  savepoint: Store<Savepoint | undefined>,
  report: (error: unknown) => void,
): () => void {
  let stopFollowing = () => {};
  let isLooking = false;
  const look = async (opened: Savepoint) => {
    if (isLooking || app.loadLocalStorage(TOLD_KEY) !== null) return;
    if (!opened.memory.get().vault) return;
    isLooking = true;
    const isLeftOut = await isMemoryLeftOut(app).finally(() => (isLooking = false));
    if (!isLeftOut) return;
    app.saveLocalStorage(TOLD_KEY, true);
    const { leftOut, open } = text.sync;
    noticeWithButtons(
      leftOut,
      [{ label: open, run: () => Promise.resolve(openSyncSettings(app)) }],
      0,
    );
  };
  const stop = savepoint.subscribe(() => {
    stopFollowing();
    const opened = savepoint.get();
    stopFollowing = opened?.memory.subscribe(() => void look(opened).catch(report)) ?? (() => {});
  });
  return () => {
    stop();
    stopFollowing();
  };
}
