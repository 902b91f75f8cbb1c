import { counted } from '../../../model/text/counted.js';
import { agreementText, FINDING_TEXTS } from '../../../storage/index.js';

/** Texts of the window that verifies the memory. */
export const verify = {
  running: 'Reading all files…',
  whole: 'Everything is intact',
  wholeText: 'Nothing is missing, and every state is unchanged.',
  notWhole: 'Some data is missing or damaged',
  findingsBelow: 'The findings are listed below, with what to do about them.',
  noticed: 'Nothing is known to be missing',
  empty: 'Nothing is saved yet',
  emptyText: 'The memory is empty. Save a state, then verify it here.',
  failed: 'The memory could not be verified',
  stopped: 'Verification was stopped.',
  facts: (events: number, writers: number) =>
    `${counted(events, 'event')} from ${counted(writers, 'writer')}`,
  digest: 'Digest',
  digestHint: 'Two devices with the same digest have the same data.',
  details: 'Details',
  dismiss: 'Dismiss on this device',
  recover: 'Bring back',
  recovered: (count: number) => `${counted(count, 'event was', 'events were')} brought back.`,
  merge: 'Merge',
  merged: (count: number) =>
    `${counted(count, 'event was', 'events were')} added. The other folder stays as it is.`,
  whatToDo: 'What to do',
  first: (detail: string) => `the first ${detail}`,
  more: (count: number) => `and ${count.toLocaleString('en')} more; the copied report has them all`,
  writers: 'Writers',
  devices: 'Last report from each device',
  columns: { writer: 'Writer', lane: 'Lane', held: 'Held', notes: 'Notes' },
  heldOf: (held: number, claimed: number) =>
    `${held.toLocaleString('en')} of ${claimed.toLocaleString('en')}`,
  missing: (ranges: string) => `missing ${ranges}`,
  forked: (count: number) => `${count.toLocaleString('en')} forked`,
  retired: (count: number) => `${count.toLocaleString('en')} retired`,
  nothingMissing: 'complete',
  findings: FINDING_TEXTS,
  agreement: agreementText,
  copy: 'Copy report',
  copied: 'Copied the report.',
  again: 'Verify again',
};
