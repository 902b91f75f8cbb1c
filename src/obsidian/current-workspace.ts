import type { App } from 'obsidian';
import { workspaceById } from '../model/lookup.js';
import type { Memory } from '../model/memory.js';
import { createStore, type Store, type WritableStore } from './store.js';

const WORKSPACE_KEY = 'savepoint-workspace';

type DeviceStorage = Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>;

/** Current workspace: that of the focused conversation or memory view, otherwise the device's. */
export class CurrentWorkspace {
  readonly id: WritableStore<string>;
  /** Id of the workspace that this device is in while no view with a workspace has the focus. */
  readonly deviceId: WritableStore<string>;
  readonly #device: DeviceStorage;
  readonly #memory: Store<Memory>;
  #focusedId: string | undefined;
  readonly #unsubscribe: () => void;

  /** Begins with the workspace that the device has stored; at first with `fallback`. */
  constructor(device: DeviceStorage, memory: Store<Memory>, fallback: string) {
    const stored: unknown = device.loadLocalStorage(WORKSPACE_KEY);
    this.#device = device;
    this.#memory = memory;
    this.id = createStore(typeof stored === 'string' ? stored : fallback);
    this.deviceId = createStore(this.id.get());
    this.#unsubscribe = memory.subscribe(() => this.#update());
  }

  /** Moves the device to a workspace, until the focused view or its workspace changes. */
  enter(id: string): void {
    this.#focusedId = undefined;
    this.#device.saveLocalStorage(WORKSPACE_KEY, id);
    this.deviceId.set(id);
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
    const hasFocus = focused !== undefined && isActive(this.#memory.get(), focused);
    this.id.set(hasFocus ? focused : this.deviceId.get());
  }
}

function isActive(memory: Memory, id: string): boolean {
  const workspace = workspaceById(memory, id);
  return workspace.id === id && !workspace.isArchived;
}
