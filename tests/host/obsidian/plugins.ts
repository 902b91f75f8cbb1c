import type { PluginManifest } from 'obsidian';
import type { App } from './app';
import type { Plugin } from './plugin';

type PluginClass = new (app: App, manifest: PluginManifest) => Plugin;
type Require = (name: string) => unknown;

/**
 * Runs a plugin's file as the app does: as the body of a function of `require`, `module` and
 * `exports`.
 */
function evaluate(source: string, id: string, require: Require): PluginClass {
  const module = { exports: {} as Record<string, unknown> };
  const body = `(function anonymous(require,module,exports){${source}\n})\n//# sourceURL=plugin:${encodeURIComponent(id)}\n`;
  const run = (0, eval)(body) as (
    require: Require,
    module: { exports: unknown },
    exports: unknown,
  ) => void;
  run(require, module, module.exports);
  const found = (module.exports['default'] ?? module.exports) as PluginClass;
  if (typeof found !== 'function')
    throw new Error(`Failed to load plugin ${id}. No exports detected.`);
  return found;
}

/** The community plugins of the vault, installed and enabled ones. */
export class Plugins {
  readonly manifests: Record<string, PluginManifest> = {};
  readonly plugins: Record<string, Plugin> = {};
  readonly #app: App;
  #classes = new Map<string, PluginClass>();
  #written = new Map<Plugin, string>();

  constructor(app: App) {
    this.#app = app;
  }

  /** Folder of a plugin in the vault. */
  folderOf({ dir, id }: PluginManifest): string {
    return dir ?? `${this.#app.vault.configDir}/plugins/${id}`;
  }

  /** Registers a plugin without starting it. */
  install(source: string, manifest: PluginManifest, require: Require): void {
    this.#classes.set(manifest.id, evaluate(source, manifest.id, require));
    this.manifests[manifest.id] = { ...manifest, dir: this.folderOf(manifest) };
  }

  /** `byUser`: enabled in the settings, not started with the app. */
  async enablePlugin(id: string, { byUser = false } = {}): Promise<Plugin> {
    const manifest = this.manifests[id];
    const PluginClass = this.#classes.get(id);
    if (!manifest || !PluginClass) throw new Error(`No plugin "${id}" is installed`);
    const running = this.plugins[id];
    if (running) return running;
    const plugin = new PluginClass(this.#app, manifest);
    this.plugins[id] = plugin;
    try {
      await plugin.load();
    } catch (error) {
      delete this.plugins[id];
      plugin.unload();
      throw error;
    }
    if (byUser) plugin.onUserEnable();
    return plugin;
  }

  async disablePlugin(id: string): Promise<void> {
    const plugin = this.plugins[id];
    delete this.plugins[id];
    plugin?.unload();
    await Promise.resolve();
  }

  /** Writes the data of a plugin without notifying it. */
  async writeData(plugin: Plugin, text: string): Promise<void> {
    const { adapter } = this.#app.vault;
    const folder = this.folderOf(plugin.manifest);
    if (!(await adapter.exists(folder))) await adapter.mkdir(folder);
    this.#written.set(plugin, text);
    await adapter.write(`${folder}/data.json`, text);
  }

  /** Notifies a plugin when another program has changed its data file. */
  async onFileChanged(path: string): Promise<void> {
    const plugin = Object.values(this.plugins).find(
      ({ manifest }) => `${this.folderOf(manifest)}/data.json` === path,
    );
    if (!plugin || !(await this.#app.vault.adapter.exists(path))) return;
    const text = await this.#app.vault.adapter.read(path);
    if (this.#written.get(plugin) === text) return;
    this.#written.set(plugin, text);
    await plugin.onExternalSettingsChange?.();
  }
}
