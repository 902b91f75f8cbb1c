import { entryCount } from '../../storage/index.js';
import { visibleText } from '../../model/text/visible-text.js';
import { noticeWithButtons } from '../actions.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { openRequests } from './requests-modal.js';

/** A day may begin while the app is open. */
const INTERVAL_MS = 60 * 60 * 1000;

/** Reports each day what devices have asked to remove. Returns a stop function. */
export function tellForgetRequests(
  savepoint: Savepoint,
  report: (error: unknown) => void,
): () => void {
  const { clock, forgetRequests, services } = savepoint;
  let cancel: (() => void) | undefined;
  const tell = async () => {
    const told = await services.log.forgetting.tell();
    if (told.length === 0) return;
    const { notice, review } = text.forget.requests;
    const devices = new Set(told.map(({ content }) => visibleText(content.device)));
    const memory = await services.log.memory();
    const count = told.reduce((sum, each) => sum + entryCount(each, memory), 0);
    const run = () => openRequests(savepoint);
    noticeWithButtons(notice([...devices].join(', '), count), [{ label: review, run }], 0);
  };
  function tellEachDay(): void {
    cancel?.();
    cancel = clock.after(INTERVAL_MS, tellEachDay);
    void tell().catch(report);
  }
  const unsubscribe = forgetRequests.subscribe(tellEachDay);
  return () => {
    unsubscribe();
    cancel?.();
  };
}
