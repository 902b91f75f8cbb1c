import type { App } from './app';
import type { Component } from './component';
import { HoverPopover } from './hover';
import { FileExplorer } from './file-explorer';
import { iconButton } from './icons';
import { Keymap } from './keymap';
import { Menu } from './menu';
import { MarkdownRenderer } from './markdown';
import { MarkdownView } from './markdown-view';
import { ImageView } from './views';
import { Platform } from './platform';
import { FuzzySuggestModal } from './suggest-modal';
import type { Command } from 'obsidian';

/*
 * The parts of the app around the plugins: command palette, page preview, ribbon, status bar.
 */

class CommandPalette extends FuzzySuggestModal<Command> {
  constructor(app: App) {
    super(app);
    this.setPlaceholder('Select a command…');
    this.setInstructions([
      { command: '↑↓', purpose: 'to navigate' },
      { command: '↵', purpose: 'to use' },
      { command: 'esc', purpose: 'to dismiss' },
    ]);
  }

  getItems(): Command[] {
    return this.app.commands.listCommands().sort((a, b) => a.name.localeCompare(b.name));
  }

  getItemText(command: Command): string {
    return command.name;
  }

  override renderSuggestion(
    match: Parameters<FuzzySuggestModal<Command>['renderSuggestion']>[0],
    el: HTMLElement,
  ): void {
    el.addClass('mod-complex');
    super.renderSuggestion(match, el.createDiv('suggestion-content').createDiv('suggestion-title'));
  }

  onChooseItem(command: Command): void {
    this.app.commands.executeCommandById(command.id);
  }
}

interface HoverLink {
  readonly event: MouseEvent;
  readonly source: string;
  readonly hoverParent: ConstructorParameters<typeof HoverPopover>[0];
  readonly targetEl: HTMLElement;
  readonly linktext: string;
  readonly sourcePath?: string;
}

/** Previews the note of a hovered link for registered sources. Some require the modifier key. */
function previewPage(
  app: App,
  { event, source, hoverParent, targetEl, linktext, sourcePath = '' }: HoverLink,
): void {
  const info = app.hoverLinkSources.get(source);
  if (!info || (info.defaultMod && !Keymap.isModifier(event, 'Mod'))) return;
  const file = app.metadataCache.getFirstLinkpathDest(linktext, sourcePath);
  if (!file) return;
  const popover = new HoverPopover(hoverParent, targetEl);
  const el = popover.hoverEl
    .createDiv('markdown-embed is-loaded')
    .createDiv('markdown-preview-view markdown-rendered');
  void app.vault
    .cachedRead(file)
    .then((text) => MarkdownRenderer.render(app, text, el, file.path, popover as Component));
}

function addCommands(app: App): void {
  const { commands, workspace } = app;
  const openPalette = () => new CommandPalette(app).open();
  commands.addCommand({
    id: 'command-palette:open',
    name: 'Open command palette',
    callback: openPalette,
    hotkeys: [{ modifiers: ['Mod'], key: 'p' }],
  });
  commands.addCommand({
    id: 'app:open-settings',
    name: 'Open settings',
    callback: () => app.setting.open(),
    hotkeys: [{ modifiers: ['Mod'], key: ',' }],
  });
  commands.addCommand({
    id: 'app:toggle-left-sidebar',
    name: 'Toggle left sidebar',
    callback: () => workspace.leftSplit.toggle(),
  });
  commands.addCommand({
    id: 'app:toggle-right-sidebar',
    name: 'Toggle right sidebar',
    callback: () => workspace.rightSplit.toggle(),
  });
  commands.addCommand({
    id: 'workspace:close',
    name: 'Close current tab',
    callback: () => workspace.activeLeaf?.detach(),
    hotkeys: [{ modifiers: ['Mod'], key: 'w' }],
  });
  commands.addCommand({
    id: 'workspace:new-tab',
    name: 'New tab',
    callback: () => workspace.setActiveLeaf(workspace.getLeaf('tab'), { focus: true }),
  });
}

/** On mobile the buttons of the app are in a bar at the bottom. */
function buildNavbar(app: App, parent: HTMLElement): void {
  const bar = parent
    .createDiv({ cls: 'mobile-navbar', attr: { role: 'navigation' } })
    .createDiv('mobile-navbar-actions');
  const action = (icon: string, label: string, run: () => unknown) =>
    iconButton(bar, icon, label, run, 'mobile-navbar-action');
  action('panel-left', 'Open left sidebar', () => app.workspace.leftSplit.expand());
  action('terminal', 'Open command palette', () =>
    app.commands.executeCommandById('command-palette:open'),
  );
  action('settings', 'Open settings', () => app.setting.open());
  action('menu', 'Open ribbon menu', () => {
    const menu = new Menu();
    const icons = [...app.workspace.leftRibbon.actionsEl.children] as HTMLElement[];
    for (const icon of icons)
      menu.addItem((item) => item.setTitle(icon.ariaLabel ?? '').onClick(() => icon.click()));
    menu.showAtPosition({ x: 0, y: window.innerHeight });
  });
  action('panel-right', 'Open right sidebar', () => app.workspace.rightSplit.expand());
}

function buildRibbon(app: App): void {
  const { containerEl, actionsEl } = app.workspace.leftRibbon;
  const toggle = createDiv('sidebar-toggle-button mod-left');
  containerEl.prepend(toggle);
  iconButton(toggle, 'panel-left', 'Toggle left sidebar', () => app.workspace.leftSplit.toggle());
  iconButton(
    actionsEl,
    'terminal',
    'Open command palette',
    () => app.commands.executeCommandById('command-palette:open'),
    'side-dock-ribbon-action',
  );
  const below = containerEl.createDiv('side-dock-settings');
  iconButton(
    below,
    'panel-right',
    'Toggle right sidebar',
    () => app.workspace.rightSplit.toggle(),
    'side-dock-ribbon-action',
  );
  iconButton(
    below,
    'settings',
    'Open settings',
    () => app.setting.open(),
    'side-dock-ribbon-action',
  );
}

/** Builds the window of the app around the workspace. Returns a function that removes it. */
export function buildShell(app: App): () => void {
  const { workspace, viewRegistry } = app;
  const container = document.body.createDiv('app-container');
  container.createDiv('horizontal-main-container').appendChild(workspace.containerEl);
  if (Platform.isMobile) buildNavbar(app, container);
  else {
    container.createDiv({ cls: 'status-bar', attr: { role: 'contentinfo' } });
    buildRibbon(app);
  }
  viewRegistry.register('markdown', (leaf) => new MarkdownView(leaf));
  viewRegistry.registerExtensions(['md'], 'markdown');
  viewRegistry.register('image', (leaf) => new ImageView(leaf));
  viewRegistry.registerExtensions(['png', 'jpg', 'jpeg', 'gif', 'webp'], 'image');
  viewRegistry.register('file-explorer', (leaf) => new FileExplorer(leaf));
  app.hoverLinkSources.set('preview', { display: 'Reading view', defaultMod: true });
  workspace.on('hover-link', (link: HoverLink) => previewPage(app, link));
  addCommands(app);
  return () => container.detach();
}
