import { Modal, Setting, type App } from 'obsidian';
import type { ModelRegistry } from '../model-registry.js';
import { PROVIDERS } from '../providers.js';
import { text } from '../../i18n/index.js';
import { stopAll } from '../../store.js';
import { addChoice } from '../../ui/forms/fields.js';
import { providerRows, type ProviderRowsHost } from './provider-rows.js';

/** Sets up a provider from the chat. */
export class ProviderModal extends Modal {
  #providerId: string;
  #stopFollowing: () => void = () => undefined;
  readonly #models: ModelRegistry;
  readonly #change: ProviderRowsHost['change'];
  readonly #onClosed: () => void;

  constructor(
    app: App,
    models: ModelRegistry,
    change: ProviderRowsHost['change'],
    onClosed: () => void,
  ) {
    super(app);
    this.#models = models;
    this.#change = change;
    this.#onClosed = onClosed;
    this.#providerId = models.lastEdited();
  }

  override onOpen(): void {
    const { add, provider: name, done } = text.chat.models;
    this.setTitle(add);
    this.modalEl.addClass('savepoint-form-modal');
    const choice = new Setting(this.contentEl).setName(name);
    const rows = this.contentEl.createDiv({ cls: 'savepoint-provider-rows' });
    const options = Object.fromEntries(PROVIDERS.map((provider) => [provider.id, provider.name]));
    addChoice(choice, options, this.#providerId, (id) => {
      this.#providerId = id;
      this.#models.setLastEdited(id);
      this.#showRows(rows);
    });
    this.#showRows(rows);
    const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    buttons
      .createEl('button', { cls: 'mod-cta', text: done })
      .addEventListener('click', () => this.close());
  }

  /** Leaves the field that is being edited first, so that it is saved. */
  override close(): void {
    const { activeElement } = this.contentEl.doc;
    if (activeElement?.instanceOf(HTMLElement) && this.contentEl.contains(activeElement))
      activeElement.blur();
    super.close();
  }

  override onClose(): void {
    this.#stopFollowing();
    this.contentEl.empty();
    this.#onClosed();
  }

  #showRows(box: HTMLElement): void {
    this.#stopFollowing();
    box.empty();
    const provider = PROVIDERS.find(({ id }) => id === this.#providerId);
    if (!provider) return;
    const { app } = this;
    const stops = providerRows({ app, models: this.#models, change: this.#change }, provider).map(
      ({ name, desc, render }) => render(new Setting(box).setName(name).setDesc(desc)),
    );
    this.#stopFollowing = stopAll(...stops);
  }
}
