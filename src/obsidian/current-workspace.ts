import type { App } from 'obsidian';
import { workspaceById } from '../model/lookup.js';
import type { Memory } from '../model/memory.js';
import { createStore, type Store, type WritableStore } from './store.js';

const WORKSPACE_KEY = 'savepoint-workspace';

export interface CurrentWorkspaceOptions {
  readonly memory: Store<Memory>;
  /** Id of the workspace that this device was in. */
  readonly stored: string;
  readonly store: (id: string) => void;
}

/** Current workspace: that of the focused conversation or memory view, otherwise the device's. */
export class CurrentWorkspace {
  readonly id: Store<string>;
  /** Id of the workspace that this device is in while no view with a workspace has the focus. */
  readonly deviceId: Store<string>;
  readonly #options: CurrentWorkspaceOptions;
  readonly #id: WritableStore<string>;
  readonly #deviceId: WritableStore<string>;
  #focusedId: string | undefined;
  readonly #unsubscribe: () => void;

  constructor(options: CurrentWorkspaceOptions) {
    this.#options = options;
    this.id = this.#id = createStore(options.stored);
    this.deviceId = this.#deviceId = createStore(options.stored);
    this.#unsubscribe = options.memory.subscribe(() => this.#update());
  }

  /** Moves the device to a workspace, until the focused view or its workspace changes. */
  enter(id: string): void {
    this.#focusedId = undefined;
    this.#options.store(id);
    this.#deviceId.set(id);
    this.#update();
  }

  /** Sets the workspace of the view in focus; undefined if it has none. */
  focus(id: string | undefined): void {
    this.#focusedId = id;
    this.#update();
  }

  close(): void {
    this.#unsubscribe();
  }

  #update(): void {
    const focused = this.#focusedId;
    const hasFocus = focused !== undefined && isActive(this.#options.memory.get(), focused);
    this.#id.set(hasFocus ? focused : this.#deviceId.get());
  }
}

/** Opens the current workspace, which the device stores; at first `fallback`. */
export function openCurrentWorkspace(
  app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>,
  memory: Store<Memory>,
  fallback: string,
): CurrentWorkspace {
  const stored: unknown = app.loadLocalStorage(WORKSPACE_KEY);
  return new CurrentWorkspace({
    memory,
    stored: typeof stored === 'string' ? stored : fallback,
    store: (id) => app.saveLocalStorage(WORKSPACE_KEY, id),
  });
}

function isActive(memory: Memory, id: string): boolean {
  const workspace = workspaceById(memory, id);
  return workspace.id === id && !workspace.isArchived;
}
