/* Script of the playground: the simulated Obsidian over the embedded sample vault. */

import type { PluginManifest } from 'obsidian';
import './browser-entry';
import type { FileSet } from './obsidian';

interface Sample {
  readonly files: FileSet;
  readonly plugin: { readonly source: string; readonly manifest: PluginManifest };
  /** The note that is open at the start. */
  readonly open: string;
}

const PHONE_WIDTH = 600;

/** A browser may deny storage to a page from disk, and a visit must not affect the next one. */
function forgetEarlierVisits(id: string): void {
  const kept = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  Object.defineProperty(window, 'localStorage', { value: localStorage });
  const forget = (databases: IDBDatabaseInfo[]) => {
    for (const { name } of databases) if (name?.startsWith(id)) indexedDB.deleteDatabase(name);
  };
  indexedDB
    .databases()
    .then(forget, (error: unknown) =>
      console.info('This browser keeps no database for a page from the disk.', error),
    );
}

async function open(): Promise<void> {
  const {
    files,
    plugin,
    open: note,
  } = JSON.parse(document.getElementById('sample')?.textContent ?? '{}') as Sample;
  const isMobile = window.innerWidth < PHONE_WIDTH;
  const theme = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  forgetEarlierVisits(plugin.manifest.id);
  await window.__host.start({ files, plugin, vaultName: 'Mara', isMobile, theme });
  const { host } = window.__host;
  await host.app.workspace.openLinkText(note, '');
  if (!isMobile) host.runCommand(`${plugin.manifest.id}:open-memory`);
}

void open();
