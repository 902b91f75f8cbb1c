import type { ChatConversation, Conversations } from '../../chat/conversations.js';
import { textOfMessage, type Message } from '../../model/message.js';
import type { Scheduler } from '../../platform/scheduler.js';

/** A message, or only a title, that contains every word of a query. */
export interface ConversationHit {
  readonly conversation: ChatConversation;
  /** Undefined if only the title matches. */
  readonly message: Message | undefined;
  readonly excerpt: string;
}

export const MAX_HITS = 100;

/**
 * Returns at most 100 messages with every word of the query, in the order of `conversations`.
 * Without one, a conversation is a hit if its title contains every word.
 */
export async function searchConversations(
  query: string,
  conversations: readonly ChatConversation[],
  messagesOf: Conversations['messages'],
  scheduler: Scheduler,
  signal: AbortSignal,
): Promise<ConversationHit[]> {
  const words = query.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [];
  const hits: ConversationHit[] = [];
  for (const conversation of conversations) {
    await scheduler.yieldIfDue();
    if (signal.aborted || hits.length >= MAX_HITS) break;
    const found = (await messagesOf(conversation.id)).flatMap((message) => {
      const excerpt = conversationExcerpt(textOfMessage(message), words);
      return excerpt === undefined ? [] : [{ conversation, message, excerpt }];
    });
    if (found.length === 0 && conversationExcerpt(conversation.title, words) !== undefined)
      hits.push({ conversation, message: undefined, excerpt: '' });
    for (const hit of found) hits.push(hit);
  }
  return hits.slice(0, MAX_HITS);
}

/** Returns the conversations whose titles contain every word, which are known at once. */
export function titledHits(
  conversations: readonly ChatConversation[],
  query: string,
): ConversationHit[] {
  const words = query.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  return conversations
    .filter(({ title }) => conversationExcerpt(title, words) !== undefined)
    .map((conversation) => ({ conversation, message: undefined, excerpt: '' }));
}

const CHARS_BEFORE_MATCH = 24;
const MAX_EXCERPT_CHARS = 160;
/** Markdown syntax that has no meaning in an excerpt. */
const MARKDOWN_SYNTAX = /\*{1,3}|~~|`+|\[\[|\]\]|^#{1,6} |\|(?=\s*:?-)[\s:|-]+\|/gmu;

/** Returns the text around the first of the words; undefined if it lacks any of them. */
export function conversationExcerpt(whole: string, words: readonly string[]): string | undefined {
  const lower = whole.toLocaleLowerCase();
  if (!words.every((word) => lower.includes(word))) return undefined;
  const match = lower.indexOf(words[0] ?? '');
  const near = Math.max(0, match - CHARS_BEFORE_MATCH);
  const space = near === 0 ? -1 : whole.slice(near, match).search(/\s/u);
  const start = space < 0 ? near : near + space; // at a word boundary
  const end = start + MAX_EXCERPT_CHARS;
  const excerpt = withoutMarkdown(whole.slice(start, end));
  return `${start > 0 ? '…' : ''}${excerpt}${end < whole.length ? '…' : ''}`;
}

/** Returns Markdown as one line without its syntax, and without separators at its ends. */
export function withoutMarkdown(markdown: string): string {
  return markdown
    .replace(MARKDOWN_SYNTAX, '')
    .replace(/[\s|]+/gu, ' ')
    .replace(/^[\s·]+|[\s·]+$/gu, '');
}
