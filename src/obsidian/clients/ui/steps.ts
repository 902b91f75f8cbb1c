import { setIcon } from 'obsidian';
import type { ConnectionStep, HealthCheck } from '../../../apps/health-check.js';
import { text } from '../../i18n/index.js';

/** Creates a list of steps that screen readers announce as it grows. */
export function createSteps(container: HTMLElement): HTMLElement {
  const { steps } = text.connections.connect;
  return container.createEl('ul', {
    cls: 'savepoint-steps',
    attr: { 'aria-label': steps, 'aria-live': 'polite' },
  });
}

/** Returns false for a check that has failed, and for one that could not see everything. */
export function isWell({ isOk, fix }: Pick<HealthCheck, 'isOk' | 'fix'>): boolean {
  return isOk && fix === '';
}

/** Adds a step with its result, duration, details and fix. */
export function showStep(
  list: HTMLElement,
  { step, isOk, ms, text: found, fix }: ConnectionStep,
): void {
  showCheck(
    list,
    { name: text.connections.step[step], isOk, text: found, fix },
    text.connections.ms(ms),
  );
}

/** Adds a check with its result, details and fix, and its duration if `time` is given. */
export function showCheck(list: HTMLElement, check: HealthCheck, time = ''): void {
  const { well, unsure, wrong, fix } = text.connections;
  const [label, icon, cls] = isWell(check)
    ? [well, 'check', 'is-good']
    : check.isOk
      ? [unsure, 'triangle-alert', 'is-unsure']
      : [wrong, 'x', 'is-bad'];
  const row = list.createEl('li', { cls: `savepoint-step ${cls}` });
  const sign = row.createSpan({
    cls: 'savepoint-step-icon',
    attr: { role: 'img', 'aria-label': label },
  });
  setIcon(sign, icon);
  const words = row.createDiv({ cls: 'savepoint-step-words' });
  words.createDiv({ text: check.name });
  words.createDiv({ cls: 'savepoint-verify-note', text: check.text, attr: { dir: 'auto' } });
  if (check.fix !== '') words.createDiv({ cls: 'savepoint-step-fix', text: fix(check.fix) });
  if (time !== '') row.createSpan({ cls: 'savepoint-verify-note savepoint-step-time', text: time });
}
