import type { JsonObject } from '../../model/event.js';
import {
  isText,
  objectAt,
  objectsAt,
  objectsIn,
  textAt,
  textIn,
  textOfParts,
} from '../../model/text/json-fields.js';
import type { TranscriptFormat, TypedMessage } from '../ai-app.js';
import type { ActivityRecorder } from './activity.js';
import { recordToolCall } from './tool-call.js';
import { typedText, type AppAdditions } from './typed-text.js';

const READING_TOOLS = new Set(['Read', 'NotebookRead']);
const WRITING_TOOLS = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

const ADDITIONS: AppAdditions = {
  tags: ['channel', 'skill', 'tick', 'user-prompt-submit-hook'],
  message:
    /^(?:\[Request interrupted by user|Caveat: The messages below|\w+ hook (?:feedback|(?:blocking )?error)\b|This session is being continued from a previous conversation|Base directory for this skill:|Another \w+ session sent a message)/,
};

/** Before the reason that a person types when rejecting a call. */
const REJECTED = /^The user doesn't want to proceed[^]*?the user said:\n/;
/** Beginning of a line that says which command was typed; its tags may be indented. */
const COMMAND = /^\s*<command-(?:name|message)>/;
/** Output of a command that the app has run itself. */
const LOCAL_OUTPUT = /^<local-command-std(?:out|err)>/;

/** Marks of lines in the user's role that nobody has typed. */
const NOT_TYPED_MARKS = ['isMeta', 'isSidechain', 'isCompactSummary', 'sourceToolUseID'];

/** Message that says that the user has stopped the agent. */
const STOPPED = /^\s*\[Request interrupted by user/;

export const claudeCodeTranscript: TranscriptFormat = {
  additions: ADDITIONS,
  entriesIn: (lines) => withoutRewound(withSubagents(lines)),
  typedIn,
  readEntry(line, recorder) {
    const message = objectAt(line, 'message');
    if (line['type'] === 'user') readResults(line, message, recorder);
    readSubagent(line, message, recorder);
    if (line['type'] === 'user') {
      const text = textOfParts(message['content']);
      if (STOPPED.test(text)) recorder.setStopped();
      if (LOCAL_OUTPUT.test(text)) recorder.dropCommand();
    }
    if (line['type'] === 'assistant' && !isOfApp(line, message)) {
      recorder.setModel(textAt(message, 'model'));
      for (const part of objectsAt(message, 'content')) readPart(line, part, recorder);
    }
  },
  isUnattended: (line) => textAt(line, 'entrypoint').startsWith('sdk-'),
  versionIn: (line) => textAt(line, 'version'),
  subagents: (transcript) => `${transcript.replace(/\.jsonl$/, '')}/subagents`,
};

/** Returns what a person has typed: an attachment if sent while the agent was at work. */
function typedIn(line: JsonObject): TypedMessage | undefined {
  const attachment = objectAt(line, 'attachment');
  const isQueued = line['type'] === 'attachment' && attachment['type'] === 'queued_command';
  if (!isQueued && line['type'] !== 'user') return undefined;
  const origin = textAt(objectAt(isQueued ? attachment : line, 'origin'), 'kind');
  const mode = textIn(attachment, 'commandMode') ?? 'prompt';
  const isMarked = [line, attachment].some((object) =>
    NOT_TYPED_MARKS.some((mark) => object[mark] !== undefined && object[mark] !== false),
  );
  if (isMarked || !['', 'human'].includes(origin) || mode !== 'prompt') return undefined;
  const content = isQueued ? attachment['prompt'] : objectAt(line, 'message')['content'];
  if (objectsIn(content).some((part) => part['type'] === 'tool_result')) return undefined;
  const whole = textOfParts(content);
  const text = COMMAND.test(whole) ? typedCommand(whole) : typedText(whole, ADDITIONS);
  const id = textAt(line, 'uuid');
  return text === '' ? undefined : { text, id, ...(isQueued && { isQueued }) };
}

/**
 * Returns a command with what the person has typed after it. Without that, only one that is a
 * prompt for the agent, which has its message first; other commands have their name first.
 */
function typedCommand(text: string): string {
  const [name, rest] = [tagged(text, 'command-name'), tagged(text, 'command-args')];
  const isPrompt = name.startsWith('/') && text.trimStart().startsWith('<command-message>');
  return name !== '' && (rest !== '' || isPrompt) ? `${name} ${rest}`.trim() : '';
}

function tagged(text: string, tag: string): string {
  const at = text.indexOf(`<${tag}>`);
  const end = text.indexOf(`</${tag}>`, at);
  return at < 0 || end < 0 ? '' : text.slice(at + tag.length + 2, end).trim();
}

/** Returns true for a text of the app in the agent's role, such as "Prompt is too long". */
function isOfApp(line: JsonObject, message: JsonObject): boolean {
  return line['isApiErrorMessage'] === true || message['model'] === '<synthetic>';
}

/** Drops turns taken back: those with a later sibling from which the last line descends. */
function withoutRewound(lines: readonly JsonObject[]): readonly JsonObject[] {
  const parents = new Map(lines.map((line) => [textAt(line, 'uuid'), parentOf(line)]));
  const current = new Set<string>();
  let at = textIn(
    lines.findLast((line) => textAt(line, 'uuid') !== '' && line['isSidechain'] !== true),
    'uuid',
  );
  for (; at && !current.has(at); at = parents.get(at)) current.add(at);
  const rewound = new Set<string>();
  const earlier = new Map<string, string[]>();
  for (const line of lines) {
    const [id, parent] = [textAt(line, 'uuid'), parentOf(line)];
    if (id === '' || parent === undefined || !typedIn(line)) continue;
    const siblings = earlier.get(parent) ?? [];
    if (current.has(id)) for (const sibling of siblings) if (sibling !== id) rewound.add(sibling);
    earlier.set(parent, [...siblings, id]);
  }
  if (rewound.size === 0) return lines;
  // A line comes after its parent.
  return lines.filter((line) => {
    const [id, parent] = [textAt(line, 'uuid'), parentOf(line) ?? ''];
    if (id !== '' && rewound.has(parent)) rewound.add(id);
    return !rewound.has(id);
  });
}

/** Returns the id of the parent line; empty for the first, undefined if unknown. */
function parentOf(line: JsonObject): string | undefined {
  const parent = line['parentUuid'] ?? line['logicalParentUuid'] ?? line['parentUuid'];
  return parent === null ? '' : textIn({ parent: parent ?? 0 }, 'parent');
}

/** Moves the lines of subagents below their result; see `subagents`. */
function withSubagents(lines: readonly JsonObject[]): readonly JsonObject[] {
  const bySubagent = new Map<string, JsonObject[]>();
  const main: JsonObject[] = [];
  for (const line of lines) {
    const agent = line['isSidechain'] === true ? textAt(line, 'agentId') : '';
    const own = agent === '' ? main : (bySubagent.get(agent) ?? []);
    own.push(line);
    if (agent !== '') bySubagent.set(agent, own);
  }
  if (bySubagent.size === 0) return lines;
  const placed = main.flatMap((line) => {
    const agent = textAt(objectAt(line, 'toolUseResult'), 'agentId');
    const own = bySubagent.get(agent) ?? [];
    bySubagent.delete(agent);
    // They go with the line if the user takes it back.
    return [line, ...own.map((each) => ({ ...each, parentUuid: textAt(line, 'uuid') }))];
  });
  return [...placed, ...[...bySubagent.values()].flat()];
}

function readPart(line: JsonObject, part: JsonObject, recorder: ActivityRecorder): void {
  if (part['type'] === 'text' && line['isSidechain'] !== true)
    recorder.setAnswer(
      textAt(part, 'text'),
      objectAt(line, 'message')['stop_reason'] !== 'tool_use',
    );
  if (part['type'] !== 'tool_use') return;
  recorder.setWorking();
  const [name, call, input] = [textAt(part, 'name'), textAt(part, 'id'), objectAt(part, 'input')];
  const path = input['file_path'] ?? input['notebook_path'];
  if (READING_TOOLS.has(name)) recorder.touchFile(path, false, call);
  else if (WRITING_TOOLS.has(name)) recorder.touchFile(path, true, call);
  else recordToolCall(call, input, recorder);
  // A plan is what the agent says; it waits for the person's approval.
  if (name === 'ExitPlanMode') recorder.setAnswer(textAt(input, 'plan'), false);
  if (name === 'TodoWrite')
    recorder.setTodos(
      objectsAt(input, 'todos').map((todo) => ({
        text: textAt(todo, 'content'),
        isDone: todo['status'] === 'completed',
      })),
    );
  if (name === 'TaskUpdate')
    recorder.setTodo(textAt(input, 'taskId'), {
      ...(textAt(input, 'subject') && { text: textAt(input, 'subject') }),
      ...(textAt(input, 'status') && { isDone: input['status'] === 'completed' }),
    });
}

function readResults(line: JsonObject, { content }: JsonObject, recorder: ActivityRecorder): void {
  for (const part of objectsIn(content)) {
    if (part['type'] !== 'tool_result') continue;
    const output = textOfParts(part['content']);
    recorder.endCall(textAt(part, 'tool_use_id'), part['is_error'] !== true, output);
    if (part['is_error'] === true && REJECTED.test(output))
      recorder.setMessage(output.replace(REJECTED, ''), { id: textAt(line, 'uuid'), isPart: true });
  }
  const result = objectAt(line, 'toolUseResult');
  const chosen = Object.entries(objectAt(result, 'answers')).flatMap(([asked, text]) =>
    isText(text) ? `${asked} ${text}` : [],
  );
  if (chosen.length > 0)
    recorder.setMessage(chosen.join('\n'), { id: textAt(line, 'uuid'), isPart: true });
  const task = objectAt(result, 'task');
  if (textAt(task, 'id') !== '')
    recorder.setTodo(textAt(task, 'id'), { text: textAt(task, 'subject') });
}

/** Answer of a subagent that was started in the background. */
const NOTICE =
  /^\s*<task-notification>[^]{0,1000}?<status>completed<\/status>[^]{0,1000}?<result>([^]*?)<\/result>/;

/** A subagent's answer counts until the agent itself answers. */
function readSubagent(line: JsonObject, message: JsonObject, recorder: ActivityRecorder): void {
  const result = objectAt(line, 'toolUseResult');
  const isDone = textAt(result, 'agentId') !== '' && result['status'] === 'completed';
  if (isDone) recorder.setAnswer(textOfParts(result['content']), false);
  const text = textOfParts(objectAt(line, 'attachment')['prompt'] ?? message['content']);
  const [, answer = ''] = NOTICE.exec(text) ?? [];
  recorder.setAnswer(answer, false);
}
