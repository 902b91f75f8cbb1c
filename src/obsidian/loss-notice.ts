import { Scheduler } from '../platform/scheduler.js';
import { countNumbers, unknownWriters, verify, type VerifyReport } from '../storage/index.js';
import { noticeWithButtons } from './actions.js';
import { yieldToHost } from './host/browser-ports.js';
import { text } from './i18n/index.js';
import { openVerify } from './memory/verify/verify-modal.js';
import type { Savepoint } from './savepoint.js';
import { dayText } from './ui/dates.js';

const TOLD_KEY = 'savepoint-missing-told';

/** Longer than healing takes, and than a sync service waits between two files. */
export const SETTLE_MS = 5 * 60 * 1000;

/** Reports once that events are missing and not restored by themselves. Returns a stop function. */
export function tellLosses(
  savepoint: Pick<Savepoint, 'app' | 'clock' | 'memory' | 'services'>,
  report: (error: unknown) => void,
): () => void {
  const { app, clock, memory, services } = savepoint;
  let cancel: (() => void) | undefined;
  let before: string | undefined;
  const look = async () => {
    cancel = undefined;
    const gaps = services.log.trouble().gaps();
    if (gaps === '') return app.saveLocalStorage(TOLD_KEY, null);
    if (gaps === app.loadLocalStorage(TOLD_KEY)) return;
    if (gaps !== before) return wait(); // something is still arriving
    const { files, dataFolder, copies } = services;
    const scheduler = new Scheduler(clock, yieldToHost);
    const lost = lossOf(await verify(files, dataFolder, { scheduler, now: clock.now(), copies }));
    app.saveLocalStorage(TOLD_KEY, gaps);
    if (lost === undefined) return;
    const run = () => openVerify(savepoint as Savepoint);
    noticeWithButtons(lost, [{ label: text.losses.show, run }], 0);
  };
  function wait(): void {
    before = services.log.trouble().gaps();
    cancel ??= clock.after(SETTLE_MS, () => void look().catch(report));
  }
  const unsubscribe = memory.subscribe(wait);
  return () => {
    unsubscribe();
    cancel?.();
  };
}

/** Describes the missing events by device, day and file; undefined if there are none. */
function lossOf({ writers, restorable = [] }: VerifyReport): string | undefined {
  const healed = new Set(restorable.map(({ writer }) => writer));
  const unknown = unknownWriters(writers);
  const lost = writers.filter(
    ({ writer, lane, missing, onlyMentionedBy = '' }) =>
      lane === 'core' && missing.length > 0 && !healed.has(writer) && !unknown.has(onlyMentionedBy),
  );
  const [first] = lost;
  if (!first) return undefined;
  const count = lost.reduce((sum, { missing }) => sum + countNumbers(missing), 0);
  const { device, writer, missingNear: near } = first;
  const { missing, unknownPlace } = text.losses;
  const place = near ? { ...near, day: dayText(near.day, text.locale) } : undefined;
  const name = device === '' ? writer : device;
  return place ? missing(count, name, place.day, place.path) : unknownPlace(count, name);
}
