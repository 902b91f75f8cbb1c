import type { Json, JsonObject } from '../../model/event.js';
import { isText } from '../../model/text/json-fields.js';
import type { ActivityRecorder } from './activity.js';

const PATH = /(?:^|_|[a-z])(?:path|file(?:_?name)?)$/i;
const FILE_PATH = /file|notebook|absolute/i;
/** Whole words in the name of a parameter. */
const CONTENT =
  /(?:^|_|[a-z](?=[A-Z]))(?:content|text|string|edits|source|data|body|patch|diff)s?(?:$|_|(?=[A-Z]))/i;

/**
 * Records a call of a tool whose name is not known, by its parameters: one with a command is a
 * command, one with a path and a content has written a file.
 */
export function recordToolCall(call: string, params: JsonObject, recorder: ActivityRecorder): void {
  recorder.setWorking();
  if (isText(params['command'])) recorder.startCommand(call, params['command']);
  const names = Object.keys(params);
  const name = names.find((each) => PATH.test(each) && isText(params[each]));
  if (name === undefined) return;
  const isContent = (value: Json | undefined) => isText(value) || typeof value === 'object';
  const isWritten = names.some(
    (each) => each !== name && CONTENT.test(each) && isContent(params[each]),
  );
  if (isWritten || FILE_PATH.test(name)) recorder.touchFile(params[name], isWritten, call);
}
