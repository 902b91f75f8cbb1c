import type { Plugin } from 'obsidian';
import type { Savepoint } from '../savepoint.js';
import type { Store } from '../store.js';

/** Adds every command to the palette. */
export function addCommands(_plugin: Plugin, _savepoint: Store<Savepoint | undefined>): void {}
