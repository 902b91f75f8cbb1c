import { Platform } from 'obsidian';

/** Loads Node's modules on desktop; undefined on a phone and in a page that imitates desktop. */
export async function loadNodeModules() {
  if (!Platform.isDesktop) return undefined; // the store's lint knows only this guard
  if (!Platform.isDesktopApp) return undefined;
  try {
    return {
      fs: await import('node:fs/promises'),
      callbackFs: await import('node:fs'),
      path: await import('node:path'),
      os: await import('node:os'),
      timers: await import('node:timers'),
      crypto: await import('node:crypto'),
      net: await import('node:net'),
      http: await import('node:http'),
      https: await import('node:https'),
      childProcess: await import('node:child_process'),
      process: await import('node:process'),
    };
  } catch {
    return undefined;
  }
}
