import { compareFiles } from '../../agents/shared/file-changes.js';
import { formatNoteSource, formatStateSource, imageType } from '../../chat/data-source.js';
import { lookupState, workspaceById, type Named } from '../../model/lookup.js';
import { stateRecordTexts } from '../../model/records/state-records.js';
import type { DataPart } from '../../model/message.js';
import { cutToBytes } from '../../model/text/truncate.js';
import { saverName } from '../../apps/index.js';
import { Refusal } from '../../model/refusal.js';
import type { State } from '../../model/state.js';
import type { Attachment } from '../host/composer-drafts.js';
import type { Savepoint } from '../savepoint.js';
import { labelOf } from '../calls/labels.js';
import { text } from '../i18n/index.js';
import { imagePart } from './images.js';
import { localDay } from '../../model/text/local-minute.js';

/** Size above which a note is truncated. `formatNoteSource` states this limit. */
const MAX_NOTE_BYTES = 100 * 1024;

export function isSameAttachment(a: Attachment, b: Attachment): boolean {
  const keyOf = (each: Attachment) => (each.kind === 'note' ? each.path : each.id);
  return a.kind === b.kind && keyOf(a) === keyOf(b);
}

/** Reads an attachment as a message part. Throws a `Refusal` if the note or state is gone. */
export async function readAttachment(
  savepoint: Savepoint,
  attachment: Attachment,
): Promise<DataPart> {
  if (attachment.kind === 'note') return readNote(savepoint, attachment.path);
  const found = lookupState(savepoint.memory.get(), attachment.workspaceId, attachment.name);
  if (!('item' in found)) throw new Refusal(text.chat.stateGone(attachment.name));
  return stateDataPart(savepoint, found.item);
}

async function readNote(savepoint: Savepoint, path: string): Promise<DataPart> {
  const { app } = savepoint;
  const file = app.vault.getFileByPath(path);
  if (!file) throw new Refusal(text.chat.noteGone(path));
  if (imageType(path) !== undefined) return imagePart(savepoint, file);
  const whole = await app.vault.cachedRead(file);
  const shown = cutToBytes(whole, MAX_NOTE_BYTES);
  const bytes = new TextEncoder().encode(whole).length;
  const source = formatNoteSource(path, shown === whole ? undefined : Math.ceil(bytes / 1024));
  return { type: 'data', source, text: shown, path };
}

/** Returns a state as a message part in the user's language, with what has changed in its files. */
export async function stateDataPart(
  { memory, services }: Pick<Savepoint, 'memory' | 'services'>,
  { item, displayName }: Named<State>,
): Promise<DataPart> {
  const { activeFiles, nextSteps, tags = [], savedBy } = item;
  const workspace = workspaceById(memory.get(), item.workspaceId).name;
  const { decisions, questions } = stateRecordTexts(memory.get(), item);
  const sections = [
    section(labelOf('nextSteps'), nextSteps.map((step, at) => `${at + 1}. ${step}`).join('\n')),
    section(labelOf('description'), item.description ?? ''),
    section(labelOf('conversationContext'), item.conversationContext),
    section(labelOf('activeTask'), item.activeTask),
    section(labelOf('files'), activeFiles.map((path) => `- ${path}`).join('\n')),
    section(labelOf('decisions'), decisions.map((text) => `- ${text}`).join('\n')),
    section(labelOf('questions'), questions.map((text) => `- ${text}`).join('\n')),
    section(labelOf('tags'), tags.join(', ')),
  ];
  const { changedCount } = await compareFiles(services, item);
  const source = formatStateSource({
    name: displayName,
    workspace,
    day: localDay(item.createdAt),
    ...(savedBy && { savedBy: { who: saverName(savedBy), device: savedBy.device } }),
    ...(activeFiles.length > 0 && { files: { changed: changedCount, count: activeFiles.length } }),
  });
  return {
    type: 'data',
    source,
    text: sections.filter((each) => each !== '').join('\n\n'),
    stateId: item.id,
  };
}

function section(title: string, body: string): string {
  return body.trim() === '' ? '' : `${title}:\n${body}`;
}
