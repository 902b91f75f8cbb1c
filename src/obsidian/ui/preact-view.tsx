import { ItemView, type WorkspaceLeaf } from 'obsidian';
import { options, render, type ComponentChild } from 'preact';
import { whenPainted } from './when-painted.js';

// without it, effects in another window would wait for a frame of the main one, which may be hidden
options.requestAnimationFrame = (flush) => void whenPainted().then(flush);

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
