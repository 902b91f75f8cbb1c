import { afterEach } from 'vitest';
import { createHost, MemoryMedium, type FileSet, type Host, type HostOptions } from './index.js';
import type { Plugin } from './plugin.js';

const hosts: Host[] = [];

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.dispose();
  window.localStorage.clear();
});

export const manifest = {
  id: 'mine',
  name: 'Mine',
  version: '1.0.0',
  minAppVersion: '1.13.0',
  author: 'Me',
  description: 'Tries things.',
};

/** Creates a host over a vault in memory, disposed after the test. Its layout is not ready yet. */
export function openHost(
  files: FileSet = {},
  options: Omit<HostOptions, 'medium'> = {},
): Host & { medium: MemoryMedium } {
  const medium = new MemoryMedium(files);
  const host = createHost({ ...options, medium });
  hosts.push(host);
  return Object.assign(host, { medium });
}

/**
 * Same with the layout ready, and optionally a plugin: the body of `onload`, with the module as
 * `o`.
 */
export async function startHost(
  files: FileSet = {},
  { onload, ...options }: Omit<HostOptions, 'medium'> & { onload?: string } = {},
): Promise<ReturnType<typeof openHost> & { plugin: Plugin }> {
  const host = openHost(files, options);
  const plugin = await host.loadPlugin(pluginSource(onload ?? ''), manifest);
  await host.layoutReady();
  return Object.assign(host, { plugin });
}

export const pluginSource = (onload: string, more = '') =>
  `const o = require('obsidian'); module.exports = class extends o.Plugin { async onload() { ${onload} } ${more} };`;

/** Waits for pending timers and promises. */
export const settle = (ms = 30) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function press(key: string, options: KeyboardEventInit = {}): void {
  const target = document.activeElement ?? document.body;
  target.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options }),
  );
}

export const texts = (selector: string) =>
  Array.from(document.querySelectorAll(selector), (el) => el.textContent);
