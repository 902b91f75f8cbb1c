import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import type { MessagePart } from '../../model/message.js';
import { objectsAt, textAt } from '../../model/text/json-fields.js';
import {
  listIn,
  isoTimeOf,
  nonEmptyParts,
  shownMessages,
  sourceLink,
  type ForeignChat,
  type ForeignNode,
} from './foreign-chat.js';

/** Returns true for a conversation exported from ChatGPT. */
export function isChatGptChat(value: JsonObject): boolean {
  return isJsonObject(value['mapping']);
}

/** Omits hidden messages. Their replies follow the nearest visible message above. */
export function readChatGptChat(value: JsonObject): ForeignChat {
  const nodes = Object.entries(value['mapping'] as JsonObject).flatMap(([id, node]) => {
    if (!isJsonObject(node)) return [];
    const message = isJsonObject(node['message']) ? messageOf(id, node['message']) : undefined;
    return [[id, { parentId: textAt(node, 'parent') || undefined, message }] as const];
  });
  return {
    source: 'ChatGPT',
    id: textAt(value, 'conversation_id') || textAt(value, 'id'),
    title: textAt(value, 'title'),
    createdAt: isoTimeOf(value['create_time']),
    messages: shownMessages(new Map(nodes), textAt(value, 'current_node')),
  };
}

function messageOf(id: string, message: JsonObject): ForeignNode['message'] {
  const { author, content, metadata, recipient } = message;
  const role = isJsonObject(author) ? author['role'] : undefined;
  const details = isJsonObject(metadata) ? metadata : {};
  if (
    !isJsonObject(content) ||
    role === 'system' ||
    details['is_visually_hidden_from_conversation'] === true
  )
    return undefined;
  const attached = objectsAt(details, 'attachments').map((file): MessagePart => {
    return { type: 'data', source: `the file "${textAt(file, 'name')}"`, text: '' };
  });
  const contentParts = nonEmptyParts([...partsOf(content, details), ...attached]);
  const isCall = role === 'assistant' && typeof recipient === 'string' && recipient !== 'all';
  const call = { type: 'tool', id, status: 'done' } as const;
  const text = textOf(contentParts);
  let parts = contentParts;
  if (isCall) parts = [{ ...call, tool: recipient, params: { input: text } }];
  else if (parts.length === 0) return undefined;
  else if (role === 'tool') {
    const tool = (isJsonObject(author) && textAt(author, 'name')) || 'tool';
    parts = [{ ...call, tool, params: {}, answer: text }];
  }
  const model = textAt(details, 'model_slug') || undefined;
  return {
    id,
    parts,
    role: role === 'user' ? 'user' : 'assistant',
    createdAt: isoTimeOf(message['create_time']),
    model,
  };
}

function textOf(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n\n');
}

function partsOf(content: JsonObject, details: JsonObject): MessagePart[] {
  switch (content['content_type']) {
    case 'thoughts': {
      const thoughts = objectsAt(content, 'thoughts').map(
        (each) => textAt(each, 'content') || textAt(each, 'summary'),
      );
      return [{ type: 'reasoning', text: thoughts.join('\n\n') }];
    }
    case 'reasoning_recap':
    case 'user_editable_context':
    case 'model_editable_context':
      return []; // not part of the visible conversation
    case 'code': {
      const text = codeBlock(textAt(content, 'text'), textAt(content, 'language'));
      return [{ type: 'text', text }];
    }
    default: {
      const pieces = withoutTranscribedAudio(listIn(content, 'parts')).map(textOfPiece);
      const own = [sourceLink(content), textAt(content, 'text'), textAt(content, 'result')];
      const texts = [...own, ...pieces].filter((piece) => piece.trim() !== '');
      return [{ type: 'text', text: withSources(texts.join('\n\n'), details) }];
    }
  }
}

/** A place that names a source by its number, such as `【7†source】`, or between marks of its own. */
const MARKER = /【[^【】\n]{0,200}】|\ue200[^\ue200\ue201\n]{0,1000}\ue201/g;

/** Replaces the marks of sources by links, and those of unknown ones by nothing. */
function withSources(text: string, details: JsonObject): string {
  const links = new Map<string, string>();
  for (const each of objectsAt(details, 'content_references')) {
    const sources = objectsAt(each, 'items').map(sourceLink).filter(Boolean);
    links.set(textAt(each, 'matched_text'), sources.join(' ') || sourceLink(each));
  }
  for (const { start_ix: from, end_ix: to, metadata } of objectsAt(details, 'citations'))
    if (typeof from === 'number' && typeof to === 'number' && isJsonObject(metadata))
      links.set(text.slice(from, to), sourceLink(metadata));
  return text.replace(MARKER, (mark) => links.get(mark) ?? (mark.startsWith('【') ? mark : ''));
}

function codeBlock(code: string, language = ''): string {
  return code.trim() === ''
    ? ''
    : `\`\`\`\`${language === 'unknown' ? '' : language}\n${code}\n\`\`\`\``;
}

/** Removes recordings of speech that is also there as text. */
function withoutTranscribedAudio(pieces: readonly Json[]): readonly Json[] {
  const kindOf = (piece: Json) => (isJsonObject(piece) && textAt(piece, 'content_type')) || '';
  return pieces.some((piece) => kindOf(piece) === 'audio_transcription')
    ? pieces.filter((piece) => !/audio\w{0,40}_asset_pointer$/.test(kindOf(piece)))
    : pieces;
}

function textOfPiece(piece: Json): string {
  if (typeof piece === 'string') return piece;
  if (!isJsonObject(piece)) return '';
  const text = textAt(piece, 'text');
  if (text !== '') return text;
  const kind = textAt(piece, 'content_type');
  if (kind === '') return '';
  if (kind.includes('image')) return '(picture)';
  return `(${kind.replace(/_asset_pointer$/, '').replaceAll('_', ' ')})`;
}
