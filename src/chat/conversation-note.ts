import { isJsonObject } from '../model/event.js';
import type { Message, MessagePart, ToolPart } from '../model/message.js';
import { textAt } from '../model/text/json-fields.js';
import { toFileName } from '../platform/safe-file-names.js';
import { plainLine, properties, wikilink } from '../markdown/escape.js';
import { parseStateSource } from './data-source.js';
import { inertMarkdown } from '../markdown/inert.js';

export interface ConversationNoteOptions {
  readonly title: string;
  readonly workspaceName: string;
  readonly createdAt: string;
  /** Headings of the user's and the model's messages. */
  readonly you: string;
  readonly assistant: string;
  readonly toolTitle: (tool: string) => string;
}

/** Returns a branch as a note in Markdown, with links to its attached notes and states. */
export function conversationNote(
  path: readonly Message[],
  options: ConversationNoteOptions,
): string {
  const { title, workspaceName, createdAt, you, assistant } = options;
  const models = [...new Set(path.flatMap(({ model }) => model ?? []))];
  const blocks: string[] = [];
  let speaker: Message['role'] | undefined;
  for (const { role, parts, error } of path) {
    const texts = [
      ...parts.map((part) => partText(part, options)),
      ...(error === undefined ? [] : [`*${plainLine(error)}*`]),
    ];
    const shown = texts.filter((text) => text !== '');
    if (shown.length === 0) continue;
    if (role !== speaker) blocks.push(`## ${plainLine(role === 'user' ? you : assistant)}`);
    speaker = role;
    for (const text of shown) blocks.push(text);
  }
  const head = properties({
    conversation: title,
    workspace: workspaceName,
    created: new Date(createdAt),
    models,
  });
  return `${[head, `# ${plainLine(title)}`, ...blocks].join('\n\n')}\n`;
}

function partText(part: MessagePart, { toolTitle }: ConversationNoteOptions): string {
  switch (part.type) {
    case 'text':
      return inertMarkdown(part.text.trim());
    case 'reasoning':
      return '';
    case 'data':
      return `> ${dataReference(part)}`;
    case 'tool':
      return `> ${plainLine(toolTitle(part.tool))}${callSubject(part)} (${part.status})`;
  }
}

function dataReference({ source, path, stateId }: Extract<MessagePart, { type: 'data' }>): string {
  if (path !== undefined) return wikilink(path);
  const { name } = parseStateSource(source) ?? {};
  return stateId === undefined || name === undefined ? plainLine(source) : stateLink(name);
}

const STATE_TOOLS = new Set(['createState', 'loadState', 'archiveState']);

function callSubject({ tool, params }: ToolPart): string {
  const given = isJsonObject(params) ? params : {};
  const [name, query] = [textAt(given, 'name'), textAt(given, 'query')];
  if (name !== '') return ` ${STATE_TOOLS.has(tool) ? stateLink(name) : plainLine(name)}`;
  return query === '' ? '' : ` ${plainLine(query)}`;
}

/** Links to the state's note by the file name that the note mirror and the export use. */
function stateLink(name: string): string {
  return wikilink(toFileName(name));
}
