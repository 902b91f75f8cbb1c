import { setIcon } from 'obsidian';
import type { Clock } from '../../platform/clock.js';
import { workspaceById } from '../../model/lookup.js';
import type { ProjectRecord } from '../../model/records/record.js';
import { reminders, type Reminder } from '../../model/records/reminders.js';
import { clientName } from './approvals/approval-texts.js';
import type { ClientActivity } from './clients.js';
import { workText } from '../long-work.js';
import type { Savepoint } from '../savepoint.js';
import { follow, followInside, stopAll, type Store } from '../store.js';
import { text } from '../i18n/index.js';
import { makeClickable } from '../ui/elements.js';
import { openModal } from '../ui/modals.js';

/**
 * Shows progress, or else the current workspace and the number of due records. A click opens the
 * window of the work, or calls `open` with the record that has been due longest. Returns a function
 * that stops the updates.
 */
export function showStatus(
  bar: HTMLElement,
  savepoint: Store<Savepoint | undefined>,
  open: (due: ProjectRecord | undefined) => void,
): () => void {
  makeClickable(bar, () => {
    const window = savepoint.get()?.work.get()[0]?.window;
    if (window) openModal(window);
    else open(dueRecords(savepoint.get())[0]?.record);
  });
  let cancelReminder: () => void = () => undefined;
  const show = () => {
    cancelReminder();
    cancelReminder = atNextReminder(savepoint.get(), show);
    const { shown, label, icon } = statusOf(savepoint.get());
    bar.empty();
    if (icon !== undefined) setIcon(bar.createSpan({ cls: 'savepoint-icon' }), icon);
    bar.createSpan({ cls: 'savepoint-cut', text: shown });
    bar.setAttr('aria-label', label);
  };
  const stop = followInside(
    savepoint,
    ({ memoryStatus, memory, workspaceId, work }) => [memoryStatus, memory, workspaceId, work],
    show,
  );
  return stopAll(stop, () => cancelReminder());
}

interface Status {
  readonly shown: string;
  /** Label for the tooltip and screen readers. */
  readonly label: string;
  readonly icon?: string;
}

function statusOf(savepoint: Savepoint | undefined): Status {
  const { readingFailed, reading, statusLabel } = text.general;
  const { phase } = savepoint?.memoryStatus.get() ?? { phase: 'waiting' };
  if (phase === 'failed')
    return { shown: readingFailed, label: readingFailed, icon: 'triangle-alert' };
  if (!savepoint || phase !== 'ready') return { shown: reading, label: reading };
  const [work] = savepoint.work.get();
  const progress = work && workText(work);
  if (progress !== undefined) return { shown: progress, label: progress };
  const { id, name } = savepoint.workspace();
  const due = dueRecords(savepoint);
  const [first] = due;
  if (!first) return { shown: name, label: statusLabel(name), icon: 'box' };
  const isHere = due.some(({ record }) => record.workspaceId === id);
  const { dueCount, dueIn } = text.records;
  const elsewhere = workspaceById(savepoint.memory.get(), first.record.workspaceId).name;
  const shown = `${name} · ${isHere ? dueCount(due.length) : dueIn(due.length, elsewhere)}`;
  return { shown, label: statusLabel(shown), icon: 'alarm-clock' };
}

function dueRecords(savepoint: Savepoint | undefined): Reminder[] {
  if (savepoint?.memoryStatus.get().phase !== 'ready') return [];
  const now = savepoint.clock.now();
  return reminders(savepoint.memory.get()).filter(({ at }) => at <= now);
}

/** Calls `show` when the next record becomes due, or earlier. Returns a cancel function. */
function atNextReminder(savepoint: Savepoint | undefined, show: () => void): () => void {
  if (!savepoint) return () => undefined;
  const now = savepoint.clock.now();
  const next = reminders(savepoint.memory.get()).find(({ at }) => at > now);
  return next
    ? savepoint.clock.after(Math.min(next.at - now, MAX_TIMER_MS), show)
    : () => undefined;
}

/** Longer timers fire immediately in some hosts. */
const MAX_TIMER_MS = 24 * 3_600_000;

/** A client counts as active this many milliseconds after a call. */
const ACTIVE_MS = 60_000;

/** Shows a plug while a client uses the memory. Returns a function that stops the updates. */
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
  return stopAll(follow([activity], show), () => stopWaiting());
}
