import type {
  CliFlags,
  CliHandler,
  Command,
  HoverLinkSource,
  MarkdownPostProcessor,
  ObsidianProtocolHandler,
  PluginManifest,
} from 'obsidian';
import type { App } from './app';
import { Component } from './component';
import { pressable, setIcon } from './icons';
import type { WorkspaceLeaf } from './leaf';
import { createCodeBlockPostProcessor, MarkdownPreviewRenderer } from './markdown';
import { Platform } from './platform';
import { refuse } from './refuse';
import type { PluginSettingTab } from './setting-tab';
import { setTooltip } from './tooltip';
import type { View } from './views';

export abstract class Plugin extends Component {
  app: App;
  manifest: PluginManifest;
  settings?: unknown;

  constructor(app: App, manifest: PluginManifest) {
    super();
    this.app = app;
    this.manifest = manifest;
  }

  addRibbonIcon(
    icon: string,
    title: string,
    callback: (event: MouseEvent) => unknown,
  ): HTMLElement {
    const el = createDiv({
      cls: 'clickable-icon side-dock-ribbon-action',
      attr: { role: 'button', tabindex: 0 },
    });
    setIcon(el, icon);
    setTooltip(el, title, { placement: 'right' });
    pressable(el, callback);
    this.app.workspace.leftRibbon.actionsEl.appendChild(el);
    this.register(() => el.detach());
    return el;
  }

  /** The app has no status bar on mobile: the item is created but never shown. */
  addStatusBarItem(): HTMLElement {
    const el = createDiv(`status-bar-item plugin-${this.manifest.id}`);
    if (!Platform.isMobile) document.body.find('.status-bar').prepend(el);
    this.register(() => el.detach());
    return el;
  }

  addCommand(command: Command): Command {
    command.id = `${this.manifest.id}:${command.id}`;
    command.name = `${this.manifest.name}: ${command.name}`;
    this.app.commands.addCommand(command);
    this.register(() => this.app.commands.removeCommand(command.id));
    return command;
  }

  removeCommand(commandId: string): void {
    this.app.commands.removeCommand(`${this.manifest.id}:${commandId}`);
  }

  addSettingTab(settingTab: PluginSettingTab): void {
    this.app.setting.addPluginTab(settingTab, this.manifest);
    this.register(() => this.app.setting.removePluginTab(settingTab));
  }

  /**
   * Unloading the plugin defers its views and does not close them: they reappear in place when it
   * is loaded again.
   */
  registerView(type: string, viewCreator: (leaf: WorkspaceLeaf) => View): void {
    const { viewRegistry, workspace } = this.app;
    viewRegistry.register(type, viewCreator);
    for (const leaf of workspace.getLeavesOfType(type))
      if (leaf.containerEl.isShown()) void leaf.loadIfDeferred();
    this.register(() => {
      viewRegistry.unregister(type);
      for (const leaf of workspace.getLeavesOfType(type)) void leaf.defer();
    });
  }

  registerHoverLinkSource(id: string, info: HoverLinkSource): void {
    this.app.hoverLinkSources.set(id, info);
    this.register(() => this.app.hoverLinkSources.delete(id));
  }

  registerExtensions(extensions: string[], viewType: string): void {
    this.app.viewRegistry.registerExtensions(extensions, viewType);
    this.register(() => this.app.viewRegistry.unregisterExtensions(extensions));
  }

  registerMarkdownPostProcessor(
    postProcessor: MarkdownPostProcessor,
    sortOrder?: number,
  ): MarkdownPostProcessor {
    MarkdownPreviewRenderer.registerPostProcessor(postProcessor, sortOrder);
    this.register(() => MarkdownPreviewRenderer.unregisterPostProcessor(postProcessor));
    return postProcessor;
  }

  registerMarkdownCodeBlockProcessor(
    language: string,
    handler: Parameters<typeof createCodeBlockPostProcessor>[1],
    sortOrder?: number,
  ): MarkdownPostProcessor {
    return this.registerMarkdownPostProcessor(
      createCodeBlockPostProcessor(language, handler),
      sortOrder,
    );
  }

  registerBasesView(): boolean {
    return refuse('Plugin.registerBasesView');
  }

  registerEditorExtension(): void {
    refuse('Plugin.registerEditorExtension');
  }

  registerObsidianProtocolHandler(action: string, handler: ObsidianProtocolHandler): void {
    if (this.app.protocolHandlers.has(action))
      throw new Error(`The protocol action "${action}" is taken`);
    this.app.protocolHandlers.set(action, handler);
    this.register(() => this.app.protocolHandlers.delete(action));
  }

  registerEditorSuggest(): void {
    refuse('Plugin.registerEditorSuggest');
  }

  registerCliHandler(
    command: string,
    description: string,
    flags: CliFlags | null,
    handler: CliHandler,
  ): void {
    if (this.app.cliCommands.has(command))
      throw new Error(`The command "${command}" is already registered`);
    this.app.cliCommands.set(command, { description, flags, handler });
    this.register(() => this.app.cliCommands.delete(command));
  }

  async loadData(): Promise<unknown> {
    const { adapter } = this.app.vault;
    return (await adapter.exists(this.#dataPath))
      ? (JSON.parse(await adapter.read(this.#dataPath)) as unknown)
      : null;
  }

  saveData(data: unknown): Promise<void> {
    return this.app.plugins.writeData(this, JSON.stringify(data, null, 2));
  }

  onUserEnable(): void {}

  onExternalSettingsChange?(): unknown;

  get #dataPath(): string {
    return `${this.app.plugins.folderOf(this.manifest)}/data.json`;
  }
}
