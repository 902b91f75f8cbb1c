import type { AppHooks } from '../../apps/ai-app.js';
import { typedText } from '../../apps/transcripts/typed-text.js';
import type { JsonObject } from '../../model/event.js';
import { numberIn, objectAt, parseJsonObject, textAt } from '../../model/text/json-fields.js';
import { readClientProcess, type SessionProcess } from '../../node/capture/client-process.js';
import type { ProgramHost } from '../program.js';
import type { SessionStart } from '../../node/capture/captured-session.js';

/** The used part of a client's input to a hook. Missing fields are empty. */
export interface HookInput extends SessionStart {
  /** Why a session starts: `startup`, `resume`, `clear` or `compact`. */
  readonly source: string;
  /** The user's last message. */
  readonly prompt: string;
  /** The agent's last answer. */
  readonly answer: string;
  /** The client's name of the event. */
  readonly event: string;
  /** Id of the subagent that calls a tool or starts. */
  readonly agent: string;
  /** The parameters of a tool call. */
  readonly params: JsonObject;
  /** Its result, as text. */
  readonly result: string;
  /** Why it failed, from an app that says so. */
  readonly error: string;
  /** When the client has called the hook, in milliseconds since the epoch. */
  readonly at: number;
  /** Size of the transcript then, in bytes; undefined if unknown. Passed on as `process`. */
  readonly size: number | undefined;
  /** The client's process. Only this program passes it on, to the process in the background. */
  readonly process?: SessionProcess | undefined;
  /** False if the user had not agreed to capture when the client called. Passed on likewise. */
  readonly hasConsent: boolean;
}

const PROCESS_FIELD = 'savepoint_client';
const TIME_FIELD = 'savepoint_at';
const SIZE_FIELD = 'savepoint_size';
const CONSENT_FIELD = 'savepoint_consent';
const MAX_INPUT_BYTES = 8 * 1024 * 1024;
/** A client that does not close standard input is not waited for longer. */
const INPUT_TIMEOUT_MS = 3000;

/** Reads the input of an app's hook; undefined if it is no JSON object. */
export async function readHookInput(
  program: ProgramHost,
  hooks: AppHooks,
): Promise<HookInput | undefined> {
  const now = Date.now();
  const value = parseJsonObject(await readStdin(program));
  if (!value) return undefined;
  return {
    session: textAt(value, 'session_id'),
    transcript: textAt(value, 'transcript_path'),
    folder: textAt(value, 'cwd'),
    source: textAt(value, 'source'),
    prompt: typedText(textAt(value, 'prompt'), hooks.transcript.additions),
    answer: textAt(value, hooks.answerField),
    event: textAt(value, 'hook_event_name'),
    agent: textAt(value, 'agent_id'),
    params: objectAt(value, 'tool_input'),
    result: resultText(value),
    error: textAt(value, 'error'),
    at: numberIn(value, TIME_FIELD) ?? now,
    size: numberIn(value, SIZE_FIELD),
    process: readClientProcess(value[PROCESS_FIELD]),
    hasConsent: value[CONSENT_FIELD] !== false,
  };
}

function resultText(input: JsonObject): string {
  return textAt(input, 'tool_response') || textAt(objectAt(input, 'tool_response'), 'llmContent');
}

/** Returns the input as the client sent it, for the process in the background. */
export function hookInputJson(input: HookInput, { answerField }: AppHooks): string {
  const { session, transcript, folder, source, prompt, answer, at, size } = input;
  return JSON.stringify({
    session_id: session,
    transcript_path: transcript,
    cwd: folder,
    source,
    prompt,
    [answerField]: answer,
    [TIME_FIELD]: at,
    [SIZE_FIELD]: size,
    [PROCESS_FIELD]: input.process,
    [CONSENT_FIELD]: input.hasConsent,
  });
}

async function readStdin({ stdin, node }: ProgramHost): Promise<string> {
  if (stdin.isTTY) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  await new Promise<void>((resolve) => {
    const timer = node.timers.setTimeout(resolve, INPUT_TIMEOUT_MS);
    const end = () => {
      node.timers.clearTimeout(timer);
      resolve();
    };
    stdin.on('data', (piece: Uint8Array) => {
      size += piece.length;
      if (size <= MAX_INPUT_BYTES) text += decoder.decode(piece, { stream: true });
    });
    stdin.once('end', end).once('error', end).once('close', end);
  });
  return text + decoder.decode();
}
