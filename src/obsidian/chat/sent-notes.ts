import { changedLines } from '../../agents/vcs-manager/shared/changed-lines.js';
import { formatSelectionSource, MAX_OPEN_NOTE_CHARS } from '../../chat/data-source.js';
import type { DataPart, Message, MessagePart } from '../../model/message.js';
import { sliceText } from '../../model/text/truncate.js';
import { sha256 } from '../../platform/sha256.js';
import { yieldToHost } from '../host/browser-ports.js';
import { report } from '../host/logger.js';
import type { Savepoint } from '../savepoint.js';
import { isOffered } from '../ui/forms/offered-path.js';

type OpenNotePart = DataPart & { readonly hash: string };

/** Texts as the model knows them, and the length of the changes since they were sent whole. */
type KnownTexts = Map<string, { readonly text: string; readonly changed: number }>;

const toBytes = (text: string) => new TextEncoder().encode(text);
/** With more lines added and removed, a comparison takes too long. */
const MAX_CHANGED_LINES = 300;
const NOT_AVAILABLE = 'This text is no longer available: only its hash was stored.';

/** Returns messages with open notes: whole once, then what changed; none if not `isHeard`. */
export async function withOpenNotes(
  savepoint: Savepoint,
  path: readonly Message[],
  isHeard: (at: number) => boolean,
): Promise<Message[]> {
  const sent = path.map((message, at) => ({
    ...message,
    parts: message.parts.filter(
      (part) => !isOpenNote(part) || (isHeard(at) && isOffered(savepoint, part.path ?? '')),
    ),
  }));
  const texts = await textsOf(savepoint, sent);
  const known: KnownTexts = new Map();
  for (const { parts } of sent)
    for (const [at, part] of parts.entries())
      if (isOpenNote(part)) parts[at] = await sentPart(part, texts.get(part.hash), known);
  return sent;
}

/** Returns texts by hash; stores those of the newest message and of notes that are unchanged. */
async function textsOf(
  { app: { vault }, sentTexts }: Savepoint,
  path: readonly Message[],
): Promise<Map<string, string>> {
  const open = path.flatMap(({ parts }) => parts.filter(isOpenNote));
  const newest = path.at(-1);
  if (!newest || open.length === 0) return new Map();
  const { conversationId, parts } = newest;
  // a database that fails is reported when the text is saved
  const texts = await sentTexts.load(conversationId).catch(() => new Map<string, string>());
  for (const part of open.filter(({ hash }) => !texts.has(hash))) {
    const isNewest = parts.includes(part);
    const file = vault.getFileByPath(part.path ?? '');
    const whole = isNewest && part.text !== '' ? part.text : file && (await vault.cachedRead(file));
    const isAnyVersion = isNewest && (part.text !== '' || openNoteKey(part) === part.path);
    if (whole === null || !(isAnyVersion || (await sha256(whole)) === part.hash)) continue;
    const text = sliceText(whole, 0, MAX_OPEN_NOTE_CHARS);
    texts.set(part.hash, text);
    await sentTexts.save(conversationId, part.hash, text).catch(report);
  }
  return texts;
}

async function sentPart(
  part: OpenNotePart,
  text: string | undefined,
  known: KnownTexts,
): Promise<MessagePart> {
  if (text === undefined) return { ...part, text: NOT_AVAILABLE };
  const { source } = part;
  const key = openNoteKey(part);
  const last = known.get(key);
  if (last?.text === text) return { type: 'text', text: `Unchanged since it was sent: ${source}.` };
  known.set(key, { text, changed: 0 });
  if (!last || key === source) return { ...part, text };
  await yieldToHost(); // a comparison may take 60 ms
  const changes = await changedLines(toBytes(last.text), toBytes(text), MAX_CHANGED_LINES);
  const lines = 'lines' in changes && !changes.isCut ? changes.lines : text;
  const changed = last.changed + lines.length;
  if (changed > text.length / 2) return { ...part, source: `the changed text of ${source}`, text };
  known.set(key, { text, changed });
  const about = `the lines that changed, with their numbers, in ${source}`;
  return { ...part, source: about, text: lines };
}

/** Returns true for an open note and for the selection in it. */
export function isOpenNote(part: MessagePart): part is OpenNotePart {
  return part.type === 'data' && part.hash !== undefined;
}

/** Returns the note's path; for a selection, its source. */
export function openNoteKey({ path = '', source }: DataPart): string {
  return source === formatSelectionSource(path) ? source : path;
}
