import type { JsonObject } from '../../model/event.js';
import type { ActivityRecorder } from './activity.js';
import {
  objectAt,
  objectsAt,
  objectsIn,
  textAt,
  textOfParts,
} from '../../model/text/json-fields.js';

/**
 * Begins messages of the user that the client has written itself, such as the output of a slash
 * command.
 */
const NOT_A_TASK = /^\s*(?:<[a-z][a-z-]*>|\[Request interrupted|Caveat: )/;

const READING_TOOLS = new Set(['Read', 'NotebookRead']);
const WRITING_TOOLS = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** Records a line of a transcript of Claude Code. */
export function readClaudeCodeLine(line: JsonObject, recorder: ActivityRecorder): void {
  const message = objectAt(line, 'message');
  switch (line['type']) {
    case 'user':
      readResults(line, message, recorder);
      if (isTask(line, message)) recorder.setMessage(textOfParts(message['content']));
      break;
    case 'assistant':
      for (const part of objectsAt(message, 'content')) readPart(line, part, recorder);
      break;
    case 'last-prompt':
      if (!NOT_A_TASK.test(textAt(line, 'lastPrompt')))
        recorder.recallMessage(textAt(line, 'lastPrompt'));
      break;
  }
}

function isTask(line: JsonObject, { content }: JsonObject): boolean {
  if (line['isMeta'] === true || line['isSidechain'] === true || line['isCompactSummary'] === true)
    return false;
  if (objectsIn(content).some((part) => part['type'] === 'tool_result')) return false;
  return !NOT_A_TASK.test(textOfParts(content));
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
  if (WRITING_TOOLS.has(name)) recorder.touchFile(path, true, call);
  if (name === 'Bash') recorder.startCommand(call, input['command']);
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
  for (const part of objectsIn(content))
    if (part['type'] === 'tool_result')
      recorder.endCall(textAt(part, 'tool_use_id'), part['is_error'] !== true);
  const task = objectAt(objectAt(line, 'toolUseResult'), 'task');
  if (textAt(task, 'id') !== '')
    recorder.setTodo(textAt(task, 'id'), { text: textAt(task, 'subject') });
}
