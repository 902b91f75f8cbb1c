import { Modal, Setting, type App } from 'obsidian';
import { visibleText } from '../../model/text/visible-text.js';
import { act, copyText, notify } from '../actions.js';
import { text } from '../i18n/index.js';

/** Shows a brief, which the user may copy. A link alone copies nothing. */
export class BriefModal extends Modal {
  readonly #brief: string;

  constructor(app: App, brief: string) {
    super(app);
    this.#brief = brief;
  }

  override onOpen(): void {
    const { contentEl } = this;
    const { briefTitle, copyBrief, briefCopied } = text.capture.links;
    this.setTitle(briefTitle);
    this.modalEl.addClass('savepoint-brief');
    contentEl.createEl('pre', {
      text: visibleText(this.#brief),
      attr: { tabindex: '0', dir: 'auto' },
    });
    const copy = async () => {
      await copyText(this.#brief);
      notify(briefCopied);
      this.close();
    };
    new Setting(contentEl).addButton((button) =>
      button
        .setButtonText(copyBrief)
        .setCta()
        .onClick(() => act(copy)),
    );
  }

  override onClose(): void {
    this.contentEl.empty();
  }
}
