import type { App, Plugin } from 'obsidian';
import type { Savepoint } from '../savepoint.js';
import type { Store } from '../store.js';

/** Registers every view, and the ribbon's icon that opens the memory. */
export function addViews(_plugin: Plugin, _savepoint: Store<Savepoint | undefined>): void {}

/** Shows the memory view, in the right sidebar where it is not open yet. */
export async function openMemory(_app: App): Promise<void> {}
