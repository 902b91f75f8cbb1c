import { noticeWithButtons } from '../actions.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { openModal } from '../ui/modals.js';
import { RequestsModal } from './requests-modal.js';

const TOLD_KEY = 'savepoint-forget-told';

/**
 * Says once on this device that another one has asked to remove something for good. Returns a
 * function that stops this.
 */
export function tellForgetRequests(savepoint: Savepoint): () => void {
  const { app, forgetRequests } = savepoint;
  return forgetRequests.subscribe(() => {
    const stored: unknown = app.loadLocalStorage(TOLD_KEY);
    const told: readonly unknown[] = Array.isArray(stored) ? stored : [];
    const open = forgetRequests.get();
    const added = open.filter(({ key }) => !told.includes(key));
    const keys = open.map(({ key }) => key);
    app.saveLocalStorage(TOLD_KEY, keys.length > 0 ? keys : null);
    if (added.length === 0) return;
    const { notice, review } = text.forget.requests;
    const devices = new Set(added.map(({ content }) => content.device));
    const ranges = added.flatMap(({ content }) => content.ranges);
    const count = ranges.reduce((sum, { crcs }) => sum + crcs.length, 0);
    const run = () => Promise.resolve(openModal(new RequestsModal(savepoint)));
    noticeWithButtons(notice([...devices].join(', '), count), [{ label: review, run }], 0);
  });
}
