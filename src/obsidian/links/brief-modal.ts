import { Modal, Setting, type App } from 'obsidian';
import { visibleText } from '../../model/text/visible-text.js';
import { act, copyText } from '../actions.js';
import { text } from '../i18n/index.js';
import { openModal } from '../ui/modals.js';

/** Shows a brief, which the user may copy. A link alone copies nothing. */
export function openBrief(app: App, brief: string): void {
  const { briefTitle, copyBrief, briefCopied } = text.capture.links;
  const modal = new Modal(app).setTitle(briefTitle);
  modal.modalEl.addClass('savepoint-brief');
  modal.contentEl.createEl('pre', {
    text: visibleText(brief),
    attr: { tabindex: '0', dir: 'auto' },
  });
  const copy = async () => {
    await copyText(brief, briefCopied);
    modal.close();
  };
  new Setting(modal.contentEl).addButton((button) =>
    button
      .setButtonText(copyBrief)
      .setCta()
      .onClick(() => act(copy)),
  );
  openModal(modal);
}
