import type { Json, JsonObject } from '../../model/event.js';
import type { ActivityRecorder } from './activity.js';
import {
  objectAt,
  objectsAt,
  objectsIn,
  textAt,
  textOfParts,
} from '../../model/text/json-fields.js';

/** Text that hooks have put into a message of the user. */
const HOOK_CONTEXT = /<hook_context>[\s\S]*?<\/hook_context>/g;
const SESSION_CONTEXT = /^\s*<session_context>/;
const FAILED_EXIT = /^Exit Code: (?!0$)/m;

/**
 * Records a line of a session of Gemini CLI: a message, or a change of several fields of the
 * session.
 */
export function readGeminiLine(line: JsonObject, recorder: ActivityRecorder): void {
  for (const message of objectsAt(objectAt(line, '$set'), 'messages'))
    readMessage(message, recorder);
  readMessage(line, recorder);
}

function readMessage(message: JsonObject, recorder: ActivityRecorder): void {
  const { content } = message;
  if (message['type'] === 'user') {
    const text = withoutHookContext(textOfParts(content));
    if (!SESSION_CONTEXT.test(text)) recorder.setMessage(text);
  }
  if (message['type'] !== 'gemini') return;
  recorder.setAnswer(textOfParts(content), objectsAt(message, 'toolCalls').length === 0);
  for (const call of objectsAt(message, 'toolCalls')) readCall(call, recorder);
}

/** Returns a message of the user without the text that hooks have added. */
export function withoutHookContext(text: string): string {
  return text.replace(HOOK_CONTEXT, '').trim();
}

function readCall(toolCall: JsonObject, recorder: ActivityRecorder): void {
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
  }
  if (textAt(toolCall, 'status') !== '')
    recorder.endCall(call, isSuccess(toolCall['status'], toolCall['result']));
}

/**
 * Returns true if a call succeeded. The client reports success even if a command exits with a
 * failure.
 */
function isSuccess(status: Json | undefined, result: Json | undefined): boolean {
  const output = objectsIn(result)
    .map((part) => textAt(objectAt(objectAt(part, 'functionResponse'), 'response'), 'output'))
    .join('\n');
  return status === 'success' && !FAILED_EXIT.test(output);
}
