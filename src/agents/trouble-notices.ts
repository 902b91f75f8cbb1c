import { effectOf } from '../model/memory.js';
import { clip } from '../model/refusal.js';
import { counted } from '../model/text/counted.js';
import { visibleText } from '../model/text/visible-text.js';
import { AGREEMENT_DAYS, type Log, type LogTrouble } from '../storage/index.js';
import type { Tool } from '../toolkit/define-tool.js';
import type { PendingCall } from '../toolkit/toolkit.js';

const NOT_COPIED =
  'Saved in the vault, but this device could not keep a copy outside it, so it could not restore what a sync service loses. Tell the user: make room on the disk with the state folder of Savepoint, or make that folder writable.';

const GAPS =
  'Entries that were saved before are not here, so something may be missing. They may still be on their way; if they do not come, tell the user to run "savepoint verify".';

const NAME_MAY_EXIST =
  'A part of the memory cannot be read or is not downloaded to this device yet, and a workspace of that name may be in it. Nothing was created; let the sync service finish, then try again. If that does not help, tell the user to run "savepoint verify", which names the file and says what to do.';

/** The notice about what devices have asked to remove. */
export const ASKED = 'asked';

/** Returns what the tool's answer must say about problems of the log. */
export function troubleNotices(
  { isCopyFailing, waiting, lacksLines, missing, siblings, asked, askedCount, gaps }: LogTrouble,
  { access }: Pick<Tool<unknown>, 'access'>,
  isFirst: (notice: string) => boolean,
): string[] {
  const notices = isCopyFailing && access !== 'read' ? [NOT_COPIED] : [];
  if (waiting.length > 0 && (isFirst('waiting') || lacksLines))
    notices.push(
      `${counted(waiting.length, 'file')} of the memory cannot be read or ${waiting.length === 1 ? 'is' : 'are'} not downloaded yet, so something may be missing here. Tell the user to let the sync service finish, or to run "savepoint verify", which names what it is.`,
    );
  const [sibling] = siblings;
  if (sibling !== undefined && isFirst('sibling'))
    notices.push(
      `The memory is empty here, but the folder "${clip(sibling)}" next to the data folder contains one, as if the data folder had been renamed. Tell the user to run "savepoint verify", which says how to merge it.`,
    );
  if (missing > 0 && isFirst('missing'))
    notices.push(
      `${counted(missing, 'entry', 'entries')} had disappeared from the vault, so something may be missing here. Savepoint restores them from this device's copies within two minutes.`,
    );
  const isUnexplained = waiting.length === 0 && missing === 0 && gaps() !== '';
  if (isUnexplained && isFirst('gaps')) notices.push(GAPS);
  if (asked.length > 0 && isFirst(ASKED)) notices.push(askedText(asked, askedCount));
  return notices;
}

function askedText(asked: LogTrouble['asked'], count: number): string {
  const devices = [...new Set(asked.map(({ content }) => visibleText(content.device)))];
  const who =
    devices.length > 1 ? `${devices.length} devices have` : `"${clip(devices[0]!, 80)}" has`;
  const what = counted(count, 'entry', 'entries');
  return `${who} asked to remove ${what} of the memory for good. This device hides them, and removes them after it has told its user on ${AGREEMENT_DAYS} days. Tell the user to decide, in Obsidian under Settings → Savepoint → Storage → Removal requests or with "savepoint verify".`;
}

/** Refuses a new workspace while the lines of a segment, and so the names in it, are not known. */
export async function waitingRefusal(
  log: Log,
  { access, entersWorkspace }: Pick<Tool<unknown>, 'access' | 'entersWorkspace'>,
  { key }: Pick<PendingCall, 'key'>,
): Promise<string | undefined> {
  const isCreation = access === 'write' && entersWorkspace === true;
  if (!isCreation || !log.trouble().lacksSegment) return undefined;
  return effectOf(await log.memory(), key) === undefined ? NAME_MAY_EXIST : undefined;
}
