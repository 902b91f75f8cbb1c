import { FileSystemAdapter, type App, type PluginManifest } from 'obsidian';
import type { Connections } from '../obsidian/clients/connections.js';
import { onAnyDisk } from '../node/modules.js';
import { loadNodeModules } from '../obsidian/host/desktop.js';

/** The vault as a folder on disk, and Node's modules to access it. */
export interface Disk {
  readonly node: NonNullable<Awaited<ReturnType<typeof loadNodeModules>>>;
  /** An absolute path. */
  readonly vault: string;
}

/** Returns undefined on a device without Node. */
export async function openDisk(app: App): Promise<Disk | undefined> {
  const { adapter } = app.vault;
  if (!(adapter instanceof FileSystemAdapter)) return undefined;
  const node = await loadNodeModules();
  const fs = node && onAnyDisk(node.fs, node.callbackFs);
  return fs && { node: { ...node, fs }, vault: adapter.getBasePath() };
}

/** Returns the connections of AI apps on this machine. */
export async function openConnections(
  { node, vault }: Disk,
  { dir = '', version }: PluginManifest,
  dataFolder: () => string,
): Promise<Connections> {
  const { VaultConnections } = await import('../node/client-setup/connections.js');
  const { env, platform, execPath } = node.process;
  return new VaultConnections(
    node,
    { env, platform, execPath, home: node.os.homedir() },
    { vault, running: node.path.join(vault, dir, 'main.js'), version, dataFolder },
  );
}
