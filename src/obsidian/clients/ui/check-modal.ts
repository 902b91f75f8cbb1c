import { Modal, type App } from 'obsidian';
import { faultText } from '../../host/logger.js';
import type { CheckReport, Connections } from '../connections.js';
import { text } from '../../i18n/index.js';
import { showVerdict } from '../../memory/verify/verify-parts.js';
import { addButton } from '../../ui/elements.js';
import { openModal } from '../../ui/modals.js';
import { createSteps, isWell, showCheck, showStep } from './steps.js';

/** Checks every connection to this vault and shows what is wrong. `connect` connects an app. */
export function openCheck(app: App, connections: Connections, connect: () => void): void {
  const { running, failed, again } = text.connections.check;
  const modal = new Modal(app).setTitle(text.connections.commands.check);
  const { contentEl } = modal;
  modal.modalEl.addClass('savepoint-connect-modal');
  let isClosed = false;
  modal.setCloseCallback(() => (isClosed = true));
  const run = async () => {
    contentEl.empty();
    contentEl.createEl('p', { text: running, attr: { role: 'status' } });
    const report = await connections.check().catch((error: unknown) => faultText(error));
    if (isClosed) return;
    contentEl.empty();
    if (typeof report === 'string')
      showVerdict(contentEl, { isGood: false, title: failed, sentence: report });
    else showReport(contentEl, report);
    const buttons = contentEl.createDiv({ cls: 'modal-button-container' });
    addButton(buttons, again, () => void run());
    if (typeof report !== 'string' && report.entries.length === 0)
      addButton(buttons, text.connections.pick.placeholder, () => {
        modal.close();
        connect();
      });
    const end = addButton(buttons, text.general.close, () => modal.close());
    end.addClass('mod-cta');
    end.focus({ preventScroll: true }); // the user should see the verdict at the top first
  };
  openModal(modal);
  void run();
}

function showReport(container: HTMLElement, { isOk, entries, checks }: CheckReport): void {
  const { entry: heading, here, names, ...words } = text.connections.check;
  const isCertain = [...entries.flatMap(({ steps }) => steps), ...checks].every(isWell);
  let [title, sentence] = [words.unwell, words.unwellText];
  if (entries.length === 0) [title, sentence] = [words.none, words.noneText];
  else if (isOk && !isCertain) [title, sentence] = [words.unsure, words.unsureText];
  else if (isOk) [title, sentence] = [words.well, words.wellText(entries.length)];
  showVerdict(container, { isGood: isOk && isCertain && entries.length > 0, title, sentence });
  for (const { title: app, file, name, problem, steps } of entries) {
    const box = container.createDiv({ cls: 'savepoint-finding' });
    box.createDiv({ cls: 'savepoint-finding-title', text: name === '' ? app : heading(app, name) });
    box.createDiv({ cls: 'savepoint-verify-note', text: file, attr: { dir: 'auto' } });
    if (problem !== '') box.createDiv({ cls: 'savepoint-step-fix', text: problem });
    const list = createSteps(box);
    for (const step of steps) showStep(list, step);
  }
  const box = container.createDiv({ cls: 'savepoint-finding' });
  box.createDiv({ cls: 'savepoint-finding-title', text: here });
  const list = createSteps(box);
  for (const check of checks) showCheck(list, { ...check, name: names[check.name] ?? check.name });
}
