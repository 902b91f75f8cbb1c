import { setIcon, type Plugin } from 'obsidian';
import type { Question } from './approvals.js';
import { text } from '../../i18n/index.js';
import { openApproval } from './approval-modal.js';
import type { ApprovalsHost, ShownApprovals } from './approval-host.js';
import { makeClickable } from '../../ui/elements.js';
import { showQuestion } from './approval-notice.js';

/** Time for which notices ignore clicks after moving: a click may have had another target. */
const CLICK_GUARD_MS = 500;

/** Maximum number of notices at a time; others wait and can be opened from the status bar. */
const MAX_NOTICES = 3;

/** Shows requests in notices, in the status bar, and in full in a modal on demand. */
export function addApprovals(
  plugin: Plugin,
  { approvals, clock, allowAlways }: ApprovalsHost,
): void {
  const { questions } = approvals;
  let changedAt = 0;
  const host: ShownApprovals = {
    approvals,
    clock,
    allowAlways,
    isCalm: () => clock.now() - changedAt >= CLICK_GUARD_MS,
  };
  const notices = new Map<number, () => void>();
  const bar = plugin.addStatusBarItem();

  const open = (first?: Question) => openApproval(plugin.app, host, first);

  function show(): void {
    const waiting = questions.get();
    changedAt = clock.now();
    for (const [id, hide] of notices) {
      if (waiting.some((question) => question.id === id)) continue;
      notices.delete(id);
      hide();
    }
    for (const question of waiting) {
      if (notices.size >= MAX_NOTICES) break;
      if (!notices.has(question.id))
        notices.set(
          question.id,
          showQuestion(host, question, () => open(question)),
        );
    }
    bar.toggle(waiting.length > 0);
    bar.setAttr('aria-label', text.connections.approvals.waiting(waiting.length));
  }

  setIcon(bar, 'hand');
  makeClickable(bar, () => open());
  plugin.addCommand({
    id: 'answer-ai-apps',
    name: text.connections.approvals.command,
    icon: 'hand',
    checkCallback(isChecking) {
      const isAsked = questions.get().length > 0;
      if (isAsked && !isChecking) open();
      return isAsked;
    },
  });
  show();
  plugin.register(questions.subscribe(show));
  plugin.register(() => {
    for (const hide of notices.values()) hide();
  });
}
