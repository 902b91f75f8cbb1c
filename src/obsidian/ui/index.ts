import type { App, Plugin, WorkspaceLeaf } from 'obsidian';
import type { Savepoint } from '../savepoint.js';
import type { Store } from '../store.js';
import { text } from '../text/index.js';
import { MEMORY_VIEW } from './memory/host.js';
import { MemoryView } from './memory/memory-view.js';
import type { Place } from './memory/view-state.js';
import { pickOtherState } from './pick-other-state.js';
import { NOTES_VIEW, NotesView } from './notes-pane/notes-view.js';

/** Registers every view, and the ribbon's icon that opens the memory. */
export function addViews(plugin: Plugin, savepoint: Store<Savepoint | undefined>): void {
  const { app } = plugin;
  plugin.registerView(MEMORY_VIEW, (leaf) => new MemoryView(leaf, savepoint, pickOtherState));
  plugin.registerView(NOTES_VIEW, (leaf) => new NotesView(leaf, savepoint, (place) => openMemory(app, place)));
  plugin.registerHoverLinkSource(MEMORY_VIEW, { display: text.memoryView.title, defaultMod: true });
  plugin.addRibbonIcon('brain', text.memoryView.openMemory, () => void openMemory(app));
}

/** Shows the memory view, in the right sidebar where it is not open yet; at a place, where one is given. */
export async function openMemory(app: App, place?: Place): Promise<void> {
  const leaf = await openView(app, MEMORY_VIEW);
  if (place && leaf.view instanceof MemoryView) leaf.view.show(place);
}

/** Shows what is remembered of the active note, in the right sidebar where it is not open yet. */
export async function openNotesPane(app: App): Promise<void> {
  await openView(app, NOTES_VIEW);
}

async function openView({ workspace }: App, type: string): Promise<WorkspaceLeaf> {
  const leaf = workspace.getLeavesOfType(type)[0] ?? (await workspace.ensureSideLeaf(type, 'right', { active: true, reveal: false }));
  await workspace.revealLeaf(leaf);
  return leaf;
}
