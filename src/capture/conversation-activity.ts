import { isJsonObject, type Json } from '../model/event.js';
import { textOfMessage, type Message, type ToolPart } from '../model/message.js';
import type { CaptureGap } from './consent.js';
import { ActivityRecorder, type Activity } from '../apps/transcripts/activity.js';

/** A message that only runs a tool, such as `/createState`. */
const TOOL_RUN = /^\/[A-Za-z]+$/;

/** Beginnings of names of tools that only read. */
const READS =
  /^(?:analyze|brief|compare|fetch|find|get|index|list|load|read|search|summarize|think|timeline|validate)/i;

/** Ends of messages whose answer is finished. */
const FINISHED = new Set<Message['end']>([undefined, 'done', 'length']);

/** Parameters with one path or a list of paths. */
const PATH_PARAMS = ['path', 'files', 'activeFiles', 'keyFiles'];

/** Yields after each message, because looking for secrets in thousands of them takes long. */
export function* conversationActivitySteps(
  path: readonly Message[],
): Generator<undefined, Activity> {
  const recorder = new ActivityRecorder();
  for (const message of path) {
    const text = textOfMessage(message);
    if (message.role === 'user' && !TOOL_RUN.test(text))
      recorder.setMessage(text, { id: message.id });
    for (const part of message.parts) {
      if (part.type === 'data') recorder.touchFile(part.path, false, message.id);
      if (part.type === 'tool') recordCall(recorder, part, `${message.id} ${part.id}`);
    }
    if (message.role === 'assistant') recorder.setAnswer(text, FINISHED.has(message.end));
    yield;
  }
  return recorder.activity();
}

/** Leaves out turns during which nothing was to be captured. */
export function withoutGaps(path: readonly Message[], gaps: readonly CaptureGap[]): Message[] {
  const turns: Message[][] = [];
  for (const message of path) {
    const turn = turns.at(-1);
    if (message.role === 'user' || !turn) turns.push([message]);
    else turn.push(message);
  }
  const isLeftOut = (turn: readonly Message[]) => {
    const times = turn.map(({ createdAt }) => Date.parse(createdAt));
    const from = times.reduce((first, at) => Math.min(first, at), Infinity);
    const to = times.reduce((last, at) => Math.max(last, at), -Infinity);
    return gaps.some((gap) => gap.from <= to && from < (gap.to ?? Infinity));
  };
  return turns.filter((turn) => !isLeftOut(turn)).flat();
}

/** A call that was denied or stopped has done nothing. */
function recordCall(
  recorder: ActivityRecorder,
  { tool, params, changes = [], status }: ToolPart,
  call: string,
): void {
  if (status !== 'done' && status !== 'failed') return;
  recorder.startCommand(call, `${tool} ${JSON.stringify(params)}`, READS.test(tool));
  const isWritten = /write/i.test(tool);
  for (const file of filesIn(params)) recorder.touchFile(file, isWritten, call);
  for (const { path } of changes) recorder.touchFile(path, true, call);
  recorder.endCall(call, status === 'done');
}

function filesIn(params: Json): Json[] {
  if (!isJsonObject(params)) return [];
  return PATH_PARAMS.flatMap((name) => params[name] ?? []);
}
