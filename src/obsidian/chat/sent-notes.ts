import { MAX_OPEN_NOTE_CHARS } from '../../chat/data-source.js';
import type { Message, MessagePart } from '../../model/message.js';
import { sha256 } from '../../platform/sha256.js';
import type { Savepoint } from '../savepoint.js';
import { isOffered } from '../ui/forms/offered-path.js';
import type { DataPart } from './attachments.js';

const NOT_AVAILABLE = 'This text is no longer available: only its hash was stored.';

/** Returns messages with the text of unchanged open notes; omits open notes unless `isSent`. */
export function withOpenNotes(
  savepoint: Savepoint,
  path: readonly Message[],
  isSent: boolean,
): Promise<Message[]> {
  const fill = async (part: MessagePart): Promise<MessagePart[]> => {
    if (part.type !== 'data' || part.hash === undefined) return [part];
    if (!isSent || !isOffered(savepoint, part.path ?? '')) return [];
    return [part.text === '' ? { ...part, text: await currentText(savepoint, part) } : part];
  };
  return Promise.all(
    path.map(async (message) => ({
      ...message,
      parts: (await Promise.all(message.parts.map(fill))).flat(),
    })),
  );
}

async function currentText({ app }: Savepoint, { path = '', hash }: DataPart): Promise<string> {
  const file = app.vault.getFileByPath(path);
  const whole = file ? await app.vault.cachedRead(file) : '';
  if (!file || (await sha256(whole)) !== hash) return NOT_AVAILABLE;
  return firstChars(whole, MAX_OPEN_NOTE_CHARS);
}

/** Returns the beginning of a text, without half a character at its end. */
export function firstChars(whole: string, limit: number): string {
  return whole.length <= limit ? whole : whole.slice(0, limit).replace(/\p{Cs}$/u, '');
}
