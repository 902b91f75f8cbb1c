import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import type { MessagePart } from '../../model/message.js';
import {
  listIn,
  momentOf,
  spoken,
  textIn,
  type ForeignChat,
  type ForeignMessage,
} from './foreign-chat.js';

/** Whether this is a conversation as ChatGPT exports it. */
export function isChatGptChat(value: JsonObject): boolean {
  return isJsonObject(value['mapping']);
}

/** The tree of messages, without those that were never shown: what followed them follows what they followed. */
export function readChatGptChat(value: JsonObject): ForeignChat {
  const mapping = value['mapping'] as JsonObject;
  const nodes = new Map(
    Object.entries(mapping).flatMap(([id, node]) =>
      isJsonObject(node) ? [[id, node] as const] : [],
    ),
  );
  const shown = new Map<string, Omit<ForeignMessage, 'parentId'>>();
  for (const [id, node] of nodes) {
    const message = isJsonObject(node['message']) ? messageOf(id, node['message']) : undefined;
    if (message) shown.set(id, message);
  }
  const messages: ForeignMessage[] = [];
  const done = new Set<string>();
  const placed = new Set<string>();
  const add = (id: string): void => {
    const chain: { message: Omit<ForeignMessage, 'parentId'>; parentId: string | undefined }[] = [];
    for (let at: string | undefined = id; at !== undefined && !done.has(at);) {
      done.add(at);
      const message = shown.get(at);
      const parentId = shownAbove(at, nodes, shown);
      if (message) chain.push({ message, parentId });
      at = parentId;
    }
    for (const { message, parentId } of chain.reverse()) {
      messages.push({
        ...message,
        parentId: parentId !== undefined && placed.has(parentId) ? parentId : undefined,
      });
      placed.add(message.id);
    }
  };
  for (const id of shown.keys()) add(id);
  return {
    source: 'ChatGPT',
    id: textIn(value, 'conversation_id') ?? textIn(value, 'id') ?? '',
    title: textIn(value, 'title') ?? '',
    createdAt: momentOf(value['create_time']),
    messages,
  };
}

/** The next message above that was shown; a mapping that leads round has none. */
function shownAbove(
  id: string,
  nodes: ReadonlyMap<string, JsonObject>,
  shown: ReadonlyMap<string, unknown>,
): string | undefined {
  const seen = new Set([id]);
  for (
    let at = parentOf(nodes.get(id));
    at !== undefined && !seen.has(at);
    at = parentOf(nodes.get(at))
  ) {
    if (shown.has(at)) return at;
    seen.add(at);
  }
  return undefined;
}

function parentOf(node: JsonObject | undefined): string | undefined {
  return node && textIn(node, 'parent');
}

function messageOf(id: string, message: JsonObject): Omit<ForeignMessage, 'parentId'> | undefined {
  const { author, content, metadata, recipient } = message;
  const role = isJsonObject(author) ? author['role'] : undefined;
  const facts = isJsonObject(metadata) ? metadata : {};
  if (
    !isJsonObject(content) ||
    role === 'system' ||
    facts['is_visually_hidden_from_conversation'] === true
  )
    return undefined;
  const said = spoken(partsOf(content));
  const isCall = role === 'assistant' && typeof recipient === 'string' && recipient !== 'all';
  const parts = isCall
    ? called(id, recipient, said)
    : role === 'tool'
      ? answered(id, author, said)
      : said;
  if (parts.length === 0) return undefined;
  const model = textIn(facts, 'model_slug');
  return {
    id,
    parts,
    role: role === 'user' ? 'user' : 'assistant',
    createdAt: momentOf(message['create_time']),
    model,
  };
}

function called(id: string, tool: string, said: readonly MessagePart[]): MessagePart[] {
  return [{ type: 'tool', id, tool, params: { input: wordsOf(said) }, status: 'done' }];
}

function answered(
  id: string,
  author: Json | undefined,
  said: readonly MessagePart[],
): MessagePart[] {
  if (said.length === 0) return [];
  const tool = (isJsonObject(author) && textIn(author, 'name')) || 'tool';
  return [{ type: 'tool', id, tool, params: {}, answer: wordsOf(said), status: 'done' }];
}

function wordsOf(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n\n');
}

function partsOf(content: JsonObject): MessagePart[] {
  switch (content['content_type']) {
    case 'thoughts': {
      const thoughts = listIn(content, 'thoughts').filter(isJsonObject);
      return [
        {
          type: 'reasoning',
          text: thoughts
            .map((each) => textIn(each, 'content') ?? textIn(each, 'summary') ?? '')
            .join('\n\n'),
        },
      ];
    }
    case 'reasoning_recap':
    case 'user_editable_context':
    case 'model_editable_context':
      return []; // shown beside the conversation, never in it
    case 'code':
      return [
        {
          type: 'text',
          text: codeBlock(textIn(content, 'text') ?? '', textIn(content, 'language')),
        },
      ];
    default: {
      const pieces = listIn(content, 'parts').map(pieceOf);
      return [
        {
          type: 'text',
          text: [textIn(content, 'text') ?? '', ...pieces]
            .filter((piece) => piece.trim() !== '')
            .join('\n\n'),
        },
      ];
    }
  }
}

function codeBlock(code: string, language = ''): string {
  return code.trim() === ''
    ? ''
    : `\`\`\`\`${language === 'unknown' ? '' : language}\n${code}\n\`\`\`\``;
}

function pieceOf(piece: Json): string {
  if (typeof piece === 'string') return piece;
  if (!isJsonObject(piece)) return '';
  const kind = textIn(piece, 'content_type') ?? '';
  return (
    textIn(piece, 'text') ??
    (kind.includes('image')
      ? '(picture)'
      : kind === ''
        ? ''
        : `(${kind.replace(/_asset_pointer$/, '').replaceAll('_', ' ')})`)
  );
}
