import { isJsonObject, type Json } from '../model/event.js';
import { textOfMessage, type Message, type ToolPart } from '../model/message.js';
import { ActivityRecorder, type Activity } from '../apps/transcripts/activity.js';

/** Matches a message that only runs a tool, such as `/createState`. */
const TOOL_RUN = /^\/[A-Za-z]+$/;

/** Parameters that name files, as one path or a list of paths. */
const PATH_PARAMS = ['path', 'files', 'activeFiles', 'keyFiles'];

/**
 * Returns the activity in the messages of a conversation, which are ordered from the first to the
 * last.
 */
export function conversationActivity(path: readonly Message[]): Activity {
  const recorder = new ActivityRecorder();
  for (const message of path) {
    const text = textOfMessage(message);
    if (message.role === 'assistant') recorder.setAnswer(text);
    else if (!TOOL_RUN.test(text)) recorder.setTask(text);
    for (const part of message.parts) {
      if (part.type === 'data') recorder.touchFile(part.path, false, message.id);
      if (part.type === 'tool') recordCall(recorder, part, `${message.id} ${part.id}`);
    }
  }
  return recorder.activity();
}

/** Records a call. A call that was denied or stopped has done nothing. */
function recordCall(
  recorder: ActivityRecorder,
  { tool, params, status }: ToolPart,
  call: string,
): void {
  if (status !== 'done' && status !== 'failed') return;
  recorder.startCommand(call, `${tool} ${JSON.stringify(params)}`);
  const isWritten = /write/i.test(tool);
  for (const file of filesIn(params)) recorder.touchFile(file, isWritten, call);
  recorder.endCall(call, status === 'done');
}

function filesIn(params: Json): Json[] {
  if (!isJsonObject(params)) return [];
  return PATH_PARAMS.flatMap((name) => params[name] ?? []);
}
