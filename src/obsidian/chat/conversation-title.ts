import type { MessagePart } from '../../model/message.js';
import { truncate } from '../../model/text/truncate.js';
import { withoutHidden } from '../../model/text/visible-text.js';
import { text } from '../i18n/index.js';

const MAX_TITLE_CHARS = 60;

/** Returns a title for a new conversation from its first message, else an attachment's name. */
export function titleOf(parts: readonly MessagePart[]): string {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const sources = parts.flatMap((part) =>
    part.type === 'data' ? [/"(.+?)"/u.exec(part.source)?.[1] ?? part.source] : [],
  );
  const line =
    [...texts, ...sources, text.chat.commands.fresh]
      .map((each) => withoutHidden(each.replace(/\s+/gu, ' ')).trim())
      .find((each) => each !== '') ?? '';
  return truncate(line, MAX_TITLE_CHARS);
}
