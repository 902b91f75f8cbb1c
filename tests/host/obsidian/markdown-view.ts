import type { ViewStateResult } from 'obsidian';
import { Editor } from './editor';
import type { HoverPopover } from './hover';
import { setIcon } from './icons';
import type { WorkspaceLeaf } from './leaf';
import { MarkdownPreviewView } from './markdown';
import { refuse } from './refuse';
import { setTooltip } from './tooltip';
import { TextFileView } from './views';

/** A note in reading mode (rendered) or editing mode (a plain text area). */
export class MarkdownView extends TextFileView {
  override icon = 'file-text';
  editor: Editor;
  previewMode: MarkdownPreviewView;
  hoverPopover: HoverPopover | null = null;
  readonly #sourceEl: HTMLElement;
  readonly #area: HTMLTextAreaElement;
  readonly #modeButton: HTMLElement;
  #mode: 'source' | 'preview' = 'preview';

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    this.#sourceEl = this.contentEl.createDiv(
      'markdown-source-view cm-s-obsidian mod-cm6 is-readable-line-width',
    );
    this.#area = this.#sourceEl.createEl('textarea', {
      cls: 'cm-editor',
      attr: { 'aria-label': 'Note', spellcheck: 'true' },
    });
    this.editor = new Editor(this.#area, () => this.#onEdit());
    this.#area.addEventListener('input', () => this.#onEdit());
    const readingEl = this.contentEl
      .createDiv('markdown-reading-view')
      .createDiv({ attr: { tabindex: 0 } });
    this.previewMode = this.addChild(new MarkdownPreviewView(this.app, readingEl, () => this.file));
    this.#modeButton = this.addAction('book-open', 'Edit', () =>
      this.#setMode(this.#mode === 'source' ? 'preview' : 'source'),
    );
    this.#setMode('preview');
  }

  get currentMode(): {
    getScroll(): number;
    applyScroll(scroll: number): void;
    get(): string;
    set(data: string, clear: boolean): void;
  } {
    if (this.#mode === 'preview') return this.previewMode;
    return {
      getScroll: () => this.#area.scrollTop,
      applyScroll: (scroll) => (this.#area.scrollTop = scroll),
      get: () => this.#area.value,
      set: (data) => this.editor.setValue(data),
    };
  }

  getViewType(): string {
    return 'markdown';
  }

  getMode(): 'source' | 'preview' {
    return this.#mode;
  }

  getViewData(): string {
    return this.#area.value;
  }

  setViewData(data: string, clear: boolean): void {
    this.#area.value = data;
    this.previewMode.set(data, clear);
  }

  clear(): void {
    this.#area.value = '';
    this.previewMode.clear();
  }

  override getState(): Record<string, unknown> {
    return { ...super.getState(), mode: this.#mode, source: false };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    const { mode } = (state ?? {}) as { mode?: unknown };
    if (mode === 'source' || mode === 'preview') this.#setMode(mode);
    await super.setState(state, result);
  }

  override getEphemeralState(): Record<string, unknown> {
    return {
      cursor: { from: this.editor.getCursor('from'), to: this.editor.getCursor('to') },
      scroll: this.currentMode.getScroll(),
    };
  }

  override setEphemeralState(state: unknown): void {
    const { line, scroll } = (state ?? {}) as { line?: unknown; scroll?: unknown };
    if (typeof line === 'number') this.editor.setCursor(line);
    if (typeof scroll === 'number') this.currentMode.applyScroll(scroll);
  }

  showSearch(): void {
    refuse('MarkdownView.showSearch');
  }

  #onEdit(): void {
    this.app.workspace.trigger('editor-change', this.editor, this);
    if (this.file) this.app.workspace.trigger('quick-preview', this.file, this.#area.value);
    this.requestSave();
  }

  #setMode(mode: 'source' | 'preview'): void {
    this.#mode = mode;
    this.containerEl.setAttr('data-mode', mode);
    this.#sourceEl.toggle(mode === 'source');
    (this.previewMode.containerEl.parentElement as HTMLElement).toggle(mode === 'preview');
    if (mode === 'preview') this.previewMode.set(this.#area.value, false);
    setTooltip(this.#modeButton, mode === 'preview' ? 'Edit' : 'Read');
    setIcon(this.#modeButton, mode === 'preview' ? 'edit-3' : 'book-open');
  }
}
