/*
 * Entry of the Chromium host and the playground: the simulated Obsidian over a vault in memory.
 *
 *   await window.__host.start({ files, plugin: { source, manifest }, isMobile: true });
 *   const files = window.__host.snapshot();    // pass them to the next page's start to restart the
 *                                              app
 */

import type { PluginManifest } from 'obsidian';
import { createHost, MemoryMedium, type FileSet, type Host, type HostOptions } from './obsidian';

interface StartOptions extends Omit<HostOptions, 'medium'> {
  readonly files?: FileSet;
  /** The plugin to start before the layout is ready. */
  readonly plugin?: { readonly source: string; readonly manifest: PluginManifest };
}

/** The page's side of the host, for playwright and the page's own script. */
export interface BrowserHost {
  readonly host: Host;
  /** The vault. Its faults can be turned on, and writes to it act like those of another program. */
  readonly medium: MemoryMedium;
  start(options: StartOptions): Promise<void>;
  snapshot(): FileSet;
}

declare global {
  interface Window {
    __host: BrowserHost;
  }
}

let running: { readonly host: Host; readonly medium: MemoryMedium } | null = null;

function current(): NonNullable<typeof running> {
  if (!running) throw new Error('The host is not started');
  return running;
}

window.__host = {
  get host() {
    return current().host;
  },
  get medium() {
    return current().medium;
  },
  async start({ files, plugin, ...options }) {
    const medium = new MemoryMedium(files);
    running = { medium, host: createHost({ ...options, medium }) };
    if (plugin) await running.host.loadPlugin(plugin.source, plugin.manifest);
    await running.host.layoutReady();
  },
  snapshot: () => current().medium.snapshot(),
};
