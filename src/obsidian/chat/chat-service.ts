import type { ChatConversation, Conversations } from '../../chat/conversations.js';
import {
  textOfMessage,
  type Message,
  type MessageContent,
  type MessagePart,
} from '../../model/message.js';
import { Refusal } from '../../model/refusal.js';
import { Scheduler } from '../../platform/scheduler.js';
import { yieldToHost, yieldWhenIdle } from '../host/browser-ports.js';
import type { ModelRegistry } from '../models/model-registry.js';
import { report } from '../host/logger.js';
import type { Savepoint } from '../savepoint.js';
import type { Settings } from '../settings-schema.js';
import { createStore, type Store } from '../store.js';
import { text } from '../i18n/index.js';
import { whenPainted } from './when-painted.js';
import { createTalk, type ConversationController, type ControllerOptions } from './conversation-controller.js';

/** The conversations of a vault while the plugin runs. */
export interface ChatService {
  readonly savepoint: Savepoint;
  readonly models: ModelRegistry;
  /** Newest first; undefined until they have been read. */
  readonly conversations: Store<readonly ChatConversation[] | undefined>;
  /** Why they cannot be read, in words. */
  readonly trouble: Store<string | undefined>;
  /** One that begins with the first thing that is said in it. */
  openNew(): ConversationController;
  /** The one talk of a conversation, whoever looks at it. */
  open(id: string): ConversationController;
  /** A conversation that begins with these parts, with no model asked. */
  startWith(parts: readonly MessagePart[], workspaceId: string): Promise<ConversationController>;
  change: Conversations['change'];
  /** Where each of these words is said, the newest conversations first. */
  search(query: string, signal: AbortSignal): Promise<ConversationHit[]>;
  readonly changeSettings: (change: (settings: Settings) => Settings) => Promise<void>;
  /** Stops every turn, and resolves once what was said is kept. */
  close(): Promise<void>;
}

export interface ConversationHit {
  readonly conversation: ChatConversation;
  /** Undefined where only the title fits. */
  readonly message: Message | undefined;
  readonly excerpt: string;
}

export interface ChatOptions {
  readonly savepoint: Savepoint;
  readonly conversations: Conversations;
  readonly models: ModelRegistry;
  readonly changeSettings: ChatService['changeSettings'];
}

const MOST_HITS = 100;
/** So many milliseconds after what was said last, it is looked for what others have said meanwhile. */
const CALM = 2000;

const chats = new WeakMap<Savepoint, ChatService>();

/** The chat of a running memory. */
export function chatOf(savepoint: Savepoint): ChatService {
  const chat = chats.get(savepoint);
  if (!chat) throw new Error('The memory was opened without a chat');
  return chat;
}

export function createChat({
  savepoint,
  conversations: port,
  models,
  changeSettings,
}: ChatOptions): ChatService {
  const conversations = createStore<readonly ChatConversation[] | undefined>(undefined);
  const trouble = createStore<string | undefined>(undefined);
  const talks = new Map<string, ConversationController>();
  /** Whether anybody has looked at the chat, and it goes on: else nothing of it is read. */
  let isWanted = false;
  let isReading = false;
  let isStale = false;

  /** How many messages are being kept right now. */
  let saying = 0;
  let cancelLook: (() => void) | undefined;

  const host: ControllerOptions = {
    savepoint,
    conversations: { ...port, add },
    models,
    painted: whenPainted,
    yieldToHost: yieldToHost,
    find: (id) => conversations.get()?.find((conversation) => conversation.id === id),
    created(conversation, talk) {
      talks.set(conversation.id, talk);
      conversations.set([conversation, ...(conversations.get() ?? [])]);
    },
    allowAlways: (tool) =>
      changeSettings((settings) => ({
        ...settings,
        allowedTools: [...new Set([...settings.allowedTools, tool])],
      })),
  };

  /** What changes while it reads is in the next reading, of which one is enough for all of them. */
  async function refresh(): Promise<void> {
    isStale = true;
    if (isReading) return;
    isReading = true;
    try {
      while (isStale) {
        isStale = false;
        await savepoint.whenReady();
        conversations.set(await port.list());
        trouble.set(undefined);
        await Promise.all([...talks.values()].map((talk) => talk.refresh()));
      }
    } catch (error) {
      if (!(error instanceof Refusal)) report(error);
      trouble.set(error instanceof Refusal ? error.message : text.general.fault);
    } finally {
      isReading = false;
    }
  }

  async function add(content: MessageContent): Promise<Message> {
    saying++;
    try {
      return await port.add(content);
    } finally {
      saying--;
    }
  }

  const stopListening = port.onChange(() => {
    if (!isWanted) return;
    cancelLook?.();
    if (saying === 0) return void refresh();
    // Most likely it is what was said here, which need not be read again; what may have come beside it is found a little later.
    cancelLook = savepoint.clock.after(
      CALM,
      () => void yieldWhenIdle().then(() => (isWanted ? refresh() : undefined)),
    );
  });

  function begin(id?: string): ConversationController {
    const talk = createTalk(host, id);
    if (id !== undefined) talks.set(id, talk);
    if (!isWanted || id !== undefined) void refresh();
    isWanted = true;
    return talk;
  }

  async function search(query: string, signal: AbortSignal): Promise<ConversationHit[]> {
    const words = query.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
    if (words.length === 0) return [];
    const scheduler = new Scheduler(savepoint.clock, yieldToHost);
    const hits: ConversationHit[] = [];
    for (const conversation of conversations.get() ?? []) {
      await scheduler.yieldIfDue();
      if (signal.aborted || hits.length >= MOST_HITS) break;
      const found = (await port.messages(conversation.id)).flatMap((message) => {
        const excerpt = excerptOf(textOfMessage(message), words);
        return excerpt === undefined ? [] : [{ conversation, message, excerpt }];
      });
      if (found.length === 0 && excerptOf(conversation.title, words) !== undefined)
        hits.push({ conversation, message: undefined, excerpt: '' });
      hits.push(...found);
    }
    return hits.slice(0, MOST_HITS);
  }

  const chat: ChatService = {
    savepoint,
    models,
    conversations,
    trouble,
    search,
    changeSettings,
    openNew: () => begin(),
    open: (id) => talks.get(id) ?? begin(id),
    async startWith(parts, workspaceId) {
      const talk = begin();
      await talk.enterWorkspace(workspaceId);
      await talk.append(parts);
      return talk;
    },
    change: (id, fields) => port.change(id, fields),
    async close() {
      stopListening();
      cancelLook?.();
      isWanted = false;
      await Promise.all([...talks.values()].map((talk) => talk.close()));
    },
  };
  chats.set(savepoint, chat);
  return chat;
}

const EXCERPT_BEFORE = 24;
const EXCERPT_ROOM = 160;
/** What markdown says by signs says nothing in a line of plain text. */
const MARKS = /\*{1,3}|~~|`+|\[\[|\]\]|^#{1,6} /gmu;

/** A piece of the text around the first word; undefined where not every word stands in the text. */
function excerptOf(whole: string, words: readonly string[]): string | undefined {
  const lower = whole.toLocaleLowerCase();
  if (!words.every((word) => lower.includes(word))) return undefined;
  const found = lower.indexOf(words[0] ?? '');
  const near = Math.max(0, found - EXCERPT_BEFORE);
  const blank = near === 0 ? -1 : whole.slice(near, found).search(/\s/u);
  const at = blank < 0 ? near : near + blank; // words are shown whole
  const piece = whole
    .slice(at, at + EXCERPT_ROOM)
    .replace(MARKS, '')
    .replace(/[\s|]+/gu, ' ')
    .trim();
  return `${at > 0 ? '…' : ''}${piece}${at + EXCERPT_ROOM < whole.length ? '…' : ''}`;
}
