import { ItemView, type Plugin, type View } from 'obsidian';
import type { Savepoint } from './savepoint.js';
import type { Store } from './store.js';

export interface WorkspaceView {
  /** Undefined while the view shows no single workspace. */
  readonly shownWorkspaceId: Store<string | undefined>;
}

/** Makes the focused view's workspace the current one. `viewOf` ignores views without one. */
export function followFocus(
  plugin: Plugin,
  savepoint: Store<Savepoint | undefined>,
  viewOf: (view: View | undefined) => WorkspaceView | undefined,
): void {
  const { workspace } = plugin.app;
  let focused: WorkspaceView | undefined;
  let stopFollowing: () => void = () => undefined;

  const update = () => savepoint.get()?.focusWorkspace(focused?.shownWorkspaceId.get());
  const follow = (view: View | undefined) => {
    const next = viewOf(view);
    if (next === focused) return;
    stopFollowing();
    focused = next;
    stopFollowing = next?.shownWorkspaceId.subscribe(update) ?? (() => undefined);
    update();
  };

  const followActive = () => follow(workspace.getActiveViewOfType(ItemView) ?? undefined);
  plugin.registerEvent(workspace.on('active-leaf-change', followActive));
  // the active view was loaded or closed
  plugin.registerEvent(workspace.on('layout-change', followActive));
  workspace.onLayoutReady(followActive);
  plugin.register(savepoint.subscribe(update));
  plugin.register(() => stopFollowing());
}
