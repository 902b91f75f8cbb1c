// Tier full: tests the simulated Obsidian, not the plugin
// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { MarkdownView } from './markdown-view.js';
import { manifest, openHost, pluginSource, press, settle, startHost, texts } from './start.js';
import type { WorkspaceLeaf } from './leaf.js';
import { ItemView } from './views.js';

const notes = { 'a.md': '# A', 'b.md': '# B' };

class Mine extends ItemView {
  static log: string[] = [];
  #state: Record<string, unknown> = {};

  getViewType(): string {
    return 'mine';
  }

  getDisplayText(): string {
    return 'My view';
  }

  override getState(): Record<string, unknown> {
    return this.#state;
  }

  override setState(state: unknown): Promise<void> {
    this.#state = state as Record<string, unknown>;
    return Promise.resolve();
  }

  protected override onOpen(): Promise<void> {
    Mine.log.push('open');
    this.contentEl.setText('content');
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    Mine.log.push('close');
    return Promise.resolve();
  }
}

async function startWithView(files = notes, options = {}) {
  Mine.log = [];
  const host = openHost(files, options);
  const plugin = await host.loadPlugin(pluginSource(''), manifest);
  plugin.registerView('mine', (leaf) => new Mine(leaf));
  await host.layoutReady();
  return { ...host, plugin, workspace: host.app.workspace };
}

describe('leaves', () => {
  test('show a view’s header and content, and close it on detach', async () => {
    const { workspace } = await startWithView();
    const leaf = workspace.getLeaf('tab');
    await leaf.setViewState({ type: 'mine', active: true, state: { n: 1 } });
    const { containerEl } = leaf.view;
    expect(Array.from(containerEl.children, (el) => el.className)).toEqual([
      'view-header',
      'view-content',
    ]);
    expect(containerEl.closest('.mod-root .workspace-leaf')?.hasClass('mod-active')).toBe(true);
    expect([containerEl.getAttr('data-type'), leaf.getDisplayText(), leaf.getViewState()]).toEqual([
      'mine',
      'My view',
      { type: 'mine', state: { n: 1 } },
    ]);
    leaf.detach();
    expect(Mine.log).toEqual(['open', 'close']);
    expect(workspace.getLeavesOfType('mine')).toEqual([]);
  });

  test('open in a sidebar on request, and are reused there', async () => {
    const { workspace } = await startWithView();
    const leaf = await workspace.ensureSideLeaf('mine', 'right', { active: true });
    expect(await workspace.ensureSideLeaf('mine', 'right')).toBe(leaf);
    expect(leaf.getRoot()).toBe(workspace.rightSplit);
    expect([workspace.rightSplit.collapsed, workspace.activeLeaf]).toEqual([false, leaf]);
    expect(texts('.mod-right-split .view-content')).toEqual(['content']);
    leaf.detach();
    expect(workspace.rightSplit.collapsed).toBe(true);
  });

  test('open in a drawer on mobile, which has no pop-out windows', async () => {
    const { workspace } = await startWithView(notes, { isMobile: true });
    const leaf = await workspace.ensureSideLeaf('mine', 'right');
    expect(leaf.parent).toBe(workspace.rightSplit);
    expect(texts('.workspace-drawer.mod-right .view-content')).toEqual(['content']);
    expect(() => workspace.openPopoutLeaf()).toThrow('not supported');
  });

  test('open to the right, below or as a tab of the active leaf', async () => {
    const { workspace } = await startWithView();
    const first = workspace.getLeaf(false);
    expect(workspace.getLeaf(false)).toBe(first);
    expect(workspace.getLeaf('tab').parent).toBe(first.parent);
    const right = workspace.getLeaf('split');
    const below = workspace.createLeafBySplit(right, 'horizontal');
    expect(right.parent).not.toBe(first.parent);
    expect(below.parent.parent).toMatchObject({ direction: 'horizontal' });
    first.setPinned(true);
    workspace.setActiveLeaf(first);
    expect(workspace.getLeaf(false)).not.toBe(first);
  });

  test('leave an empty tab when the last one is detached', async () => {
    const { workspace } = await startWithView();
    workspace.iterateRootLeaves((leaf) => leaf.detach());
    await settle();
    expect(texts('.mod-root .workspace-tab-header-inner-title')).toEqual(['New tab']);
    expect(workspace.activeLeaf?.view.getViewType()).toBe('empty');
  });
});

describe('files', () => {
  test('open rendered in the active leaf, and trigger events', async () => {
    const { workspace } = await startWithView();
    const told: unknown[] = [];
    workspace.on('file-open', (file: { path: string } | null) => told.push(file?.path));
    workspace.on('active-leaf-change', (leaf: WorkspaceLeaf) => told.push(leaf.view.getViewType()));
    await workspace.openLinkText('b', '');
    await settle();
    expect(texts('.markdown-rendered h1')).toEqual(['B']);
    await workspace.openLinkText('a', '', 'tab');
    expect(told).toEqual(['b.md', 'markdown', 'a.md']);
    expect([workspace.getActiveFile()?.path, workspace.getLastOpenFiles()]).toEqual([
      'a.md',
      ['a.md', 'b.md'],
    ]);
    expect(workspace.getActiveViewOfType(MarkdownView)?.getViewData()).toBe('# A');
  });

  test('stay active while a sidebar is focused', async () => {
    const { workspace } = await startWithView();
    await workspace.openLinkText('a', '');
    await workspace.ensureSideLeaf('mine', 'right', { active: true });
    expect([workspace.getActiveFile()?.path, workspace.getActiveViewOfType(MarkdownView)]).toEqual([
      'a.md',
      null,
    ]);
  });

  test('are created when an unresolved link is opened', async () => {
    const { app, workspace } = await startWithView();
    await workspace.openLinkText('new note', 'a.md');
    expect(app.vault.getFileByPath('new note.md')).not.toBeNull();
  });

  test('are edited as text and saved when their view closes', async () => {
    const { app, workspace } = await startWithView();
    await workspace
      .getLeaf(false)
      .openFile(app.vault.getFileByPath('a.md')!, { state: { mode: 'source' } });
    const { editor } = workspace.getActiveViewOfType(MarkdownView)!;
    editor.setCursor({ line: 0, ch: 2 });
    editor.replaceSelection('new ');
    expect([editor.getValue(), editor.getCursor(), editor.wordAt({ line: 0, ch: 3 })]).toEqual([
      '# new A',
      { line: 0, ch: 6 },
      { from: { line: 0, ch: 2 }, to: { line: 0, ch: 5 } },
    ]);
    const at = (line: number, ch: number) => ({ line, ch });
    const changes = [
      { from: at(0, 7), text: '\nafter' },
      { from: at(0, 0), to: at(0, 2), text: '' },
      { from: at(0, 6), text: '!' },
    ];
    editor.transaction({ changes });
    expect([editor.getValue(), editor.getCursor()]).toEqual(['new !A\nafter', at(0, 4)]);
    editor.undo();
    expect(editor.getValue()).toBe('# new A');
    const overlapping = [0, 1].map((ch) => ({ from: at(0, ch), to: at(0, ch + 2), text: '' }));
    expect(() => editor.transaction({ changes: overlapping })).toThrow('Overlapping');
    await workspace.openLinkText('b', '');
    expect(await app.vault.adapter.read('a.md')).toBe('# new A');
    expect(() => editor.redo()).toThrow('The stand-in has no Editor.redo');
  });

  test('close their tab’s view when they are deleted', async () => {
    const { app, workspace } = await startWithView();
    await workspace.openLinkText('a', '');
    await app.vault.delete(app.vault.getFileByPath('a.md')!);
    await settle();
    expect(workspace.activeLeaf?.view.getViewType()).toBe('empty');
  });
});

describe('the layout', () => {
  test('is restored after a restart, with hidden leaves deferred', async () => {
    const before = await startWithView();
    await before.workspace.openLinkText('a', '');
    const hidden = before.workspace.getLeaf('tab');
    await hidden.setViewState({ type: 'mine', state: { n: 7 } });
    await before.workspace.openLinkText('b', '', 'tab');
    const files = before.app.vault.adapter;
    await before.quit();
    const saved = await files.read('.obsidian/workspace.json');

    const { workspace } = await startWithView({
      ...notes,
      '.obsidian/workspace.json': saved,
    } as typeof notes);
    expect(texts('.mod-root .workspace-tab-header-inner-title')).toEqual(['markdown', 'mine', 'b']);
    expect(workspace.getActiveFile()?.path).toBe('b.md');
    const [leaf] = workspace.getLeavesOfType('mine');
    expect([leaf!.isDeferred, leaf!.view instanceof Mine]).toEqual([true, false]);
    await workspace.revealLeaf(leaf!);
    expect([leaf!.isDeferred, leaf!.view.getState()]).toEqual([false, { n: 7 }]);
  });

  test('keeps the position and state of a view while its plugin is unloaded', async () => {
    const host = await startWithView();
    const leaf = await host.workspace.ensureSideLeaf('mine', 'right', { state: { n: 3 } });
    await host.unloadPlugin();
    await settle();
    expect([Mine.log, leaf.isDeferred]).toEqual([['open', 'close'], true]);
    const again = await host.app.plugins.enablePlugin('mine');
    again.registerView('mine', (each) => new Mine(each));
    await settle();
    expect([
      leaf.isDeferred,
      leaf.view.getState(),
      leaf.getRoot() === host.workspace.rightSplit,
    ]).toEqual([false, { n: 3 }, true]);
  });

  test('runs ready callbacks before it reports changes', async () => {
    const host = openHost(notes);
    const told: string[] = [];
    host.app.workspace.on('layout-change', () => told.push('change'));
    host.app.workspace.onLayoutReady(() => told.push('ready'));
    expect(told).toEqual([]);
    await host.layoutReady();
    await settle();
    expect(told.slice(0, 2)).toEqual(['ready', 'change']);
    host.app.workspace.onLayoutReady(() => told.push('at once'));
    expect(told.at(-1)).toBe('at once');
  });

  test('rejects a pop-out if the browser cannot open a second window', async () => {
    const { workspace } = await startWithView();
    window.open = () => null;
    expect(() => workspace.openPopoutLeaf()).toThrow('no second window');
  });
});

test('the active view receives its own hotkeys', async () => {
  const { app, workspace } = await startHost(notes, {
    onload:
      "this.scope = new o.Scope(this.app.scope); this.scope.register(['Mod'], 'k', () => { window.pressed = 1; return false; });",
  }).then((host) => ({
    ...host,
    workspace: host.app.workspace,
  }));
  const leaf = workspace.getLeaf('tab');
  leaf.view.scope = (app.plugins.plugins['mine'] as unknown as { scope: typeof app.scope }).scope;
  workspace.setActiveLeaf(leaf);
  press('k', { ctrlKey: true });
  expect(Reflect.get(window, 'pressed')).toBe(1);
});
