import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import type { MessagePart, ToolPart } from '../../model/message.js';
import { objectAt, objectsAt, textAt } from '../../model/text/json-fields.js';
import {
  listIn,
  isoTimeOf,
  nonEmptyParts,
  shownMessages,
  sourceLink,
  type ForeignChat,
  type ForeignNode,
} from './foreign-chat.js';

/** Returns true for a conversation exported from claude.ai. */
export function isClaudeChat(value: JsonObject): boolean {
  return Array.isArray(value['chat_messages']);
}

export function readClaudeChat(value: JsonObject): ForeignChat {
  const nodes = new Map<string, ForeignNode>();
  let last: string | undefined;
  for (const [at, entry] of listIn(value, 'chat_messages').entries()) {
    if (!isJsonObject(entry)) continue;
    const id = textAt(entry, 'uuid') || `message ${at + 1}`;
    if (nodes.has(id)) continue;
    const parts = partsOf(entry);
    const role = entry['sender'] === 'assistant' ? 'assistant' : 'user';
    const createdAt = isoTimeOf(entry['created_at']);
    nodes.set(id, {
      parentId: textAt(entry, 'parent_message_uuid') || last,
      message: parts.length === 0 ? undefined : { id, parts, role, createdAt, model: undefined },
    });
    last = id;
  }
  return {
    source: 'Claude',
    id: textAt(value, 'uuid'),
    title: textAt(value, 'name'),
    createdAt: isoTimeOf(value['created_at']),
    messages: shownMessages(nodes, textAt(value, 'current_leaf_message_uuid')),
  };
}

function partsOf(message: JsonObject): MessagePart[] {
  const blocks = objectsAt(message, 'content');
  const fromBlocks = nonEmptyParts(blocks.flatMap((block) => partOf(block, blocks)));
  const textParts: MessagePart[] =
    fromBlocks.length > 0
      ? fromBlocks
      : nonEmptyParts([{ type: 'text', text: textAt(message, 'text') }]);
  const nameOf = (file: JsonObject) => textAt(file, 'file_name');
  const attached = objectsAt(message, 'attachments');
  const names = new Set(['', ...attached.map(nameOf)]);
  const files = [...objectsAt(message, 'files'), ...objectsAt(message, 'files_v2')];
  const unreadFiles = new Set(files.map(nameOf).filter((name) => !names.has(name)));
  return [
    ...textParts,
    ...attached.map((file) => fileData(nameOf(file), textAt(file, 'extracted_content'))),
    ...Array.from(unreadFiles, (name) => fileData(name, '')),
  ];
}

function fileData(name: string, text: string): MessagePart {
  return { type: 'data', source: name === '' ? 'pasted text' : `the file "${name}"`, text };
}

function partOf(block: JsonObject, all: readonly JsonObject[]): MessagePart[] {
  switch (block['type']) {
    case 'text':
    case 'voice_note': // what was said
      return [{ type: 'text', text: citedText(block) || textAt(block, 'transcript') }];
    case 'thinking':
      return [{ type: 'reasoning', text: textAt(block, 'thinking') }];
    case 'tool_use':
      return [toolPart(block, all)];
    default:
      return []; // a tool result becomes part of its call
  }
}

/** Returns a text with a link after each place that has a source. */
function citedText(block: JsonObject): string {
  const endOf = ({ end_index: end }: JsonObject) => (typeof end === 'number' ? end : Infinity);
  const citations = objectsAt(block, 'citations').sort((a, b) => endOf(b) - endOf(a));
  return citations.reduce(
    (text, citation) => {
      const link = sourceLink({ ...objectAt(citation, 'details'), ...citation });
      const end = endOf(citation);
      return link === '' ? text : `${text.slice(0, end)} ${link}${text.slice(end)}`;
    },
    textAt(block, 'text'),
  );
}

function toolPart(block: JsonObject, all: readonly JsonObject[]): ToolPart {
  const id = textAt(block, 'id');
  const tool = textAt(block, 'name') || 'tool';
  const answers = all.filter(({ type }) => type === 'tool_result');
  // Calls in older exports have no id, so the first result of a tool with the same name is used.
  const result = answers.find((each) =>
    id === '' ? each['name'] === tool : each['tool_use_id'] === id,
  );
  return {
    type: 'tool',
    id,
    tool,
    params: block['input'] ?? {},
    status: result?.['is_error'] === true ? 'failed' : 'done',
    ...(result && { answer: answerText(result['content']) }),
  };
}

function answerText(content: Json | undefined): Json {
  if (!Array.isArray(content)) return content ?? '';
  return content
    .map((piece) =>
      isJsonObject(piece) && typeof piece['text'] === 'string'
        ? piece['text']
        : JSON.stringify(piece),
    )
    .join('\n');
}
