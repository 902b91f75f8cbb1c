import { noteSource, stateSource } from '../../chat/data-source.js';
import { lookupState, workspaceById, type Named } from '../../model/lookup.js';
import type { MessagePart } from '../../model/message.js';
import { Refusal } from '../../model/refusal.js';
import type { State } from '../../model/state.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';

export type DataPart = Extract<MessagePart, { type: 'data' }>;

/** Something that is to be laid beside the words of the next message, as it will be when that is sent. */
export type Attachment =
  | { readonly kind: 'note'; readonly path: string }
  | {
      readonly kind: 'state';
      readonly id: string;
      readonly name: string;
      readonly workspaceId: string;
    };

const NOTE_LIMIT = 100 * 1024;

export function isSameAttachment(a: Attachment, b: Attachment): boolean {
  return a.kind === 'note'
    ? b.kind === 'note' && a.path === b.path
    : b.kind === 'state' && a.id === b.id;
}

/** What is attached, as data for a message. Throws a `Refusal` for what is not there any more. */
export async function readAttachment(
  savepoint: Savepoint,
  attachment: Attachment,
): Promise<DataPart> {
  if (attachment.kind === 'note') return readNote(savepoint, attachment.path);
  const found = lookupState(savepoint.memory.get(), attachment.workspaceId, attachment.name);
  if (!('item' in found)) throw new Refusal(text.chat.stateGone(attachment.name));
  return stateData(savepoint, found.item);
}

async function readNote({ app }: Savepoint, path: string): Promise<DataPart> {
  const file = app.vault.getFileByPath(path);
  if (!file) throw new Refusal(text.chat.noteGone(path));
  const { shown, isCut, bytes } = firstBytes(await app.vault.cachedRead(file), NOTE_LIMIT);
  return {
    type: 'data',
    source: noteSource(path, isCut ? Math.ceil(bytes / 1024) : undefined),
    text: shown,
    path,
  };
}

/** A state as data, with where it comes from. */
export function stateData(
  { memory }: Pick<Savepoint, 'memory'>,
  { item, displayName }: Named<State>,
): DataPart {
  const {
    id,
    workspaceId,
    createdAt,
    description = '',
    conversationContext,
    activeTask,
    activeFiles,
    nextSteps,
    tags = [],
  } = item;
  const workspace = workspaceById(memory.get(), workspaceId).name;
  const sections = [
    section('Description', description),
    section('What was going on', conversationContext),
    section('Active task', activeTask),
    section('Files', activeFiles.map((path) => `- ${path}`).join('\n')),
    section('Next steps', nextSteps.map((step, at) => `${at + 1}. ${step}`).join('\n')),
    section('Tags', tags.join(', ')),
  ];
  const source = stateSource(displayName, workspace, createdAt.slice(0, 10));
  return {
    type: 'data',
    source,
    text: sections.filter((each) => each !== '').join('\n\n'),
    stateId: id,
  };
}

function section(title: string, body: string): string {
  return body.trim() === '' ? '' : `${title}:\n${body}`;
}

/** The beginning of a text, at most so many bytes of UTF-8, never half a character. */
function firstBytes(
  whole: string,
  limit: number,
): { shown: string; isCut: boolean; bytes: number } {
  const bytes = new TextEncoder().encode(whole);
  if (bytes.length <= limit) return { shown: whole, isCut: false, bytes: bytes.length };
  const shown = new TextDecoder().decode(bytes.subarray(0, limit)).replace(/\uFFFD+$/, '');
  return { shown, isCut: true, bytes: bytes.length };
}
