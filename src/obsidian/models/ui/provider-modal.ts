import { Modal, Setting, type App } from 'obsidian';
import type { Models } from '../models.js';
import { PROVIDERS } from '../providers.js';
import { text } from '../../i18n/index.js';
import { nameElement } from '../../ui/forms/fields.js';
import { providerRows, type ProviderHost } from './provider-rows.js';

/** Sets up a provider without the way through the settings. */
export class ProviderModal extends Modal {
  private providerId: string;

  constructor(
    app: App,
    private readonly models: Models,
    private readonly change: ProviderHost['change'],
    private readonly whenClosed: () => void,
  ) {
    super(app);
    this.providerId = models.preferred()?.provider ?? PROVIDERS[0]?.id ?? '';
  }

  override onOpen(): void {
    const { add, provider: name, providerDesc, done } = text.chat.models;
    this.setTitle(add);
    this.modalEl.addClass('savepoint-form-modal');
    const choice = new Setting(this.contentEl).setName(name).setDesc(providerDesc);
    const rows = this.contentEl.createDiv({ cls: 'savepoint-provider-rows' });
    choice.addDropdown((dropdown) => {
      for (const provider of PROVIDERS) dropdown.addOption(provider.id, provider.name);
      dropdown.selectEl.setAttrs({
        'aria-label': name,
        'aria-describedby': nameElement(choice.descEl),
      });
      dropdown.setValue(this.providerId).onChange((id) => {
        this.providerId = id;
        this.fill(rows);
      });
    });
    this.fill(rows);
    const buttons = this.contentEl.createDiv({ cls: 'modal-button-container' });
    buttons
      .createEl('button', { cls: 'mod-cta', text: done })
      .addEventListener('click', () => this.close());
  }

  override onClose(): void {
    this.contentEl.empty();
    this.whenClosed();
  }

  private fill(box: HTMLElement): void {
    box.empty();
    const provider = PROVIDERS.find(({ id }) => id === this.providerId);
    if (!provider) return;
    const { app, models, change } = this;
    for (const { name, desc, render } of providerRows({ app, models, change }, provider))
      render(new Setting(box).setName(name).setDesc(desc));
  }
}
