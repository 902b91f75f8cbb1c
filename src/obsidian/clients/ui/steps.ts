import { setIcon } from 'obsidian';
import type { ConnectionStep } from '../connections.js';
import { text } from '../../i18n/index.js';

/** A list of steps, which is read out as it grows. */
export function createSteps(container: HTMLElement): HTMLElement {
  const { steps } = text.connections.connect;
  return container.createEl('ul', {
    cls: 'savepoint-steps',
    attr: { 'aria-label': steps, 'aria-live': 'polite' },
  });
}

/** Adds one step: how it went, what it was, how long it took; what was found, and what to do. */
export function showStep(
  list: HTMLElement,
  { step, isDone, ms, text: found, mend }: ConnectionStep,
): void {
  showCheck(
    list,
    { name: text.connections.step[step], isWell: isDone, text: found, mend },
    text.connections.ms(ms),
  );
}

/** Adds one thing that was looked at. */
export function showCheck(
  list: HTMLElement,
  check: {
    readonly name: string;
    readonly isWell: boolean;
    readonly text: string;
    readonly mend: string;
  },
  time = '',
): void {
  const { well, wrong, mend } = text.connections;
  const row = list.createEl('li', { cls: `savepoint-step ${check.isWell ? 'is-good' : 'is-bad'}` });
  const icon = row.createSpan({
    cls: 'savepoint-step-icon',
    attr: { role: 'img', 'aria-label': check.isWell ? well : wrong },
  });
  setIcon(icon, check.isWell ? 'check' : 'x');
  const words = row.createDiv({ cls: 'savepoint-step-words' });
  words.createDiv({ text: check.name });
  words.createDiv({ cls: 'savepoint-verify-note', text: check.text, attr: { dir: 'auto' } });
  if (check.mend !== '') words.createDiv({ cls: 'savepoint-step-mend', text: mend(check.mend) });
  if (time !== '') row.createSpan({ cls: 'savepoint-verify-note savepoint-step-time', text: time });
}
