import type { Json, JsonObject } from '../../model/event.js';
import {
  isText,
  objectAt,
  objectsAt,
  objectsIn,
  textAt,
  textIn,
  textOfParts,
} from '../../model/text/json-fields.js';
import type { TranscriptFormat } from '../ai-app.js';
import type { ActivityRecorder } from './activity.js';
import { recordToolCall } from './tool-call.js';
import { typedText } from './typed-text.js';

const FAILED_EXIT = /^Exit Code: (?!0$)/m;
const SUBAGENT =
  /^(?:Subagent '.*'|Browser agent) finished\.\nTermination Reason: GOAL\nResult:\n([^]*)/;

export const geminiTranscript: TranscriptFormat = {
  entriesIn,
  typedIn(message) {
    if (message['type'] !== 'user') return undefined;
    const text = typedText(textOfParts(message['displayContent'] ?? message['content']));
    return text === '' ? undefined : { text, id: textAt(message, 'id') };
  },
  readEntry(message, recorder) {
    if (message['type'] !== 'gemini') return;
    recorder.setModel(textAt(message, 'model'));
    const calls = objectsAt(message, 'toolCalls');
    recorder.setAnswer(textOfParts(message['content']), calls.length === 0);
    for (const call of calls) readCall(call, recorder);
  },
  readCall(params, result, recorder) {
    recordToolCall('', params, recorder);
    if (isText(params['command'])) recorder.endCall('', !FAILED_EXIT.test(result), result);
  },
  isUnattended: ({ kind }) => kind === 'subagent',
};

/**
 * Returns the messages of a session. A line is a message, whose last version counts, a change of
 * the session, or the id of a message to which the user went back. On resume, messages are repeated
 * without their calls, whose results get the id of the answer. Before 0.40, one document.
 */
function entriesIn(lines: readonly JsonObject[]): JsonObject[] {
  const messages = new Map<string, JsonObject>();
  const add = (message: JsonObject) => {
    const id = textIn(message, 'id') ?? `#${messages.size}`;
    const key = `${textAt(message, 'type')} ${id}`;
    messages.set(key, { ...messages.get(key), ...message });
  };
  for (const line of lines) {
    for (const message of objectsAt(objectAt(line, '$set'), 'messages')) add(message);
    for (const message of objectsAt(line, 'messages')) add(message);
    if ('type' in line) add(line);
    const target = textIn(line, '$rewindTo');
    if (target === undefined) continue;
    const all = [...messages];
    const at = all.findIndex(([, { id }]) => id === target);
    for (const [key] of at < 0 ? [] : all.slice(at)) messages.delete(key);
  }
  return [...messages.values()];
}

function readCall(toolCall: JsonObject, recorder: ActivityRecorder): void {
  recorder.setWorking();
  const [name, call] = [textAt(toolCall, 'name'), textAt(toolCall, 'id')];
  const params = objectAt(toolCall, 'args');
  const path = params['file_path'] ?? params['absolute_path'];
  switch (name) {
    case 'read_file':
      recorder.touchFile(path, false, call);
      break;
    case 'write_file':
    case 'replace':
      recorder.touchFile(path, true, call);
      break;
    case 'run_shell_command':
      recorder.startCommand(call, params['command']);
      break;
    case 'write_todos':
      recorder.setTodos(
        objectsAt(params, 'todos').map((todo) => ({
          text: textAt(todo, 'description'),
          isDone: todo['status'] === 'completed',
        })),
      );
      break;
    default:
      recordToolCall(call, params, recorder);
  }
  const output = outputOf(toolCall['result']);
  if (textAt(toolCall, 'status') !== '') {
    const isSuccess = toolCall['status'] === 'success' && !FAILED_EXIT.test(output);
    recorder.endCall(call, isSuccess, output);
  }
  // A subagent's answer counts until the agent itself answers.
  recorder.setAnswer(SUBAGENT.exec(output)?.[1] ?? '', false);
}

/** Returns what a call has printed; it succeeds even if a command exits with a failure. */
function outputOf(result: Json | undefined): string {
  return objectsIn(result)
    .map((part) => textAt(objectAt(objectAt(part, 'functionResponse'), 'response'), 'output'))
    .join('\n');
}
