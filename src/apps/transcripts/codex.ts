import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import {
  isText,
  isTextList,
  numberIn,
  objectAt,
  objectsAt,
  parseJsonObject,
  textAt,
  textIn,
  textOfParts,
  textsIn,
} from '../../model/text/json-fields.js';
import type { TranscriptFormat, TypedMessage } from '../ai-app.js';
import type { ActivityRecorder } from './activity.js';
import { recordToolCall } from './tool-call.js';
import { typedText, type AppAdditions } from './typed-text.js';

/** Codex's names for the parts of a command that only read. */
const READS = new Set<Json | undefined>(['read', 'list_files', 'search']);

const ADDITIONS: AppAdditions = {
  tags: ['skill'],
  message: /^# AGENTS\.md instructions for /,
  heading: /^## My request for Codex:$/m,
};

const TURN_ENDS = new Set(['task_complete', 'turn_aborted']);

/** Codex calls its transcripts rollouts. */
export const codexTranscript: TranscriptFormat = {
  additions: ADDITIONS,
  entriesIn,
  typedIn,
  readEntry(line, recorder) {
    const payload = objectAt(line, 'payload');
    if (line['type'] === 'event_msg') readEvent(payload, recorder);
    if (line['type'] === 'response_item') readCall(payload, recorder);
    if (line['type'] === 'turn_context') recorder.setModel(textAt(payload, 'model'));
  },
  readCall(params, result, recorder) {
    startCall(params, '', recorder);
    if (isFailure(result)) recorder.endCall('', false, result);
  },
  isUnattended({ type, payload }) {
    if (type !== 'session_meta') return false;
    const { source, originator, thread_source: thread } = isJsonObject(payload) ? payload : {};
    return (
      isJsonObject(source) ||
      source === 'exec' ||
      originator === 'codex_exec' ||
      (isText(thread) && thread !== 'user')
    );
  },
  versionIn: (line) => textAt(objectAt(line, 'payload'), 'cli_version'),
};

/** Returns the lines with their folders, without turns taken back. Old items have no envelope. */
function entriesIn(lines: readonly JsonObject[]): JsonObject[] {
  const entries: JsonObject[] = [];
  let folder = '';
  /** With which the turn that is running began; undefined if none is. */
  let prompt: string | undefined;
  for (const line of ownLines(lines)) {
    const hasEnvelope = 'payload' in line;
    const payload = hasEnvelope ? objectAt(line, 'payload') : line;
    const type = hasEnvelope ? textAt(line, 'type') : 'response_item';
    folder = textIn(payload, 'cwd') ?? folder;
    const own = textAt(objectAt(payload, 'item'), 'cwd').replace(/^file:\/\//, '');
    const entry = { ...line, type, payload, ...((own || folder) && { cwd: own || folder }) };
    const kind = type === 'event_msg' ? textAt(payload, 'type') : '';
    if (kind === 'task_started') prompt = '';
    if (TURN_ENDS.has(kind)) prompt = undefined;
    const text = prompt === undefined ? '' : (typedIn(entry)?.text ?? '');
    if (prompt === '') prompt = text;
    entries.push(text !== '' && text !== prompt ? { ...entry, isQueued: true } : entry);
    if (payload['type'] === 'thread_rolled_back')
      removeTurns(entries, numberIn(payload, 'num_turns') ?? 0);
  }
  const isBare = lines.length > 0 && lines.every((line) => !('payload' in line));
  return isBare ? entries.map((entry) => ({ ...entry, isBare })) : entries;
}

/**
 * Leaves out what a subagent's thread has copied of the thread that spawned it. Ids of threads and
 * turns are in the order in which they were made.
 */
function ownLines(lines: readonly JsonObject[]): readonly JsonObject[] {
  const [first = {}] = lines;
  const { id, source, forked_from_id: from } = objectAt(first, 'payload');
  if (!isJsonObject(source) || !isText(from) || !isText(id)) return lines;
  const start = lines.findIndex((line) => {
    const payload = objectAt(line, 'payload');
    return payload['type'] === 'task_started' && textAt(payload, 'turn_id') > id;
  });
  return start < 0 ? lines : [first, ...lines.slice(start)];
}

/** A turn begins with one or two entries for the user's message. */
function removeTurns(entries: JsonObject[], count: number): void {
  const lastTyped = () => entries.findLastIndex((entry) => typedIn(entry));
  for (let left = count; left > 0; left--) {
    const at = lastTyped();
    const text = at < 0 ? undefined : typedIn(entries[at] ?? {})?.text;
    if (text === undefined) return;
    for (
      let next = at;
      next >= 0 && typedIn(entries[next] ?? {})?.text === text;
      next = lastTyped()
    )
      entries.length = next;
  }
}

function typedIn(line: JsonObject): TypedMessage | undefined {
  const payload = objectAt(line, 'payload');
  const item = objectAt(payload, 'item');
  const isEvent = line['type'] === 'event_msg';
  let text = '';
  if (isEvent && payload['type'] === 'user_message') text = textAt(payload, 'message');
  if (isEvent && item['type'] === 'UserMessage') text = textOfParts(item['content']);
  if (line['isBare'] === true && payload['role'] === 'user') text = textOfParts(payload['content']);
  text = typedText(text, ADDITIONS);
  const id = textIn(item, 'id') ?? textIn(payload, 'id') ?? textAt(line, 'timestamp');
  return text === ''
    ? undefined
    : { text, id, ...(line['isQueued'] === true && { isQueued: true }) };
}

function readEvent(payload: JsonObject, recorder: ActivityRecorder): void {
  const call = textAt(payload, 'call_id');
  switch (payload['type']) {
    case 'item_completed':
      readItem(objectAt(payload, 'item'), recorder);
      break;
    case 'task_complete':
      recorder.setAnswer(textAt(payload, 'last_agent_message'));
      break;
    case 'agent_message':
      recorder.setAnswer(textAt(payload, 'message'), payload['phase'] !== 'commentary');
      break;
    case 'collab_waiting_end':
      readSubagents(payload['statuses'], recorder);
      break;
    case 'turn_aborted':
      recorder.setStopped();
      break;
    case 'exec_command_end':
      readCommand(payload, call, recorder);
      break;
    case 'patch_apply_end':
      for (const path of Object.keys(objectAt(payload, 'changes')))
        recorder.touchFile(path, true, call);
      recorder.endCall(call, payload['success'] !== false);
      break;
  }
}

function readItem(item: JsonObject, recorder: ActivityRecorder): void {
  const call = textAt(item, 'id');
  switch (item['type']) {
    case 'AgentMessage':
      recorder.setAnswer(textOfParts(item['content']));
      break;
    case 'CommandExecution':
      readCommand(item, call, recorder);
      break;
    case 'McpToolCall':
      recordToolCall(call, objectAt(item, 'arguments'), recorder);
      break;
    case 'FileChange':
      if (item['status'] !== 'failed')
        for (const path of Object.keys(objectAt(item, 'changes')))
          recorder.touchFile(path, true, call);
      break;
  }
}

/** Records a command, usually `[shell, option, script]`, and the files that it reads. */
function readCommand(item: JsonObject, call: string, recorder: ActivityRecorder): void {
  const parts = objectsAt(item, 'parsed_cmd');
  const isRead = parts.length > 0 && parts.every(({ type }) => READS.has(type));
  recorder.startCommand(call, scriptIn(item['command']), isRead);
  for (const { type, path } of parts) if (type === 'read') recorder.touchFile(path, false, call);
  const output = textAt(item, 'aggregated_output') || textAt(item, 'stderr');
  recorder.endCall(call, item['exit_code'] === 0, output);
}

function scriptIn(command: Json | undefined): string {
  if (isText(command)) return command;
  const words = textsIn(command);
  const isScript = words.length === 3 && /^-\w*c$/.test(words[1] ?? '');
  return isScript ? (words[2] ?? '') : words.join(' ');
}

/** Records a call as the model made it, which is all that versions before 0.147 say. */
function readCall(payload: JsonObject, recorder: ActivityRecorder): void {
  const [type, name] = [textAt(payload, 'type'), textAt(payload, 'name')];
  const call = textIn(payload, 'call_id') ?? textAt(payload, 'id');
  switch (type) {
    case 'function_call':
      if (name === 'update_plan') readPlan(textAt(payload, 'arguments'), recorder);
      else startCall(parseJsonObject(textAt(payload, 'arguments')) ?? {}, call, recorder);
      break;
    case 'custom_tool_call':
      if (name === 'apply_patch') readPatch(textAt(payload, 'input'), call, recorder);
      break;
    case 'local_shell_call':
      startCall(objectAt(payload, 'action'), call, recorder);
      break;
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      readOutput(payload['output'], call, recorder);
      break;
    case 'message': {
      const text = textOfParts(payload['content']);
      if (payload['role'] === 'assistant') recorder.setAnswer(text);
      else readSubagents(parseJsonObject(NOTICE.exec(text)?.[1] ?? '')?.['status'], recorder);
    }
  }
}

const NOTICE = /^\s*<subagent_notification>([^]*)<\/subagent_notification>/;

/** An answer counts until the agent's own. `status` is of one subagent, or of several by id. */
function readSubagents(status: Json | undefined, recorder: ActivityRecorder): void {
  if (!isJsonObject(status)) return;
  for (const each of [status, ...Object.values(status)])
    if (isJsonObject(each)) recorder.setAnswer(textAt(each, 'completed'), false);
}

function startCall(params: JsonObject, call: string, recorder: ActivityRecorder): void {
  const command = params['cmd'] ?? params['command'];
  if (!isText(command) && !isTextList(command)) return;
  const script = scriptIn(command);
  if (/\bapply_patch\b|^\*\*\* Begin Patch/.test(script) && script.search(PATCHED) >= 0)
    readPatch(script, call, recorder);
  else recorder.startCommand(call, script);
}

const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

function readPatch(patch: string, call: string, recorder: ActivityRecorder): void {
  for (const [, path] of patch.matchAll(PATCHED)) recorder.touchFile(path, true, call);
}

/** Records how a call ended, unless it goes on in the background. */
function readOutput(output: Json | undefined, call: string, recorder: ActivityRecorder): void {
  const text = isText(output) ? output : JSON.stringify(output ?? '');
  if (/^Process running with session ID/m.test(text)) recorder.setWorking();
  else recorder.endCall(call, !isFailure(text), text);
  readSubagents(parseJsonObject(text)?.['status'], recorder);
}

/** Returns true if an output says, in one of several forms, that the call has failed. */
function isFailure(text: string): boolean {
  const result = parseJsonObject(text) ?? {};
  const code = numberIn(objectAt(result, 'metadata'), 'exit_code');
  if (code !== undefined) return code !== 0;
  if (result['success'] === false) return true;
  return /(?:^|\n|")(?:Process exited with code|Exit code:?) (?!0\b)|^(?:apply_patch verification )?failed\b|^execution error/i.test(
    text,
  );
}

function readPlan(json: string, recorder: ActivityRecorder): void {
  const steps = objectsAt(parseJsonObject(json) ?? {}, 'plan');
  if (steps.length === 0) return;
  recorder.setTodos(
    steps.map((step) => ({ text: textAt(step, 'step'), isDone: step['status'] === 'completed' })),
  );
}
