import { setIcon } from 'obsidian';
import type { Clock } from '../../platform/clock.js';
import { clientName } from './approvals/approval-texts.js';
import type { ClientActivity } from './clients.js';
import type { Savepoint } from '../savepoint.js';
import type { Store } from '../store.js';
import { text } from '../i18n/index.js';

/**
 * Shows loading progress, then the current workspace, in the status bar. A click calls `open`. Returns a function that stops the
 * updates.
 */
export function showStatus(
  bar: HTMLElement,
  savepoint: Store<Savepoint | undefined>,
  open: () => void,
): () => void {
  bar.addClass('mod-clickable');
  bar.setAttrs({ role: 'button', tabindex: '0' });
  bar.addEventListener('click', open);
  bar.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') open();
  });
  let stopFollowing: () => void = () => undefined;
  const follow = () => {
    stopFollowing();
    const opened = savepoint.get();
    const show = () => {
      const { shown, label, icon } = statusOf(opened);
      bar.empty();
      if (icon !== undefined) setIcon(bar.createSpan({ cls: 'savepoint-icon' }), icon);
      bar.createSpan({ cls: 'savepoint-cut', text: shown });
      bar.setAttr('aria-label', label);
    };
    const stops = opened
      ? [
          ...[opened.memoryStatus, opened.memory, opened.workspaceId].map((store) =>
            store.subscribe(show),
          ),
          opened.services.search.onProgress(show),
        ]
      : [];
    stopFollowing = () => stops.forEach((stop) => stop());
    show();
  };
  follow();
  const stop = savepoint.subscribe(follow);
  return () => {
    stop();
    stopFollowing();
  };
}

interface Status {
  readonly shown: string;
  /** Label for the tooltip and screen readers. */
  readonly label: string;
  readonly icon?: string;
}

function statusOf(savepoint: Savepoint | undefined): Status {
  const { readingFailed, reading, indexing, statusLabel } = text.general;
  const { phase } = savepoint?.memoryStatus.get() ?? { phase: 'waiting' };
  if (phase === 'failed')
    return { shown: readingFailed, label: readingFailed, icon: 'triangle-alert' };
  if (!savepoint || phase !== 'ready') return { shown: reading, label: reading };
  const { done, total } = savepoint.services.search.progress() ?? { done: 0, total: 0 };
  const progress = done < total ? indexing(done, total) : '';
  if (progress !== '') return { shown: progress, label: progress };
  const { name } = savepoint.workspace();
  return { shown: name, label: statusLabel(name), icon: 'box' };
}

/** A client counts as active this many milliseconds after a call. */
const ACTIVE_MS = 60_000;

/** Shows a plug in the status bar while a client uses the memory. Returns a function that stops the updates. */
export function showClients(
  bar: HTMLElement,
  activity: Store<readonly ClientActivity[]>,
  clock: Clock,
): () => void {
  bar.setAttr('role', 'img');
  setIcon(bar, 'plug');
  let stopWaiting: () => void = () => undefined;
  const show = () => {
    stopWaiting();
    const [last] = activity.get();
    const left = (last?.lastAt ?? 0) + ACTIVE_MS - clock.now();
    const isUsed = last !== undefined && left > 0;
    bar.toggle(isUsed);
    if (!isUsed) return;
    bar.setAttr('aria-label', text.connections.using(clientName(last.name)));
    stopWaiting = clock.after(left, show);
  };
  show();
  const stopFollowing = activity.subscribe(show);
  return () => {
    stopFollowing();
    stopWaiting();
  };
}
