import { ItemView, type WorkspaceLeaf } from 'obsidian';
import { render, type ComponentChild } from 'preact';

/** A view with a Preact component as content. It can be moved to another window. */
export abstract class PreactView extends ItemView {
  override navigation = false;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    this.contentEl.addClass('savepoint-view');
  }

  protected abstract content(): ComponentChild;

  override onOpen(): Promise<void> {
    render(this.content(), this.contentEl);
    return Promise.resolve();
  }

  override onClose(): Promise<void> {
    render(null, this.contentEl);
    return Promise.resolve();
  }
}
