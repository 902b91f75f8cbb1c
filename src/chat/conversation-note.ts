import { isJsonObject, type Json } from '../model/event.js';
import type { Message, MessagePart, ToolPart } from '../model/message.js';
import { fileName } from '../platform/safe-file-names.js';
import { plainLine, properties, wikilink } from '../transfer/markdown.js';
import { readStateSource } from './data-source.js';
import { inertMarkdown } from './inert-note.js';

/** What stands in the note beside the messages. */
export interface NoteFacts {
  readonly title: string;
  readonly workspaceName: string;
  readonly createdAt: string;
  /** What the two sides are called, and how a tool is called for people. */
  readonly you: string;
  readonly assistant: string;
  readonly toolTitle: (tool: string) => string;
}

/** A branch of a conversation as the text of a note: who said what, with links to the notes and states that were part of it. */
export function conversationNote(path: readonly Message[], facts: NoteFacts): string {
  const { title, workspaceName, createdAt, you, assistant } = facts;
  const models = [...new Set(path.flatMap(({ model }) => model ?? []))];
  const blocks: string[] = [];
  let speaker: Message['role'] | undefined;
  for (const { role, parts, error } of path) {
    const pieces = [
      ...parts.map((part) => pieceOf(part, facts)),
      ...(error === undefined ? [] : [`*${plainLine(error)}*`]),
    ];
    const said = pieces.filter((piece) => piece !== '');
    if (said.length === 0) continue;
    if (role !== speaker) blocks.push(`## ${plainLine(role === 'user' ? you : assistant)}`);
    speaker = role;
    blocks.push(...said);
  }
  const head = properties({
    conversation: title,
    workspace: workspaceName,
    created: new Date(createdAt),
    models,
  });
  return `${[head, `# ${plainLine(title)}`, ...blocks].join('\n\n')}\n`;
}

function pieceOf(part: MessagePart, { toolTitle }: NoteFacts): string {
  switch (part.type) {
    case 'text':
      return inertMarkdown(part.text.trim());
    case 'reasoning':
      return '';
    case 'data':
      return `> ${dataLine(part)}`;
    case 'tool':
      return `> ${plainLine(toolTitle(part.tool))}${subjectOf(part)} (${part.status})`;
  }
}

function dataLine({ source, path, stateId }: Extract<MessagePart, { type: 'data' }>): string {
  if (path !== undefined) return wikilink(path);
  const { name } = readStateSource(source) ?? {};
  return stateId === undefined || name === undefined ? plainLine(source) : stateLink(name);
}

const STATE_TOOLS = new Set(['createState', 'loadState', 'archiveState']);

function subjectOf({ tool, params }: ToolPart): string {
  const { name, query } = isJsonObject(params) ? params : { name: undefined, query: undefined };
  if (isText(name)) return ` ${STATE_TOOLS.has(tool) ? stateLink(name) : plainLine(name)}`;
  return isText(query) ? ` ${plainLine(query)}` : '';
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

/** Leads to the note of the state: the one in the mirror, or one that it is exported as. */
function stateLink(name: string): string {
  return wikilink(fileName(name));
}
