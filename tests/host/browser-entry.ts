/*
 * What the page of the Chromium host and the playground loads: the stand-in over a vault in memory.
 *
 *   await window.__host.start({ files, plugin: { source, manifest }, isMobile: true });
 *   const files = window.__host.snapshot();    // hand them to the next page's start: a restart of the app
 */

import type { PluginManifest } from 'obsidian';
import { createHost, MemoryMedium, type FileSet, type Host, type HostOptions } from './obsidian';

interface StartOptions extends Omit<HostOptions, 'medium'> {
  readonly files?: FileSet;
  /** Each is started in this order before the layout is ready. */
  readonly plugin?: { readonly source: string; readonly manifest: PluginManifest };
}

/** The page's side of the host, for playwright and the page's own script. */
export interface BrowserHost {
  readonly host: Host;
  /** The vault: its faults can be switched on, and writing to it is what another program would do. */
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
