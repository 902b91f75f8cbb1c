import { isJsonObject, isWithinDepth, type Draft } from '../../model/event.js';
import { messageData, type MessagePart, type ToolPart } from '../../model/message.js';
import { mapEntries } from '../../model/persistent-map.js';
import { secretFields } from '../../redaction/index.js';
import { withoutHidden } from '../../model/text/visible-text.js';
import { sliceText, truncate } from '../../model/text/truncate.js';
import { parseJson } from '../../model/text/json-fields.js';
import { createEntityId } from '../../platform/random.js';
import type { Log } from '../../storage/index.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { sha256 } from '../../platform/sha256.js';
import { conversationDraft } from '../log-conversations.js';
import { isChatGptChat, readChatGptChat } from './chatgpt-chat.js';
import { isClaudeChat, readClaudeChat } from './claude-chat.js';
import { JsonEntrySplitter, type JsonEntry } from '../../transfer/foreign/json-entries.js';
import type { ForeignChat, ForeignChatMessage } from './foreign-chat.js';

export interface ChatImportOptions {
  readonly log: Pick<Log, 'conversations' | 'messages' | 'writeChat' | 'forgetting'>;
  /** Workspace of the imported conversations. */
  readonly workspaceId: string;
  readonly scheduler: Scheduler;
  /** Stops the import; conversations that were added before stay. */
  readonly signal: AbortSignal;
  readonly progress: (report: ChatImportReport) => void;
}

/** Progress or result of an import of conversations. */
export interface ChatImportReport {
  /** `added`: new. `grown`: known, with new messages. `forgotten`: by the user, so left out. */
  readonly added: number;
  readonly grown: number;
  readonly known: number;
  readonly forgotten: number;
  readonly messages: number;
  /** Number of conversations read, by product. */
  readonly sources: ReadonlyMap<string, number>;
  readonly problems: readonly ChatImportProblem[];
  /** Titles of conversations whose new messages hold what looks like a secret. */
  readonly secrets: readonly string[];
  readonly isStopped: boolean;
}

export interface ChatImportProblem {
  /** From 1. */
  readonly entry: number;
  /** Undefined if it cannot be read. */
  readonly title: string | undefined;
  readonly kind: 'damaged' | 'cut' | 'unknown' | 'empty' | 'tooLong';
}

/** Lists of conversations in exports that are an object. */
const CHAT_LISTS = ['conversations'];
const BATCH_BYTES = 64 * 1024;
/** Limit in UTF-16 units. Longer messages are split so that each part fits into a log line. */
const MAX_PART_LENGTH = 200_000;

/**
 * Imports new conversations and messages of a Claude or ChatGPT export. Derives the same ids on
 * every device from the product's ids. Reports and skips entries that are not conversations.
 */
export async function importChats(
  chunks: AsyncIterable<Uint8Array>,
  options: ChatImportOptions,
): Promise<ChatImportReport> {
  const { log, scheduler, signal, progress } = options;
  const ids = { known: await idsOf(log), forgotten: await log.forgetting.removedIds() };
  const sources = new Map<string, number>();
  const problems: ChatImportProblem[] = [];
  const secrets: string[] = [];
  const counts = { added: 0, grown: 0, known: 0, forgotten: 0, messages: 0 };
  const reportNow = (): ChatImportReport => ({
    ...counts,
    sources,
    problems,
    secrets,
    isStopped: signal.aborted,
  });

  async function take(entry: JsonEntry): Promise<void> {
    await scheduler.yieldIfDue();
    const read = readEntry(entry);
    if ('kind' in read) problems.push(read);
    else {
      const outcome = await addChat(read, ids, options);
      sources.set(read.source, (sources.get(read.source) ?? 0) + 1);
      counts[outcome.kind]++;
      counts.messages += outcome.messages;
      if (outcome.hasSecret) secrets.push(titleOf(read));
    }
    progress(reportNow());
  }

  const splitter = new JsonEntrySplitter(CHAT_LISTS);
  for await (const chunk of chunks) {
    for (const entry of splitter.push(chunk)) {
      if (signal.aborted) return reportNow();
      await take(entry);
    }
    if (signal.aborted) return reportNow();
    await scheduler.yieldNow();
  }
  for (const entry of splitter.end()) await take(entry);
  return reportNow();
}

function readEntry(given: JsonEntry): ForeignChat | ChatImportProblem {
  const { number: entry, bytes, isCut, isTooLong } = given;
  const text = new TextDecoder().decode(bytes);
  const failed = (kind: ChatImportProblem['kind']) => ({ entry, title: findTitle(text), kind });
  if (isTooLong) return failed('tooLong');
  if (isCut) return failed('cut');
  const value = parseJson(text);
  if (value === undefined) return failed('damaged');
  if (!isJsonObject(value)) return { entry, title: undefined, kind: 'unknown' };
  const isClaude = isClaudeChat(value);
  if (!isClaude && !isChatGptChat(value)) return failed('unknown');
  const chat = isClaude ? readClaudeChat(value) : readChatGptChat(value);
  return chat.messages.length > 0 ? chat : { entry, title: chat.title || undefined, kind: 'empty' };
}

/** Finds the title of an entry that cannot be parsed. */
function findTitle(text: string): string | undefined {
  const [, found] = /"(?:title|name)"\s*:\s*("(?:[^"\\]|\\.)*")/u.exec(text) ?? [];
  const title = parseJson(found ?? '');
  return typeof title === 'string' && title !== '' ? title : undefined;
}

interface VaultIds {
  readonly known: ReadonlySet<string>;
  readonly forgotten: ReadonlySet<string>;
}

interface AddedChat {
  readonly kind: 'added' | 'grown' | 'known' | 'forgotten';
  readonly messages: number;
  readonly hasSecret: boolean;
}

async function addChat(
  chat: ForeignChat,
  ids: VaultIds,
  { log, workspaceId, scheduler }: ChatImportOptions,
): Promise<AddedChat> {
  const key = `${chat.source}:${chat.id === '' ? fallbackIdOf(chat) : chat.id}`;
  const id = await idOf(key, undefined);
  if (ids.forgotten.has(id)) return { kind: 'forgotten', messages: 0, hasSecret: false };
  const isKnown = ids.known.has(id);
  const knownMessages = new Set(
    isKnown ? (await log.messages(id)).map((message) => message.id) : [],
  );
  const drafts: Draft[] = [];
  const lastIds = new Map<string, string>();
  const since =
    chat.createdAt ?? chat.messages.find(({ createdAt }) => createdAt !== undefined)?.createdAt;
  let time = since;
  for (const message of chat.messages) {
    time = message.createdAt ?? time;
    let parentId = message.parentId === undefined ? undefined : lastIds.get(message.parentId);
    for (const [at, parts] of splitMessage(message.parts).entries()) {
      const messageId = await idOf(`${key}:${message.id}:${at}`, time);
      const { role, isAside } = message;
      const content = { conversationId: id, parentId, role, parts, isAside };
      if (!knownMessages.has(messageId) && !ids.forgotten.has(messageId))
        drafts.push({
          t: 'msg.new',
          e: messageId,
          d: messageData({ ...content, ...endOf(message) }),
        });
      parentId = messageId;
    }
    lastIds.set(message.id, parentId ?? '');
  }
  if (!isKnown) {
    const facts = {
      workspaceId,
      title: titleOf(chat),
      importedFrom: chat.source,
      ...(since !== undefined && { createdAt: since }),
    };
    await log.writeChat(conversationDraft(id, facts), 'imported');
  }
  await writeAll(log, drafts, scheduler);
  const kind = drafts.length > 0 ? 'grown' : 'known';
  const isSecret = drafts.some(({ d }) => secretFields(d).length > 0);
  return { kind: isKnown ? kind : 'added', messages: drafts.length, hasSecret: isSecret };
}

function fallbackIdOf({ createdAt, title, messages }: ForeignChat): string {
  return `${createdAt ?? ''}:${title}:${messages[0]?.id ?? ''}`;
}

function endOf({ role, model }: ForeignChatMessage) {
  return role === 'assistant'
    ? { end: 'done' as const, ...(model !== undefined && { model }) }
    : {};
}

async function writeAll(
  log: Pick<Log, 'writeChat'>,
  drafts: readonly Draft[],
  scheduler: Scheduler,
): Promise<void> {
  for (let from = 0; from < drafts.length;) {
    let size = 0;
    let to = from;
    while (to < drafts.length && (to === from || size < BATCH_BYTES))
      size += JSON.stringify(drafts[to++]).length;
    await Promise.all(drafts.slice(from, to).map((draft) => log.writeChat(draft, 'imported')));
    await scheduler.yieldIfDue();
    from = to;
  }
}

const MAX_TITLE_LENGTH = 200;

function titleOf({ title, messages, source }: ForeignChat): string {
  const first =
    messages[0]?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))[0] ?? '';
  const line =
    [title, first, source]
      .map((text) => withoutHidden(text.replace(/[\s\p{Cc}]+/gu, ' ')).trim())
      .find((text) => text !== '') ?? '';
  return truncate(line, MAX_TITLE_LENGTH);
}

/** Splits a message to fit into lines. Parameters that are nested too deeply become text. */
function splitMessage(parts: readonly MessagePart[]): MessagePart[][] {
  const messages: MessagePart[][] = [[]];
  let room = MAX_PART_LENGTH;
  const add = (part: MessagePart, size: number) => {
    if (size > room && messages.at(-1)!.length > 0) {
      messages.push([]);
      room = MAX_PART_LENGTH;
    }
    messages.at(-1)!.push(part);
    room -= size;
  };
  for (const part of parts) {
    if (part.type === 'tool') add(...fitTool(part));
    else for (const text of splitText(part.text)) add({ ...part, text }, text.length);
  }
  return messages;
}

/** Returns a tool call, shortened to fit into a message, and its original size in UTF-16 units. */
function fitTool(part: ToolPart): [ToolPart, number] {
  const isFlat = isWithinDepth(part.params, MAX_PARAMS_DEPTH);
  const params = isFlat ? part.params : JSON.stringify(part.params);
  const size = JSON.stringify([params, part.answer ?? '']).length;
  if (size <= MAX_PART_LENGTH) return [{ ...part, params }, size];
  const answer = part.answer === undefined ? {} : { answer: cut(part.answer) };
  return [{ ...part, params: cut(params), ...answer }, size];
}

/** Splits a text into runs of at most `MAX_PART_LENGTH`, never inside a surrogate pair. */
function splitText(text: string): string[] {
  const runs: string[] = [];
  for (let at = 0; at < text.length; at += runs.at(-1)!.length)
    runs.push(sliceText(text, at, at + MAX_PART_LENGTH));
  return runs.length === 0 ? [''] : runs;
}

/** Below the limit for an event, which nests the parameters a few levels deeper. */
const MAX_PARAMS_DEPTH = 50;

function cut(value: unknown): string {
  return sliceText(JSON.stringify(value), 0, MAX_PART_LENGTH / 2);
}

async function idsOf(log: Pick<Log, 'conversations'>): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const [id] of mapEntries((await log.conversations()).entities)) ids.add(id);
  return ids;
}

/** Number of characters of an id that encode its time in seconds; enough until the year 3000. */
const TIME_DIGITS = 7;
const BASE = 32;
/** Index of the first digit in the id alphabet. Letters come first there, but not in text order. */
const FIRST_DIGIT = 24;

/**
 * Derives the same id on every device. A message's id begins with its time, so that messages
 * imported at the same moment sort in their original order.
 */
async function idOf(key: string, time: string | undefined): Promise<string> {
  const hash = await sha256(key);
  const bytes = Array.from({ length: 16 }, (_, at) => parseInt(hash.slice(at * 2, at * 2 + 2), 16));
  if (time !== undefined) {
    let seconds = Math.max(0, Math.floor(Date.parse(time) / 1000));
    for (let at = TIME_DIGITS - 1; at >= 0; at--) {
      bytes[at] = ((seconds % BASE) + FIRST_DIGIT) % BASE;
      seconds = Math.floor(seconds / BASE);
    }
  }
  return createEntityId({ bytes: () => Uint8Array.from(bytes) });
}
