/*
 * The simulated Obsidian: its module `obsidian`, an app around it, and controls over both for
 * tests.
 *
 *   const host = createHost({ medium: new MemoryMedium({ 'Note.md': '# Note' }) });
 *   await host.loadPlugin(source, manifest);   // as at the app's start: the vault is not read yet
 *   await host.layoutReady();                  // reads the vault, restores the layout, notifies
 *                                              the plugins
 *
 * It runs in the window that it is loaded into (`window === globalThis`), one host at a time.
 */

import type { PluginManifest } from 'obsidian';
import { App } from './app';
import { setCurrentApp } from './current-app';
import * as documented from './documented';
import { installDom } from './dom';
import { WorkspaceSidedock } from './layout';
import type { Medium } from './medium';
import { setPlatform } from './platform';
import type { Plugin } from './plugin';
import { refuse } from './refuse';
import { buildShell } from './shell';
import { watchTooltips } from './tooltip';
import { Tasks } from './utilities';

export { MemoryMedium, type FileSet } from './memory-medium';
export { folderMedium } from './folder-medium';

export interface HostOptions {
  readonly medium: Medium;
  readonly isMobile?: boolean;
  readonly vaultName?: string;
  readonly theme?: 'dark' | 'light';
}

export interface Host {
  /**
   * What `require('obsidian')` returns. Accessing a name that the simulated Obsidian lacks throws.
   */
  readonly module: typeof documented;
  readonly app: App;
  /**
   * Starts a plugin from the text of its `main.js`. `requireNode` plays Electron's `require`; on
   * mobile there is none.
   */
  loadPlugin(
    source: string,
    manifest: PluginManifest,
    requireNode?: (name: string) => unknown,
  ): Promise<Plugin>;
  /** Unloads the plugin that `loadPlugin` loaded last. */
  unloadPlugin(): Promise<void>;
  /** Runs a command by its full id (`savepoint:open-memory`); returns whether it applied. */
  runCommand(id: string): boolean;
  layoutReady(): Promise<void>;
  setTheme(theme: 'dark' | 'light'): void;
  /** Quits the app as the user would: plugins may finish their work, and the layout is saved. */
  quit(): Promise<void>;
  /** Tears everything down immediately, like a crash. */
  dispose(): Promise<void>;
}

/** Bundlers and `await` access `default` and the like; plugins do not. */
const asksForInterop = (name: string | symbol) =>
  typeof name === 'symbol' || ['__esModule', 'default', 'then'].includes(name);

const strictModule = new Proxy(
  { ...documented },
  {
    get: (target, name) =>
      name in target || asksForInterop(name)
        ? (Reflect.get(target, name) as unknown)
        : refuse(String(name)),
  },
);

function dressBody(isMobile: boolean, theme: 'dark' | 'light'): void {
  const { body } = document;
  body.className = '';
  body.addClasses(['obsidian-app', 'show-view-header', 'show-inline-title', `theme-${theme}`]);
  body.addClasses(
    isMobile ? ['is-mobile', 'is-phone', 'is-android'] : ['show-ribbon', 'mod-linux'],
  );
}

function trackEvents(app: App): () => void {
  const track = (event: Event) => (app.lastEvent = event as MouseEvent);
  const names = ['click', 'keydown', 'touchend'];
  for (const name of names) window.addEventListener(name, track, true);
  return () => names.forEach((name) => window.removeEventListener(name, track, true));
}

export function createHost({
  medium,
  isMobile = false,
  vaultName = 'Vault',
  theme = 'light',
}: HostOptions): Host {
  installDom(window);
  setPlatform(isMobile);
  dressBody(isMobile, theme);
  const app = new App(medium, vaultName);
  setCurrentApp(app);
  app.workspace.build();
  const undo = [
    buildShell(app),
    app.keymap.listen(window),
    watchTooltips(window),
    trackEvents(app),
    () => setCurrentApp(null),
  ];
  const onResize = () => {
    app.workspace.iterateAllLeaves((leaf) => leaf.onResize());
    app.workspace.trigger('resize');
  };
  window.addEventListener('resize', onResize);
  undo.push(() => window.removeEventListener('resize', onResize));
  let latest = '';

  async function openFileExplorer(): Promise<void> {
    const { workspace } = app;
    if (workspace.getLeavesOfType('file-explorer').length > 0) return;
    const { leftSplit } = workspace;
    await workspace.ensureSideLeaf('file-explorer', 'left', {
      reveal: leftSplit instanceof WorkspaceSidedock,
    });
  }

  const host: Host = {
    module: strictModule,
    app,
    async loadPlugin(source, manifest, requireNode) {
      const require = (name: string): unknown => {
        if (name === 'obsidian') return strictModule;
        if (name.startsWith('@codemirror/') || name.startsWith('@lezer/')) return refuse(name);
        if (!requireNode || isMobile) throw new Error(`Cannot find module '${name}'`);
        return requireNode(name);
      };
      latest = manifest.id;
      app.plugins.install(source, manifest, require);
      return app.plugins.enablePlugin(manifest.id);
    },
    unloadPlugin: () => app.plugins.disablePlugin(latest),
    runCommand: (id) => app.commands.executeCommandById(id),
    async layoutReady() {
      undo.push(await app.vault.loadTree());
      undo.push(medium.watch((path) => void app.plugins.onFileChanged(path)));
      await app.workspace.restoreLayout();
      await openFileExplorer();
      app.workspace.setReady();
      if (!app.workspace.activeLeaf) app.workspace.setActiveLeaf(app.workspace.getLeaf(false));
    },
    setTheme(next) {
      document.body.toggleClass('theme-dark', next === 'dark');
      document.body.toggleClass('theme-light', next === 'light');
      app.workspace.trigger('css-change');
    },
    async quit() {
      const tasks = new Tasks();
      app.workspace.trigger('quit', tasks);
      await tasks.promise();
      await app.workspace.saveLayout();
      await host.dispose();
    },
    async dispose() {
      await app.workspace.close();
      for (const id of Object.keys(app.plugins.plugins)) await app.plugins.disablePlugin(id);
      for (const act of undo.splice(0)) act();
      document.body.empty();
    },
  };
  return host;
}
