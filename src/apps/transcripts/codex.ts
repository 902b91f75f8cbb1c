import type { JsonObject } from '../../model/event.js';
import type { ActivityRecorder } from './activity.js';
import {
  objectAt,
  objectsAt,
  parseJsonObject,
  textAt,
  textOfParts,
  textsIn,
} from '../../model/text/json-fields.js';

/** Records a line of a rollout of Codex. */
export function readCodexLine(line: JsonObject, recorder: ActivityRecorder): void {
  const payload = objectAt(line, 'payload');
  if (line['type'] === 'event_msg') readEvent(payload, recorder);
  if (line['type'] === 'response_item' && payload['name'] === 'update_plan')
    readPlan(textAt(payload, 'arguments'), recorder);
}

function readEvent(payload: JsonObject, recorder: ActivityRecorder): void {
  switch (payload['type']) {
    case 'item_completed':
      readItem(objectAt(payload, 'item'), recorder);
      break;
    case 'task_complete':
      recorder.setAnswer(textAt(payload, 'last_agent_message'));
      break;
    case 'user_message':
      recorder.setMessage(textAt(payload, 'message'));
      break;
    case 'agent_message':
      recorder.setAnswer(textAt(payload, 'message'));
      break;
  }
}

function readItem(item: JsonObject, recorder: ActivityRecorder): void {
  const call = textAt(item, 'id');
  switch (item['type']) {
    case 'UserMessage':
      recorder.setMessage(textOfParts(item['content']));
      break;
    case 'AgentMessage':
      recorder.setAnswer(textOfParts(item['content']));
      break;
    case 'CommandExecution':
      readCommand(item, call, recorder);
      break;
    case 'McpToolCall':
      recorder.setWorking();
      break;
    case 'FileChange':
      if (item['status'] !== 'failed')
        for (const path of Object.keys(objectAt(item, 'changes')))
          recorder.touchFile(path, true, call);
      break;
  }
}

/** Records a command, which is `[shell, option, script]` as a rule, and the files that it reads. */
function readCommand(item: JsonObject, call: string, recorder: ActivityRecorder): void {
  const { command } = item;
  const words = textsIn(command);
  const isScript = words.length === 3 && /^-\w*c$/.test(words[1] ?? '');
  recorder.startCommand(call, isScript ? words[2] : words.join(' '));
  for (const parsed of objectsAt(item, 'parsed_cmd'))
    if (parsed['type'] === 'read') recorder.touchFile(parsed['path'], false, call);
  recorder.endCall(call, item['exit_code'] === 0);
}

function readPlan(json: string, recorder: ActivityRecorder): void {
  const steps = objectsAt(parseJsonObject(json) ?? {}, 'plan');
  if (steps.length === 0) return;
  recorder.setTodos(
    steps.map((step) => ({ text: textAt(step, 'step'), isDone: step['status'] === 'completed' })),
  );
}
