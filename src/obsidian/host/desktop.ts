import { Platform } from 'obsidian';

type NodeProcess = typeof import('node:process');

/** Flatpak gives these folders of its own to an app in its sandbox. */
const FLATPAK_FOLDERS = ['CACHE_HOME', 'CONFIG_HOME', 'DATA_HOME', 'RUNTIME_DIR', 'STATE_HOME'];

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
      process: outsideFlatpak(await import('node:process')),
    };
  } catch {
    return undefined;
  }
}

/**
 * Returns the process with the folders that AI apps use, which run outside of Flatpak's sandbox, in
 * its environment. Flatpak names them HOST_XDG_… if the user has set them (man flatpak-run); if
 * absent, they are the default ones in the home folder, which both sides see.
 */
function outsideFlatpak(process: NodeProcess): NodeProcess {
  const { env } = process;
  if (env['FLATPAK_ID'] === undefined) return process;
  const outside = FLATPAK_FOLDERS.map((name) => [`XDG_${name}`, env[`HOST_XDG_${name}`]]);
  const value = { ...env, ...Object.fromEntries(outside) } as NodeProcess['env'];
  return Object.create(process, { env: { value } }) as NodeProcess;
}
