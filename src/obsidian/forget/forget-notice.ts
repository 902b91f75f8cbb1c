import { noticeWithButtons } from '../actions.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { openModal } from '../ui/modals.js';
import { readForgottenItems } from './forget-lines.js';
import { RequestsModal } from './requests-modal.js';

const TOLD_KEY = 'savepoint-forget-told';

/** Reports once that another device asked to remove something. Returns a stop function. */
export function tellForgetRequests(
  savepoint: Savepoint,
  report: (error: unknown) => void,
): () => void {
  const { app, forgetRequests } = savepoint;
  const tell = async () => {
    const stored: unknown = app.loadLocalStorage(TOLD_KEY);
    const told: readonly unknown[] = Array.isArray(stored) ? stored : [];
    const open = forgetRequests.get();
    const keys = open.map(({ key }) => key);
    app.saveLocalStorage(TOLD_KEY, keys.length > 0 ? keys : null);
    const added = open.filter(({ key }) => !told.includes(key));
    if (added.length === 0) return;
    // a new device has nothing of what was forgotten before
    const found = await readForgottenItems(savepoint, added);
    const held = added.filter(({ key }) => found.has(key));
    if (held.length === 0) return;
    const { notice, review } = text.forget.requests;
    const devices = new Set(held.map(({ content }) => content.device));
    const count = held.reduce((sum, { key }) => sum + (found.get(key)?.length ?? 0), 0);
    const run = () => Promise.resolve(openModal(new RequestsModal(savepoint)));
    noticeWithButtons(notice([...devices].join(', '), count), [{ label: review, run }], 0);
  };
  return forgetRequests.subscribe(() => void tell().catch(report));
}
