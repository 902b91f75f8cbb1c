import { isJsonObject, isWithinDepth, type Draft } from '../../model/event.js';
import { messageData, type MessagePart } from '../../model/message.js';
import { mapEntries } from '../../model/persistent-map.js';
import { createEntityId } from '../../platform/random.js';
import type { Log } from '../../storage/log.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { sha256 } from '../../platform/sha256.js';
import { conversationDraft } from '../log-conversations.js';
import { isChatGptChat, readChatGptChat } from './chatgpt-chat.js';
import { isClaudeChat, readClaudeChat } from './claude-chat.js';
import { createSplitter, type JsonEntry } from './json-entries.js';
import type { ForeignChat, ForeignChatMessage } from './foreign-chat.js';

export interface ChatImportOptions {
  readonly log: Pick<Log, 'conversations' | 'messages' | 'writeChat'>;
  /** Where the conversations belong from now on. */
  readonly workspaceId: string;
  readonly scheduler: Scheduler;
  /** Stops the import; what has been added by then stays. */
  readonly signal: AbortSignal;
  readonly progress: (report: ChatImportReport) => void;
}

/** What an import of conversations has done so far. */
export interface ChatImportReport {
  /** Conversations that were not here, those to which something has come, and those of which everything was here. */
  readonly added: number;
  readonly grown: number;
  readonly known: number;
  readonly messages: number;
  /** By product, how many conversations were read. */
  readonly sources: ReadonlyMap<string, number>;
  readonly problems: readonly ChatImportProblem[];
  readonly isStopped: boolean;
}

/** An entry of which nothing was imported. */
export interface ChatImportProblem {
  /** Which one in the file, from 1. */
  readonly entry: number;
  /** What it is called, where that can be read. */
  readonly title: string | undefined;
  readonly kind: 'damaged' | 'cut' | 'unknown' | 'empty' | 'tooLong';
}

/** So many bytes of messages are written at once, so that the host has its turn between. */
const BATCH_BYTES = 64 * 1024;
/** A message that is longer is kept as several, each within a line of the log. */
const MAX_PART_LENGTH = 200_000;

/**
 * Adds the conversations of an export of Claude or ChatGPT to the log, those only that are not there yet. The ids are made of those
 * of the other product, so that any device makes the same. What is no conversation is named in the report and left out.
 */
export async function importChats(
  pieces: AsyncIterable<Uint8Array>,
  options: ChatImportOptions,
): Promise<ChatImportReport> {
  const { log, scheduler, signal, progress } = options;
  const here = await idsOf(log);
  const sources = new Map<string, number>();
  const problems: ChatImportProblem[] = [];
  const counts = { added: 0, grown: 0, known: 0, messages: 0 };
  const reportNow = (): ChatImportReport => ({
    ...counts,
    sources,
    problems,
    isStopped: signal.aborted,
  });

  async function take(entry: JsonEntry): Promise<void> {
    const read = readEntry(entry);
    for (const each of read) {
      await scheduler.yieldIfDue();
      if (signal.aborted) return;
      if ('kind' in each) {
        problems.push(each);
        continue;
      }
      const outcome = await addChat(each, here, options);
      sources.set(each.source, (sources.get(each.source) ?? 0) + 1);
      counts[outcome.kind]++;
      counts.messages += outcome.messages;
    }
    progress(reportNow());
  }

  const splitter = createSplitter();
  for await (const piece of pieces) {
    for (const entry of splitter.push(piece)) {
      if (signal.aborted) return reportNow();
      await take(entry);
    }
    if (signal.aborted) return reportNow();
    await scheduler.yieldNow();
  }
  for (const entry of splitter.end()) await take(entry);
  return reportNow();
}

function readEntry({
  number,
  bytes,
  isCut,
  isTooLong,
}: JsonEntry): (ForeignChat | ChatImportProblem)[] {
  const text = new TextDecoder().decode(bytes);
  if (isTooLong) return [{ entry: number, title: findTitle(text), kind: 'tooLong' }];
  if (isCut) return [{ entry: number, title: findTitle(text), kind: 'cut' }];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ entry: number, title: findTitle(text), kind: 'damaged' }];
  }
  const nested =
    isJsonObject(value) && Array.isArray(value['conversations'])
      ? (value['conversations'] as unknown[])
      : [value];
  return nested.map((each) => readChat(each, number));
}

function readChat(value: unknown, entry: number): ForeignChat | ChatImportProblem {
  if (!isJsonObject(value)) return { entry, title: undefined, kind: 'unknown' };
  const isClaude = isClaudeChat(value);
  if (!isClaude && !isChatGptChat(value))
    return { entry, title: findTitle(JSON.stringify(value)), kind: 'unknown' };
  const chat = isClaude ? readClaudeChat(value) : readChatGptChat(value);
  return chat.messages.length > 0
    ? chat
    : { entry, title: chat.title === '' ? undefined : chat.title, kind: 'empty' };
}

/** What an entry is called, though it cannot be read as a whole. */
function findTitle(text: string): string | undefined {
  const [, found] = /"(?:title|name)"\s*:\s*("(?:[^"\\]|\\.)*")/u.exec(text) ?? [];
  if (found === undefined) return undefined;
  try {
    const title = JSON.parse(found) as string;
    return title === '' ? undefined : title;
  } catch {
    return undefined; // damaged there
  }
}

async function addChat(
  chat: ForeignChat,
  here: ReadonlySet<string>,
  { log, workspaceId, scheduler }: ChatImportOptions,
): Promise<{ kind: 'added' | 'grown' | 'known'; messages: number }> {
  const key = `${chat.source}:${chat.id === '' ? `${chat.createdAt ?? ''}:${chat.title}:${chat.messages[0]?.id ?? ''}` : chat.id}`;
  const id = await idOf(key, undefined);
  const isHere = here.has(id);
  const held = new Set(isHere ? (await log.messages(id)).map((message) => message.id) : []);
  const drafts: Draft[] = [];
  const ends = new Map<string, string>();
  const since =
    chat.createdAt ?? chat.messages.find(({ createdAt }) => createdAt !== undefined)?.createdAt;
  let time = since;
  for (const message of chat.messages) {
    time = message.createdAt ?? time;
    let parentId = message.parentId === undefined ? undefined : ends.get(message.parentId);
    for (const [at, parts] of splitMessage(message.parts).entries()) {
      const messageId = await idOf(`${key}:${message.id}:${at}`, time);
      const content = { conversationId: id, parentId, role: message.role, parts };
      if (!held.has(messageId))
        drafts.push({
          t: 'msg.new',
          e: messageId,
          d: messageData({ ...content, ...endOf(message) }),
        });
      parentId = messageId;
    }
    ends.set(message.id, parentId ?? '');
  }
  if (!isHere) {
    const facts = {
      workspaceId,
      title: titleOf(chat),
      importedFrom: chat.source,
      ...(since !== undefined && { createdAt: since }),
    };
    await log.writeChat(conversationDraft(id, facts));
  }
  await writeAll(log, drafts, scheduler);
  return {
    kind: isHere ? (drafts.length > 0 ? 'grown' : 'known') : 'added',
    messages: drafts.length,
  };
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
    await Promise.all(drafts.slice(from, to).map((draft) => log.writeChat(draft)));
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
      .map((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
      .find((text) => text !== '') ?? '';
  const letters = Array.from(line);
  return letters.length > MAX_TITLE_LENGTH
    ? `${letters.slice(0, MAX_TITLE_LENGTH).join('')}…`
    : line;
}

/** The parts of one message as those of several, none of which is too long for a line; what is nested too deeply becomes text. */
function splitMessage(parts: readonly MessagePart[]): MessagePart[][] {
  const pieces: MessagePart[][] = [[]];
  let room = MAX_PART_LENGTH;
  const add = (part: MessagePart, size: number) => {
    if (size > room && pieces.at(-1)!.length > 0) {
      pieces.push([]);
      room = MAX_PART_LENGTH;
    }
    pieces.at(-1)!.push(part);
    room -= size;
  };
  for (const part of parts) {
    if (part.type === 'tool') {
      const params = isWithinDepth(part.params, MAX_PARAMS_DEPTH)
        ? part.params
        : JSON.stringify(part.params);
      const size = JSON.stringify([params, part.answer ?? '']).length;
      add(
        size > MAX_PART_LENGTH
          ? {
              ...part,
              params: cut(params),
              ...(part.answer !== undefined && { answer: cut(part.answer) }),
            }
          : { ...part, params },
        size,
      );
    } else for (const text of splitText(part.text)) add({ ...part, text }, text.length);
  }
  return pieces;
}

/** Runs of letters, none of which ends in the middle of one. */
function splitText(text: string): string[] {
  const runs: string[] = [];
  for (let at = 0; at < text.length; at += runs.at(-1)!.length) {
    const run = text.slice(at, at + MAX_PART_LENGTH);
    runs.push(at + run.length < text.length ? run.replace(/[\ud800-\udbff]$/, '') : run);
  }
  return runs.length === 0 ? [''] : runs;
}

/** An event nests what a tool was given a few levels deeper. */
const MAX_PARAMS_DEPTH = 50;

function cut(value: unknown): string {
  return JSON.stringify(value).slice(0, MAX_PART_LENGTH / 2);
}

async function idsOf(log: Pick<Log, 'conversations'>): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const [id] of mapEntries((await log.conversations()).entities)) ids.add(id);
  return ids;
}

/** Digits of an id that tell the time, to the second, until the year 3000. */
const TIME_DIGITS = 7;
const BASE = 32;
/** An id's alphabet begins with its letters, and text in order begins with the digits. */
const FIRST_DIGIT = 24;

/**
 * The id that every device makes of the same key. A message's begins with its time, so that what was imported at one moment stands in
 * the order in which it was said.
 */
async function idOf(key: string, time: string | undefined): Promise<string> {
  const hash = await sha256(key);
  const bytes = Array.from({ length: 16 }, (_, at) => parseInt(hash.slice(at * 2, at * 2 + 2), 16));
  if (time !== undefined) {
    let left = Math.max(0, Math.floor(Date.parse(time) / 1000));
    for (let at = TIME_DIGITS - 1; at >= 0; at--) {
      bytes[at] = ((left % BASE) + FIRST_DIGIT) % BASE;
      left = Math.floor(left / BASE);
    }
  }
  return createEntityId({ bytes: () => Uint8Array.from(bytes) });
}
